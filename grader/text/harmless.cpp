#include "text/harmless.hpp"

#include <cstddef>

#include "text/utf8.hpp"

namespace nibble::text {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

/// How many bytes the character that starts at text[i] has; 0: none is allowed to start so.
std::size_t character_length(std::string_view text, std::size_t i) {
  const std::size_t length = utf8_length(text.substr(i));
  const unsigned lead = byte_at(text, i);
  if (length == 1) return lead == '\n' || lead == '\t' || (lead >= ' ' && lead != 0x7F) ? 1 : 0;
  if (length == 0) return 0;
  const unsigned second = byte_at(text, i + 1);
  const bool control = lead == 0xC2 && second < 0xA0;  // C1: some terminals obey these
  const bool turns_around =  // U+202A–202E and U+2066–2069 reverse what follows
      lead == 0xE2 &&
      ((second == 0x80 && byte_at(text, i + 2) >= 0xAA && byte_at(text, i + 2) <= 0xAE) ||
       (second == 0x81 && byte_at(text, i + 2) >= 0xA6 && byte_at(text, i + 2) <= 0xA9));
  return control || turns_around ? 0 : length;
}

}  // namespace

std::string harmless(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    if (length == 0) {
      safe += '?';
      ++i;
    } else {
      safe += text.substr(i, length);
      i += length;
    }
  }
  return safe;
}

}  // namespace nibble::text
