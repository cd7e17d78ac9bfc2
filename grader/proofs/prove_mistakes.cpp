// Tries each mistake as a submission: which checks reject it, by which diagnosis, and whether any
// check is never the only one. Briefly, a mistake is judged up to the first check that fails, and
// then by those alone that a clause names for it: half the time, and all that is asked before a
// change lands.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "files/files.hpp"
#include "nibble/cpu.hpp"
#include "proofs/clauses.hpp"
#include "proofs/parallel.hpp"
#include "proofs/proofs.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

/// Why the verdict is not the one that this mistake must get; empty when it is.
std::string fault_of(const Mistake& mistake, const std::vector<record::Check>& failed,
                     std::string_view solution) {
  if (failed.empty()) return "survives";
  const record::Check& first = failed.front();
  if (first.diagnosis == "N-CRASH") return "only crashes (" + first.name() + ")";
  if (first.diagnosis == mistake.code) return wrong_line(first, marked_lines(mistake, solution));
  return fmt::format("got {} from {}, want {}",
                     first.diagnosis.empty() ? "no diagnosis" : first.diagnosis, first.name(),
                     mistake.code);
}

constexpr const char* kSlow = "N-SLOW";

/// A slow way is right in every value; it must lose at least half of what the speed leg pays for
/// it.
void find_slow_checks(Workbench& bench, TriedMistake& tried, const Implementation& wrong,
                      const BuiltChild& child, const BuiltChild& published) {
  const Judgement judged = bench.measure(wrong, child, published);
  if (!judged.ok()) {
    tried.fault = judged.kit_error;
    return;
  }
  for (const record::Check& check : judged.verdict.checks) {
    if (2 * check.points > check.max_points) continue;
    tried.failed.push_back(check);
    if (check.diagnosis.empty()) tried.failed.back().diagnosis = kSlow;  // earned in part
  }
}

/// Three times at most: a neighbour on the same machine can slow down either side of a comparison.
void find_slow(Workbench& bench, TriedMistake& tried, const Implementation& wrong,
               const BuiltChild& child) {
  const BuiltChild published = bench.build({tried.lab->name(), tried.lab->solution});
  for (int i = 0; i < 3 && tried.failed.empty() && tried.fault.empty(); ++i) {
    find_slow_checks(bench, tried, wrong, child, published);
  }
}

bool can_show_here(const Mistake& mistake) {
  return std::ranges::any_of(kEveryIsa, [&](Isa isa) {
    return cpu_has(isa) && (mistake.needs.empty() || mistake.needs == name_of(isa));
  });
}

/// True when `judged` rejects it as it must be.
bool is_rejected_by(const Judgement& judged, Workbench& bench, TriedMistake& tried,
                    const Implementation& wrong, const BuiltChild& child) {
  tried.fault.clear();
  tried.failed.clear();
  tried.child = child;
  if (!judged.ok()) {
    tried.fault = judged.kit_error;
    return false;
  }
  tried.failed = failed_checks(judged.verdict);
  if (tried.mistake.code == kSlow && tried.failed.empty()) find_slow(bench, tried, wrong, child);
  if (tried.fault.empty()) tried.fault = fault_of(tried.mistake, tried.failed, tried.lab->solution);
  return tried.fault.empty();
}

/// The same of the checks of `exercise`; empty: of all. Those run in the order of their files, and
/// what counts is the first of the mark scheme: where the brief word is not the right one, the
/// whole one is asked for.
bool is_rejected(Workbench& bench, TriedMistake& tried, const Implementation& wrong,
                 const BuiltChild& child, const std::string& exercise) {
  if (bench.options().brief) {
    const Judgement brief = bench.judge_briefly(wrong, child, exercise);
    if (is_rejected_by(brief, bench, tried, wrong, child)) return true;
  }
  return is_rejected_by(bench.judge(wrong, child, exercise), bench, tried, wrong, child);
}

/// The checks of its exercise come first: what a mistake does to others, which call it or share
/// a helper with it, is told by all checks together. One that is slow must be right in all.
/// `together`: compiled with others, when it is ok; a fault that it shows must show in the mistake
/// alone.
void try_mistake(Workbench& bench, TriedMistake& tried, const BuiltChild& together) {
  const Implementation wrong{tried.lab->name(), apply_mistake(tried.mistake, tried.lab->solution)};
  const std::string own = tried.mistake.code == kSlow ? "" : tried.mistake.exercise;
  if (together.ok && is_rejected(bench, tried, wrong, together, own)) return;
  const BuiltChild child = bench.build(wrong);
  if (!child.ok) {
    tried.fault = "does not compile: " + text::trim(child.diagnostics.substr(0, 300));
  } else if (own.empty() || !is_rejected(bench, tried, wrong, child, own)) {
    is_rejected(bench, tried, wrong, child, "");
  }
}

/// Of one lab, for one compilation. The right solution, which comes first, takes as long as twenty
/// mistakes or so: there are few compilations, unless other cores would wait for them.
constexpr std::size_t kLeastTogether = 32, kMostTogether = 128;

using Batch = std::vector<std::size_t>;  ///< places in a list of tried mistakes

