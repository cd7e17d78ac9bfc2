#include "files/files.hpp"
#include "proofs/proofs.hpp"
#include "text/pattern.hpp"

namespace nibble::proofs {

namespace fs = std::filesystem;

namespace {

/// A handout leaves out hidden.cpp, and nothing else of the checks.
std::vector<std::string> misplaced_checks(const ProvenLab& lab) {
  const std::string hidden = files::read_file(lab.files.hidden);
  std::vector<std::string> faults;
  for (const record::Row& row : lab.scheme.checks) {
    const text::Pattern test("TEST\\(" + row.exercise + ",\\s*" + row.id + "\\)");
    const bool is_there = test.search(hidden).has_value();
    if (is_there == row.hidden) continue;
    faults.push_back(lab.name() + ": " + row.name() +
                     (row.hidden ? " is hidden, and not in hidden.cpp: a handout would hold it"
                                 : " is public, and in hidden.cpp, which no handout holds"));
  }
  return faults;
}

}  // namespace

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
      const std::vector<std::string> misplaced = misplaced_checks(labs.back());
      faults.insert(faults.end(), misplaced.begin(), misplaced.end());
    } catch (const std::exception& error) {
      faults.push_back(one.name + ": " + error.what());
    }
    proof.count(faults);
  }
  return proof;
}

}  // namespace nibble::proofs
