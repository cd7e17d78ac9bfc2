// nibble list: the labs, their points, and where one stands.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "cli/commands.hpp"

namespace nibble::cli {
namespace {

using Json = nlohmann::ordered_json;

/// An open exercise keeps what its checks earned in the last run.
int points_of(const Lab& lab, const Exercise& exercise, const Progress& progress,
              const Json& last) {
  const Entry* const entry = progress.find(lab.id_of(exercise.name));
  if (entry == nullptr) return 0;
  if (entry->done()) return exercise.points;
  int points = 0;
  if (last.is_null()) return points;
  for (const Json& check : last.at("checks")) {
    if (check.value("exercise", "") == exercise.name && check.value("visibility", "") == "public") {
      points += check.value("points", 0);
    }
  }
  return std::min(points, exercise.points);
}

std::string state_of(const Lab& lab, const Exercise& exercise, const Progress& progress) {
  const Entry* const entry = progress.find(lab.id_of(exercise.name));
  return entry == nullptr ? "untouched" : entry->state;
}

Json row_of(const Context& context, const Lab& lab, const Progress& progress) {
  const Json last = last_results(context.kit, lab.name);
  Json row = {{"lab", lab.name}, {"title", lab.title}, {"part", part_of(lab)}};
  int points = 0, done = 0;
  Json exercises = Json::array();
  for (const Exercise& exercise : lab.exercises) {
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
  row["exercises"] = std::move(exercises);
  return row;
}

Json list_of(const Context& context, const Progress& progress) {
  Json list = {{"nibble", context.kit.version}, {"labs", Json::array()}};
  int points = 0, max_points = 0, hints = 0, seconds = 0;
  for (const Lab& lab : context.labs) {
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

std::string state_text(const Json& row, const Target& current) {
  const std::size_t all = row["exercises"].size();
  if (row["done"].get<std::size_t>() == all) return "done";
  if (current.lab != nullptr && current.lab->name == row["lab"]) {
    return "<- here (" + current.exercise + ")";
  }
  return "";
}

}  // namespace

int list_command(Context& context, bool json) {
  const Progress progress = load_progress(context);
  const Json list = list_of(context, progress);
  if (json) {
    context.out << list.dump(2) << '\n';
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
    const std::string points =
        fmt::format("{}/{}", row["points"].get<int>(), row["max_points"].get<int>());
    std::string line = fmt::format(" {:<26}  {:<12}  {:>13}   {}", row["lab"].get<std::string>(),
                                   bar(row["done"].get<std::size_t>(), row["exercises"].size()),
                                   points, state_text(row, current));
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
