// Lab 12: what more than one of its exercises needs.
#pragma once

#include "int4.hpp"

#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble {

inline std::string show(Int4Layout layout) {
  if (layout == Int4Layout::kTransposed) return "kTransposed";
  if (layout == Int4Layout::kPairs) return "kPairs";
  return std::to_string(static_cast<int>(layout));
}

}  // namespace nibble

namespace nibble::judge::lab_12_int4 {

template <class T>
T as(int value) {
  return static_cast<T>(value);
}

inline std::uint8_t exchanged(int byte) { return as<std::uint8_t>(byte << 4 | byte >> 4); }

/// Every byte, 0 to 255.
inline Bytes every_byte() {
  Bytes all(256);
  std::iota(all.begin(), all.end(), std::uint8_t{0});
  return all;
}

inline Bytes random_bytes(std::size_t count, std::uint64_t from) {
  return code_tensor<std::uint8_t>(count, from, 0, 255);
}

// One; odd and even; one less than, as many as and one more than the codes of 32 bytes; a prime.
inline const std::vector<std::size_t> kCounts = {1, 2, 3, 62, 63, 64, 65, 509};

inline constexpr const char* kHighFirst = "as if the even code were the high nibble";
inline constexpr const char* kExcess = "as if a nibble were the code + 8";
inline constexpr const char* kUnsigned = "as if a nibble were an unsigned code";

}  // namespace nibble::judge::lab_12_int4
