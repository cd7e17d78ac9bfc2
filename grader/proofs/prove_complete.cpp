#include "proofs/proofs.hpp"

namespace nibble::proofs {

namespace fs = std::filesystem;

Proof prove_complete(const lab::Kit& kit, const std::vector<std::string>& names,
                     std::vector<Lab>& labs) {
  Proof proof{"labs complete"};
  for (const std::string& name : names) {
    std::vector<std::string> faults;
    for (const fs::path& file : lab::files_of(kit.source, name).missing()) {
      faults.push_back(name + ": " + fs::relative(file, kit.source).string() + " is missing");
    }
    try {
      labs.push_back(open_lab(kit, name));
    } catch (const std::exception& error) {
      faults.push_back(name + ": " + error.what());
    }
    proof.count(faults);
  }
  return proof;
}

}  // namespace nibble::proofs
