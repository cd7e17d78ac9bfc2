// Judges the published and the other right solutions on each leg; all of them must earn everything.
#include <fmt/format.h>

#include <algorithm>

#include "files/files.hpp"
#include "proofs/parallel.hpp"
#include "proofs/proofs.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;
using protocol::Leg;

/// One right solution, to be built for one leg.
struct Candidate {
  const ProvenLab* lab;
  fs::path file;
  Leg leg;
  std::vector<std::string> faults{};
  double slowest = 0.0;
};

std::string name_of(const Candidate& entry) {
  return fmt::format("{}/{} ({})", entry.lab->name(), entry.file.filename().string(),
                     protocol::name_of(entry.leg));
}

std::string complaint(const Judgement& judged, int full) {
  if (!judged.ok()) return judged.kit_error;
  const auto failed = failed_checks(judged.verdict);
  if (failed.empty()) return "the checks do not add up";
  return fmt::format("{} of {} points: {} {}{}  seed {}", judged.verdict.points, full,
                     failed.front().name(), name_of(failed.front().status),
                     failed.front().message.empty() ? "" : ": " + failed.front().message,
                     judged.verdict.seed);
}

/// A solution is right on any day: each seed is drawn anew, unless one is given.
int seeds_of(const Workbench::Options& options, Leg leg) {
  const bool once = options.quick || leg == Leg::kSanitizers || !options.terms.seed.empty();
  return once ? 1 : options.seeds;
}

void run_trials(Workbench& bench, Candidate& entry, const Implementation& what,
                const BuiltChild& child) {
  for (int i = 0; i < seeds_of(bench.options(), entry.leg); ++i) {
    const Judgement judged = bench.judge(what, child);
    entry.slowest = std::max(entry.slowest, judged.seconds);
    const int full = entry.lab->points_for_values();
    if (judged.ok() && judged.verdict.points == full) continue;
    entry.faults.push_back(complaint(judged, full));
    return;
  }
}

void try_entry(Workbench& bench, Candidate& entry) {
  Implementation what{entry.lab->name(), files::read_file(entry.file), entry.leg};
  if (entry.file != entry.lab->files.solution) what.more_flags = alternative_flags(bench.kit());
  const BuiltChild child = bench.build(what);
  if (!child.ok) {
    entry.faults.push_back("does not compile: " + child.diagnostics.substr(0, 300));
    return;
  }
  if (!child.diagnostics.empty()) {
    entry.faults.push_back("compiles with warnings: " + child.diagnostics.substr(0, 300));
  }
  run_trials(bench, entry, what, child);
}

std::vector<Leg> legs_of(const Workbench& bench) {
  return bench.options().quick ? std::vector{Leg::kPlain} : bench.options().legs;
}

/// Kernels are watched by the engine whenever they are judged.
bool has_leg(const ProvenLab& lab, Leg leg) {
  return leg == Leg::kPlain || !lab.files.lab.is_cuda();
}

Proof prove(Workbench& bench, const std::string& what, std::vector<Candidate> entries,
            Proof proof) {
  parallel(what, entries.size(), bench.options().workers, [&](std::size_t i) {
    try {
      try_entry(bench, entries[i]);
    } catch (const std::exception& error) {
      entries[i].faults.emplace_back(error.what());
    }
  });
  double slowest = 0.0;
  for (Candidate& entry : entries) {
    slowest = std::max(slowest, entry.slowest);
    for (std::string& fault : entry.faults) fault = name_of(entry) + ": " + fault;
    proof.count(entry.faults);
  }
  const std::vector<Leg> legs = legs_of(bench);
  proof.remark = fmt::format("slowest run {:.1f} s", slowest);
  if (legs.size() == 1) proof.remark += fmt::format("; {} only", protocol::name_of(legs.front()));
  return proof;
}

}  // namespace

std::vector<std::string> alternative_flags(const lab::Kit& kit) {
  if (kit.eigen_include.empty()) return {};
  return {"-isystem", kit.eigen_include.string()};  // its warnings are not ours
}

Proof prove_solutions(Workbench& bench, const std::vector<ProvenLab>& labs) {
  std::vector<Candidate> entries;
  for (const Leg leg : legs_of(bench)) {
    for (const ProvenLab& lab : labs) {
      if (has_leg(lab, leg)) entries.push_back({&lab, lab.files.solution, leg});
    }
  }
  return prove(bench, "solutions", std::move(entries), {"solution passes every leg"});
}

Proof prove_alternatives(Workbench& bench, const std::vector<ProvenLab>& labs) {
  constexpr std::size_t kLeast = 2;
  Proof proof{"other right solutions accepted"};
  std::vector<Candidate> entries;
  for (const Leg leg : legs_of(bench)) {
    for (const ProvenLab& lab : labs) {
      if (!has_leg(lab, leg)) continue;
      for (const fs::path& file : lab.files.alternatives) entries.push_back({&lab, file, leg});
    }
  }
  for (const ProvenLab& lab : labs) {
    const std::size_t count = lab.files.alternatives.size();
    if (count >= kLeast) continue;
    proof.failures.push_back(
        fmt::format("{} has {} other solutions, not {}", lab.name(), count, kLeast));
  }
  return prove(bench, "other solutions", std::move(entries), std::move(proof));
}

}  // namespace nibble::proofs
