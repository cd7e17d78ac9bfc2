// Autolab reads the last line of what its Makefile prints. Nothing of the student's stands there.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "export/formats.hpp"
#include "export/told.hpp"

namespace nibble::gradebook {
namespace {

std::string summary(const Result& results) {
  if (!results.compiles()) return "it does not compile";
  const auto count = [&](CheckStatus status) {
    return std::ranges::count(results.checks, status, &Check::status);
  };
  const auto all = std::ssize(results.checks) - count(CheckStatus::kSkip);
  const auto passed = count(CheckStatus::kPass), part = count(CheckStatus::kPart);
  std::string text = passed + part == all ? fmt::format("{} checks", all)
                                          : fmt::format("{} of {} checks", passed + part, all);
  if (part > 0) text += fmt::format(", {} in part", part);
  return text;
}

}  // namespace

std::string autolab(const Result& all) {
  const Result results = told(all);
  std::string line = fmt::format("{{\"scores\":{{\"{}\":{}}}", results.lab, results.points);
  std::string ratios;
  for (const Check& check : results.checks) {
    if (!check.speed) continue;
    ratios += fmt::format("{}{:.2f}", ratios.empty() ? "" : ",", check.speed->ratio);
  }
  if (!ratios.empty()) line += fmt::format(",\"scoreboard\":[{}]", ratios);
  return fmt::format("{}: {}, {}/{}\n{}}}\n", results.lab, summary(results), results.points,
                     worth(results), line);
}

std::string autolab_refused(const std::string& lab, const std::string& why) {
  std::string line = safe_text(why);
  std::ranges::replace(line, '\n', ' ');
  return fmt::format("{}: {}\n{{\"scores\":{{\"{}\":0}}}}\n", lab, line, lab);
}

}  // namespace nibble::gradebook
