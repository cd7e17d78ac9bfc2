// Why a zero point of 0 for the weights is worth having: what is left of the corrections is known
// before the first input arrives, and is added to the bias once.
#include <array>
#include <cstdint>
#include <cstdio>

// [fold]
constexpr int kZeroPoint = -128;                                           // of the activations
constexpr std::array<std::int8_t, 6> kWeights = {40, -17, 3, 90, -66, 5};  // zero point 0
constexpr std::int32_t kBias = 1000;

/// What a layer adds to its raw sums: the bias, and what the zero point changes. Computed once.
constexpr std::int32_t folded_bias() {
  std::int32_t sum = 0;
  for (const std::int8_t weight : kWeights) sum += weight;
  return kBias - kZeroPoint * sum;
}

/// One output, from codes as they are: no subtraction in the loop.
std::int32_t raw_layer(const std::array<std::int8_t, 6>& codes) {
  std::int32_t sum = folded_bias();
  for (std::size_t p = 0; p < codes.size(); ++p) sum += codes[p] * kWeights[p];
  return sum;
}
// [/fold]

std::int32_t plain_layer(const std::array<std::int8_t, 6>& codes) {
  std::int32_t sum = kBias;
  for (std::size_t p = 0; p < codes.size(); ++p) sum += (codes[p] - kZeroPoint) * kWeights[p];
  return sum;
}

int main() {
  std::printf("folded bias %d\n", folded_bias());
  for (const std::array<std::int8_t, 6>& codes : {std::array<std::int8_t, 6>{},
                                                  {-128, -128, -128, -128, -128, -128},
                                                  {127, -128, 12, -40, 99, -1}}) {
    std::printf("raw %6d   plain %6d\n", raw_layer(codes), plain_layer(codes));
  }
}
