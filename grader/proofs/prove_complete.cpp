#include "proofs/proofs.hpp"

namespace nibble::proofs {

namespace fs = std::filesystem;

Proof prove_complete(const lab::Kit& kit, const std::vector<lab::Lab>& which,
                     std::vector<ProvenLab>& labs) {
  Proof proof{"labs complete"};
  for (const lab::Lab& one : which) {
    std::vector<std::string> faults;
    for (const fs::path& file : lab::files_of(kit.source, one).missing()) {
      faults.push_back(one.name + ": " + fs::relative(file, kit.source).string() + " is missing");
    }
    try {
      labs.push_back(open_lab(kit, one));
    } catch (const std::exception& error) {
      faults.push_back(one.name + ": " + error.what());
    }
    proof.count(faults);
  }
  return proof;
}

}  // namespace nibble::proofs
