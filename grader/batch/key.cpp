#include "batch/key.hpp"

#include <chrono>

#include "files/sha256.hpp"
#include "report/results.hpp"

namespace nibble::batch {

LabOrder settled(const lab::Kit& kit, LabOrder order) {
  protocol::Terms& terms = order.terms;
  terms.lab = order.lab.name;
  if (terms.budget.count() == 0) terms.budget = kit.budget;
  const report::KitHashes hashes = report::hash_kit(kit, terms.lab);
  std::string parts = "key 1\n" + terms.lab + "\n" + hashes.kit + "\n" + hashes.checks + "\n";
  parts += kit.version + "\n" + kit.cxx_name + "\n";
  for (const protocol::Leg leg : {protocol::Leg::kPlain, protocol::Leg::kSanitizers}) {
    for (const std::string& flag : kit.flags(order.lab.kind, leg)) parts += flag + "\n";
  }
  parts += order.legs.hidden ? "all\n" : "public\n";
  parts += order.legs.sanitizers ? "sanitizers\n" : "values only\n";
  if (order.legs.gpu) parts += "gpu\n";
  parts += "budget " +
           std::to_string(std::chrono::floor<std::chrono::seconds>(terms.budget).count()) + "\n";
  parts += terms.seed + "\n" + (terms.salt.empty() ? "" : files::sha256(terms.salt));
  order.hash = files::sha256(parts);
  return order;
}

std::string key_of(const LabOrder& order, const std::string& source) {
  return files::sha256(order.hash + "\n" + files::sha256(source));
}

}  // namespace nibble::batch
