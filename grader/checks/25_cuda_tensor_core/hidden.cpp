// Lab 25: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "cuda_tensor_core.hpp"

#include "checks/25_cuda_tensor_core/products.hpp"
#include "judge/product_exercise.hpp"

namespace nibble::judge::lab_25_cuda_tensor_core {
namespace {

// One more than two tiles in each direction, a long sum, and the shapes that are counted.
const Shapes kHiddenShapes = {{3, 5, 7},     {2, 3, 1025},  {17, 9, 17},
                              {45, 70, 50},  {64, 64, 128}, {33, 129, 65},
                              {129, 65, 33}, {70, 140, 96}, {128, 128, 64}};

TEST(matmul_wmma, UnseenData) { by_fragments.is_right(kHiddenShapes, hidden_seed); }
TEST(matmul_mma, UnseenData) { by_warps.is_right(kHiddenShapes, hidden_seed); }
TEST(matmul_mma_tiled, UnseenData) { tiled.is_right(kHiddenShapes, hidden_seed); }

}  // namespace
}  // namespace nibble::judge::lab_25_cuda_tensor_core
