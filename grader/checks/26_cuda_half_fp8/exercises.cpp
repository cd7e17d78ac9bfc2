// Lab 26: the exercises.
#include "cuda_half_fp8.hpp"

#include "checks/26_cuda_half_fp8/accesses.hpp"
#include "checks/26_cuda_half_fp8/dequantize_to_half.hpp"
#include "checks/26_cuda_half_fp8/products.hpp"
#include "checks/26_cuda_half_fp8/quantize_fp8.hpp"
#include "checks/26_cuda_half_fp8/quantize_int4.hpp"
#include "checks/26_cuda_half_fp8/values.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_26_cuda_half_fp8 {
namespace {

TEST(dequantize_to_half, FollowsTheFormula) { check_halves_by_hand(); }
TEST(dequantize_to_half, EveryShape) { to_half.is_right(code_cases(kHalfSizes, seed)); }
TEST(dequantize_to_half, RunsClean) {
  to_half.runs_clean(code_cases(kHalfSizes, seed));
  to_half.runs_far(code_cases({{2, 33000}}, seed), last_halves);
}
TEST(dequantize_to_half, MovesNoMore) {
  check_rows_at_most(to_half, kGlobalBytes, counted_halves());
}
TEST(dequantize_to_half, AsksNoMore) {
  check_rows_at_most(to_half, kGlobalRequests, counted_halves());
}

TEST(quantize_int4, FollowsTheFormula) { check_int4_by_hand(); }
TEST(quantize_int4, EveryShape) { to_int4.is_right(float_cases(kInt4Sizes, seed)); }
TEST(quantize_int4, RunsClean) {
  to_int4.runs_clean(float_cases(kInt4Sizes, seed));
  to_int4.runs_far(float_cases({{1, 264192, 32}}, seed), last_int4);
}
TEST(quantize_int4, MovesNoMore) { check_rows_at_most(to_int4, kGlobalBytes, counted_int4()); }
TEST(quantize_int4, AsksNoMore) { check_rows_at_most(to_int4, kGlobalRequests, counted_int4()); }

TEST(quantize_fp8, FollowsTheFormula) { check_fp8_by_hand(); }
TEST(quantize_fp8, Saturates) { check_fp8_saturates(); }
TEST(quantize_fp8, EveryShape) { to_fp8.is_right(fp8_cases(kFp8Sizes, kInfinity, seed)); }
TEST(quantize_fp8, RunsClean) {
  to_fp8.runs_clean(fp8_cases(kFp8Sizes, 3.0f, seed));
  to_fp8.runs_far(fp8_cases({{3, 132}}, 3.0f, seed), last_fp8);
}
TEST(quantize_fp8, AsksNoMore) { check_rows_at_most(to_fp8, kGlobalRequests, counted_fp8()); }

TEST(gemm_half, FollowsTheFormula) { check_formula<Half>(); }
TEST(gemm_half, EveryShape) { check_shapes<Half>(); }
TEST(gemm_half, AddsUpInFloat) { check_float_sums(); }
TEST(gemm_half, LeavesCAlone) { check_beta_zero<Half>(); }
TEST(gemm_half, RunsClean) { check_clean<Half>(); }
TEST(gemm_half, MultipliesTilesOnce) { check_products<Half>(); }
TEST(gemm_half, MovesAtMostFourTimes) { check_at_most<Half>(kGlobalBytes, 4.0); }

TEST(gemm_bfloat16, FollowsTheFormula) { check_formula<Bfloat16>(); }
TEST(gemm_bfloat16, EveryShape) { check_shapes<Bfloat16>(); }
TEST(gemm_bfloat16, KeepsTheRange) { check_wide_range(); }
TEST(gemm_bfloat16, LeavesCAlone) { check_beta_zero<Bfloat16>(); }
TEST(gemm_bfloat16, RunsClean) { check_clean<Bfloat16>(); }
TEST(gemm_bfloat16, MultipliesTilesOnce) { check_products<Bfloat16>(); }
TEST(gemm_bfloat16, AsksNoMore) { check_at_most<Bfloat16>(kGlobalRequests, 1.1); }

TEST(gemm_fp8, FollowsTheFormula) { check_formula<Fp8>(); }
TEST(gemm_fp8, EveryShape) { check_shapes<Fp8>(); }
TEST(gemm_fp8, AddsInTwoLevels) { check_two_levels(); }
TEST(gemm_fp8, RunsClean) { check_clean<Fp8>(); }
TEST(gemm_fp8, MultipliesTilesOnce) { check_products<Fp8>(); }
TEST(gemm_fp8, AsksNoMore) { check_at_most<Fp8>(kGlobalRequests, 1.1); }

}  // namespace
}  // namespace nibble::judge::lab_26_cuda_half_fp8
