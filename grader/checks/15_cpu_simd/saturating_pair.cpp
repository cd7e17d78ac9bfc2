// Lab 15, saturating_pair: the checks.
#include "checks/15_cpu_simd/saturating_pair.hpp"

namespace nibble::judge::lab_15_cpu_simd {
namespace {

// 255 * 128.5 is the first sum beyond int16: 129 is one more than it, 128 one less. One weight
// alone never reaches it, since 255 * -128 = -32640.
TEST(saturating_pair, FindsAWrongPair) {
  std::vector<std::pair<int, int>> some{{127, 127},   {64, 65},   {2, 127},   {127, 2},
                                        {-128, -128}, {-1, -128}, {-128, -1}, {-64, -65}};
  for (const auto& [s0, s1] : random_weights(200, seed(1))) {
    if (can_saturate(s0, s1)) some.emplace_back(s0, s1);
  }
  Expect::healthy(some.size() > 20, "few weights that saturate");
  pairs.on_each(weights(some), saturates_or_refuses);
}

TEST(saturating_pair, RefusesSafeWeights) {
  std::vector<std::pair<int, int>> some{{127, 127},  {0, 0},    {64, 64}, {1, 127},   {127, -128},
                                        {-128, 127}, {-128, 0}, {0, 127}, {-64, -64}, {-127, -1}};
  for (const auto& [s0, s1] : random_weights(100, seed(2))) {
    if (!can_saturate(s0, s1)) some.emplace_back(s0, s1);
  }
  pairs.on_each(weights(some), saturates_or_refuses);
}

}  // namespace
}  // namespace nibble::judge::lab_15_cpu_simd
