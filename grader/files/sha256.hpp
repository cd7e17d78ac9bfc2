// SHA-256, as results.json writes hashes.
#pragma once

#include <string>
#include <string_view>

namespace nibble::files {

/// "sha256:" and 64 hex digits.
std::string sha256(std::string_view bytes);

}  // namespace nibble::files
