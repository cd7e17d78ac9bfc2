// Mixes two 64-bit numbers into one that depends on every bit of both. Not for secrets.
#pragma once

#include <cstdint>

namespace nibble::judge {

/// The finaliser of SplitMix64 over a and b.
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a * 0x9E37'79B9'7F4A'7C15u + b + 0x9E37'79B9'7F4A'7C15u;
  z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9u;
  z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBu;
  return z ^ (z >> 31);
}

}  // namespace nibble::judge
