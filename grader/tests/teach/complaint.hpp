// What a reader complains of, and whether certain words are in it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "text/format_error.hpp"

namespace nibble::proofs {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

/// What `body` throws as a FormatError; empty when it does not.
template <class Body>
std::string format_error(Body body) {
  try {
    body();
  } catch (const text::FormatError& error) {
    return error.what();
  }
  return "";
}

/// Words, not a whole message: the test should outlive a better sentence.
inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), text.npos) << "no `" << part << "` in `" << text << "`";
}

}  // namespace nibble::proofs
