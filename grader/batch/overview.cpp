#include "batch/overview.hpp"

#include <fmt/format.h>

#include <map>

#include "batch/plan.hpp"
#include "batch/store.hpp"
#include "report/harmless.hpp"
#include "report/results.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const std::map<std::string, const char*> kReasons = {
    {"rule", "calls what no lab needs (rule V12)"},
    {"odd", "faster than this machine can be"},
    {"noise", "its speed could not be measured steadily"},
};

void look_at_intake(const fs::path& grades, const std::string& id, Overview& overview) {
  const auto intake = read_json(grades / id / "intake.json");
  if (!intake) return;
  const std::size_t before = overview.looks.size();
  for (const Json& refusal : intake->value("refusals", Json::array())) {
    if (refusal.value("missing", false)) continue;
    overview.looks.push_back({id, refusal.value("lab", ""), refusal.value("why", "")});
  }
  const bool was_told_why = overview.looks.size() > before;
  if (intake->value("files", 1) == 0 && !was_told_why) {
    overview.looks.push_back({id, "", "nothing of it can be graded"});
  }
}

void look_at_result(const fs::path& grades, const Grading& grading, Overview& overview) {
  const auto& [id, lab] = grading;
  if (const auto fault = read_json(fault_file(grades, id, lab))) {
    ++overview.faults;
    overview.looks.push_back({id, lab, "no verdict: " + fault->value("message", "")});
    return;
  }
  const auto result = read_json(result_file(grades, id, lab));
  if (!result || key_in(*result).empty()) {
    ++overview.missing;
    return;
  }
  ++overview.graded;
  if (result->value("verdict", "") == "pass") ++overview.passed;
  for (const Json& reason : result->value("needs_look", Json::array())) {
    const auto known = kReasons.find(reason.get<std::string>());
    overview.looks.push_back(
        {id, lab, known == kReasons.end() ? reason.get<std::string>() : known->second});
  }
}

}  // namespace

Overview look_over(const fs::path& grades, const Order& order) {
  Overview overview;
  for (const Submission& one : order.submissions) {
    look_at_intake(grades, one.id, overview);
    for (const std::string& lab : order.labs) {
      const Grading grading{one.id, lab};
      if (!fs::is_regular_file(submitted_file(grades, grading))) continue;
      ++overview.ordered;
      look_at_result(grades, grading, overview);
    }
  }
  return overview;
}

std::string overview_text(const Overview& overview) {
  std::string text = fmt::format("{} of {} graded, {} of them pass", overview.graded,
                                 overview.ordered, overview.passed);
  if (overview.missing > 0) text += fmt::format(" · {} missing", overview.missing);
  if (overview.faults > 0) {
    text += fmt::format(" · {} without a verdict, a fault of the kit", overview.faults);
  }
  text += "\n";
  if (overview.looks.empty()) return text + "nothing needs a look\n";
  text += fmt::format("needs a look: {}\n", overview.looks.size());
  for (const Look& look : overview.looks) {
    text += fmt::format("  {:<24} {:<22} {}\n", look.id, look.lab, report::harmless(look.why));
  }
  return text;
}

}  // namespace nibble::batch
