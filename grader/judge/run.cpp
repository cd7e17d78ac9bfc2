#include "judge/run.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <cstring>

#include "judge/mix.hpp"

namespace nibble::judge {

Run& this_run() {
  static Run run;
  return run;
}

std::uint64_t seed(std::uint64_t salt) { return mix(this_run().seed, salt); }

std::uint64_t hidden_seed(std::uint64_t salt) { return mix(this_run().hidden_salt, salt); }

std::uint64_t derive_salt(const std::string& secret, const std::string& lab) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(lab.data()), lab.size(), digest.data(), &size);
  std::uint64_t salt = 0;
  for (std::size_t i = 0; i < sizeof salt; ++i) salt = salt << 8 | digest.at(i);
  return salt;
}

}  // namespace nibble::judge
