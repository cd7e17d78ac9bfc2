#include "batch/key.hpp"

#include "build/sha256.hpp"
#include "report/results.hpp"

namespace nibble::batch {

Terms settled(const build::Kit& kit, Terms terms) {
  const report::KitHashes hashes = report::hash_kit(kit, terms.lab);
  std::string parts = "key 1\n" + terms.lab + "\n" + hashes.kit + "\n" + hashes.checks + "\n";
  parts += kit.version + "\n" + kit.cxx_name + "\n";
  for (const build::Leg leg : {build::Leg::kPlain, build::Leg::kSanitizers}) {
    for (const std::string& flag : kit.flags(terms.lab, leg)) parts += flag + "\n";
  }
  parts += terms.hidden ? "all\n" : "public\n";
  parts += terms.sanitizers ? "sanitizers\n" : "values only\n";
  if (terms.gpu) parts += "gpu\n";
  const auto budget = terms.budget.count() > 0 ? terms.budget : kit.budget;
  parts += "budget " + std::to_string(budget.count()) + "\n";
  parts += terms.seed + "\n" + (terms.salt.empty() ? "" : build::sha256(terms.salt));
  terms.hash = build::sha256(parts);
  return terms;
}

std::string key_of(const Terms& terms, const std::string& source) {
  return build::sha256(terms.hash + "\n" + build::sha256(source));
}

}  // namespace nibble::batch
