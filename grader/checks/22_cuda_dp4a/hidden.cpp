// Lab 22: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "cuda_dp4a.hpp"

#include "checks/22_cuda_dp4a/products.hpp"
#include "judge/product_exercise.hpp"

namespace nibble::judge::lab_22_cuda_dp4a {
namespace {

// One more than two tiles in each direction, long sums, and the shapes that are counted.
const Shapes kHiddenShapes = {{3, 5, 7},     {2, 3, 1025},   {65, 33, 97},  {45, 70, 50},
                              {64, 64, 128}, {33, 129, 261}, {129, 65, 33}, {70, 140, 33},
                              {66, 67, 131}, {128, 128, 64}};

TEST(matmul_dp4a_naive, UnseenData) { naive.is_right(with_noise(kHiddenShapes, hidden_seed)); }
TEST(matmul_dp4a_tiled, UnseenData) { tiled.is_right(with_noise(kHiddenShapes, hidden_seed)); }
TEST(matmul_dp4a_register, UnseenData) {
  in_registers.is_right(with_noise(kHiddenShapes, hidden_seed));
}

}  // namespace
}  // namespace nibble::judge::lab_22_cuda_dp4a
