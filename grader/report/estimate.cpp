#include "report/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/speed_points.hpp"

namespace nibble::report {
namespace {

/// Nanoseconds in which this machine could do the work of one call: what limits it,
/// the units or the memory.
double least_ns(const Json& speed) {
  const double peak = speed.at("peak_gops"), read = speed.at("read_gbytes");
  const double compute = peak > 0 ? speed.at("operations").get<double>() / peak : 0.0;
  const double memory = read > 0 ? speed.at("bytes").get<double>() / read : 0.0;
  return std::max(compute, memory);
}

bool is_row_of(const Json& row, const Json& check) {
  return text_at(row, "exercise") == text_at(check, "exercise") &&
         text_at(row, "id") == text_at(check, "id");
}

double share_in(const Json& book, const Json& check) {
  if (!book.is_object() || !book.contains("rows")) return 0.0;
  for (const Json& row : book["rows"]) {
    if (is_row_of(row, check) && row.contains("share") && row["share"].is_number())
      return row["share"];
  }
  return 0.0;
}

}  // namespace

Json speed_book(const Json& speed, const Machine& machine) {
  Json rows = Json::array();
  for (const Json& check : speed.at("checks")) {
    if (!check.contains("speed")) continue;
    const double ns = check["speed"].at("published_ns"), least = least_ns(check["speed"]);
    if (ns <= 0 || least <= 0) continue;
    rows.push_back({{"exercise", check.at("exercise")},
                    {"id", check.at("id")},
                    {"share", std::round(least / ns * 1e4) / 1e4}});
  }
  return {{"lab", speed.at("lab")}, {"cpu", machine.cpu}, {"isa", machine.isa}, {"rows", rows}};
}

Json estimate_of(const Json& check, const Json& book) {
  const double share = share_in(book, check);
  if (share <= 0 || !check.contains("speed") || check.value("status", "") == "odd") return nullptr;
  const Json& speed = check["speed"];
  const double ns = speed.at("ns"), least = least_ns(speed);
  if (ns <= 0 || least <= 0) return nullptr;
  const double ratio = least / share / ns;
  return {{"ratio", std::round(ratio * 1e2) / 1e2},
          {"points",
           speed_points(ratio, speed.at("zero_at"), speed.at("full_at"), check.at("max_points"))}};
}

Elsewhere elsewhere(const Json& results, const std::string& exercise) {
  Elsewhere rest;
  if (results.at("legs").value("speed", "") != "not_here") return rest;
  int estimate = 0;
  bool whole = true;
  for (const Json& check : results.at("checks")) {
    const bool is_its = exercise.empty() || text_at(check, "exercise") == exercise;
    if (!is_its || text_at(check, "leg") != "speed" || check.at("status") != "skip") continue;
    rest.points += check.at("max_points").get<int>();
    whole = whole && check.contains("estimate");
    if (check.contains("estimate")) estimate += check["estimate"].at("points").get<int>();
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
