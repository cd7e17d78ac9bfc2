// Four bits as a number from -8 to 7, three ways, for each of the sixteen there are.
#include <cstdint>
#include <cstdio>

// [ways]
/// Flip the sign bit, and 0 ... 15 begins at the code -8; take 8 off, and it is the code.
int by_flipping(unsigned nibble) { return int(nibble ^ 8u) - 8; }

/// Bit 3 becomes the sign of a 32-bit number, which a signed shift copies on its way back.
int by_shifting(unsigned nibble) { return int(nibble << 28) >> 28; }

/// In the upper half of a byte it has a sign already, and is 16 times as large.
int by_place(unsigned nibble) { return std::int8_t(nibble << 4) / 16; }
// [/ways]

int main() {
  std::puts("nibble   bits   flipped  shifted  as a byte");
  bool agree = true;
  for (unsigned nibble = 0; nibble < 16; ++nibble) {
    const int code = by_flipping(nibble);
    agree = agree && by_shifting(nibble) == code && by_place(nibble) == code;
    if (nibble % 7 != 0 && nibble != 8 && nibble != 15) continue;
    std::printf("%6u   %u%u%u%u   %7d  %7d  %5d / 16\n", nibble, nibble >> 3, nibble >> 2 & 1,
                nibble >> 1 & 1, nibble & 1, code, by_shifting(nibble), by_place(nibble) * 16);
  }
  std::printf("all sixteen agree: %s\n", agree ? "yes" : "no");
}
