// Listings in the book are taken from programs that compile, and their output is what those print.
//
//     <!-- listing: examples/03_steps.cpp step -->      the region  // [step] … // [/step]
//     <!-- output: examples/03_steps.cpp -->            lines that the program prints, in a row
//
// Each is followed by a fenced block.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibble::proofs {

struct Listing {
  bool output = false;
  std::string file;    ///< relative to docs/
  std::string region;  ///< of a listing
  std::string text;    ///< what the page shows
  int line = 0;        ///< of the <!-- -->
};

/// Throws FormatError for a line that is almost one of these, or is not followed by a block.
std::vector<Listing> listings_of(std::string_view markdown);

/// The lines between // [name] and // [/name]; marks of other regions inside are left out.
/// Throws FormatError unless both marks are there once, in this order.
std::string region_of(std::string_view source, const std::string& name);

/// The text, moved left until a line stands at the margin.
std::string moved_left(std::string_view text);

}  // namespace nibble::proofs
