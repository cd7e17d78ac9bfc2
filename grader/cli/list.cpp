// nibble list: the labs, their points, and where one stands.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "cli/commands.hpp"
#include "text/json_text.hpp"

namespace nibble::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string state_of(const MarkedLab& lab, const MarkedExercise& exercise,
                     const Progress& progress) {
  const Entry* const entry = progress.find(lab.id_of(exercise.name));
  return entry == nullptr ? "untouched" : entry->state;
}

Json row_of(const Context& context, const MarkedLab& lab, const Progress& progress) {
  const auto last = last_results(context.kit, lab.name);
  Json row = {{"lab", lab.name}, {"title", lab.title}, {"part", lab.part()}};
  int points = 0, done = 0;
  const report::Elsewhere rest = elsewhere_of(lab, progress);
  Json exercises = Json::array();
  for (const MarkedExercise& exercise : lab.exercises) {
    const int earned = points_of(lab, exercise, progress, last);
    points += earned;
    done += progress.done(lab.id_of(exercise.name)) ? 1 : 0;
    exercises.push_back({{"exercise", exercise.name},
                         {"state", state_of(lab, exercise, progress)},
                         {"points", earned},
                         {"max_points", exercise.points}});
  }
  row["done"] = done;
  row["points"] = points;
  row["max_points"] = lab.points;
  if (rest.points > 0) row["elsewhere"] = rest.points;
  if (rest.estimate) row["estimate"] = *rest.estimate;
  row["exercises"] = std::move(exercises);
  return row;
}

Json list_of(const Context& context, const Progress& progress) {
  Json list = {{"nibble", context.kit.version}, {"labs", Json::array()}};
  int points = 0, max_points = 0, hints = 0, seconds = 0;
  for (const MarkedLab& lab : context.labs) {
    list["labs"].push_back(row_of(context, lab, progress));
    points += list["labs"].back()["points"].get<int>();
    max_points += lab.points;
  }
  for (const auto& [id, entry] : progress.entries) {
    hints += entry.hints;
    seconds += entry.seconds;
  }
  list["points"] = points;
  list["max_points"] = max_points;
  list["hints"] = hints;
  list["seconds"] = seconds;
  return list;
}

/// "##.. 2/4".
std::string bar(std::size_t done, std::size_t all) {
  return std::string(done, '#') + std::string(all - done, '.') + fmt::format(" {}/{}", done, all);
}

std::string duration(int seconds) {
  const int minutes = seconds / 60;
  return minutes < 60 ? fmt::format("{} min", minutes)
                      : fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

/// "; up to 13 for speed by your instructor, estimate 9".
std::string elsewhere_text(const Json& row) {
  if (!row.contains("elsewhere")) return "";
  return fmt::format(
      "; up to {} for speed by your instructor{}", row["elsewhere"].get<int>(),
      row.contains("estimate") ? fmt::format(", estimate {}", row["estimate"].get<int>()) : "");
}

std::string state_text(const Json& row, const Target& current) {
  const std::size_t all = row["exercises"].size();
  if (row["done"].get<std::size_t>() == all) return "done" + elsewhere_text(row);
  if (current.lab != nullptr && current.lab->name == row["lab"].get<std::string>()) {
    return "<- here (" + current.exercise + ")";
  }
  return "";
}

}  // namespace

int points_of(const MarkedLab& lab, const MarkedExercise& exercise, const Progress& progress,
              const std::optional<record::Result>& last) {
  const Entry* const entry = progress.find(lab.id_of(exercise.name));
  if (entry == nullptr) return 0;
  if (entry->number("points")) return std::min(*entry->number("points"), exercise.points);
  if (entry->done()) return exercise.points;
  int points = 0;
  if (!last) return points;
  for (const record::Check& check : last->checks) {
    if (check.exercise == exercise.name && !check.hidden) points += check.points;
  }
  return std::min(points, exercise.points);
}

report::Elsewhere elsewhere_of(const MarkedLab& lab, const Progress& progress) {
  report::Elsewhere all;
  int estimate = 0;
  bool whole = true;
  for (const MarkedExercise& exercise : lab.exercises) {
    const Entry* const entry = progress.find(lab.id_of(exercise.name));
    const std::optional<int> rest = entry == nullptr ? std::nullopt : entry->number("elsewhere");
    if (!rest) continue;
    all.points += *rest;
    whole = whole && entry->number("estimate");
    estimate += entry->number("estimate").value_or(0);
  }
  if (whole && all.points > 0) all.estimate = estimate;
  return all;
}

int list_command(Context& context, bool json) {
  const Progress progress = load_progress(context);
  const Json list = list_of(context, progress);
  if (json) {
    context.out << text::json_text(list, 2) << '\n';
    return 0;
  }
  const Target current = current_exercise(context, progress);
  std::string part;
  std::string text =
      fmt::format(" {:<26}  {:<12}  {:>13}   {}\n", "lab", "exercises", "public points", "state");
  for (const Json& row : list["labs"]) {
    if (row["part"] != part) {
      part = row["part"];
      text += " " + context.paint.loud(part) + "\n";
    }
    const std::string exercises = bar(row["done"].get<std::size_t>(), row["exercises"].size());
    const std::string points =
        fmt::format("{}/{}", row["points"].get<int>(), row["max_points"].get<int>());
    std::string line = fmt::format(" {:<26}  {:<12}  {:>13}   {}", row["lab"].get<std::string>(),
                                   exercises, points, state_text(row, current));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  text += fmt::format("total {} of {} public points   ·   hints used {}   ·   {}\n",
                      list["points"].get<int>(), list["max_points"].get<int>(),
                      list["hints"].get<int>(), duration(list["seconds"].get<int>()));
  context.out << text;
  return 0;
}

}  // namespace nibble::cli
