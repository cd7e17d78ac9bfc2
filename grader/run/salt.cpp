#include "run/salt.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <random>
#include <stdexcept>

namespace nibble::run {

std::string salt_of_environment() {
  const char* const salt = std::getenv("NIBBLE_SALT");
  return salt != nullptr ? salt : "";
}

void must_be_long_enough(const std::string& salt) {
  constexpr std::size_t kLeast = 16;
  if (salt.size() >= kLeast) return;
  throw std::invalid_argument(fmt::format(
      "the course's secret has {} bytes, and fewer than {} can be tried: `openssl rand -hex 32` "
      "draws one",
      salt.size(), kLeast));
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
