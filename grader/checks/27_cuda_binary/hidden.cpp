// Lab 27: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "cuda_binary.hpp"

#include "checks/27_cuda_binary/products.hpp"
#include "checks/27_cuda_binary/rows.hpp"
#include "checks/27_cuda_binary/signs.hpp"
#include "judge/product_exercise.hpp"

namespace nibble::judge::lab_27_cuda_binary {
namespace {

// Long sums, one more than two tiles in each direction, and the shapes that are counted.
const Shapes kHiddenShapes = {{3, 5, 7},      {2, 3, 10007}, {45, 70, 500},
                              {64, 64, 1024}, {65, 33, 97},  {33, 65, 2049},
                              {5, 3, 70},     {16, 16, 256}, {7, 131, 333}};

TEST(pack_signs, UnseenData) { packing.is_right(every_row(hidden_seed)); }
TEST(binary_matmul, UnseenData) { naive.is_right(kHiddenShapes, hidden_seed); }
TEST(binary_matmul_tiled, UnseenData) { tiled.is_right(kHiddenShapes, hidden_seed); }
TEST(binarize_rows, UnseenData) { binarizing.is_right(every_row(hidden_seed)); }

}  // namespace
}  // namespace nibble::judge::lab_27_cuda_binary
