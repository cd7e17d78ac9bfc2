// Lab 24: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "cuda_fused.hpp"

#include "checks/24_cuda_fused/exercise.hpp"
#include "checks/24_cuda_fused/layers_at_random.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/same_function.hpp"

namespace nibble::judge::lab_24_cuda_fused {
namespace {

template <auto F>
void check_unseen() {
  std::vector<MatmulShape> shapes = all_shapes<F>();
  for (const MatmulShape s : counted_shapes<F>()) shapes.push_back(s);
  layer<F>.is_right(random_layers<F>(shapes, hidden_seed));
}

TEST(scale_bias_relu, UnseenData) { check_unseen<&scale_bias_relu>(); }
TEST(requantize, UnseenData) { check_unseen<&requantize>(); }
TEST(matmul_fused, UnseenData) { check_unseen<&matmul_fused>(); }
TEST(matmul_requantized, UnseenData) { check_unseen<&matmul_requantized>(); }
TEST(matmul_asymmetric, UnseenData) { check_unseen<&matmul_asymmetric>(); }

}  // namespace
}  // namespace nibble::judge::lab_24_cuda_fused
