// Lab 14: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "cpu_int8_gemm.hpp"

#include "checks/14_cpu_int8_gemm/layout_of_b.hpp"
#include "checks/14_cpu_int8_gemm/multiply_zero_points.hpp"
#include "checks/14_cpu_int8_gemm/pack_b.hpp"
#include "checks/14_cpu_int8_gemm/usual_mistakes.hpp"
#include "judge/code_rows.hpp"
#include "judge/product_exercise.hpp"

namespace nibble::judge::lab_14_cpu_int8_gemm {
namespace {

// One more than a tile of 64 in each direction, long sums, and a shape with a rest of everything.
const std::vector<MatmulShape> kHiddenShapes = {
    {1, 1, 1}, {4, 6, 10}, {5, 67, 19}, {67, 5, 23}, {65, 65, 65}, {2, 3, 4099}, {9, 130, 517}};

TEST(multiply_naive, EqualsTheReference) {
  multiplying<&multiply_naive>.is_right(kHiddenShapes, hidden_seed);
}
TEST(multiply_rows, EqualsTheReference) {
  multiplying<&multiply_rows>.is_right(kHiddenShapes, hidden_seed);
}
TEST(multiply_dots, EqualsTheReference) {
  multiplying<&multiply_dots>.is_right(kHiddenShapes, hidden_seed);
}
TEST(multiply_tiled, EqualsTheReference) {
  multiplying<&multiply_tiled>.is_right(kHiddenShapes, hidden_seed);
}
TEST(multiply_packed, EqualsTheReference) {
  multiplying<&multiply_packed>.is_right(kHiddenShapes, hidden_seed);
}

TEST(pack_b, EqualsTheReference) {
  packing.is_right(each_of(kHiddenShapes, [](MatmulShape s, std::uint64_t at) {
    return random_rows(s.n, s.k, hidden_seed(100 + at));
  }));
}

TEST(multiply_zero_points, EqualsTheReference) {
  auto cases = shifted_products(kHiddenShapes, hidden_seed);
  const auto drawn = code_tensor<std::int8_t>(2 * cases.size(), hidden_seed(200), -128, 127);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].zero_points = {drawn[2 * i], i % 2 == 0 ? -128 : drawn[2 * i + 1]};
  }
  subtracting.is_right(cases);
}

}  // namespace
}  // namespace nibble::judge::lab_14_cpu_int8_gemm
