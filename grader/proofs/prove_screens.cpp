// Makes the mistakes whose screens are kept, one by one, and compares what a learner sees of each.
// Seed, times and machine are the same for all: only a word that was changed changes a screen.
#include <algorithm>

#include "files/files.hpp"
#include "proofs/parallel.hpp"
#include "proofs/proofs.hpp"
#include "proofs/screens.hpp"
#include "report/screen.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSeed = "0x18";

fs::path file_of(const lab::Kit& kit) { return kit.source / "grader" / "proofs" / "screens.txt"; }

KeptScreens read(const lab::Kit& kit) { return parse_screens(files::read_file(file_of(kit))); }

const ProvenLab* lab_of(const KeptScreen& screen, const std::vector<ProvenLab>& labs) {
  const auto found = std::ranges::find(labs, screen.lab, &ProvenLab::name);
  return found == labs.end() ? nullptr : &*found;
}

/// Throws std::invalid_argument when the lab has no such mistake.
Mistake mistake_of(const KeptScreen& screen, const ProvenLab& lab) {
  const auto all = parse_mistakes(files::read_file(lab.files.mistakes));
  const auto found = std::ranges::find(all, screen.mistake, &Mistake::name);
  if (found != all.end()) return *found;
  throw std::invalid_argument(screen.lab + " has no mistake " + screen.mistake);
}

/// Built before, when it was tried, or now.
BuiltChild child_of(Workbench& bench, const Implementation& wrong, const std::string& mistake,
                    const std::vector<TriedMistake>& all_tried) {
  for (const TriedMistake& tried : all_tried) {
    const bool is_it = tried.mistake.name == mistake && tried.lab->name() == wrong.lab;
    if (is_it && tried.child.ok) return tried.child;
  }
  return bench.build(wrong);
}

/// What `./nibble run` of the exercise prints, without its times. Throws std::runtime_error when
/// there is no verdict.
std::string screen_of(Workbench& bench, const ProvenLab& lab, const Mistake& mistake,
                      const std::vector<TriedMistake>& all_tried) {
  const lab::Kit& kit = bench.kit();
  const Implementation wrong{lab.name(), apply_mistake(mistake, lab.solution)};
  const BuiltChild child = child_of(bench, wrong, mistake.name, all_tried);
  if (!child.ok) throw std::runtime_error("does not compile: " + child.diagnostics.substr(0, 300));
  report::Account account;
  account.terms = {
      .lab = lab.name(), .exercise = mistake.exercise, .seed = kSeed, .child = child.executable};
  account.source = wrong.source;
  const run::Judged judged = run::judge(kit, {account.terms});
  if (!judged.has_verdict()) throw std::runtime_error(text::trim(judged.message));
  account.verdict = judged.verdict;
  report::View view;
  view.subject = lab.name().substr(0, 2) + "." + mistake.exercise;
  view.compiled_before = true;
  return report::verdict_text(report::results_of(kit, lab.scheme, account),
                              report::Diagnoses::read(kit.source / "docs" / "diagnoses.md"), view);
}

/// The first line in which they differ, as both have it; empty: they are the same.
std::string difference(const std::string& kept, const std::string& now) {
  const auto before = text::lines_of(kept), after = text::lines_of(now);
  const auto [a, b] = std::ranges::mismatch(before, after);
  if (a == before.end() && b == after.end()) return "";
  const auto line = [](auto at, const auto& lines) {
    return at == lines.end() ? std::string("nothing") : "\"" + text::trim(*at) + "\"";
  };
  return "kept " + line(a, before) + ", shown " + line(b, after);
}

/// Shown now, at the places of the kept ones; empty where its lab is not looked at.
std::vector<std::string> shown(Workbench& bench, const std::vector<ProvenLab>& labs,
                               const std::vector<TriedMistake>& all_tried, const KeptScreens& kept,
                               Proof& proof) {
  std::vector<std::string> texts(kept.all.size()), faults(kept.all.size());
  parallel("screens", texts.size(), bench.options().workers, [&](std::size_t i) {
    const KeptScreen& screen = kept.all[i];
    const ProvenLab* const lab = lab_of(screen, labs);
    try {
      if (lab != nullptr) texts[i] = screen_of(bench, *lab, mistake_of(screen, *lab), all_tried);
    } catch (const std::exception& error) {
      faults[i] = error.what();
    }
    if (faults[i].empty() && !texts[i].empty() && texts[i].find(screen.code) == std::string::npos) {
      faults[i] = "does not show " + screen.code;
    }
  });
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (faults[i].empty()) continue;
    texts[i].clear();
    proof.count(false, kept.all[i].lab + ": " + kept.all[i].mistake + ": " + faults[i]);
  }
  return texts;
}

/// Stands in the head of the file.
std::string compiler_line(const lab::Kit& kit) { return "# compiler " + kit.cxx_name + ":"; }

Proof begun() { return {"screens as they are kept"}; }

}  // namespace

bool has_screens(const lab::Kit& kit, const std::vector<ProvenLab>& labs) {
  return std::ranges::any_of(
      read(kit).all, [&](const KeptScreen& screen) { return lab_of(screen, labs) != nullptr; });
}

Proof prove_screens(Workbench& bench, const std::vector<ProvenLab>& labs,
                    const std::vector<TriedMistake>& all_tried) {
  Proof proof = begun();
  const KeptScreens kept = read(bench.kit());
  const bool same_compiler = kept.head.find(compiler_line(bench.kit())) != std::string::npos;
  const auto now = shown(bench, labs, all_tried, kept, proof);
  for (std::size_t i = 0; i < now.size(); ++i) {
    const KeptScreen& screen = kept.all[i];
    if (now[i].empty()) continue;
    const std::string differs = difference(screen.text, now[i]);
    const std::string told = screen.lab + ": " + screen.mistake + ": " + differs;
    const bool is_another_compilers = !differs.empty() && !same_compiler;
    if (is_another_compilers) proof.notes.push_back(told);
    proof.count(differs.empty() || is_another_compilers,
                told + "; where this is meant: check-kit --only screens --keep");
  }
  return proof;
}

Proof keep_screens(Workbench& bench, const std::vector<ProvenLab>& labs) {
  Proof proof = begun();
  KeptScreens kept = read(bench.kit());
  const auto now = shown(bench, labs, {}, kept, proof);
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i].empty()) continue;
    kept.all[i].text = now[i];
    proof.count(true, "");
  }
  if (kept.head.find(compiler_line(bench.kit())) == std::string::npos) {
    proof.notes.push_back("the head of screens.txt names another compiler than " +
                          bench.kit().cxx_name);
  }
  files::write_atomically(file_of(bench.kit()), text_of(kept));
  return proof;
}

std::vector<std::string> codes_with_screens(const lab::Kit& kit) {
  std::vector<std::string> codes;
  for (const KeptScreen& screen : read(kit).all) codes.push_back(screen.code);
  return codes;
}

}  // namespace nibble::proofs
