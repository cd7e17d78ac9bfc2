#include "report/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/speed_points.hpp"

namespace nibble::report {
namespace {

/// Nanoseconds in which this machine could do the work of one call: what limits it,
/// the units or the memory.
double least_ns(const record::Speed& speed) {
  const double compute = speed.peak_gops > 0 ? speed.operations / speed.peak_gops : 0.0;
  const double memory = speed.read_gbytes > 0 ? speed.bytes / speed.read_gbytes : 0.0;
  return std::max(compute, memory);
}

double share_in(const record::SpeedBook& book, const Check& check) {
  for (const auto& page : book.pages) {
    if (page.exercise == check.exercise && page.id == check.id) return page.share;
  }
  return 0.0;
}

}  // namespace

record::SpeedBook speed_book(const record::Verdict& speed, const Machine& machine) {
  record::SpeedBook book{speed.lab, machine.cpu, machine.isa, {}};
  for (const Check& check : speed.checks) {
    if (!check.speed) continue;
    const double ns = check.speed->published_ns, least = least_ns(*check.speed);
    if (ns <= 0 || least <= 0) continue;
    book.pages.push_back({check.exercise, check.id, std::round(least / ns * 1e4) / 1e4});
  }
  return book;
}

std::optional<record::Estimate> estimate_of(const Check& check, const record::SpeedBook& book) {
  const double share = share_in(book, check);
  if (share <= 0 || !check.speed || check.status == CheckStatus::kOdd) return {};
  const record::Speed& speed = *check.speed;
  const double least = least_ns(speed);
  if (speed.ns <= 0 || least <= 0) return {};
  const double ratio = least / share / speed.ns;
  return {{std::round(ratio * 1e2) / 1e2,
           speed_points(ratio, speed.zero_at, speed.full_at, check.max_points)}};
}

Elsewhere elsewhere(const Result& results, const std::string& exercise) {
  Elsewhere rest;
  if (results.legs.speed != LegState::kNotHere) return rest;
  int estimate = 0;
  bool whole = true;
  for (const Check& check : results.checks) {
    const bool is_its = exercise.empty() || check.exercise == exercise;
    if (!is_its || !waits_for_speed(check)) continue;
    rest.points += check.max_points;
    whole = whole && check.estimate;
    if (check.estimate) estimate += check.estimate->points;
  }
  if (whole && rest.points > 0) rest.estimate = estimate;
  return rest;
}

std::string points_words(int points, int max_points, const Elsewhere& rest) {
  if (rest.points == 0) return fmt::format("{} of {}", points, max_points);
  return fmt::format("{} of {} here; up to {} for speed are judged by your instructor{}", points,
                     max_points, rest.points,
                     rest.estimate ? fmt::format("; estimate {}", *rest.estimate) : "");
}

}  // namespace nibble::report
