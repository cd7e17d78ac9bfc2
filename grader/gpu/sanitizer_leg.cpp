// A wrapper for each tool, a judge over it, and what the tool printed, told in the lab's words.
#include "gpu/sanitizer_leg.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <sstream>
#include <utility>

#include "text/harmless.hpp"

namespace nibble::gpu {
namespace {

namespace fs = std::filesystem;
using run::Judged;

/// Accesses beyond a buffer, and shared memory that two threads use at once. Memory that was never
/// written has a test already: outputs are poisoned.
constexpr std::array kTools{Tool::kMemcheck, Tool::kRacecheck};

/// Under a tool a kernel takes a hundred times as long. Checks that come later are not looked at.
constexpr std::chrono::seconds kPatience(20);

/// As a learner knows the file; the compiler may have noted where it lay on the disk.
std::string as_the_learner_knows_it(const std::string& file, const lab::Lab& lab) {
  const std::string own = lab.file().string();
  return file == own || file.ends_with("/" + own) ? own : file;
}

/// Whose complaint it is, in words that can be shown.
record::GpuComplaint told(record::GpuComplaint one, Tool tool, const record::Check& check,
                          const lab::Lab& lab) {
  one.tool = name_of(tool);
  one.exercise = check.exercise;
  one.check = check.id;
  one.what = text::harmless(one.what);
  one.thread = text::harmless(one.thread);
  if (one.location) {
    one.location->file = text::harmless(as_the_learner_knows_it(one.location->file, lab));
  }
  return one;
}

/// Slowed down by a tool, a check may run out of time: that is no complaint, and no look either.
bool is_looked_at(const record::Check& check) { return check.status == record::CheckStatus::kPass; }

/// The first words of a child that never answered: the tool's own, when it cannot start.
std::string first_words(const record::Verdict& verdict) {
  for (const record::Check& check : verdict.checks) {
    std::istringstream lines(check.output);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t begin = line.find_first_not_of("= ");
      const std::string words = begin == std::string::npos ? "" : line.substr(begin);
      if (!words.empty() && words != "COMPUTE-SANITIZER") return text::harmless(words);
    }
  }
  return "it said nothing";
}

}  // namespace

std::vector<record::GpuComplaint> complaints_in(const record::Verdict& verdict, Tool tool,
                                                const lab::Lab& lab) {
  std::vector<record::GpuComplaint> all;
  for (const record::Check& check : verdict.checks) {
    for (const record::GpuComplaint& one : complaints_of(check.output)) {
      all.push_back(told(one, tool, check, lab));
    }
  }
  return all;
}

SanitizerLeg run_sanitizer_leg(const lab::Kit& kit, run::Trial trial, const fs::path& sanitizer,
                               const fs::path& work) {
  if (sanitizer.empty()) return {{}, "compute-sanitizer is not installed", false};
  SanitizerLeg leg;
  const lab::Lab& lab = kit.lab(trial.terms.lab);
  const fs::path child = trial.terms.child;
  trial.terms.leg = protocol::Leg::kGpuSanitizer;
  record::GpuSanitizer seen;
  for (const Tool tool : kTools) {
    compile::Budget patience(kPatience);
    trial.budget = &patience;
    trial.terms.child = work / name_of(tool);
    write_wrapper(trial.terms.child, sanitizer, child, tool);
    const Judged judged = run::judge(kit, trial);
    if (judged.outcome == Judged::Outcome::kCancelled) return {{}, "", true};
    if (!judged.has_verdict()) return {{}, judged.message, false};
    const auto found = complaints_in(judged.verdict, tool, lab);
    if (found.empty() && std::ranges::none_of(judged.verdict.checks, is_looked_at)) {
      return {{}, "no check ends under compute-sanitizer: " + first_words(judged.verdict), false};
    }
    seen.tools.emplace_back(name_of(tool));
    seen.complaints.insert(seen.complaints.end(), found.begin(), found.end());
  }
  leg.seen = std::move(seen);
  return leg;
}

}  // namespace nibble::gpu
