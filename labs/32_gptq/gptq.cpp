// Lab 32. The contract is in gptq.hpp; the story is in README.md.
// Check yourself:  ./nibble run 32        (or leave ./nibble watch open)
#include "gptq.hpp"

namespace nibble {

std::vector<double> input_hessian(std::span<const double> x, std::int32_t inputs, double damping) {
  // 1. Refuse.  2. Sums of products over the samples.  3. Dead inputs.  4. The diagonal.
  NIBBLE_TODO("find out what an error costs");
}

std::vector<double> inverse_cholesky(std::span<const double> h, std::int32_t inputs) {
  // 1. Refuse.  2. There are two ways: invert h and take the factor of that, or take a
  // factor of h and invert that. What is below 0, and must not get a root?
  NIBBLE_TODO("factor the inverse");
}

QuantizedRow gptq_row(std::span<const double> w, std::span<const double> u, std::int32_t num_bits,
                      std::int32_t group_size) {
  // 1. Refuse.  2. A copy that changes.  3. Weight by weight: a scale where a group begins,
  // a code, an error, and the weights behind.
  NIBBLE_TODO("quantize a row, and hand the errors on");
}

std::vector<std::int32_t> activation_order(std::span<const double> h, std::int32_t inputs) {
  NIBBLE_TODO("the largest first");
}

GptqMatrix gptq_quantize(std::span<const double> w, std::span<const double> x, std::int32_t inputs,
                         const GptqOptions& options) {
  // All pieces are there. Which of them see the columns in another order, and which numbers
  // have to find the way back?
  NIBBLE_TODO("quantize the layer");
}

double layer_error(std::span<const double> w, std::span<const double> w_hat,
                   std::span<const double> x, std::int32_t inputs) {
  // Which sum is squared, the one over inputs, or each of its terms?
  NIBBLE_TODO("how far the outputs are off");
}

}  // namespace nibble
