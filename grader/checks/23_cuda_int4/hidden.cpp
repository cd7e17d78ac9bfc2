// Lab 23: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "cuda_int4.hpp"

#include "checks/23_cuda_int4/accesses.hpp"
#include "checks/23_cuda_int4/answers.hpp"
#include "checks/23_cuda_int4/weights.hpp"
#include "judge/kernel_exercise.hpp"

namespace nibble::judge::lab_23_cuda_int4 {
namespace {

// Odd k, one more than two tiles in each direction, and the shapes that are counted.
const std::vector<Sizes> kHiddenSizes = {
    {3, 5, 7, 64},    {2, 3, 1025, 64, 16}, {45, 70, 130, 64},  {1, 9, 509, 128},
    {9, 17, 35, 128}, {129, 65, 33, 64},    {65, 129, 67, 192}, {5, 6, 385, 320}};

template <class Exercise>
void check_unseen() {
  asking<Exercise>.is_right(random_cases(kHiddenSizes, hidden_seed));
}

TEST(unpack_int4, UnseenData) { check_unseen<Unpack>(); }
TEST(dequantize_int4, UnseenData) { check_unseen<Dequantize>(); }
TEST(gemv_int4, UnseenData) { check_unseen<Gemv>(); }
TEST(matmul_int4, UnseenData) { check_unseen<Matmul>(); }

}  // namespace
}  // namespace nibble::judge::lab_23_cuda_int4
