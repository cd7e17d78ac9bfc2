#include "proofs/verdicts.hpp"

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

}  // namespace nibble::proofs