/// Those whose values alone are judged: others share the compiler's limits of what a file may grow
/// to.
std::vector<Batch> batches_of(const std::vector<TriedMistake>& all_tried, std::size_t workers) {
  std::vector<Batch> batches;
  std::map<const ProvenLab*, std::size_t> of_lab;
  for (const TriedMistake& tried : all_tried) ++of_lab[tried.lab];
  for (std::size_t i = 0; i < all_tried.size(); ++i) {
    if (all_tried[i].not_here || all_tried[i].mistake.code == kSlow) continue;
    const std::size_t share = (of_lab[all_tried[i].lab] + workers - 1) / workers;
    const std::size_t most = std::clamp(share, kLeastTogether, kMostTogether);
    const bool is_full = batches.empty() || batches.back().size() == most ||
                         all_tried[batches.back().back()].lab != all_tried[i].lab;
    if (is_full) batches.emplace_back();
    batches.back().push_back(i);
  }
  return batches;
}

/// At the places of the batch. What goes wrong here is found out, and told,
/// when a mistake is built alone.
void build_batch(Workbench& bench, const std::vector<TriedMistake>& all_tried, const Batch& batch,
                 std::vector<BuiltChild>& children) {
  try {
    const ProvenLab& lab = *all_tried[batch.front()].lab;
    const MistakeProgram program(bench.kit(), lab);
    std::vector<Mistaken> mistaken;
    for (const std::size_t i : batch) {
      const Mistake& mistake = all_tried[i].mistake;
      mistaken.push_back({mistake.exercise, apply_mistake(mistake, lab.solution)});
    }
    const std::vector<BuiltChild> built = bench.build_together(program, mistaken);
    for (std::size_t i = 0; i < batch.size(); ++i) children[batch[i]] = built[i];
  } catch (const std::exception&) {
    return;
  }
}

// --- What a brief trial leaves open --------------------------------------------------------------

using record::Row;

bool failed(const TriedMistake& tried, const Row& check) {
  return record::find_check(tried.failed, check) != nullptr;
}

/// Tries one more check on it.
bool also_fails(Workbench& bench, TriedMistake& tried, const Row& check) {
  const Judgement judged = bench.judge_check({tried.lab->name(), ""}, tried.child, check);
  if (!judged.ok() || judged.verdict.end == record::End::kPass) return false;
  tried.failed.push_back(judged.verdict.checks.front());
  return true;
}

/// The checks that hold the clauses which it breaks.
void try_holders(Workbench& bench, TriedMistake& tried) {
  for (const Row& check : tried.lab->scheme.checks) {
    const bool holds = std::ranges::find(tried.holders, check.name()) != tried.holders.end();
    if (holds && !check.of_speed && !failed(tried, check)) also_fails(bench, tried, check);
  }
}

/// A check that was nobody's first is tried on the mistakes of its exercise, until it rejects one.
void try_check(Workbench& bench, const Row& check, const std::vector<TriedMistake*>& of_lab) {
  const auto has_failed = [&](const TriedMistake* tried) { return failed(*tried, check); };
  if (std::ranges::any_of(of_lab, has_failed)) return;
  for (TriedMistake* tried : of_lab) {
    if (tried->mistake.exercise != check.exercise || !tried->child.ok) continue;
    if (also_fails(bench, *tried, check)) return;
  }
}

void try_checks(Workbench& bench, const ProvenLab& lab, std::vector<TriedMistake>& all_tried) {
  std::vector<TriedMistake*> of_lab;
  for (TriedMistake& tried : all_tried) {
    if (tried.lab == &lab && !tried.not_here) of_lab.push_back(&tried);
  }
  for (const Row& check : lab.scheme.checks) {
    if (check.max_points > 0 && !check.of_speed) try_check(bench, check, of_lab);
  }
}

/// The checks that hold clauses which the mistake breaks.
std::vector<std::string> holders_of(const std::string& mistake, const std::vector<Clause>& table) {
  std::vector<std::string> checks;
  for (const Clause& clause : table) {
    for (const Holder& holder : clause.holders) {
      if (std::ranges::find(holder.mistakes, mistake) != holder.mistakes.end())
        checks.push_back(holder.check);
    }
  }
  return checks;
}

/// The mistakes of one lab; a group that names no exercise is a fault of the file.
std::vector<Mistake> mistakes_of(const ProvenLab& lab) {
  std::vector<Mistake> mistakes = parse_mistakes(files::read_file(lab.files.mistakes));
  for (const Mistake& mistake : mistakes) {
    if (std::ranges::find(lab.scheme.exercises, mistake.exercise) != lab.scheme.exercises.end())
      continue;
    throw std::runtime_error("no exercise is called " + mistake.exercise);
  }
  return mistakes;
}

}  // namespace

