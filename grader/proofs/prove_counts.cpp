#include "proofs/parallel.hpp"
#include "proofs/proofs.hpp"
#include "run/count_book.hpp"

namespace nibble::proofs {
namespace {

struct CountedLab {
  const ProvenLab* lab;
  std::vector<std::string> faults{};
};

void try_entry(Workbench& bench, CountedLab& entry) {
  const BuiltChild child = bench.build({entry.lab->name(), entry.lab->solution});
  if (!child.ok) {
    entry.faults.push_back("does not compile: " + child.diagnostics.substr(0, 300));
    return;
  }
  run::count_book_of(bench.kit(), entry.lab->files.lab, child.executable);
}

}  // namespace

Proof prove_counts(Workbench& bench, const std::vector<ProvenLab>& labs) {
  Proof proof{"counts are the same on other data"};
  std::vector<CountedLab> entries;
  for (const ProvenLab& lab : labs) {
    if (lab.files.lab.is_cuda()) entries.push_back({&lab});
  }
  parallel("counts", entries.size(), bench.options().workers, [&](std::size_t i) {
    try {
      try_entry(bench, entries[i]);
    } catch (const std::exception& error) {
      entries[i].faults.emplace_back(error.what());
    }
  });
  for (CountedLab& entry : entries) proof.count(entry.faults);
  return proof;
}

}  // namespace nibble::proofs
