// A network that has learnt the glyphs, with weights of a byte: run in float, with its inputs
// quantized row by row, and with ranges found beforehand. `29_three_ways many`: what is lost by 36
// such networks, each with 6000 images.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "nibble/net/glyphs.hpp"
#include "nibble/net/train.hpp"

using nibble::Linear;
using nibble::Mlp;
using Numbers = std::vector<float>;

/// Every row of n numbers rounded to `levels` steps either side of 0, and back.
void round_rows(Numbers& a, std::size_t n, float levels) {
  for (std::size_t row = 0; row < a.size(); row += n) {
    const auto one = std::span(a).subspan(row, n);
    float amax = 0;
    for (const float v : one) amax = std::max(amax, std::fabs(v));
    const float scale = amax == 0 ? 1 : amax / levels;
    for (float& v : one) v = scale * std::nearbyint(v / scale);
  }
}

// [static]
/// What is beyond the range is cut, what is within is rounded to one of 256 codes.
void round_to_range(Numbers& a, float hi) {
  const float scale = hi / 255;
  for (float& v : a) v = scale * std::clamp(std::nearbyint(v / scale), 0.0f, 255.0f);
}

/// The largest value that each layer is given, for `count` of the images: none is below 0.
Numbers ranges(const Mlp& net, const nibble::Images& images, std::size_t count) {
  Numbers all;
  for (const Numbers& values : nibble::forward_all(net, nibble::as_floats(images, 0, count))) {
    all.push_back(std::ranges::max(values));
  }
  return all;
}
// [/static]

/// The share of images that are named right when `round(values, layer)` stands before each layer.
template <class Round>
double percent(const Mlp& net, const nibble::Images& images, const Round& round) {
  Numbers now = nibble::as_floats(images, 0, images.size());
  for (std::size_t l = 0; l < net.layers.size(); ++l) {
    if (l > 0) nibble::relu(now);
    round(now, l);
    now = nibble::linear(net.layers[l], now);
  }
  const std::vector<int> found = nibble::classes(now);
  int right = 0;
  for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == images.labels[i] ? 1 : 0;
  return 100.0 * right / static_cast<double>(images.size());
}

/// Per cent that a network names right of `count` images that it has not seen.
struct Found {
  double in_float, weight_only, dynamic, of_one, of_many;
};

Found found(std::uint64_t seed, std::size_t count) {
  const nibble::Images images = nibble::make_glyphs(2000, 2 * seed),
                       unseen = nibble::make_glyphs(count, 2 * seed + 1);
  Mlp net = nibble::untrained(std::vector<std::size_t>{784, 32, 16, 10}, seed);
  nibble::train(net, images, {.epochs = 5, .seed = seed});
  Mlp bytes = net;
  for (Linear& layer : bytes.layers) round_rows(layer.weight, layer.inputs, 127);
  const auto as_it_is = [](Numbers&, std::size_t) {};
  const auto by_row = [&](Numbers& x, std::size_t l) { round_rows(x, net.layers[l].inputs, 127); };
  const auto within = [](const Numbers& most) {
    return [&most](Numbers& x, std::size_t l) { round_to_range(x, most[l]); };
  };
  const Numbers of_one = ranges(net, images, 1), of_many = ranges(net, images, 200);
  return {percent(net, unseen, as_it_is), percent(bytes, unseen, as_it_is),
          percent(bytes, unseen, by_row), percent(bytes, unseen, within(of_one)),
          percent(bytes, unseen, within(of_many))};
}

void tell_of_many() {
  constexpr int kNetworks = 36;
  double dynamic = 0, fixed = 0, most_dynamic = 0, most_fixed = 0;  // points lost
  for (int seed = 1; seed <= kNetworks; ++seed) {
    const Found one = found(static_cast<std::uint64_t>(seed), 6000);
    dynamic += (one.in_float - one.dynamic) / kNetworks;
    fixed += (one.in_float - one.of_many) / kNetworks;
    most_dynamic = std::max(most_dynamic, one.in_float - one.dynamic);
    most_fixed = std::max(most_fixed, one.in_float - one.of_many);
  }
  std::printf("lost in the mean, and at the most: dynamic %.2f %.2f, static %.2f %.2f\n", dynamic,
              most_dynamic, fixed, most_fixed);
}

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "many") return tell_of_many(), 0;
  std::printf(
      "                                         static, ranges of\n"
      "seed   float   weight-only   dynamic   1 image   200 images\n");
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const Found one = found(seed, 2000);
    std::printf("%4d %7.2f %13.2f %9.2f %9.2f %12.2f\n", static_cast<int>(seed), one.in_float,
                one.weight_only, one.dynamic, one.of_one, one.of_many);
  }
}
