#include "proofs/verdicts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace nibble::proofs {

using record::Check;
using record::CheckStatus;

std::vector<Check> failed_checks(const record::Verdict& verdict) {
  std::vector<Check> failed = verdict.checks;
  std::erase_if(failed, [](const Check& check) { return check.status == CheckStatus::kPass; });
  return failed;
}

int passed_checks(const record::Verdict& verdict, const std::string& exercise) {
  return static_cast<int>(std::ranges::count_if(verdict.checks, [&](const Check& check) {
    return check.exercise == exercise && check.status == CheckStatus::kPass;
  }));
}

std::string wrong_line(const Check& failed, const std::vector<int>& lines) {
  const int told = failed.location ? failed.location->line : 0;
  if (lines.empty() || std::ranges::find(lines, told) != lines.end()) return "";
  return fmt::format("got {} from {} at {}, want it at line {}", failed.diagnosis, failed.name(),
                     told == 0 ? "no line" : fmt::format("line {}", told),
                     fmt::join(lines, " or "));
}

}  // namespace nibble::proofs
