// Lab 21: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "cuda_int8_matmul.hpp"

#include "checks/21_cuda_int8_matmul/products.hpp"
#include "judge/product_exercise.hpp"
#include "judge/same_function.hpp"

namespace nibble::judge::lab_21_cuda_int8_matmul {
namespace {

// One more than two tiles in each direction, long sums, and the shapes that are counted.
const std::vector<MatmulShape> kHiddenShapes = {{3, 5, 7},     {2, 3, 1025},  {45, 70, 50},
                                                {64, 64, 64},  {65, 33, 97},  {33, 129, 65},
                                                {129, 65, 33}, {70, 140, 33}, {66, 67, 131}};

TEST(matmul_naive, UnseenData) { naive.is_right(kHiddenShapes, hidden_seed); }
TEST(matmul_tiled, UnseenData) { tiled.is_right(kHiddenShapes, hidden_seed); }
TEST(matmul_transposed, UnseenData) { transposed.is_right(kHiddenShapes, hidden_seed); }
TEST(matmul_register, UnseenData) { in_registers.is_right(kHiddenShapes, hidden_seed); }

}  // namespace
}  // namespace nibble::judge::lab_21_cuda_int8_matmul
