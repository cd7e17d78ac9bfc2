// What __dp4a does, in plain C++; what is in the last word of a row, and how it is cleared.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

// [dp4a]
/// The code number `at` of a word, the first in the lowest byte.
std::int8_t code(std::uint32_t word, int at) { return static_cast<std::int8_t>(word >> (8 * at)); }

/// sum + the four products. The GPU's instruction wraps around like an unsigned sum.
std::uint32_t dp4a(std::uint32_t x, std::uint32_t y, std::uint32_t sum) {
  for (int at = 0; at < 4; ++at) {
    sum += static_cast<std::uint32_t>(code(x, at) * code(y, at));
  }
  return sum;
}
// [/dp4a]

std::uint32_t word_at(const std::int8_t* codes) {
  std::uint32_t word = 0;
  std::memcpy(&word, codes, sizeof word);
  return word;
}

void print_sum(const char* what, std::uint32_t sum) {
  std::printf("%-34s %11d\n", what, static_cast<std::int32_t>(sum));
}

int main() {
  // Six codes count; two more are padding, and hold what was there before.
  const std::vector<std::int8_t> a = {1, 2, 3, 4, 5, 6, 99, -77};
  const std::vector<std::int8_t> b = {1, -1, 1, -1, 2, 2, 50, 60};
  const std::uint32_t tail = word_at(&a[4]), kept = tail & 0xFFFF;
  const std::uint32_t first = dp4a(word_at(&a[0]), word_at(&b[0]), 0);
  std::printf("last word of a 0x%08x, two codes of it 0x%08x\n", tail, kept);
  print_sum("the first word", first);
  print_sum("and the last, as it is", dp4a(tail, word_at(&b[4]), first));
  print_sum("and the last, cleared in a alone", dp4a(kept, word_at(&b[4]), first));

  std::uint32_t sum = 0;
  for (int word = 0; word < 32767; ++word) sum = dp4a(0x80808080u, 0x80808080u, sum);
  print_sum("131068 products of -128 * -128", sum);
  print_sum("131071 of them", dp4a(0x00808080u, 0x80808080u, sum));
  print_sum("131072: one too many", dp4a(0x80808080u, 0x80808080u, sum));
}
