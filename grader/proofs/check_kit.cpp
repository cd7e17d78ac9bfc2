// Each proof in turn, the quick ones first: what is read, then what is compiled and judged.
#include "proofs/check_kit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "lab/lab_files.hpp"
#include "lab/not_built.hpp"
#include "proofs/proofs.hpp"
#include "proofs/source_files.hpp"

namespace nibble::proofs {
namespace {

using std::chrono::steady_clock;

/// Prints proofs as they come, and remembers whether all held.
class Tally {
 public:
  void add(const Proof& proof) {
    fmt::print("{}", show(proof));
    std::fflush(stdout);
    ++proofs_;
    held_ += proof.holds() ? 1 : 0;
  }

  int conclude() const {
    const double seconds = std::chrono::duration<double>(steady_clock::now() - start_).count();
    const bool good = held_ == proofs_;
    fmt::print("{}  {} of {} proofs hold   {:.1f} s\n", good ? "PASS" : "FAIL", held_, proofs_,
               seconds);
    return good ? 0 : 1;
  }

 private:
  int proofs_ = 0, held_ = 0;
  steady_clock::time_point start_ = steady_clock::now();
};

void print_head(std::size_t all, const std::vector<ProvenLab>& labs,
                const Workbench::Options& options) {
  std::size_t exercises = 0;
  for (const ProvenLab& lab : labs) exercises += lab.scheme.exercises.size();
  fmt::print("{} labs, {} exercises · {} at a time · hidden inputs from NIBBLE_SALT={}{}\n", all,
             exercises, options.workers, options.terms.salt,
             options.terms.seed.empty() ? "" : " · seed " + options.terms.seed);
}

/// A solution of a lab that the build knows nothing of is a fault.
void must_all_have_a_line(const lab::Kit& kit, Proof& proof) {
  for (const auto& entry : std::filesystem::directory_iterator(kit.source / "solutions")) {
    const std::string name = entry.path().filename().string();
    if (kit.find(name) == nullptr) proof.count(false, name + ": " + why_not_built(kit, name));
  }
}

/// Labs without a speed leg are no reason for a proof that looked at nothing.
bool has_speed(const std::vector<ProvenLab>& labs) {
  return std::ranges::any_of(labs, [](const ProvenLab& lab) { return lab.points_for_speed() > 0; });
}

/// Nor are labs without kernels for GPUs.
bool has_kernels(const std::vector<ProvenLab>& labs) {
  return std::ranges::any_of(labs, [](const ProvenLab& lab) { return lab.files.lab.is_cuda(); });
}

/// Nor are labs of kernels alone, which cannot throw.
bool can_refuse(const std::vector<ProvenLab>& labs) {
  return std::ranges::any_of(labs, [](const ProvenLab& lab) {
    return lab.solution.find("NIBBLE_TODO(") != std::string::npos;
  });
}

/// What is read, and listings, which are compiled as they stand.
void prove_text(const lab::Kit& kit, Workbench& bench, const std::vector<ProvenLab>& labs,
                const std::vector<std::string>& some, Tally& tally) {
  const auto files = source_files(kit.source, some);
  tally.add(prove_layers(kit.source, files));
  tally.add(prove_lints(kit.source, files));
  if (some.empty()) {
    tally.add(prove_nouns(kit.source, files));
    tally.add(prove_map(kit.source));
    tally.add(prove_course(kit.source));
  }
  tally.add(prove_clauses(labs));
  tally.add(prove_hints(labs));
  tally.add(prove_diagnoses(kit, labs));
  tally.add(prove_languages(kit, labs));
  tally.add(prove_listings(bench, pages_of(kit.source, some)));
}

void prove_right_code(Workbench& bench, const std::vector<ProvenLab>& labs, Tally& tally) {
  tally.add(prove_solutions(bench, labs));
  tally.add(prove_alternatives(bench, labs));
}

void prove_code(Workbench& bench, const std::vector<ProvenLab>& labs, const CheckKit& what,
                Tally& tally) {
  tally.add(prove_starters(bench, labs));
  if (can_refuse(labs)) tally.add(prove_refusals(bench, labs));
  prove_right_code(bench, labs, tally);
  if (has_speed(labs)) tally.add(prove_speed(bench, labs));
  if (has_kernels(labs)) tally.add(prove_counts(bench, labs));
  std::vector<TriedMistake> all_tried;
  tally.add(prove_mistakes(bench, labs, all_tried));
  tally.add(prove_enough_mistakes(labs, all_tried));
  const Loneliness loneliness = bench.options().brief ? Loneliness::kUnknown
                                : what.strict         ? Loneliness::kAsked
                                                      : Loneliness::kNoted;
  tally.add(prove_checks_needed(labs, all_tried, loneliness));
  tally.add(prove_clauses_held(labs, all_tried));
  tally.add(prove_messages(bench.kit(), all_tried));
  if (has_screens(bench.kit(), labs)) tally.add(prove_screens(bench, labs, all_tried));
  if (what.table) fmt::print("{}", mistake_table(all_tried));
}

Workbench::Options options_of(const CheckKit& what) {
  Workbench::Options options = what.bench;
  options.brief = !what.whole && !what.strict && !what.table;
  const bool is_plain =
      what.part == Part::kCode || what.part == Part::kPublished || what.part == Part::kSeeds;
  if (is_plain) options.legs = {protocol::Leg::kPlain};
  if (what.part == Part::kSanitizers) options.legs = {protocol::Leg::kSanitizers};
  return options;
}

}  // namespace

std::optional<Part> part_from(std::string_view name) {
  if (name == "text") return Part::kText;
  if (name == "code") return Part::kCode;
  if (name == "sanitizers") return Part::kSanitizers;
  if (name == "published") return Part::kPublished;
  if (name == "solutions") return Part::kSolutions;
  if (name == "seeds") return Part::kSeeds;
  if (name == "screens") return Part::kScreens;
  if (name == "gpu") return Part::kGpu;
  return std::nullopt;
}

int check_kit(const lab::Kit& kit, const CheckKit& what) {
  const std::vector<lab::Lab> chosen = lab::labs_with_solution(kit, what.labs);
  const auto some = what.labs.empty() ? std::vector<std::string>{} : names_of(chosen);
  Workbench bench(kit, options_of(what));
  std::vector<ProvenLab> labs;
  Tally tally;

  Proof complete = prove_complete(kit, chosen, labs);
  if (some.empty()) must_all_have_a_line(kit, complete);
  print_head(chosen.size(), labs, bench.options());
  tally.add(complete);
  const bool whole = what.part == Part::kAll;
  if (whole || what.part == Part::kText) prove_text(kit, bench, labs, some, tally);
  if (whole || what.part == Part::kCode) prove_code(bench, labs, what, tally);
  if (what.part == Part::kSanitizers) {  // the engine is what watches kernels
    std::erase_if(labs, [](const ProvenLab& lab) { return lab.files.lab.is_cuda(); });
  }
  const bool is_published = what.part == Part::kSanitizers || what.part == Part::kPublished;
  if (is_published) tally.add(prove_solutions(bench, labs));
  const bool is_right_code = what.part == Part::kSolutions || what.part == Part::kSeeds;
  if (is_right_code) prove_right_code(bench, labs, tally);
  if (what.part == Part::kGpu) {
    for (const Proof& proof : prove_gpu(bench, labs)) tally.add(proof);
    return tally.conclude();
  }
  if (what.part == Part::kScreens) {
    tally.add(what.keep ? keep_screens(bench, labs) : prove_screens(bench, labs, {}));
    return tally.conclude();
  }
  if (what.part != Part::kText) tally.add(prove_healthy(bench, labs));
  return tally.conclude();
}

}  // namespace nibble::proofs
