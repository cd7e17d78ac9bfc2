// Lab 26: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "cuda_half_fp8.hpp"

#include "checks/26_cuda_half_fp8/dequantize_to_half.hpp"
#include "checks/26_cuda_half_fp8/products.hpp"
#include "checks/26_cuda_half_fp8/quantize_fp8.hpp"
#include "checks/26_cuda_half_fp8/quantize_int4.hpp"
#include "checks/26_cuda_half_fp8/values.hpp"
#include "judge/kernel_exercise.hpp"

namespace nibble::judge::lab_26_cuda_half_fp8 {
namespace {

const std::vector<MatmulShape> kHiddenShapes = {
    {3, 5, 32}, {17, 9, 32}, {45, 70, 64}, {64, 64, 128}, {33, 65, 96}, {65, 33, 32}, {2, 3, 544}};

template <class Exercise>
void check_unseen() {
  multiplying<Exercise>.is_right(random_products<Exercise>(kHiddenShapes, hidden_seed));
}

TEST(dequantize_to_half, UnseenData) {
  to_half.is_right(code_cases({{3, 16}, {7, 520}, {5, 480}, {8, 1024}}, hidden_seed));
}
TEST(quantize_int4, UnseenData) {
  to_int4.is_right(
      float_cases({{3, 64, 32}, {7, 256, 64}, {5, 448, 32}, {8, 1024, 64}}, hidden_seed));
}
TEST(quantize_fp8, UnseenData) {
  to_fp8.is_right(fp8_cases({{3, 16}, {7, 264}, {5, 480}, {8, 1024}}, 4.0f, hidden_seed));
}
TEST(gemm_half, UnseenData) { check_unseen<Half>(); }
TEST(gemm_bfloat16, UnseenData) { check_unseen<Bfloat16>(); }
TEST(gemm_fp8, UnseenData) { check_unseen<Fp8>(); }

}  // namespace
}  // namespace nibble::judge::lab_26_cuda_half_fp8
