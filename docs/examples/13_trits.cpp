// Five trits in a byte: how full it is, and how a digit comes out without a division.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <initializer_list>

// [digits]
/// The byte as a fraction of 256, rounded up: byte / 243 = fraction / 256, nearly.
std::uint8_t as_fraction(int byte) { return static_cast<std::uint8_t>((byte * 256 + 242) / 243); }

/// Three times a fraction of 256 is a digit before the point, and the fraction that is left.
bool gives_its_digits(std::uint8_t fraction, int byte) {
  for (const int place : {81, 27, 9, 3, 1}) {  // what is multiplied up first is the highest digit
    const int tripled = 3 * fraction;
    if (tripled >> 8 != byte / place % 3) return false;
    fraction = static_cast<std::uint8_t>(tripled & 255);
  }
  return true;
}
// [/digits]

int main() {
  std::puts("trits  bits  bits a trit  full to");
  for (const int trits : {1, 2, 3, 4, 5, 10, 17, 40, 111}) {
    const double needed = trits * std::log2(3.0);
    const int bits = static_cast<int>(std::ceil(needed));
    std::printf("%5d %5d %12.3f %7.1f %%\n", trits, bits, double(bits) / trits,
                100 * needed / bits);
  }
  int up = 0, down = 0;
  for (int byte = 0; byte < 243; ++byte) {
    up += gives_its_digits(as_fraction(byte), byte);
    down += gives_its_digits(static_cast<std::uint8_t>(byte * 256 / 243), byte);
  }
  std::printf("\nof 243 bytes right by multiplying: %d, had the fraction been rounded down: %d\n",
              up, down);
}
