// A product of signs by XOR and population count, in plain C++; what the tail does to it; masks.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <vector>

// [product]
/// Ones where the last word of a row of k bits has bits of the row.
std::uint32_t tail_mask(int k) { return ~0u >> ((32 - k % 32) % 32); }

/// The sum of k products of two signs, bit 1 being -1. 32 products a word.
int sum_of_products(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b, int k,
                    bool masked) {
  int differing = 0;
  for (std::size_t w = 0; w < a.size(); ++w) {
    std::uint32_t differs = a[w] ^ b[w];
    if (masked && w + 1 == a.size()) differs &= tail_mask(k);
    differing += std::popcount(differs);
  }
  return k - 2 * differing;
}
// [/product]

std::vector<std::uint32_t> bits_of(const std::vector<float>& x, std::uint32_t behind) {
  std::vector<std::uint32_t> bits((x.size() + 31) / 32, 0);
  for (std::size_t c = 0; c < x.size(); ++c) bits[c / 32] |= std::uint32_t{x[c] < 0.0f} << c % 32;
  bits.back() |= behind & ~tail_mask(int(x.size()));
  return bits;
}

int main() {
  std::vector<float> a, b;
  int sum = 0;
  for (int p = 0; p < 70; ++p) {
    a.push_back(p % 3 == 0 ? -1.0f : 2.0f);
    b.push_back(p % 5 < 2 ? -3.0f : 0.0f);
    sum += (a.back() < 0.0f) == (b.back() < 0.0f) ? 1 : -1;
  }
  std::printf("70 products of signs, one by one          %3d\n", sum);
  std::printf("by 3 words, tails 0                       %3d\n",
              sum_of_products(bits_of(a, 0), bits_of(b, 0), 70, false));
  std::printf("by 3 words, something in the tail of a    %3d\n",
              sum_of_products(bits_of(a, 0xABCDEF00), bits_of(b, 0), 70, false));
  std::printf("the same, the tail masked                 %3d\n",
              sum_of_products(bits_of(a, 0xABCDEF00), bits_of(b, 0), 70, true));
  std::puts("\n k    mask of the last word");
  for (const int k : {1, 4, 31, 32, 33, 70}) std::printf("%2d    %08x\n", k, tail_mask(k));
}
