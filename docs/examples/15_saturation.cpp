// What vpmaddubsw makes of pairs of bytes: two products, added and stopped at the ends of int16.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

// [pair]
/// One 16-bit lane of vpmaddubsw: activations without a sign, weights with one.
int pair_of_bytes(std::array<std::uint8_t, 2> u, std::array<std::int8_t, 2> s) {
  const int exact = u[0] * s[0] + u[1] * s[1];
  return std::clamp(exact, -32768, 32767);
}
// [/pair]

void print_pair(std::array<std::uint8_t, 2> u, std::array<std::int8_t, 2> s) {
  const int exact = u[0] * s[0] + u[1] * s[1];
  const int got = pair_of_bytes(u, s);
  std::printf("%3d * %4d + %3d * %4d = %6d   stored as %6d%s\n", u[0], s[0], u[1], s[1], exact, got,
              exact == got ? "" : "   wrong");
}

int main() {
  print_pair({200, 100}, {90, -40});
  print_pair({255, 255}, {127, 127});
  print_pair({255, 255}, {-128, 127});
  print_pair({180, 220}, {-100, -80});
  print_pair({127, 127}, {-128, -128});
}
