#include "judge/run.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "judge/kit_error.hpp"
#include "judge/marks.hpp"
#include "judge/record.hpp"

namespace nibble::judge {
namespace {

Key hmac(const void* key, std::size_t key_bytes, std::string_view words) {
  Key digest{};
  unsigned size = 0;
  const unsigned char* const made = HMAC(EVP_sha256(), key, static_cast<int>(key_bytes),
                                         reinterpret_cast<const unsigned char*>(words.data()),
                                         words.size(), digest.data(), &size);
  if (made == nullptr || size != digest.size()) throw KitError("no HMAC-SHA256 can be had");
  return digest;
}

std::uint64_t first_64_bits(const Key& digest) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sizeof bits; ++i) bits = bits << 8 | digest.at(i);
  return bits;
}

/// Two checks with the same data would answer each other's questions: what one gives as an input
/// may be what the other asks for.
std::string check_of_seed() {
  std::string check = running_check();
  if (check.empty()) throw KitError("a seed was asked for outside a check");
  return check;
}

std::uint64_t seed_of(const Key& key, std::string_view whose, std::uint64_t salt) {
  return first_64_bits(hmac(key.data(), key.size(), fmt::format("{} {:#x}", whose, salt)));
}

Key public_key(std::uint64_t seed) {
  return derive_key(fmt::format("{:#x}", seed), "public " + lab_name());
}

}  // namespace

Run& this_run() {
  static Run run;
  return run;
}

std::uint64_t seed(std::uint64_t salt) {
  return seed_of(public_key(this_run().seed), check_of_seed(), salt);
}

std::uint64_t counted_seed(std::uint64_t salt) {
  const std::string check = check_of_seed(), exercise = check.substr(0, check.find('.'));
  return seed_of(public_key(this_run().seed), exercise + ", counted", salt);
}

std::uint64_t hidden_seed(std::uint64_t salt) {
  return seed_of(this_run().hidden_key, check_of_seed(), salt);
}

Key derive_key(std::string_view secret, std::string_view lab) {
  return hmac(secret.data(), secret.size(), lab);
}

std::uint64_t poison_seed(const Run& run, bool with_hidden) {
  const Key key = with_hidden ? run.hidden_key : Key{};
  return first_64_bits(hmac(key.data(), key.size(), fmt::format("poison {:#x}", run.seed)));
}

}  // namespace nibble::judge
