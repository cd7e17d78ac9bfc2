// Lab 15, sigmoid: the checks.
#include "checks/15_cpu_simd/sigmoid.hpp"

#include "checks/15_cpu_simd/dequantize.hpp"
#include "judge/speed.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_15_cpu_simd {
namespace {

TEST(sigmoid, EveryCode) {
  const Codes near{3, 1, -2, 8, -5};  // the first is near a tie
  squashing.is_right({{"Few", {{0, 1, -1, 20, -20, 127, -128}, 0.05f}},
                      {"Every", {every_code(), 0.05f}},
                      {"Flat", {every_code(), 0.001f}},
                      {"Smallest", {every_code(), FLT_MIN}},
                      {"NearTie142", {near, 0x1.36aab4p-4f}},
                      {"NearTie146", {near, 0x1.8d7322p-4f}},
                      {"NearTie147", {near, 0x1.a3438ap-4f}},
                      {"NearTie149", {near, 0x1.cf0e02p-4f}},
                      {"NearTie193", {near, 0x1.81be9ap-2f}},
                      {"Steep", {every_code(), 1.0f}},
                      {"Step", {every_code(), 1e30f}},
                      {"AtRandom", {every_code(), uniform_tensor(1, seed(9), 0.01f, 0.1f)[0]}}});
}

TEST(sigmoid, EveryLength) { squashing.is_right(codes_of_every_length(0.03f)); }

TEST(sigmoid, RefusesWhatItMust) {
  squashing.refuses({{"Fits", {{3, -2}, 0.5f}}}, bad_lists(squashing, Codes{1, 2}));
}

TEST(sigmoid, Speed) {
  constexpr std::size_t count = 1 << 22;
  Codes x = FreshData().codes<std::int8_t>(count, -128, 127);
  speed<&sigmoid>({.zero_at = 0.1, .full_at = 0.3, .operations = 0, .bytes = 2.0 * count},
                  [&](FreshData& fresh) {
                    const auto one = [&] { return fresh.codes<std::int8_t>(1, -128, 127)[0]; };
                    return std::tuple(kept_but_some(x, fresh, one), fresh_scale(fresh), out(count));
                  });
}

}  // namespace
}  // namespace nibble::judge::lab_15_cpu_simd