Proof prove_mistakes(Workbench& bench, const std::vector<ProvenLab>& labs,
                     std::vector<TriedMistake>& all_tried) {
  Proof proof{"mistakes rejected, right diagnosis"};
  for (const ProvenLab& lab : labs) {
    try {
      const std::vector<Clause> table = parse_clauses(files::read_file(lab.files.clauses));
      for (const Mistake& mistake : mistakes_of(lab)) {
        all_tried.push_back(
            {&lab, mistake, "", {}, !can_show_here(mistake), holders_of(mistake.name, table)});
      }
    } catch (const std::exception& error) {
      proof.count(false, lab.name() + ".txt, " + error.what());
    }
  }
  std::vector<BuiltChild> together(all_tried.size());
  const std::vector<Batch> batches = batches_of(all_tried, bench.options().workers);
  parallel("batches of mistakes", batches.size(), bench.options().workers,
           [&](std::size_t i) { build_batch(bench, all_tried, batches[i], together); });
  parallel("mistakes", all_tried.size(), bench.options().workers, [&](std::size_t i) {
    if (all_tried[i].not_here) return;
    try {
      try_mistake(bench, all_tried[i], together[i]);
      if (bench.options().brief) try_holders(bench, all_tried[i]);
    } catch (const std::exception& error) {
      all_tried[i].fault = error.what();
    }
  });
  if (bench.options().brief) {
    for (const ProvenLab& lab : labs) try_checks(bench, lab, all_tried);
  }
  for (const TriedMistake& tried : all_tried) {
    if (tried.not_here) {
      proof.notes.push_back(tried.lab->name() + ": " + tried.mistake.name + " needs " +
                            tried.mistake.needs + ", which this CPU has not");
      continue;
    }
    proof.count(tried.fault.empty(),
                tried.lab->name() + ": " + tried.mistake.name + " " + tried.fault);
  }
  return proof;
}

Proof prove_enough_mistakes(const std::vector<ProvenLab>& labs,
                            const std::vector<TriedMistake>& all_tried) {
  constexpr int kLeast = 6;
  Proof proof{"six mistakes an exercise, or more"};
  for (const ProvenLab& lab : labs) {
    for (const std::string& exercise : lab.scheme.exercises) {
      const auto count = std::ranges::count_if(all_tried, [&](const TriedMistake& tried) {
        return tried.lab == &lab && tried.mistake.exercise == exercise;
      });
      proof.count(count >= kLeast, fmt::format("{}: {} has {}", lab.name(), exercise, count));
    }
  }
  return proof;
}

namespace {

/// The checks that must not fail too, if `check` is to have caught the mistake alone: the others of
/// its exercise. A public check is compared with public ones, since a handout has no others.
bool is_rival(const Row& check, const Row& other) {
  return other.exercise == check.exercise && other.id != check.id &&
         (check.hidden || !other.hidden);
}

bool caught_alone(const ProvenLab& lab, const TriedMistake& tried, const Row& check) {
  return failed(tried, check) && std::ranges::none_of(lab.scheme.checks, [&](const Row& other) {
           return is_rival(check, other) && failed(tried, other);
         });
}

}  // namespace

namespace {
bool some_not_here(const ProvenLab& lab, const std::vector<TriedMistake>& all_tried) {
  return std::ranges::any_of(
      all_tried, [&](const TriedMistake& tried) { return tried.lab == &lab && tried.not_here; });
}
}  // namespace

Proof prove_checks_needed(const std::vector<ProvenLab>& labs,
                          const std::vector<TriedMistake>& all_tried, Loneliness loneliness) {
  Proof proof{"every check caught a mistake"};
  for (const ProvenLab& lab : labs) {
    for (const Row& check : lab.scheme.checks) {
      if (check.max_points == 0) continue;  // shown, not judged
      bool caught = false, alone = false;
      for (const TriedMistake& tried : all_tried) {
        if (tried.lab != &lab) continue;
        caught = caught || failed(tried, check);
        alone = alone || caught_alone(lab, tried, check);
      }
      const std::string name = lab.name() + ": " + check.name();
      if (!caught && some_not_here(lab, all_tried)) {
        proof.notes.push_back(name + " caught no mistake that this CPU can show");
        continue;
      }
      proof.count(caught, name + " caught no mistake");
      if (alone || !caught || loneliness == Loneliness::kUnknown) continue;
      const bool fails = loneliness == Loneliness::kAsked;
      (fails ? proof.failures : proof.notes).push_back(name + " caught no mistake alone");
    }
  }
  return proof;
}

std::string mistake_table(const std::vector<TriedMistake>& all_tried) {
  std::string table;
  const ProvenLab* lab = nullptr;
  for (const TriedMistake& tried : all_tried) {
    if (tried.lab != lab) table += "\n" + tried.lab->name() + '\n';
    lab = tried.lab;
    const auto& failed = tried.failed;
    table += fmt::format("  {:<34}{:<12}{:<12}{}{}\n", tried.mistake.name, tried.mistake.code,
                         failed.empty() ? "-" : failed.front().diagnosis,
                         failed.empty() ? tried.fault : failed.front().name(),
                         failed.size() < 2 ? "" : fmt::format(" and {} more", failed.size() - 1));
    if (!failed.empty()) table += fmt::format("    {}\n", failed.front().message);
  }
  return table.empty()
             ? table
             : "\nmistake                             wants       gets        first failing check" +
                   table;
}

}  // namespace nibble::proofs
