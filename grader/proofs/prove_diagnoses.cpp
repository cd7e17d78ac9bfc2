#include <algorithm>
#include <map>

#include "files/files.hpp"
#include "lab/hints.hpp"
#include "proofs/diagnoses.hpp"
#include "proofs/proofs.hpp"
#include "report/diagnoses.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;

/// code -> a file that uses it.
using Used = std::map<std::string, std::string>;

void use(Used& used, const std::string& code, const fs::path& file) {
  if (!code.empty()) used.emplace(code, file.filename().string());
}

void use_codes_of_lab(Used& used, const ProvenLab& lab) {
  for (const record::Row& row : lab.scheme.checks) use(used, row.diagnosis, lab.files.marks);
  for (const fs::path& file : lab.files.checks) {
    for (const std::string& code : named_codes(files::read_file(file))) use(used, code, file);
  }
  for (const Mistake& mistake : parse_mistakes(files::read_file(lab.files.mistakes))) {
    use(used, mistake.code, lab.files.mistakes);
  }
  for (const lab::Hint& hint : lab::parse_hints(files::read_file(lab.files.hints))) {
    use(used, hint.when, lab.files.hints);
  }
}

/// A diagnosis that a list of mistakes gets has a screen to look at. What is slow has none: its
/// figures are the machine's.
void must_have_screens(const lab::Kit& kit, const std::vector<ProvenLab>& labs, Proof& proof) {
  const auto kept = codes_with_screens(kit);
  std::map<std::string, std::string> wanted;  // code -> who gets it
  for (const ProvenLab& lab : labs) {
    for (const Mistake& mistake : parse_mistakes(files::read_file(lab.files.mistakes))) {
      if (mistake.code != "N-SLOW") wanted.emplace(mistake.code, lab.name() + " " + mistake.name);
    }
  }
  for (const auto& [code, who] : wanted) {
    proof.count(std::ranges::find(kept, code) != kept.end(),
                "grader/proofs/screens.txt has no screen of it: == " + code + " " + who);
  }
}

}  // namespace

Proof prove_diagnoses(const lab::Kit& kit, const std::vector<ProvenLab>& labs) {
  Proof proof{"diagnoses explained"};
  Used used;
  for (const auto& entry : fs::directory_iterator(kit.source / "grader" / "judge")) {
    for (const std::string& code : named_codes(files::read_file(entry.path()))) {
      use(used, code, entry.path());
    }
  }
  for (const ProvenLab& lab : labs) {
    try {
      use_codes_of_lab(used, lab);
    } catch (const std::exception& error) {
      proof.count(false, lab.name() + ": " + error.what());
    }
  }
  if (labs.size() == kit.labs.size()) must_have_screens(kit, labs, proof);
  const auto pages = report::Diagnoses::read(kit.source / "docs" / "diagnoses.md");
  for (const auto& [code, file] : used) {
    proof.count(pages.find(code) != nullptr,
                "docs/diagnoses.md has no section `## " + code + ": …` (" + file + ")");
  }
  return proof;
}

}  // namespace nibble::proofs
