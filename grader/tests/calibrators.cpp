// calibrators [PAGE]: how many images a network still names when its activations have two bits, by
// who chose the clips; these are the published solution's of lab 07. With a page of the book:
// whether it shows the same.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "nibble/net/glyphs.hpp"
#include "nibble/net/train.hpp"

namespace nibble {

// As lab 07's contract has them; the kit's tests include no lab. The linker sees that they agree.
float percentile_clip(std::span<const float> x, std::int32_t per_million);
float mse_clip(std::span<const float> x, int num_bits);
float entropy_clip(std::span<const float> x, std::int32_t batch_size);

namespace {

using Reals = std::vector<float>;

constexpr int kSeeds = 5;
constexpr float kLargestCode = 3;  // behind a ReLU two bits are 0 ... 3

float entropy_of_all(const Reals& x) {
  return entropy_clip(x, static_cast<std::int32_t>(x.size()));
}

struct Calibrator {
  const char* name;
  std::function<float(const Reals&)> clip;
};
const Calibrator kCalibrators[] = {
    {"max |x|", [](const Reals& x) { return percentile_clip(x, 1'000'000); }},
    {"99.9 %", [](const Reals& x) { return percentile_clip(x, 999'000); }},
    {"99 %", [](const Reals& x) { return percentile_clip(x, 990'000); }},
    {"MSE", [](const Reals& x) { return mse_clip(x, 3); }},  // of its codes, those that are not < 0
    {"entropy", entropy_of_all},
    {"  no zeros",
     [](Reals x) {
       std::erase(x, 0.0f);
       return entropy_of_all(x);
     }},
};

/// A network, images that it has not seen, and what its hidden layers give for some others.
struct Trained {
  explicit Trained(std::uint64_t seed)
      : net(untrained(std::array{784ul, 128ul, 64ul, 10ul}, seed)) {
    train(net, make_glyphs(20'000, seed), {.seed = seed});
    test = make_glyphs(5'000, 1'000 + seed);
    const Images calibration = make_glyphs(1'000, 2'000 + seed);
    seen = forward_all(net, as_floats(calibration, 0, calibration.size()));
  }
  Mlp net;
  Images test;
  std::vector<Reals> seen;  ///< what each layer gets; then the scores
};

/// The share of images whose class is named, in percent, when what layers 2 and 3 get is cut at
/// `clips` and rounded to four codes.
double percent_right(const Trained& trained, const std::array<float, 2>& clips) {
  Reals x = as_floats(trained.test, 0, trained.test.size());
  for (std::size_t l = 0; l < 3; ++l) {
    if (l > 0) {
      const float scale = clips.at(l - 1) / kLargestCode;
      for (float& value : x) {
        value = scale * std::min(std::nearbyint(value / scale), kLargestCode);
      }
    }
    x = linear(trained.net.layers[l], x);
    if (l < 2) relu(x);
  }
  const std::vector<int> found = classes(x);
  int right = 0;
  for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == trained.test.labels[i];
  return 100.0 * right / static_cast<double>(found.size());
}

std::string formatted(const char* format, auto... values) {
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

double percent_of_zeros(const Reals& x) {
  return 100.0 * static_cast<double>(std::ranges::count(x, 0.0f)) / static_cast<double>(x.size());
}

std::string row_of(const char* name, const std::string& clips, const std::vector<double>& right) {
  std::string row = formatted("%-12s%-13s", name, clips.c_str());
  for (const double percent : right) row += formatted("%7.1f", percent);
  const auto [least, most] = std::ranges::minmax(right);
  return row + formatted("%8.1f ..%5.1f\n", least, most);
}

std::string table() {
  std::vector<Trained> all;
  std::vector<double> right;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    all.emplace_back(seed);
    right.push_back(100 * accuracy(all.back().net, all.back().test));
  }
  std::string text = "            clips, seed 1   % right, seed 1 to 5             least  most\n" +
                     row_of("float32", "", right);
  for (const Calibrator& calibrator : kCalibrators) {
    std::string clips;
    right.clear();
    for (const Trained& trained : all) {
      const std::array at{calibrator.clip(trained.seen[1]), calibrator.clip(trained.seen[2])};
      if (clips.empty()) clips = formatted("%5.1f%6.1f", at[0], at[1]);
      right.push_back(percent_right(trained, at));
    }
    text += row_of(calibrator.name, clips, right);
  }
  const std::vector<Reals>& seen = all.front().seen;
  return text + formatted("%-12s%5.1f%6.1f\n", "zeros, %", percent_of_zeros(seen[1]),
                          percent_of_zeros(seen[2]));
}

int compare(const std::string& text, const char* file) {
  std::ifstream page(file);
  const std::string book{std::istreambuf_iterator<char>(page), {}};
  if (book.find(text) != std::string::npos) return 0;
  std::printf("%s shows another table\n", file);
  return 1;
}

}  // namespace
}  // namespace nibble

int main(int argc, char** argv) {
  const std::string text = nibble::table();
  std::fputs(text.c_str(), stdout);
  return argc > 1 ? nibble::compare(text, argv[1]) : 0;
}
