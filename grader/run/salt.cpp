#include "run/salt.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <random>

namespace nibble::run {

std::string salt_of_environment() {
  const char* const salt = std::getenv("NIBBLE_SALT");
  return salt != nullptr ? salt : "";
}

std::string draw_salt() {
  std::random_device entropy;
  std::string salt;
  for (int i = 0; i < 8; ++i) salt += fmt::format("{:08x}", entropy());
  return salt;
}

std::string draw_seed() {
  std::random_device entropy;
  return fmt::format("{:#x}", entropy());
}

}  // namespace nibble::run
