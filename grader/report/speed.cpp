#include "report/speed.hpp"

#include "report/estimate.hpp"

#include <algorithm>

namespace nibble::report {
namespace {

using record::Row;
using record::Scheme;
using record::Verdict;

bool is_paid_for_speed(const Row& row) { return row.of_speed && row.max_points > 0; }

/// A row that was not measured, and why.
Check waiting_check(const Row& row, const std::string& reason) {
  Check check{row};
  check.leg = protocol::Leg::kSpeed;
  check.message = reason;
  return check;
}

/// The checks of both legs, as the mark scheme orders them.
std::vector<Check> merged(const std::vector<Check>& values, const std::vector<Check>& speed,
                          const Scheme& scheme) {
  std::vector<Check> merged;
  for (const Row& row : scheme.checks) {
    for (const auto* leg : {&values, &speed}) {
      if (const Check* const check = find_check(*leg, row)) merged.push_back(*check);
    }
  }
  return merged;
}

std::vector<Check> waiting_checks(const Account& account, const Scheme& scheme, bool hidden) {
  std::vector<Check> checks;
  for (const Row& row : scheme.checks) {
    if (!is_paid_for_speed(row)) continue;
    if (!account.terms.exercise.empty() && row.exercise != account.terms.exercise) continue;
    if (!hidden && row.hidden) continue;
    checks.push_back(waiting_check(row, account.speed_not_here.empty()
                                            ? "measured when all values are right"
                                            : account.speed_not_here));
    if (!account.speed_alone || !account.speed_book) continue;
    const Check* const alone = find_check(account.speed_alone->checks, row);
    if (alone != nullptr) checks.back().estimate = estimate_of(*alone, *account.speed_book);
  }
  return checks;
}

}  // namespace

bool has_speed_rows(const Scheme& scheme, const std::string& exercise) {
  return std::ranges::any_of(scheme.checks, [&](const Row& row) {
    return is_paid_for_speed(row) && (exercise.empty() || row.exercise == exercise);
  });
}

Verdict with_speed(const Verdict& values, const Account& account, const Scheme& scheme) {
  if (!account.speed_wanted) return values;
  Verdict whole = values;
  const bool ran = account.speed.has_value();
  const std::vector<Check> checks =
      ran ? account.speed->checks : waiting_checks(account, scheme, values.hidden.run);
  whole.checks = merged(values.checks, checks, scheme);
  for (const Check& check : checks) {
    whole.points += check.points;
    whole.max_points += check.max_points;
    const bool not_here =
        check.status == CheckStatus::kSkip && (ran || !account.speed_not_here.empty());
    if (not_here) whole.not_counted += check.max_points;
  }
  if (ran && values.passes()) whole.end = account.speed->end;
  return whole;
}

}  // namespace nibble::report
