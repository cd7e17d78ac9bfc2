#include "files/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

namespace nibble::files {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  std::string text = "sha256:";
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest.at(i));
  return text;
}

}  // namespace nibble::files
