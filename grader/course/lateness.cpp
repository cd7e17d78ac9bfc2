// One person's date, then one result's lateness, then the attempt that counts, then what a person
// decided otherwise.
#include "course/lateness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace nibble::course {
namespace {

using gradebook::Class;
using gradebook::Graded;
using record::TimeSource;

/// As the course calls whoever a submission is of. Each is looked for once: a class has hundreds of
/// people, and each of them several labs.
class WhoIsWho {
 public:
  explicit WhoIsWho(const std::vector<gradebook::Person>& people) : people_(people) {
    for (const gradebook::Person& person : people) ids_.insert(person.id);
  }

  const std::string& operator()(const Graded& one) {
    const auto [place, is_new] = known_.try_emplace({one.user, one.student}, one.student);
    if (!is_new || (one.user.empty() && ids_.contains(one.student))) return place->second;
    const gradebook::Person* found = nullptr;
    if (!one.user.empty()) found = gradebook::find_by_any_name(people_, one.user);
    if (found == nullptr) found = gradebook::find_by_any_name(people_, one.student);
    if (found != nullptr) place->second = found->id;
    return place->second;
  }

 private:
  const std::vector<gradebook::Person>& people_;
  std::unordered_set<std::string> ids_;
  std::map<std::pair<std::string, std::string>, std::string> known_;
};

record::HandIn hand_in_of(const Course& course, const Graded& one, const std::string& who) {
  for (const HandInByHand& noted : course.hand_ins) {
    if (noted.who == who && noted.lab == one.lab()) return {noted.at, TimeSource::kByHand, false};
  }
  return one.handed_in;
}

bool is_closed(const CourseLab& lab, text::Moment due, text::Moment at) {
  return lab.closes && at > std::max(*lab.closes, due);
}

/// To the nearest whole point; a half is the student's.
int scaled(int points, int to, int possible) {
  return possible == 0 ? 0 : (2 * points * to + possible) / (2 * possible);
}

/// What the course makes of the judge's points, and what people gave beside them.
void give_parts(const Course& course, const CourseLab& lab, const std::string& who, Graded& one,
                int possible) {
  one.from_checks.reset();
  if (lab.parts.checks) one.from_checks = scaled(one.raw_points(), *lab.parts.checks, possible);
  one.parts.clear();
  for (const gradebook::ManualPart& part : lab.parts.manual) {
    gradebook::GivenPart given{part};
    const auto found = course.manual_points.find({who, lab.lab.name, part.title});
    if (found != course.manual_points.end()) {
      given.points = found->second.points;
      given.words = found->second.words();
    }
    one.parts.push_back(std::move(given));
  }
}

/// What lateness may take from: all but parts of which the course says otherwise.
int worth_late(const CourseLab& lab, int possible) {
  for (const gradebook::ManualPart& part : lab.parts.manual) {
    if (!part.is_late_too) possible -= part.points;
  }
  return possible;
}

int points_late(const Graded& one) {
  int points = one.check_points();
  for (const gradebook::GivenPart& given : one.parts) {
    if (given.part.is_late_too) points += given.points.value_or(0);
  }
  return points;
}

/// `worth`: what lateness may take from.
void settle_one(const Course& course, const CourseLab& lab, const std::string& who, Graded& one,
                int worth) {
  one.late = {};
  const std::optional<text::Moment> due = due_for(course, lab, who);
  if (!due) return;
  one.late.due = text::stamp(*due);
  if (!one.handed_in.at) {
    if (one.handed_in.is_called_late) one.late.words = "late, nothing says by how much";
    return;
  }
  const std::chrono::seconds how_late = *one.handed_in.at - *due;
  if (how_late <= course.late.grace) return;
  one.late.words = text::shown(how_late) + " late";
  const bool closed = is_closed(lab, *due, *one.handed_in.at);
  if (closed) one.late.words += ", after it closed";
  const int off = closed ? worth : points_off(course.late, how_late, worth);
  one.late.taken_off = std::min(off, points_late(one));
}

/// The best or the last of those that count; of two that are worth the same the later.
const Graded* counted(const Course& course, const std::vector<const Graded*>& attempts) {
  if (course.attempts == CountedAttempt::kLast) return attempts.back();
  const Graded* chosen = attempts.front();
  for (const Graded* const one : attempts) {
    if (one->points() >= chosen->points()) chosen = one;
  }
  return chosen;
}

/// Puts the attempt that counts in the place of the last.
void choose_attempts(const Course& course, Class& all) {
  std::map<std::pair<std::string, std::string>, std::vector<const Graded*>> before;
  for (const Graded& one : all.attempts) before[{one.submission, one.lab()}].push_back(&one);
  for (Graded& one : all.graded) {
    std::vector<const Graded*> attempts = before[{one.submission, one.lab()}];
    attempts.push_back(&one);
    const std::size_t came = attempts.size();
    attempts.resize(std::min(came, course.most_attempts.value_or(came)));
    const Graded* const chosen = counted(course, attempts);
    if (chosen != &one) one = *chosen;
    one.left_out = static_cast<int>(came - attempts.size());
  }
}

/// Throws std::invalid_argument for points that the lab does not have.
gradebook::ByHand decided(const Course& course, const Override& one, const Graded& on,
                          int possible) {
  const int before = on.settled_points();
  const int points = one.points.value_or(before + one.add);
  if (points < 0 || points > possible) {
    throw std::invalid_argument(fmt::format("{}: [[override]] gives {} {} of {} points in {}",
                                            course.file.string(), one.who, points, possible,
                                            one.lab));
  }
  const std::string words =
      one.points ? fmt::format("{} points in place of {}", points, before)
                 : fmt::format("{} points {}", std::abs(one.add), one.add < 0 ? "fewer" : "more");
  return {points, fmt::format("{}, by {} on {}: {}", words, one.by, one.day, one.why),
          one.points.has_value()};
}

void override_grades(const Course& course, Class& all, WhoIsWho& who_is) {
  for (std::vector<Graded>* const some : {&all.graded, &all.without_file}) {
    for (Graded& graded : *some) {
      const auto one = std::ranges::find_if(course.overrides, [&](const Override& each) {
        return each.lab == graded.lab() && each.who == who_is(graded);
      });
      if (one == course.overrides.end()) continue;
      graded.by_hand = decided(course, *one, graded, points_possible(all, graded.lab()));
    }
  }
}

/// Everybody of the roster, whether they handed in or not.
void expect_people(const Course& course, const std::vector<gradebook::Person>& people, Class& all) {
  for (std::size_t i = 0; i < people.size(); ++i) {
    all.expected[people[i].id] = shown(course.people[i]);
  }
}

/// Whoever has points of a person and no file, by the name of their other labs. A file that has no
/// grade yet is waited for.
void add_without_file(const Course& course, const std::vector<gradebook::Person>& people,
                      Class& all) {
  all.without_file.clear();
  std::set<std::pair<std::string, std::string>> handed_in;
  for (const Graded& one : all.graded) handed_in.emplace(one.student, one.lab());
  for (const gradebook::Ungraded& one : all.ungraded) handed_in.emplace(one.submission, one.lab);
  for (std::size_t i = 0; i < people.size(); ++i) {
    const std::string& name = people[i].id;
    for (const CourseLab& lab : course.labs) {
      if (handed_in.contains({name, lab.lab.name}) || handed_in.contains({name, "?"})) continue;
      Graded one;
      one.submission = one.student = name;
      one.user = people[i].user;
      one.results.lab = lab.lab.name;
      give_parts(course, lab, course.people[i].id, one, 0);
      const bool has_points = std::ranges::any_of(
          one.parts, [](const gradebook::GivenPart& given) { return given.points.has_value(); });
      if (has_points) all.without_file.push_back(std::move(one));
    }
  }
}

}  // namespace

