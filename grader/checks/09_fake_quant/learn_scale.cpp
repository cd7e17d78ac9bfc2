// Lab 09, learn_scale: the checks.
#include "checks/09_fake_quant/learn_scale.hpp"

#include <map>

#include "checks/09_fake_quant/fake_quantize_backward.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_09_fake_quant {
namespace {

float right_step(float scale, float gradient, float rate) {
  const float way = rate * gradient, next = scale - way;
  const float least = std::max(scale / 2, FLT_MIN), most = std::min(scale * 2, FLT_MAX);
  return std::clamp(next, least, most);
}

Reals scales_by_definition(const Learning::Arguments& in) {
  return descent(in, right_step, scale_by_definition);
}

// With two bits qmax is 1: the root is 1 for one value and 2 for four.
// "TwoRoundings" ends one float higher in double, and where product and difference are fused.
TEST(learn_scale, GoesDownhill) {
  learning.gives({{"Down",
                   {{0.25f}, 2, 1, 4, 1},
                   {0.75f},
                   "downhill: where the gradient is above 0, the scale becomes smaller"},
                  {"Up", {{3}, 2, 1, 0.25f, 1}, {1.5f}},
                  {"UpAgain", {{3}, 2, 1, 0.25f, 3}, {1.5f, 1.875f, 2.15625f}},
                  {"Nothing", {{0}, 2, 1, 4, 2}, {1, 1}},
                  {"Exact", {{1, -2, 0, 1}, 2, 1, 8, 2}, {1, 1}},
                  {"TwoRoundings",
                   {{0.4f}, 4, 0.05f, 0.1f, 1},
                   {0.0632287562f},
                   "product and difference are each rounded to float32"},
                  {"Empty", {{}, 2, 0.5f, 4, 2}, {0.5f, 0.5f}},
                  {"NoSteps", {{3}, 2, 1, 0.25f, 0}, {}}},
                 "N-STEP");
  std::vector<Learning::Input> inputs;
  for (const std::size_t count : {1, 7, 100}) {
    for (int bits = 2; bits <= 8; ++bits) {
      const std::uint64_t which = seed(count * 16 + static_cast<std::size_t>(bits));
      const float start = 3.7f / static_cast<float>(1 << bits);
      inputs.push_back({std::to_string(count) + " values, " + std::to_string(bits) + " bits",
                        {normal_tensor(count, which), bits, start, 0.03f, 8}});
    }
  }
  learning.agrees_with(scales_by_definition, inputs);
}

// A step that is too wide would end at or below 0, or far above; and what is infinite is only wide.
TEST(learn_scale, StaysAScale) {
  learning.gives({{"Halves", {{0.25f}, 2, 1, 64, 4}, {0.5f, 0.25f, 0.25f, 0.25f}},
                  {"HalvesToZero", {{0.25f}, 2, 1, 16, 1}, {0.5f}},
                  {"JustAHalf", {{0.25f}, 2, 1, 8, 1}, {0.5f}},
                  {"MoreThanAHalf", {{0.25f}, 2, 1, 12, 1}, {0.5f}},
                  {"Doubles", {{30}, 2, 1, 64, 4}, {2, 4, 8, 16}},
                  {"JustTwice", {{3}, 2, 1, 0.5f, 1}, {2}},
                  {"MoreThanTwice", {{3}, 2, 1, 0.75f, 1}, {2}},
                  {"Floor", {{FLT_MIN / 4}, 2, FLT_MIN, 64, 2}, {FLT_MIN, FLT_MIN}},
                  {"NearTheFloor", {{FLT_MIN / 4}, 2, 1.5f * FLT_MIN, 64, 1}, {FLT_MIN}},
                  {"InfiniteStep", {{3e38f}, 2, 1e38f, 100, 1}, {2e38f}},
                  {"InfiniteGradient",
                   {{3e38f, 3e38f}, 8, 1e-30f, 1, 2},
                   {2 * 1e-30f, 4 * 1e-30f},
                   "an infinite gradient is a step too, which halves or doubles the scale"},
                  {"Ceiling", {{3e38f}, 2, 2e38f, 100, 2}, {FLT_MAX, FLT_MAX / 2}}},
                 "N-STEP");
}

/// The clip of lab 07's mse_clip: of a hundred, the one with the least squared error.
float mse_clip(const Reals& x, int num_bits) {
  const auto [qmin, qmax] = signed_range(num_bits);
  std::map<double, float> clips;  // by their errors
  for (int percent = 1; percent <= 100; ++percent) {
    const float clip = max_abs(x) * (static_cast<float>(percent) / 100.0f);
    const Grid grid{clip / static_cast<float>(qmax), 0, qmin, qmax};
    double squares = 0;
    for (const float value : x) {
      const float off = fake_quantize(value, grid) - value;
      squares += double{off} * off;
    }
    clips[squares] = clip;
  }
  return clips.begin()->second;
}

// From a scale that clamps nothing, and from one that clamps nearly everything.
TEST(learn_scale, FindsTheClip) {
  constexpr std::size_t kValues = 8192;
  std::vector<Learning::Input> inputs;
  for (const auto& [num_bits, share] : {std::pair{3, 1.0f}, {4, 0.1f}, {5, 1.0f}, {6, 0.1f}}) {
    const Reals x = normal_tensor(kValues, seed(static_cast<std::uint64_t>(num_bits)));
    const auto qmax = static_cast<float>(signed_range(num_bits).qmax);
    inputs.push_back({std::to_string(num_bits) + " bits",
                      {x, num_bits, share * max_abs(x) / qmax,
                       0.5f * std::sqrt(qmax / static_cast<float>(kValues)), 60}});
  }
  learning.on_each(inputs, [](Expect& expect, const auto& in) {
    if (in.a.size() != kValues) return;  // of a few values the best clip is an accident
    const Reals scales = learning(in);
    const auto qmax = static_cast<float>(signed_range(in.b).qmax);
    expect.equal("the number of scales", std::ssize(scales), in.e);
    if (scales.empty()) return;
    expect.near("clip", scales.back() * qmax, mse_clip(in.a, in.b), learned_clip(max_abs(in.a)));
  });
}

}  // namespace
}  // namespace nibble::judge::lab_09_fake_quant
