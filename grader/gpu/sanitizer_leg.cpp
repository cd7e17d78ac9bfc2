#include "gpu/sanitizer_leg.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>

#include "build/compile.hpp"
#include "text/harmless.hpp"

namespace nibble::gpu {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using build::Judged;

/// Accesses beyond a buffer, and shared memory that two threads use at once. Memory that was never
/// written has a test already: outputs are poisoned.
constexpr std::array kTools{Tool::kMemcheck, Tool::kRacecheck};

/// As a learner knows the file; the compiler may have noted where it lay on the disk.
std::string as_the_learner_knows_it(const std::string& file, const std::string& lab) {
  const std::string own = build::source_name(lab).string();
  return file == own || file.ends_with("/" + own) ? own : file;
}

Json json_of(const Complaint& complaint, Tool tool, const Json& check, const std::string& lab) {
  Json json = {{"tool", name_of(tool)},
               {"exercise", check.at("exercise")},
               {"check", check.at("id")},
               {"what", text::harmless(complaint.what)},
               {"times", complaint.times}};
  if (!complaint.kernel.empty()) json["kernel"] = complaint.kernel;
  if (!complaint.thread.empty()) json["thread"] = text::harmless(complaint.thread);
  if (!complaint.file.empty() && complaint.line > 0) {
    json["location"] = {{"file", text::harmless(as_the_learner_knows_it(complaint.file, lab))},
                        {"line", complaint.line}};
  }
  return json;
}

/// Slowed down by a tool, a check may run out of time: that is no complaint, and no look either.
bool is_looked_at(const Json& check) { return check.at("status") == "pass"; }

/// The first words of a child that never answered: the tool's own, when it cannot start.
std::string first_words(const Json& verdict) {
  for (const Json& check : verdict.at("checks")) {
    std::istringstream lines(check.value("output", ""));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t begin = line.find_first_not_of("= ");
      const std::string words = begin == std::string::npos ? "" : line.substr(begin);
      if (!words.empty() && words != "COMPUTE-SANITIZER") return text::harmless(words);
    }
  }
  return "it said nothing";
}

}  // namespace

Json complaints_in(const Json& verdict, Tool tool, const std::string& lab) {
  Json all = Json::array();
  for (const Json& check : verdict.at("checks")) {
    for (const Complaint& one : complaints_of(check.value("output", ""))) {
      all.push_back(json_of(one, tool, check, lab));
    }
  }
  return all;
}

SanitizerLeg run_sanitizer_leg(const build::Kit& kit, build::Trial trial, const fs::path& sanitizer,
                               const fs::path& work) {
  if (sanitizer.empty()) return {{}, "compute-sanitizer is not installed", false};
  SanitizerLeg leg;
  const fs::path child = trial.terms.child;
  trial.terms.leg = protocol::Leg::kGpuSanitizer;
  Json tools = Json::array(), complaints = Json::array();
  for (const Tool tool : kTools) {
    trial.terms.child = work / name_of(tool);
    write_wrapper(trial.terms.child, sanitizer, child, tool);
    const Judged judged = build::judge(kit, trial);
    if (judged.outcome == Judged::Outcome::kCancelled) return {{}, "", true};
    if (judged.outcome != Judged::Outcome::kVerdict) return {{}, judged.message, false};
    const Json found = complaints_in(judged.verdict, tool, trial.terms.lab);
    if (found.empty() && std::ranges::none_of(judged.verdict.at("checks"), is_looked_at)) {
      return {{}, "no check ends under compute-sanitizer: " + first_words(judged.verdict), false};
    }
    tools.push_back(name_of(tool));
    complaints.insert(complaints.end(), found.begin(), found.end());
  }
  leg.seen = {{"tools", tools}, {"complaints", complaints}};
  return leg;
}

}  // namespace nibble::gpu
