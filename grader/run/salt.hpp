// The secret that hidden inputs follow from.
#pragma once

#include <string>

namespace nibble::run {

/// NIBBLE_SALT, or empty.
std::string salt_of_environment();

/// 128 bits of the system's own randomness, in hex.
std::string draw_salt();

}  // namespace nibble::run
