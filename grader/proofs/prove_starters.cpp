// Cuts and judges each starter, then one that refuses everything; neither may pass a check.
#include "files/files.hpp"
#include "proofs/parallel.hpp"
#include "proofs/proofs.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

/// What is wrong with the whole starter.
std::vector<std::string> faults_of_text(const ProvenLab& lab, const std::string& starter) {
  if (starter == lab::cut_starter(lab.solution)) return {};
  return {"the starter is not what is cut from the solution: nibble teach cut " + lab.name()};
}

/// What is wrong with one exercise of a starter that was judged.
std::string fault_of_exercise(const std::string& exercise, const Judgement& judged) {
  const int passed = passed_checks(judged.verdict, exercise);
  return passed == 0 ? "" : exercise + ": the untouched starter passes " + std::to_string(passed);
}

using Faults = std::vector<std::string>;

/// One list for each exercise; a fault of the whole file is a fault of the first.
std::vector<Faults> try_starter(Workbench& bench, const ProvenLab& lab) {
  std::vector<Faults> faults(lab.scheme.exercises.size());
  const Implementation starter{lab.name(), files::read_file(lab.files.starter)};
  faults.front() = faults_of_text(lab, starter.source);
  const BuiltChild child = bench.build(starter);
  if (!child.diagnostics.empty()) {
    faults.front().push_back(child.ok ? "the starter compiles with warnings"
                                      : "the starter does not compile");
  }
  if (!child.ok) return faults;
  const Judgement judged = bench.judge(starter, child);
  if (!judged.ok()) {
    faults.front().push_back(judged.kit_error);
    return faults;
  }
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const std::string fault = fault_of_exercise(lab.scheme.exercises[i], judged);
    if (!fault.empty()) faults[i].push_back(fault);
  }
  return faults;
}

/// The starter, but every function refuses whatever it is given;
/// empty where none can throw: kernels.
std::string refusing_everything(std::string starter) {
  constexpr std::string_view kStub = "NIBBLE_TODO(", kRefusal = "throw std::invalid_argument(";
  bool found = false;
  for (std::size_t at = 0; (at = starter.find(kStub, at)) != starter.npos; at += kRefusal.size()) {
    starter.replace(at, kStub.size(), kRefusal);
    found = true;
  }
  return found ? starter : "";
}

/// A line for each check that is content with a refusal.
Faults try_refusing(Workbench& bench, const ProvenLab& lab, const std::string& source) {
  const Implementation refusing{lab.name(), source};
  const BuiltChild child = bench.build(refusing);
  if (!child.ok) return {"a starter that refuses everything does not compile"};
  const Judgement judged = bench.judge(refusing, child);
  if (!judged.ok()) return {judged.kit_error};
  Faults faults;
  for (const record::Check& check : judged.verdict.checks) {
    if (check.points == 0) continue;
    faults.push_back(check.exercise + "." + check.id + ": refusing everything earns " +
                     std::to_string(check.points));
  }
  return faults;
}

}  // namespace

Proof prove_refusals(Workbench& bench, const std::vector<ProvenLab>& labs) {
  std::vector<Faults> faults(labs.size());
  std::vector<std::string> sources;
  for (const ProvenLab& lab : labs)
    sources.push_back(refusing_everything(lab::cut_starter(lab.solution)));
  parallel("refusals", labs.size(), bench.options().workers, [&](std::size_t i) {
    if (sources[i].empty()) return;
    try {
      faults[i] = try_refusing(bench, labs[i], sources[i]);
    } catch (const std::exception& error) {
      faults[i] = {error.what()};
    }
  });
  Proof proof{"refusing everything earns nothing"};
  for (std::size_t i = 0; i < labs.size(); ++i) {
    for (std::string& fault : faults[i]) fault = labs[i].name() + ": " + fault;
    if (!sources[i].empty()) proof.count(faults[i]);
  }
  return proof;
}

Proof prove_starters(Workbench& bench, const std::vector<ProvenLab>& labs) {
  std::vector<std::vector<Faults>> faults(labs.size());
  parallel("starters", labs.size(), bench.options().workers, [&](std::size_t i) {
    try {
      faults[i] = try_starter(bench, labs[i]);
    } catch (const std::exception& error) {
      faults[i] = {{error.what()}};
    }
  });
  Proof proof{"starter compiles, earns nothing"};
  for (std::size_t i = 0; i < labs.size(); ++i) {
    for (Faults& of_exercise : faults[i]) {
      for (std::string& fault : of_exercise) fault = labs[i].name() + ": " + fault;
      proof.count(of_exercise);
    }
  }
  return proof;
}

}  // namespace nibble::proofs