std::optional<text::Moment> due_for(const Course& course, const CourseLab& lab,
                                    const std::string& who) {
  std::optional<text::Moment> due = lab.due;
  if (!due) return due;
  for (const Extension& one : course.extensions) {
    if (one.who != who || (!one.lab.empty() && one.lab != lab.lab.name)) continue;
    due = std::max(*due, one.due ? *one.due : *lab.due + one.days);
  }
  return due;
}

int points_off(const LatePolicy& late, std::chrono::seconds how_late, int possible) {
  if (how_late <= late.grace) return 0;
  const auto days = std::chrono::ceil<std::chrono::days>(how_late).count();
  const double part = std::min(late.cap, late.per_day * static_cast<double>(days));
  return static_cast<int>(std::floor(part * possible / 100.0));
}

void settle(const Course& course, Class& all) {
  std::vector<gradebook::Person> people = course.people;
  gradebook::call_as_handed_in(people, all.users());
  expect_people(course, people, all);
  WhoIsWho who_is(course.people);
  // Of the last file alone: who says when something came means what is there.
  for (Graded& one : all.graded) one.handed_in = hand_in_of(course, one, who_is(one));
  for (const CourseLab& lab : course.labs) {
    all.parts[lab.lab.name] = lab.parts;
    const int checks = check_points_possible(all, lab.lab.name);
    const int worth = worth_late(lab, points_possible(all, lab.lab.name));
    if (lab.due) all.due[lab.lab.name] = text::stamp(*lab.due);
    for (std::vector<Graded>* const some : {&all.graded, &all.attempts}) {
      for (Graded& one : *some) {
        if (one.lab() != lab.lab.name) continue;
        give_parts(course, lab, who_is(one), one, checks);
        settle_one(course, lab, who_is(one), one, worth);
      }
    }
  }
  choose_attempts(course, all);
  add_without_file(course, people, all);
  override_grades(course, all, who_is);
}

}  // namespace nibble::course
