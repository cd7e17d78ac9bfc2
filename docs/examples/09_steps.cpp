// How many steps a code is away from the one that stands for 0, and in how many bits.
#include <cstdint>
#include <cstdio>

int main() {
  // [steps]
  const std::int8_t q = -128, zero_point = 127;
  const auto in_8_bits = static_cast<std::int8_t>(q - zero_point);
  std::printf("steps %d, in 8 bits %d\n", q - zero_point, in_8_bits);
  // [/steps]
}
