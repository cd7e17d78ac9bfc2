#include "files/files.hpp"
#include "handout/leaks.hpp"
#include "lab/hints.hpp"
#include "proofs/proofs.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;

using Faults = std::vector<std::string>;

void add(Faults& faults, const fs::path& file, const Faults& more) {
  for (const std::string& fault : more) faults.push_back(file.filename().string() + ": " + fault);
}

Faults faults_of(const ProvenLab& lab) {
  const lab::LabFiles& files = lab.files;
  const std::string hints = files::read_file(files.hints);
  const std::string contract = files::read_file(files.contract);
  const std::string given = contract + lab::cut_starter(lab.solution);
  Faults faults;
  add(faults, files.hints, lab::gaps_in_hints(lab::parse_hints(hints), lab.scheme.exercises));
  add(faults, files.hints, handout::leaks(lab.regions, hints, given));
  add(faults, files.readme, handout::leaks(lab.regions, files::read_file(files.readme), given));
  add(faults, files.starter,
      handout::leaks(lab.regions, files::read_file(files.starter),
                     contract + lab::unmarked_part(lab.solution)));
  return faults;
}

}  // namespace

Proof prove_hints(const std::vector<ProvenLab>& labs) {
  Proof proof{"hints hold no solution line"};
  for (const ProvenLab& lab : labs) {
    Faults faults;
    try {
      faults = faults_of(lab);
    } catch (const std::exception& error) {
      faults.emplace_back(std::string("hints.md: ") + error.what());
    }
    for (std::string& fault : faults) fault = lab.name() + ": " + fault;
    proof.count(faults);
  }
  return proof;
}

}  // namespace nibble::proofs
