// What a warp does together beyond shuffles and votes: __reduce_*_sync,
// __match_*_sync, __activemask.
#pragma once

#include <cstdint>
#include <type_traits>

#include "nibble/simt/device.hpp"

namespace nibble::simt {

enum class Reduction : std::uint8_t {
  kAdd,
  kMin,
  kMax,
  kMinUnsigned,
  kMaxUnsigned,
  kAnd,
  kOr,
  kXor
};

unsigned reduce_sync(Reduction reduction, unsigned mask, unsigned value, const void* pc);
/// The lanes of `mask` that brought the same bits.
unsigned match_any(unsigned mask, std::uint64_t value, const void* pc);
/// `mask` when all brought the same bits, else 0.
unsigned match_all(unsigned mask, std::uint64_t value, int* all_equal, const void* pc);
unsigned active_mask(const void* pc);

/// The bits of a number, as __match_*_sync compares them.
template <class T>
NIBBLE_SIMT_QUIET std::uint64_t bits_of(T value) {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "__match_any_sync and __match_all_sync compare numbers of 4 or 8 bytes");
  if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(std::uint32_t, value);
  } else {
    return __builtin_bit_cast(std::uint64_t, value);
  }
}

}  // namespace nibble::simt

#define NIBBLE_SIMT_REDUCE(NAME, TYPE, REDUCTION)                                                 \
  NIBBLE_SIMT_UNSEEN inline TYPE NAME(unsigned mask, TYPE value) {                                \
    return static_cast<TYPE>(nibble::simt::reduce_sync(                                           \
        nibble::simt::Reduction::REDUCTION, mask, static_cast<unsigned>(value), NIBBLE_SIMT_PC)); \
  }
NIBBLE_SIMT_REDUCE(__reduce_add_sync, int, kAdd)
NIBBLE_SIMT_REDUCE(__reduce_add_sync, unsigned, kAdd)
NIBBLE_SIMT_REDUCE(__reduce_min_sync, int, kMin)
NIBBLE_SIMT_REDUCE(__reduce_min_sync, unsigned, kMinUnsigned)
NIBBLE_SIMT_REDUCE(__reduce_max_sync, int, kMax)
NIBBLE_SIMT_REDUCE(__reduce_max_sync, unsigned, kMaxUnsigned)
NIBBLE_SIMT_REDUCE(__reduce_and_sync, unsigned, kAnd)
NIBBLE_SIMT_REDUCE(__reduce_or_sync, unsigned, kOr)
NIBBLE_SIMT_REDUCE(__reduce_xor_sync, unsigned, kXor)
#undef NIBBLE_SIMT_REDUCE

template <nibble::simt::ByValue T>
NIBBLE_SIMT_UNSEEN unsigned __match_any_sync(unsigned mask, T value) {
  return nibble::simt::match_any(mask, nibble::simt::bits_of(value), NIBBLE_SIMT_PC);
}
template <nibble::simt::ByValue T>
NIBBLE_SIMT_UNSEEN unsigned __match_all_sync(unsigned mask, T value, int* all_equal) {
  return nibble::simt::match_all(mask, nibble::simt::bits_of(value), all_equal, NIBBLE_SIMT_PC);
}

/// The lanes that are here together. The engine's answer is the largest that a GPU could give: it
/// lets the rest of the warp run first, until each lane has come here too, waits elsewhere or has
/// ended. A GPU may give fewer: code that needs certain lanes says so with a mask.
NIBBLE_SIMT_UNSEEN inline unsigned __activemask() {
  return nibble::simt::active_mask(NIBBLE_SIMT_PC);
}
