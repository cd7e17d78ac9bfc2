#include "batch/key.hpp"

#include "build/sha256.hpp"
#include "report/results.hpp"

namespace nibble::batch {

Terms terms_of(const build::Kit& kit, const std::string& lab, bool hidden, const std::string& seed,
               const std::string& salt) {
  const report::KitHashes hashes = report::hash_kit(kit, lab);
  std::string parts = "key 1\n" + lab + "\n" + hashes.kit + "\n" + hashes.checks + "\n";
  parts += kit.version + "\n" + kit.cxx_name + "\n";
  for (const build::Leg leg : {build::Leg::kPlain, build::Leg::kSanitizers}) {
    for (const std::string& flag : kit.flags(lab, leg)) parts += flag + "\n";
  }
  parts += hidden ? "all\n" : "public\n";
  parts += seed + "\n" + (salt.empty() ? "" : build::sha256(salt));
  return {lab, hidden, seed, salt, build::sha256(parts)};
}

std::string key_of(const Terms& terms, const std::string& source) {
  return build::sha256(terms.hash + "\n" + build::sha256(source));
}

}  // namespace nibble::batch
