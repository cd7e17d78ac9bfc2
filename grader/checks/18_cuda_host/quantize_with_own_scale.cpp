// Lab 18, quantize_with_own_scale: the checks.
#include "checks/18_cuda_host/quantize_with_own_scale.hpp"

#include "judge/product.hpp"

namespace nibble::judge::lab_18_cuda_host {
namespace {

// Halves of equal length.
TEST(quantize_with_own_scale, EveryOrderOfStreams) {
  by_own_scale.is_right(with_largest_everywhere({64, 600, 4000}, seed(0)));
}

// One each; halves of unequal length; one more than a block in one of them; nothing but zeros;
// what is so small that its scale would be 0, or subnormal.
TEST(quantize_with_own_scale, EverySize) {
  auto cases = with_largest_everywhere({2, 3, 5, 31, 513, 10007}, seed(1));
  cases.push_back({"Zeros", {Reals(9, 0.0f)}});
  cases.push_back({"Thirteen", {{1.0f, -13.0f}}});  // 13 / 127 is not 13 * (1 / 127)
  cases.push_back({"MinusZeros", {Reals(4, -0.0f)}});
  cases.push_back({"Subnormal", {{0.0f, 0x1p-146f}}});  // its 127th is 0
  cases.push_back({"Tiny", {{-3 * FLT_MIN, FLT_MIN}}});
  by_own_scale.is_right(cases);
}

TEST(quantize_with_own_scale, RunsClean) {
  by_own_scale.runs_clean(
      with_largest_everywhere({2, 7, 600}, seed(2)),
      [](Expect& expect, const Values&, const auto& answer) { uses_both_streams(expect, answer); });
}

TEST(quantize_with_own_scale, EveryErrorComesBack) {
  by_own_scale.returns_every_error(with_largest_everywhere({9}, seed(3)));
}

}  // namespace
}  // namespace nibble::judge::lab_18_cuda_host
