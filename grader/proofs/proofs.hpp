// What check-kit proves, one file for each: prove_starters.cpp, prove_solutions.cpp, …
// A fault of one lab is a failure of its proof; the other labs are looked at all the same.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "proofs/mistakes.hpp"
#include "proofs/proof.hpp"
#include "proofs/proven_lab.hpp"
#include "proofs/verdicts.hpp"
#include "proofs/workbench.hpp"

namespace nibble::proofs {

/// Every part of these labs is there and readable; fills `labs` with those that can be judged.
Proof prove_complete(const lab::Kit& kit, const std::vector<lab::Lab>& which,
                     std::vector<ProvenLab>& labs);

/// Starters are cut from the solutions, byte by byte; they compile, warn of nothing, earn nothing.
Proof prove_starters(Workbench& bench, const std::vector<ProvenLab>& labs);

/// A submission that throws std::invalid_argument from every function passes no check: to refuse
/// counts only where to accept works. Kernels cannot throw, and are not asked.
Proof prove_refusals(Workbench& bench, const std::vector<ProvenLab>& labs);

/// The reference earns everything, on every leg.
Proof prove_solutions(Workbench& bench, const std::vector<ProvenLab>& labs);

/// So do two right solutions in another style: the checks want no particular way.
Proof prove_alternatives(Workbench& bench, const std::vector<ProvenLab>& labs);

/// So do the kernels of both on the GPU of this machine, and compute-sanitizer has nothing to say.
std::vector<Proof> prove_gpu(Workbench& bench, const std::vector<ProvenLab>& labs);

/// The published solution earns all that speed pays, every time.
Proof prove_speed(Workbench& bench, const std::vector<ProvenLab>& labs);

/// What kernels count follows from them alone, so that a handout may bring the numbers.
Proof prove_counts(Workbench& bench, const std::vector<ProvenLab>& labs);

/// What became of one mistake.
struct TriedMistake {
  const ProvenLab* lab = nullptr;
  Mistake mistake;
  std::string fault;  ///< of the mistake or of the checks; empty: rejected as it must
  std::vector<record::Check> failed;   ///< the first of the mark scheme first; briefly, not all
  bool not_here = false;               ///< it needs instructions that this CPU has not
  std::vector<std::string> holders{};  ///< checks that the table of clauses names for it
  BuiltChild child{};                  ///< the one that was judged
};

/// Every mistake is rejected, and the first check that fails names its diagnosis.
Proof prove_mistakes(Workbench& bench, const std::vector<ProvenLab>& labs,
                     std::vector<TriedMistake>& all_tried);

/// At least six mistakes for each exercise.
Proof prove_enough_mistakes(const std::vector<ProvenLab>& labs,
                            const std::vector<TriedMistake>& all_tried);

/// Whether a check that is never the only one to reject a mistake is looked for. Brief trials do
/// not tell.
enum class Loneliness { kUnknown, kNoted, kAsked };

/// Every check rejected a mistake. One that is never the only check of its exercise to do so may be
/// superfluous: a note, or a failure when it is asked.
Proof prove_checks_needed(const std::vector<ProvenLab>& labs,
                          const std::vector<TriedMistake>& all_tried, Loneliness loneliness);

/// No judge of this run found its own inputs unhealthy, or was at fault in another way.
Proof prove_healthy(const Workbench& bench, const std::vector<ProvenLab>& labs);

/// The table of clauses has every sentence of the contract, what it names exists, and every public
/// check holds one.
Proof prove_clauses(const std::vector<ProvenLab>& labs);

/// Mistakes that break a clause are rejected by the checks that hold it.
Proof prove_clauses_held(const std::vector<ProvenLab>& labs,
                         const std::vector<TriedMistake>& all_tried);

/// Whether screens of these labs are kept.
bool has_screens(const lab::Kit& kit, const std::vector<ProvenLab>& labs);

/// What a learner sees who made one of the mistakes in screens.txt is what stands there. Mistakes
/// that were tried are not built anew.
Proof prove_screens(Workbench& bench, const std::vector<ProvenLab>& labs,
                    const std::vector<TriedMistake>& all_tried);

/// Writes down what is seen now.
Proof keep_screens(Workbench& bench, const std::vector<ProvenLab>& labs);

/// The diagnoses whose screens are kept.
std::vector<std::string> codes_with_screens(const lab::Kit& kit);

/// Three levels of hints for each exercise; hints, README and starter give nothing away.
Proof prove_hints(const std::vector<ProvenLab>& labs);

/// docs/diagnoses.md explains every code that a check, a mistake or the judge gives.
Proof prove_diagnoses(const lab::Kit& kit, const std::vector<ProvenLab>& labs);

/// The catalogue of every language has words for codes, titles, the checks' sentences and the kept
/// screens; what hidden checks alone say stands in its hidden parts.
Proof prove_languages(const lab::Kit& kit, const std::vector<ProvenLab>& labs);

/// And for whatever was said of a mistake.
Proof prove_messages(const lab::Kit& kit, const std::vector<TriedMistake>& all_tried);

/// Listings in the book equal the programs they are taken from, which print what it says.
Proof prove_listings(Workbench& bench, const std::vector<std::filesystem::path>& pages);

/// The files include only what layers.txt lets them.
Proof prove_layers(const std::filesystem::path& top,
                   const std::vector<std::filesystem::path>& files);

/// docs/design/map.md shows the rooms as layers.txt has them, and names nothing that is not there.
Proof prove_map(const std::filesystem::path& top);

/// docs/course.svg shows which lab stands on which, as their READMEs say; a path leads to each.
Proof prove_course(const std::filesystem::path& top);

/// The files hold nothing that is banned.
Proof prove_lints(const std::filesystem::path& top,
                  const std::vector<std::filesystem::path>& files);

/// No two files of the kit itself declare classes of one name.
Proof prove_nouns(const std::filesystem::path& top,
                  const std::vector<std::filesystem::path>& files);

/// "  truncates    N-TRUNC   RoundsToNearest and 3 more", by lab.
std::string mistake_table(const std::vector<TriedMistake>& all_tried);

/// What builds a right solution that may use Eigen.
std::vector<std::string> alternative_flags(const lab::Kit& kit);

}  // namespace nibble::proofs
