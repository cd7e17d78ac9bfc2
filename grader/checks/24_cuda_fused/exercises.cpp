// Lab 24: the exercises.
#include "cuda_fused.hpp"

#include "checks/24_cuda_fused/accesses.hpp"
#include "checks/24_cuda_fused/layers_at_random.hpp"
#include "checks/24_cuda_fused/layers_by_hand.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/same_function.hpp"

namespace nibble::judge::lab_24_cuda_fused {
namespace {

TEST(scale_bias_relu, FollowsTheFormula) { gives_by_hand<&scale_bias_relu>(kReals); }
TEST(scale_bias_relu, ReluKeepsNan) { gives_by_hand<&scale_bias_relu>(kNans); }
TEST(scale_bias_relu, EveryShape) { check_shapes<&scale_bias_relu>(); }
TEST(scale_bias_relu, RunsClean) { check_runs_clean<&scale_bias_relu>(); }
// Half of the published solution's rows a thread are enough.
TEST(scale_bias_relu, ChannelsAreKept) { check_counts<&scale_bias_relu>(kChannelBytes, 2.0); }
TEST(scale_bias_relu, MovesNoMore) { check_bytes<&scale_bias_relu>(); }

TEST(requantize, FollowsTheFormula) { gives_by_hand<&requantize>(kCodes); }
TEST(requantize, TiesGoToEven) { gives_by_hand<&requantize>(kTies); }
TEST(requantize, ReluIsAClamp) { gives_by_hand<&requantize>(kRails); }
TEST(requantize, BiasSaturates) { gives_by_hand<&requantize>(kSaturation); }
TEST(requantize, EveryShape) { check_shapes<&requantize>(); }
TEST(requantize, RunsClean) { check_runs_clean<&requantize>(); }
TEST(requantize, ChannelsAreKept) { check_counts<&requantize>(kChannelBytes, 2.0); }
TEST(requantize, FourAtOnce) { check_counts<&requantize>(kGlobalRequests, 1.25); }
TEST(requantize, MovesNoMore) { check_bytes<&requantize>(); }

TEST(matmul_fused, FollowsTheFormula) { gives_by_hand<&matmul_fused>(kReals); }
TEST(matmul_fused, SumsAreExact) { check_exact_sums<&matmul_fused>(); }
TEST(matmul_fused, ReluKeepsNan) { gives_by_hand<&matmul_fused>(kNans); }
TEST(matmul_fused, EveryShape) { check_shapes<&matmul_fused>(); }
TEST(matmul_fused, RunsClean) { check_runs_clean<&matmul_fused>(); }
TEST(matmul_fused, WritesOnlyResults) { check_counts<&matmul_fused>(kResultBytes, 1.1); }
TEST(matmul_fused, MovesAtMostTwice) { check_counts<&matmul_fused>(kGlobalBytes, 2.0); }
TEST(matmul_fused, MovesNoMore) { check_counts<&matmul_fused>(kGlobalBytes, 1.1); }

TEST(matmul_requantized, FollowsTheFormula) { gives_by_hand<&matmul_requantized>(kCodes); }
TEST(matmul_requantized, SumsAreExact) {
  check_exact_sums<&matmul_requantized>();
  gives_by_hand<&matmul_requantized>(kSaturation);
}
TEST(matmul_requantized, ReluIsAClamp) {
  std::vector<HandCase> table = kRails;
  table.insert(table.end(), kTies.begin(), kTies.end());
  gives_by_hand<&matmul_requantized>(table);
}
TEST(matmul_requantized, EveryShape) { check_shapes<&matmul_requantized>(); }
TEST(matmul_requantized, RunsClean) { check_runs_clean<&matmul_requantized>(); }
TEST(matmul_requantized, FourCodesAWord) { check_counts<&matmul_requantized>(kStores, 1.1); }
TEST(matmul_requantized, MovesAtMostTwice) { check_counts<&matmul_requantized>(kGlobalBytes, 2.0); }
TEST(matmul_requantized, MovesNoMore) { check_counts<&matmul_requantized>(kGlobalBytes, 1.1); }

TEST(matmul_asymmetric, FollowsTheFormula) { check_asymmetric_formula(); }
TEST(matmul_asymmetric, SumsAreExact) { check_asymmetric_sums(); }
TEST(matmul_asymmetric, EveryShape) { check_shapes<&matmul_asymmetric>(); }
TEST(matmul_asymmetric, RunsClean) { check_runs_clean<&matmul_asymmetric>(); }
TEST(matmul_asymmetric, MovesNoMore) { check_counts<&matmul_asymmetric>(kGlobalBytes, 1.1); }

}  // namespace
}  // namespace nibble::judge::lab_24_cuda_fused
