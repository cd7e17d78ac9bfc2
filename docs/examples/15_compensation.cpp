// An instruction that wants one operand without a sign, used on two that have one.
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>

constexpr std::array<std::int8_t, 8> kA = {-128, 127, -1, 0, 55, -70, 3, -9};
constexpr std::array<std::int8_t, 8> kB = {12, -7, 127, -128, 40, 40, -1, 6};

// [flip]
/// The byte of a + 128: adding 128 flips the top bit and carries nowhere.
constexpr std::uint8_t flipped(std::int8_t a) { return std::bit_cast<std::uint8_t>(a) ^ 0x80; }

void print_sums() {
  int signed_sum = 0, byte_sum = 0, weights = 0;
  for (std::size_t i = 0; i < kA.size(); ++i) {
    signed_sum += kA[i] * kB[i];
    byte_sum += flipped(kA[i]) * kB[i];
    weights += kB[i];
  }
  std::printf("signed * signed             %7d\n", signed_sum);
  std::printf("(a + 128) * b               %7d\n", byte_sum);
  std::printf("sum of b                    %7d\n", weights);
  std::printf("(a + 128) * b - 128 * sum   %7d\n", byte_sum - 128 * weights);
}
// [/flip]

int main() {
  for (const std::int8_t a : {-128, -1, 0, 127}) {
    std::printf("%4d is 0x%02x, with 128 added %3d = 0x%02x\n", a, std::bit_cast<std::uint8_t>(a),
                flipped(a), flipped(a));
  }
  print_sums();
}
