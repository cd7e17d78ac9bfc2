// Lab 20: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "cuda_absmax.hpp"

#include "checks/20_cuda_absmax/absmax.hpp"
#include "checks/20_cuda_absmax/rows.hpp"
#include "checks/20_cuda_absmax/rows_with_zero_point.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/rows.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_20_cuda_absmax {
namespace {

/// A size below `most`, and where its largest element is, as the secret wants it.
std::vector<Tensor> hidden_tensors(std::size_t most) {
  std::vector<Tensor> cases;
  for (std::uint64_t i = 0; i < 12; ++i) {
    const std::size_t n = 1 + hidden_seed(2 * i) % (most >> (i % 4 * 3));
    cases.push_back({std::to_string(n), {normal_tensor(n, hidden_seed(2 * i + 1))}});
    cases.back().x[hidden_seed(100 + i) % n] = i % 2 == 0 ? -7.5f : 0x1p30f;
  }
  return cases;
}

TEST(absmax_block, EqualsTheDefinition) { in_block.is_right(hidden_tensors(30000)); }
TEST(absmax_warp, EqualsTheDefinition) { in_warp.is_right(hidden_tensors(30000)); }
TEST(absmax, EqualsTheDefinition) { of_all.is_right(hidden_tensors(60000)); }

std::vector<Rows> hidden_rows() {
  std::vector<Rows> cases;
  for (std::uint64_t i = 0; i < 12; ++i) {
    const int cols = 1 + static_cast<int>(hidden_seed(2 * i) % (kMostColumns >> (i % 4 * 2)));
    cases.push_back(random_rows(1 + i, cols, hidden_seed(2 * i + 1)));
    if (i % 3 == 0) cases.back().x[hidden_seed(100 + i) % cases.back().x.size()] = 1000.0f;
  }
  return cases;
}

TEST(quantize_rows, EqualsTheDefinition) { quantizing.is_right(hidden_rows()); }

TEST(quantize_rows_asymmetric, EqualsTheDefinition) { shifting.is_right(hidden_rows()); }

}  // namespace
}  // namespace nibble::judge::lab_20_cuda_absmax
