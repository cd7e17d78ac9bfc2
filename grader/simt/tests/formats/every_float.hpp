// All 2^32 floats, or every n-th of them: NIBBLE_FORMATS_EVERY=1 takes all.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace nibble::simt {

/// Odd and prime, so that every low-order bit pattern turns up.
inline std::uint64_t every(std::uint64_t usual = 1021) {
  const char* wanted = std::getenv("NIBBLE_FORMATS_EVERY");
  return wanted == nullptr ? usual : std::strtoull(wanted, nullptr, 10);
}

/// Calls check(bits) for magnitudes in rising order, first with a clear sign, then with a set one.
template <class Start, class Check>
void for_every_float(Start start, Check check, std::uint64_t usual = 1021) {
  const std::uint64_t step = every(usual);
  for (const std::uint32_t sign : {0u, 1u << 31}) {
    start();
    for (std::uint64_t magnitude = 0; magnitude < 1ull << 31; magnitude += step) {
      check(sign | static_cast<std::uint32_t>(magnitude));
    }
  }
}

}  // namespace nibble::simt
