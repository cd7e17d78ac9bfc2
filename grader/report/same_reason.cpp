#include "report/same_reason.hpp"

#include "report/results.hpp"

namespace nibble::report {

bool is_waiting(const record::Check& check) {
  return check.diagnosis == "N-STUB" && check.first && check.first->name.empty();
}

bool SameReason::holds_of(const record::Check& check) {
  if (is_good(check.status)) return false;
  const bool is_first_of_exercise = failing_.insert(check.exercise).second;
  const bool is_a_finding = check.sure && !check.usual && is_seen(check.diagnosis) &&
                            check.diagnosis != "N-FORMULA" && check.diagnosis != "N-WRONG";
  const bool is_news = is_a_finding && told_.insert({check.exercise, check.diagnosis}).second;
  return !is_first_of_exercise && !is_news;
}

}  // namespace nibble::report
