#include "teach/verdicts.hpp"

namespace nibble::teach {

FailedCheck failed_check(const record::Check& check) {
  return {check.exercise + "." + check.id, check.id, name_of(check.status), check.diagnosis,
          check.message};
}

std::vector<FailedCheck> failed_checks(const record::Verdict& verdict) {
  std::vector<FailedCheck> failed;
  for (const record::Check& check : verdict.checks) {
    if (check.status != record::CheckStatus::kPass) failed.push_back(failed_check(check));
  }
  return failed;
}

int passed_checks(const record::Verdict& verdict, const std::string& exercise) {
  int passed = 0;
  for (const record::Check& check : verdict.checks) {
    if (check.exercise == exercise && check.status == record::CheckStatus::kPass) ++passed;
  }
  return passed;
}

}  // namespace nibble::teach
