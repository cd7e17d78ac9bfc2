#include "report/speed.hpp"

#include "report/estimate.hpp"

#include <algorithm>

namespace nibble::report {
namespace {

bool is_paid_for_speed(const Json& row) {
  return row.value("leg", "") == "speed" && row.at("max_points").get<int>() > 0;
}

/// A row that was not measured, and why.
Json waiting_check(const Json& row, const std::string& reason) {
  Json check = row;
  check.erase("diagnosis");
  check["status"] = "skip";
  check["points"] = 0;
  check["leg"] = "speed";
  check["seconds"] = 0.0;
  check["message"] = reason;
  return check;
}

const Json* find_check(const Json& checks, const Json& row) {
  for (const Json& check : checks) {
    if (check.at("id") == row.at("id") && check.at("exercise") == row.at("exercise")) return &check;
  }
  return nullptr;
}

/// The checks of both legs, as the mark scheme orders them.
Json merged_checks(const Json& values, const Json& speed, const Json& scheme) {
  Json merged = Json::array();
  for (const Json& row : scheme.at("checks")) {
    for (const Json* leg : {&values, &speed}) {
      if (const Json* const check = find_check(*leg, row)) merged.push_back(*check);
    }
  }
  return merged;
}

Json waiting_checks(const Account& account, const Json& scheme, bool hidden) {
  Json checks = Json::array();
  for (const Json& row : scheme.at("checks")) {
    if (!is_paid_for_speed(row)) continue;
    if (!account.terms.exercise.empty() && row.at("exercise") != account.terms.exercise) continue;
    if (!hidden && row.at("visibility") == "hidden") continue;
    checks.push_back(waiting_check(row, account.speed_not_here.empty()
                                            ? "measured when all values are right"
                                            : account.speed_not_here));
    if (account.speed_alone.is_null()) continue;
    const Json* const alone = find_check(account.speed_alone.at("checks"), row);
    const Json estimate = alone == nullptr ? Json() : estimate_of(*alone, account.speed_book);
    if (!estimate.is_null()) checks.back()["estimate"] = estimate;
  }
  return checks;
}

}  // namespace

bool has_speed_rows(const Json& scheme, const std::string& exercise) {
  return std::ranges::any_of(scheme.at("checks"), [&](const Json& row) {
    return is_paid_for_speed(row) && (exercise.empty() || row.at("exercise") == exercise);
  });
}

Json with_speed(const Json& values, const Account& account, const Json& scheme) {
  if (!account.speed_wanted || values.is_null()) return values;
  Json whole = values;
  const bool ran = !account.speed.is_null();
  const Json checks =
      ran ? account.speed.at("checks")
          : waiting_checks(account, scheme, values.at("hidden").at("run").get<bool>());
  whole["checks"] = merged_checks(values.at("checks"), checks, scheme);
  int points = values.at("points"), max_points = values.at("max_points");
  int not_counted = values.value("not_counted", 0);
  for (const Json& check : checks) {
    points += check.at("points").get<int>();
    max_points += check.at("max_points").get<int>();
    const bool not_here = check.at("status") == "skip" && (ran || !account.speed_not_here.empty());
    if (not_here) not_counted += check.at("max_points").get<int>();
  }
  whole["points"] = points;
  whole["max_points"] = max_points;
  whole["not_counted"] = not_counted;
  if (ran && values.at("verdict") == "pass") {
    whole["verdict"] = account.speed.at("verdict");
    whole["exit"] = account.speed.at("exit");
  }
  return whole;
}

}  // namespace nibble::report
