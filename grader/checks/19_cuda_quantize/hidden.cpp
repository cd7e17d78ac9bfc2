// Lab 19: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "cuda_quantize.hpp"

#include "checks/19_cuda_quantize/dequantize.hpp"
#include "checks/19_cuda_quantize/quantization.hpp"
#include "checks/19_cuda_quantize/right.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_19_cuda_quantize {
namespace {

/// A scale between 2^-7 and 1, any float.
float hidden_scale(std::uint64_t salt) {
  return uniform_tensor(1, hidden_seed(salt), 0x1p-7f, 1.0f)[0];
}

template <auto F>
void equals_the_definition() {
  Cases<F> cases;
  for (const std::size_t n : {1, 6, 29, 515, 1031, 4094, 30011}) {
    const std::uint64_t salt = 2 * cases.size();
    cases.push_back(
        {std::to_string(n), random_input<F>(n, hidden_seed(salt)), hidden_scale(salt + 1)});
  }
  if constexpr (kTakesHalves<F>) {
    cases.push_back({"EveryHalf", every_half(), hidden_scale(100)});
  } else {
    cases.push_back({"Ties", around_half_way(hidden_scale(101)), hidden_scale(101)});
  }
  quantizing<F>.is_right(cases);
}

TEST(quantize, EqualsTheDefinition) { equals_the_definition<&quantize>(); }
TEST(quantize_vectorized, EqualsTheDefinition) { equals_the_definition<&quantize_vectorized>(); }
TEST(quantize_half, EqualsTheDefinition) { equals_the_definition<&quantize_half>(); }

TEST(dequantize, EqualsTheDefinition) {
  dequantizing.is_right(
      shaped({{1, 1}, {2, 5}, {11, 24}, {19, 131}, {10, 260}, {37, 517}, {129, 640}}, hidden_seed));
}

}  // namespace
}  // namespace nibble::judge::lab_19_cuda_quantize
