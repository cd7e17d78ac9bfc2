// Lab 23: the exercises.
#include "cuda_int4.hpp"

#include "checks/23_cuda_int4/accesses.hpp"
#include "checks/23_cuda_int4/answers.hpp"
#include "checks/23_cuda_int4/values.hpp"
#include "judge/kernel_exercise.hpp"

namespace nibble::judge::lab_23_cuda_int4 {
namespace {

TEST(unpack_int4, EveryByte) { check_every_byte(); }
TEST(unpack_int4, EveryShape) { check_shapes<Unpack>(); }
TEST(unpack_int4, PaddingIsCutOff) { check_padding<Unpack>(); }
TEST(unpack_int4, RunsClean) { check_runs_clean<Unpack>(); }
TEST(unpack_int4, MovesNoMore) { check_at_most<Unpack>(kGlobalBytes, 1.1); }
TEST(unpack_int4, AsksAtMostTwice) { check_at_most<Unpack>(kGlobalRequests, 2.0); }
TEST(unpack_int4, AsksNoMore) { check_at_most<Unpack>(kGlobalRequests, 1.1); }

TEST(dequantize_int4, FollowsTheFormula) { check_formula<Dequantize>(&HandCase::w_hat); }
TEST(dequantize_int4, EveryShape) { check_shapes<Dequantize>(); }
TEST(dequantize_int4, PaddingIsCutOff) { check_padding<Dequantize>(); }
TEST(dequantize_int4, RunsClean) { check_runs_clean<Dequantize>(); }
TEST(dequantize_int4, MovesAtMostTwice) { check_at_most<Dequantize>(kGlobalBytes, 2.0); }
TEST(dequantize_int4, MovesNoMore) { check_at_most<Dequantize>(kGlobalBytes, 1.1); }
TEST(dequantize_int4, AsksNoMore) { check_at_most<Dequantize>(kGlobalRequests, 1.1); }

TEST(gemv_int4, FollowsTheFormula) { check_formula<Gemv>(&HandCase::y); }
TEST(gemv_int4, EveryShape) { check_shapes<Gemv>(); }
TEST(gemv_int4, PaddingIsCutOff) { check_padding<Gemv>(); }
TEST(gemv_int4, NearForAnyScale) { check_any_scale<Gemv>(); }
TEST(gemv_int4, RunsClean) { check_runs_clean<Gemv>(); }
TEST(gemv_int4, MovesAtMostTwice) { check_at_most<Gemv>(kGlobalBytes, 2.0); }
TEST(gemv_int4, MovesNoMore) { check_at_most<Gemv>(kGlobalBytes, 1.1); }
TEST(gemv_int4, AsksNoMore) { check_at_most<Gemv>(kGlobalRequests, 1.1); }

TEST(matmul_int4, FollowsTheFormula) { check_formula<Matmul>(&HandCase::c); }
TEST(matmul_int4, EveryShape) {
  check_shapes<Matmul>();
  check_long_group();
}
TEST(matmul_int4, PaddingIsCutOff) { check_padding<Matmul>(); }
TEST(matmul_int4, NearForAnyScale) {
  check_any_scale<Matmul>();
  check_roundings_of_a_group();
}
TEST(matmul_int4, RunsClean) { check_runs_clean<Matmul>(); }
TEST(matmul_int4, CountsDp4a) { check_dp4a(); }
TEST(matmul_int4, MovesAtMostTwice) { check_at_most<Matmul>(kGlobalBytes, 2.0); }
TEST(matmul_int4, MovesNoMore) { check_bytes_of_products(); }
TEST(matmul_int4, LanesWorkTogether) { check_lanes(); }
TEST(matmul_int4, NoBankConflicts) { check_at_most<Matmul>(kBankConflicts, 1.0); }

}  // namespace
}  // namespace nibble::judge::lab_23_cuda_int4
