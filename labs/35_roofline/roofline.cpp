// Lab 35. The contract is in roofline.hpp; the story is in README.md.
// Check yourself:  ./nibble run 35        (or leave ./nibble watch open)
#include "roofline.hpp"

namespace nibble {

Cost product_cost(const Product& product) {
  // 1. Refuse.  2. Count operations.  3. Count whole bytes, matrix by matrix.
  NIBBLE_TODO("count the operations and the bytes of a product");
}

Roof attainable(const Cost& cost, const Machine& machine) {
  // 1. Refuse.  2. The two slopes.  3. The lower of two roofs.
  NIBBLE_TODO("find the place below the roof");
}

Summary summarize(std::span<const double> seconds, std::int32_t warm_up) {
  // 1. Refuse.  2. Cut the warm-up.  3. Sort.  4. A rank counts from 1.
  NIBBLE_TODO("summarize the times");
}

Comparison compare_pairs(std::span<const double> ours, std::span<const double> theirs,
                         std::uint64_t seed) {
  // 1. Refuse.  2. The logarithm of each quotient.  3. Draw, sort, cut both ends.
  NIBBLE_TODO("compare the pairs");
}

double tokens_per_second(const Decoder& decoder, const Machine& machine) {
  // 1. Refuse.  2. What does one step read?  3. Which roof is the lower one?
  NIBBLE_TODO("count the tokens of a second");
}

}  // namespace nibble
