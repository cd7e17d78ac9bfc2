// Reads a Q4_0 block as llama.cpp does: its bytes, drawn, and the weights that come out.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <initializer_list>

#include "nibble/half.hpp"

constexpr std::array<float, 32> kWeights = {
    0.11f,  -0.07f, 0.02f,  0.19f,  -0.25f, 0.05f,  0.00f,  -0.13f,  // 0 ... 7
    0.08f,  0.31f,  -0.02f, -0.18f, 0.14f,  0.06f,  -0.09f, 0.03f,   // 8 ... 15
    -0.40f, 0.21f,  0.12f,  -0.05f, 0.01f,  0.38f,  -0.16f, 0.09f,   // 16 ... 23
    -0.22f, 0.04f,  0.17f,  -0.11f, 0.07f,  -0.03f, 0.26f,  -0.01f};

/// What the solution, the Python package gguf and ggml's C function make of them: the same bytes.
constexpr std::array<std::uint8_t, 18> kBlock = {0x66, 0x2a, 0x0a, 0xc7, 0xa8, 0x7c,
                                                 0x83, 0xf9, 0x58, 0xa5, 0x4a, 0x9e,
                                                 0xb8, 0x64, 0x9b, 0x79, 0xd6, 0x89};

// [read]
/// Weight j of a block: 32 of them are 18 bytes.
float weight(const std::array<std::uint8_t, 18>& block, int j) {
  const float d = nibble::float_from_half(std::uint16_t(block[0] | block[1] << 8));
  const int byte = block[2 + j % 16];
  const int code = (j < 16 ? byte % 16 : byte / 16) - 8;
  return d * float(code);
}
// [/read]

template <class Print>
void print_line(const char* what, const Print& print) {
  std::printf("%-6s", what);
  for (int at = 0; at < 18; ++at) {
    if (at == 2) std::printf("  |");
    print(at);
  }
  std::printf("\n");
}

void print_block() {
  print_line("byte", [](int at) { std::printf(" %3d", at); });
  print_line("hex", [](int at) { std::printf("  %02x", kBlock[at]); });
  print_line("high", [](int at) { at < 2 ? std::printf("    ") : std::printf(" %3d", at + 14); });
  print_line("  code", [](int at) {
    at < 2 ? std::printf("    ") : std::printf(" %3d", kBlock[at] / 16 - 8);
  });
  print_line("low", [](int at) { at < 2 ? std::printf("    ") : std::printf(" %3d", at - 2); });
  print_line("  code", [](int at) {
    at < 2 ? std::printf("    ") : std::printf(" %3d", kBlock[at] % 16 - 8);
  });
}

int main() {
  const float d = nibble::float_from_half(std::uint16_t(kBlock[0] | kBlock[1] << 8));
  print_block();
  std::printf("\nd = %.8f, of -0.40 / -8 = 0.05\n\n", d);
  std::printf(" j   weight  read back   off by, in steps of d\n");
  for (const int j : {0, 1, 6, 9, 16, 21}) {
    const float back = weight(kBlock, j);
    std::printf("%2d    %5.2f   %8.5f   %6.3f\n", j, kWeights[j], back,
                std::fabs(back - kWeights[j]) / d);
  }
}
