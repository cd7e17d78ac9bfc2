// The intrinsics by whose number a kernel is judged: each call counts.

#include "nibble/simt/device.hpp"
#include "nibble/simt/integer_intrinsics.hpp"

using nibble::simt::count;
using nibble::simt::dp4a_exact;

int __dp4a(int a, int b, int c) noexcept {
  count(nibble::simt::kDp4a, 1);
  return static_cast<int>(dp4a_exact<std::int8_t>(
      static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c)));
}

unsigned __dp4a(unsigned a, unsigned b, unsigned c) noexcept {
  count(nibble::simt::kDp4a, 1);
  return dp4a_exact<std::uint8_t>(a, b, c);
}

int __popc(unsigned x) noexcept {
  count(nibble::simt::kPopc, 1);
  return __builtin_popcount(x);
}

int __popcll(unsigned long long x) noexcept {
  count(nibble::simt::kPopc, 1);
  return __builtin_popcountll(x);
}
