// Counts the files of a results folder by what they say, and puts like reasons together.
#include "batch/overview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "batch/plan.hpp"
#include "batch/store.hpp"
#include "files/in_shares.hpp"
#include "text/harmless.hpp"
#include "text/json_text.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kNoVerdict = "no verdict: ";

const std::map<std::string, const char*> kReasons = {
    {"rule", "calls what no lab needs (rule V12)"},
    {"leg",
     "compiles for one leg and not for another: what that leg would have seen, nobody knows"},
    {"odd", "faster than this machine can be"},
    {"noise", "its speed could not be measured steadily"},
};

/// Nothing was handed in for that lab.
bool is_missing(const Json& refusal) {
  return refusal.contains("missing") && refusal["missing"] == true;
}

void look_at_intake(const fs::path& grades, const std::string& id, Overview& overview) {
  const auto intake = read_json(folder_in(grades, id) / "intake.json");
  if (!intake) return;
  const std::size_t before = overview.looks.size();
  for (const Json& refusal : intake->value("refusals", Json::array())) {
    if (!refusal.is_object() || is_missing(refusal)) continue;
    overview.looks.push_back({id, text::text_at(refusal, "lab"), text::text_at(refusal, "why")});
  }
  const bool was_told_why = overview.looks.size() > before;
  if (intake->contains("files") && intake->at("files") == 0 && !was_told_why) {
    overview.looks.push_back({id, "", "nothing of it can be graded"});
  }
}

void look_at_result(const fs::path& grades, const Grading& grading, Overview& overview) {
  const auto& [id, lab] = grading;
  if (const auto fault = read_json(fault_file(grades, id, lab))) {
    ++overview.faults;
    overview.looks.push_back({id, lab, std::string(kNoVerdict) + text::text_at(*fault, "message")});
    return;
  }
  const auto result = read_result(result_file(grades, id, lab));
  if (!result || result->manifest.key.empty() || !why_no_verdict(*result).empty()) {
    ++overview.missing;
    return;
  }
  ++overview.graded;
  if (result->passes()) ++overview.passed;
  for (const std::string& reason : result->needs_look) {
    const auto known = kReasons.find(reason);
    overview.looks.push_back({id, lab, known == kReasons.end() ? reason : known->second});
  }
}

void look_at_person(const fs::path& grades, const std::string& id,
                    const std::vector<lab::Lab>& labs, Overview& overview) {
  look_at_intake(grades, id, overview);
  for (const lab::Lab& lab : labs) {
    if (!fs::is_regular_file(submitted_file(grades, id, lab))) continue;
    ++overview.ordered;
    look_at_result(grades, {id, lab.name}, overview);
  }
}

void add(Overview& sum, const Overview& part) {
  sum.ordered += part.ordered;
  sum.graded += part.graded;
  sum.passed += part.passed;
  sum.missing += part.missing;
  sum.faults += part.faults;
  sum.looks.insert(sum.looks.end(), part.looks.begin(), part.looks.end());
}

}  // namespace

Overview look_over(const fs::path& grades, const BatchOrder& order) {
  const auto look_at = [&](std::span<const std::string> people) {
    Overview overview;
    for (const std::string& id : people) look_at_person(grades, id, order.labs, overview);
    return overview;
  };
  const std::set<std::string> people = people_of(order.submissions);
  Overview sum;
  for (const Overview& part :
       files::in_shares(std::vector(people.begin(), people.end()), look_at)) {
    add(sum, part);
  }
  return sum;
}

namespace {

/// A fault of the kit may be everybody's: it is said once, and two more by name.
std::size_t most_of(const std::string& why) {
  return why.starts_with(kNoVerdict) ? 3 : std::string::npos;
}

/// In the order in which each was first met; what is not a fault of the kit stays as it came.
std::vector<std::pair<std::string, std::vector<Look>>> by_reason(const std::vector<Look>& looks) {
  std::vector<std::pair<std::string, std::vector<Look>>> groups;
  for (const Look& look : looks) {
    const auto same =
        std::ranges::find(groups, look.why, [](const auto& one) { return one.first; });
    if (same != groups.end() && look.why.starts_with(kNoVerdict)) {
      same->second.push_back(look);
    } else {
      groups.push_back({look.why, {look}});
    }
  }
  return groups;
}

}  // namespace

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
  for (const auto& [why, looks] : by_reason(overview.looks)) {
    for (std::size_t i = 0; i < looks.size() && i < most_of(why); ++i) {
      text += fmt::format("  {:<24} {:<22} {}\n", looks[i].id, looks[i].lab,
                          i == 0 ? text::harmless(why) : "the same");
    }
    if (looks.size() > most_of(why)) {
      text += fmt::format("  and {} more: the same\n", looks.size() - most_of(why));
    }
  }
  return text;
}

}  // namespace nibble::batch
