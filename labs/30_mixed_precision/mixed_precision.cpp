// Lab 30. The contract is in mixed_precision.hpp; the story is in README.md.
// Check yourself:  ./nibble run 30        (or leave ./nibble watch open)
#include "mixed_precision.hpp"

namespace nibble {

std::vector<double> layer_sensitivity(const Network& net, std::span<const double> x,
                                      std::int32_t num_bits) {
  // 1. Refuse.  2. What the network says.  3. Layer by layer: what does it say when the rows
  // of this one alone are rounded?
  NIBBLE_TODO("find out which layer minds");
}

std::vector<std::int32_t> choose_bits(const Candidates& candidates, std::int64_t budget_bits) {
  // 1. Refuse.  2. As long as somebody gains and fits: who gains most for a bit?
  NIBBLE_TODO("spend the budget, step by step");
}

std::vector<std::int32_t> best_bits(const Candidates& candidates, std::int64_t budget_bits) {
  // 1. Refuse.  2. There are 4^8 = 65,536 at most: look at each of them.
  NIBBLE_TODO("find the best of all choices");
}

std::vector<std::int32_t> split_outliers(std::span<const double> x, std::int32_t inputs,
                                         double threshold) {
  NIBBLE_TODO("find the columns with outliers");
}

std::vector<double> matmul_with_outliers(std::span<const double> x, std::span<const double> w,
                                         std::int32_t inputs, double threshold) {
  // 1. Refuse.  2. The outliers as they are.  3. What is left, in eight bits: of which
  // numbers are the scales made?
  NIBBLE_TODO("multiply in two parts");
}

Autocast autocast(const Operations& program) {
  // 1. Refuse.  2. In order: the type of an operation, then what it reads in the other type.
  NIBBLE_TODO("choose types, and count the casts");
}

}  // namespace nibble
