// Lab 07: the picture.
#include "calibration.hpp"

#include "judge/exercise.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_07_calibration {
namespace {

/// As docs/examples/07_clips.cpp: SplitMix64, roughly normal, Student's t of five degrees.
float next_normal(std::uint64_t& state) {
  float sum = -6.0f;
  for (int i = 0; i < 12; ++i) {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    sum += static_cast<float>((z ^ (z >> 31)) >> 40) * 0x1p-24f;
  }
  return sum;
}

Reals long_tailed(std::size_t count, std::uint64_t state) {
  Reals x(count);
  for (float& value : x) {
    float squares = 0.0f;
    for (int i = 0; i < 5; ++i) {
      const float normal = next_normal(state);
      squares += normal * normal;
    }
    value = next_normal(state) / std::sqrt(squares / 5.0f);
  }
  return x;
}

constexpr std::size_t kDrawnBins = 30, kDrawnValues = 200'000;

std::vector<int> counts_of_magnitudes(const Reals& x, float top) {
  std::vector<int> counts(kDrawnBins);
  const float width = top / kDrawnBins;
  for (const float value : x) {
    const float bin = std::ceil(std::fabs(value) / width) - 1;
    ++counts[static_cast<std::size_t>(std::clamp(bin, 0.0f, kDrawnBins - 1.0f))];
  }
  return counts;
}

void draw_clips(Picture& picture) {
  const Reals x = long_tailed(kDrawnValues, 1);
  const float top = max_abs(x);
  auto& all = picture.clips.emplace();
  all.top = top;
  all.counts = counts_of_magnitudes(x, top);
  const auto draw = [&](const char* name, const auto& ask) {
    draw_answer(picture, name, [&] {
      const float clip = ask();
      if (std::isfinite(clip)) return all.clips.push_back({name, clip});
      picture.notes.push_back(std::string(name) + ": no number came");
    });
  };
  draw("max |x|", [&] { return call<&percentile_clip>(x, 1'000'000); });
  draw("99.99 %", [&] { return call<&percentile_clip>(x, 999'900); });
  draw("99.9 %", [&] { return call<&percentile_clip>(x, 999'000); });
  draw("99 %", [&] { return call<&percentile_clip>(x, 990'000); });
  draw("MSE, 8 bits", [&] { return call<&mse_clip>(x, 8); });
  draw("MSE, 4 bits", [&] { return call<&mse_clip>(x, 4); });
  draw("entropy", [&] { return call<&entropy_clip>(x, static_cast<std::int32_t>(kDrawnValues)); });
}
const bool has_picture =
    register_picture({"percentile_clip", "mse_clip", "entropy_clip"}, draw_clips);

}  // namespace
}  // namespace nibble::judge::lab_07_calibration
