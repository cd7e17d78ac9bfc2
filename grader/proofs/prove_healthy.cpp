#include <fmt/format.h>

#include "proofs/proofs.hpp"

namespace nibble::proofs {

Proof prove_healthy(const Workbench& bench, const std::vector<ProvenLab>& labs) {
  Proof proof{"inputs healthy"};
  const auto health = bench.health();
  int runs = 0;
  for (const ProvenLab& lab : labs) {
    const auto found = health.find(lab.name());
    if (found == health.end()) {
      proof.count(false, lab.name() + " was not judged");
      continue;
    }
    runs += found->second.runs;
    std::vector<std::string> faults;
    if (!found->second.kit_errors.empty()) {
      faults.push_back(fmt::format("{}: {} of {} runs: {}", lab.name(),
                                   found->second.kit_errors.size(), found->second.runs,
                                   found->second.kit_errors.front()));
    }
    proof.count(faults);
  }
  proof.remark =
      fmt::format("{} runs, {}", runs,
                  bench.options().terms.seed.empty() ? "each with a fresh seed" : "one seed");
  return proof;
}

}  // namespace nibble::proofs
