// The text of one submitted file, and what it must be like.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nibble::intake {

/// A lab's file has a few kilobytes; a very long one perhaps thirty.
inline constexpr std::size_t kLargestSource = std::size_t{256} << 10;

struct SourceText {
  std::string text;
  std::string refusal;  ///< not empty: why there is no text; fits behind the file's name
};

/// Reads an open file. Every question is asked of the descriptor, so that whoever swaps the file
/// behind its name in the meantime gains nothing.
SourceText read_source(int fd);

/// Why this is no source text: empty, too large, binary, another encoding; empty when it may be.
std::string why_not_source_text(std::string_view text);

/// "is 300000 bytes; …"
std::string too_large(std::size_t bytes);

}  // namespace nibble::intake
