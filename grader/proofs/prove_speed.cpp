#include <fmt/format.h>

#include <algorithm>

#include "proofs/parallel.hpp"
#include "proofs/proofs.hpp"

namespace nibble::proofs {
namespace {

/// A solution that lost a point once in three measurements would lose many in a course.
constexpr int kMeasurements = 3;

struct Measured {
  const ProvenLab* lab;
  std::vector<std::string> faults{};
  double slowest = 0.0;
};

std::string complaint(const Judgement& judged) {
  if (!judged.ok()) return judged.kit_error;
  std::string text;
  for (const record::Check& check : judged.verdict.checks) {
    if (check.points == check.max_points) continue;
    text += fmt::format("{}{} {}/{}", text.empty() ? "" : ", ", check.exercise, check.points,
                        check.max_points);
    if (check.speed) text += fmt::format(" at {}x", check.speed->ratio);
  }
  return text;
}

void try_entry(Workbench& bench, Measured& entry) {
  const Implementation what{entry.lab->name(), entry.lab->solution};
  const BuiltChild child = bench.build(what);
  if (!child.ok) {
    entry.faults.push_back("does not compile: " + child.diagnostics.substr(0, 300));
    return;
  }
  for (int i = 0; i < kMeasurements && entry.faults.empty(); ++i) {
    const Judgement judged = bench.measure(what, child, child);
    entry.slowest = std::max(entry.slowest, judged.seconds);
    if (judged.ok() && judged.verdict.points == entry.lab->points_for_speed()) continue;
    entry.faults.push_back(complaint(judged));
  }
}

}  // namespace

Proof prove_speed(Workbench& bench, const std::vector<ProvenLab>& labs) {
  Proof proof{"solution earns all that speed pays"};
  std::vector<Measured> entries;
  for (const ProvenLab& lab : labs) {
    if (lab.points_for_speed() > 0) entries.push_back({&lab});
  }
  parallel("speed", entries.size(), 1, [&](std::size_t i) {
    try {
      try_entry(bench, entries[i]);
    } catch (const std::exception& error) {
      entries[i].faults.emplace_back(error.what());
    }
  });
  double slowest = 0.0;
  for (Measured& entry : entries) {
    slowest = std::max(slowest, entry.slowest);
    for (std::string& fault : entry.faults) fault = entry.lab->name() + ": " + fault;
    proof.count(entry.faults);
  }
  proof.remark = fmt::format("slowest leg {:.1f} s", slowest);
  return proof;
}

}  // namespace nibble::proofs
