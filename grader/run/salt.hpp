// What inputs follow from: those of hidden checks from a secret, all others from a seed.
#pragma once

#include <string>

namespace nibble::run {

/// NIBBLE_SALT, or empty.
std::string salt_of_environment();

/// Throws std::invalid_argument for a course's secret that could be found by trying.
void must_be_long_enough(const std::string& salt);

/// 256 bits of the system's own randomness, in hex.
std::string draw_salt();

/// "0x…", of 32 bits.
std::string draw_seed();

}  // namespace nibble::run
