// Who is how fast, without saying who: a list of each check of speed, fastest first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "export/formats.hpp"

namespace nibble::gradebook {
namespace {

/// Columns of the fastest one's bar.
constexpr double kLongestBar = 40.0;

/// One submission's time of one check.
struct PlacedTime {
  std::string pseudonym;
  record::Speed speed;
};

/// A check of speed, and all that have a time of it.
struct Race {
  std::string name;  ///< "quantize.Speed"
  std::vector<PlacedTime> timed;
};

/// In the order of the mark scheme. Hidden checks keep their times to themselves.
std::vector<Race> races_of(const Class& all) {
  std::vector<Race> races;
  for (const Graded& one : all.graded) {
    for (const Check& check : one.results.checks) {
      if (!check.speed || check.hidden) continue;
      const std::string name = check.exercise + "." + check.id;
      const auto known = std::ranges::find(races, name, &Race::name);
      Race& race = known != races.end() ? *known : races.emplace_back(Race{name, {}});
      race.timed.push_back({one.submission, *check.speed});
    }
  }
  return races;
}

std::string text_of(Race race) {
  std::ranges::stable_sort(race.timed, std::ranges::greater(),
                           [](const PlacedTime& one) { return one.speed.ratio; });
  const record::Speed& fastest = race.timed.front().speed;
  std::string text = fmt::format("\n{}: all points from {:.2f}\n", race.name, fastest.full_at);
  int place = 0;
  for (const auto& [pseudonym, speed] : race.timed) {
    const auto bar =
        static_cast<std::size_t>(std::lround(kLongestBar * speed.ratio / fastest.ratio));
    text += fmt::format("{:>4}  {:<8}{:>6.2f} ±{:.2f}  {}\n", ++place, pseudonym, speed.ratio,
                        speed.margin, std::string(bar, '#'));
  }
  return text;
}

}  // namespace

std::string speed_table(const Class& one_lab) {
  if (!one_lab.is_anonymous) {
    throw std::invalid_argument(
        "a table of speed names nobody: say with --anonymous which file says who is who");
  }
  const std::vector<Race> races = races_of(one_lab);
  if (races.empty()) {
    throw std::invalid_argument(
        "no result has a time: is it a lab with points for speed, graded with its speed leg?");
  }
  std::string text =
      fmt::format("{}: how fast, as a ratio to the published solution; above 1 is faster\n",
                  one_lab.graded.front().lab());
  for (const Race& race : races) text += text_of(race);
  return text;
}

}  // namespace nibble::gradebook
