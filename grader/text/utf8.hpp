// Characters of UTF-8, and nothing that only looks like one.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace nibble::text {

/// How many bytes the character at the front has; 0 when it is none. Overlong forms, halves of
/// surrogate pairs and what lies beyond Unicode are none.
inline std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
  if (length == 0) return 0;
  constexpr std::array<unsigned, 5> kLowest{0, 0, 0x80, 0x800, 0x10000};
  unsigned code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 2) return 0;
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool surrogate = 0xD800 <= code && code <= 0xDFFF;
  return code < kLowest[length] || surrogate || code > 0x10FFFF ? 0 : length;
}

}  // namespace nibble::text
