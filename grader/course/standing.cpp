// Looks for everybody of the roster among what was handed in, lab by lab, and says the rest in the
// order of what has to be done about it.
#include "course/standing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "course/lateness.hpp"
#include "export/class_figures.hpp"
#include "text/harmless.hpp"

namespace nibble::course {
namespace {

using gradebook::Class;
using gradebook::Graded;
using gradebook::Person;
using gradebook::Ungraded;

/// Somebody, by the name that results go by, by the roster's, and as people read it.
struct Participant {
  std::string submitted_as, id, shown;
};

std::vector<Participant> members_of(const Course& course, const Class& all) {
  std::vector<Person> people = course.people;
  gradebook::call_as_handed_in(people, all.users());
  std::vector<Participant> members;
  std::set<std::string> known;
  for (std::size_t i = 0; i < people.size(); ++i) {
    members.push_back({people[i].id, course.people[i].id, shown(course.people[i])});
    known.insert(people[i].id);
  }
  for (const auto& [name, user] : all.users()) {
    if (known.insert(name).second) members.push_back({name, name, name});
  }
  return members;
}

/// Who of the roster a name means that results of another name lie under already; empty: nobody.
std::string listed_as(const Course& course, const Class& all, const Participant& member) {
  const std::map<std::string, std::string> users = all.users();
  const auto user = users.find(member.submitted_as);
  const Person* person = user == users.end() || user->second.empty()
                             ? nullptr
                             : gradebook::find_by_any_name(course.people, user->second);
  if (person == nullptr) person = gradebook::find_by_any_name(course.people, member.submitted_as);
  return person == nullptr ? "" : shown(*person);
}

/// What is there of a class, by the name that it goes by and the lab.
struct ClassIndex {
  std::map<std::pair<std::string, std::string>, const Graded*> graded;
  std::map<std::pair<std::string, std::string>, std::vector<const Ungraded*>> ungraded;
  std::map<std::pair<std::string, std::string>, const Graded*> without_file;
  std::map<std::pair<std::string, std::string>, std::string> looks;

  explicit ClassIndex(const Class& all) {
    for (const Graded& one : all.graded) graded[{one.student, one.lab()}] = &one;
    for (const Graded& one : all.without_file) without_file[{one.student, one.lab()}] = &one;
    for (const Ungraded& one : all.ungraded) ungraded[{one.submission, one.lab}].push_back(&one);
    for (const gradebook::NeedsLook& one : gradebook::needs_look(all)) {
      looks[{one.student, one.lab}] = one.why;
    }
  }
};

constexpr const char* kNoTime = "nothing says when it came: taken for in time";

void add_graded(const Graded& one, const CourseLab& lab, const ClassIndex& found,
                PersonStanding& person) {
  person.footing = Footing::kGraded;
  if (one.by_hand) person.remarks.push_back(one.by_hand->words);
  if (one.left_out > 0) person.remarks.push_back(one.left_out_words());
  if (one.handed_in.at && lab.opens && *one.handed_in.at < *lab.opens) {
    person.remarks.push_back(fmt::format("came {} before the lab opens (says {})",
                                         text::shown(*lab.opens - *one.handed_in.at),
                                         name_of(one.handed_in.source)));
  }
  if (!one.late.words.empty() && !one.handed_in.at) {
    person.remarks.emplace_back(
        "Canvas says late, nothing by how much: write it down as [[handed_in]]");
  } else if (!one.late.words.empty()) {
    person.remarks.push_back(fmt::format("{} (says {}): {} of {} points taken off", one.late.words,
                                         name_of(one.handed_in.source), one.late.taken_off,
                                         one.given_points()));
  } else if (one.handed_in.is_called_late && one.handed_in.at && *one.handed_in.at <= lab.due) {
    person.remarks.push_back(fmt::format("Canvas says late, and the date of the {} does not",
                                         name_of(one.handed_in.source)));
  } else if (!one.handed_in.at && !one.late.due.empty()) {
    person.remarks.emplace_back(kNoTime);
  }
  const auto look = found.looks.find({one.student, one.lab()});
  if (look != found.looks.end()) person.remarks.push_back("look: " + look->second);
}

void add_ungraded(const std::vector<const Ungraded*>& some, PersonStanding& person) {
  for (const Ungraded* const one : some) {
    const bool refused = one->refused && person.footing != Footing::kOutstanding;
    person.footing = refused ? Footing::kRefused : Footing::kOutstanding;
    constexpr std::string_view kRefused = "refused: ";  // the column says so
    const std::size_t begin = one->why.starts_with(kRefused) ? kRefused.size() : 0;
    person.remarks.push_back(text::harmless(one->why.substr(begin)));
  }
}

/// What a person gave to somebody whose file has no grade yet.
void add_points_that_wait(const Course& course, const CourseLab& lab, const Participant& member,
                          PersonStanding& person) {
  if (person.footing == Footing::kGraded) return;
  for (const gradebook::ManualPart& part : lab.parts.manual) {
    const auto found = course.manual_points.find({member.id, lab.lab.name, part.title});
    if (found == course.manual_points.end()) continue;
    person.remarks.push_back(fmt::format("{} {} of {} waits for the grade of the checks",
                                         part.title, found->second.points, part.points));
  }
}

std::string time_left(const Course& course, const CourseLab& lab, const Participant& member,
                      text::Moment now) {
  const std::optional<text::Moment> due = due_for(course, lab, member.id);
  if (!due || *due < now) return "";
  return "has until " + text::shown(*due, lab.offset);
}

PersonStanding standing_on(const Course& course, const CourseLab& lab, const Participant& member,
                           const ClassIndex& found, text::Moment now) {
  PersonStanding person;
  person.who = member.shown;
  const auto graded = found.graded.find({member.submitted_as, lab.lab.name});
  if (graded != found.graded.end()) add_graded(*graded->second, lab, found, person);
  for (const std::string& key : {lab.lab.name, std::string("?")}) {
    const auto ungraded = found.ungraded.find({member.submitted_as, key});
    if (ungraded == found.ungraded.end() || (key == "?" && person.footing == Footing::kGraded)) {
      continue;
    }
    add_ungraded(ungraded->second, person);
  }
  const auto without = found.without_file.find({member.submitted_as, lab.lab.name});
  if (without != found.without_file.end()) {
    const Graded& one = *without->second;
    person.remarks.push_back(one.by_hand ? one.by_hand->words : one.parts_words());
  } else {
    add_points_that_wait(course, lab, member, person);
  }
  const bool is_overridden = std::ranges::any_of(course.overrides, [&](const Override& one) {
    return one.who == member.id && one.lab == lab.lab.name;
  });
  const bool has_points = person.footing == Footing::kGraded || without != found.without_file.end();
  if (is_overridden && !has_points) {
    person.remarks.emplace_back("[[override]] finds no grade here that it could stand for");
  }
  if (person.footing != Footing::kNothing) return person;
  const std::string left = time_left(course, lab, member, now);
  if (!left.empty()) person.remarks.push_back(left);
  return person;
}

/// Of these members, called as people read them: nobody waits for a part of somebody who left.
gradebook::OutstandingPart as_read(const gradebook::OutstandingPart& part,
                                   std::span<const Participant> members) {
  gradebook::OutstandingPart read{part.lab, part.part, {}};
  for (const std::string& student : part.students) {
    const auto found = std::ranges::find(members, student, &Participant::submitted_as);
    if (found != members.end()) read.students.push_back(found->shown);
  }
  return read;
}

/// Grades of the last days, and those of them that came in the place of another.
void look_for_changes(const Class& all, text::Moment since, CourseStanding& standing) {
  std::map<std::pair<std::string, std::string>, const Graded*> before;
  for (const Graded& one : all.attempts) before[{one.submission, one.lab()}] = &one;
  for (const Graded& one : all.graded) {
    const std::optional<text::Moment> when = text::moment_of(one.results.started);
    if (!when || *when < since) continue;
    ++standing.graded_lately;
    const auto earlier = before.find({one.submission, one.lab()});
    if (earlier == before.end() || earlier->second->points() == one.points()) continue;
    standing.changes.push_back(
        {one.student, one.lab(),
         fmt::format("{} -> {} points", earlier->second->points(), one.points())});
  }
}

void look_for_handouts(const Class& all, CourseStanding& standing) {
  std::map<std::string, std::set<std::string>> who;
  for (const Graded& one : all.graded) {
    if (!one.handout.empty()) who[one.handout].insert(one.student);
  }
  if (who.size() < 2) return;
  for (const auto& [handout, people] : who) {
    standing.handouts.emplace_back(handout, std::vector(people.begin(), people.end()));
  }
  std::ranges::stable_sort(standing.handouts, std::ranges::greater{},
                           [](const auto& one) { return one.second.size(); });
}

const char* word_for(Footing footing) {
  switch (footing) {
    case Footing::kGraded:
      return "graded";
    case Footing::kRefused:
      return "refused";
    case Footing::kOutstanding:
      return "outstanding";
    case Footing::kNothing:
      break;
  }
  return "nothing";
}

bool is_not_open(const CourseLab& lab, text::Moment now) { return lab.opens && now < *lab.opens; }

/// "opens Mon 5 Oct 08:00, in 2 h"; "due Mon 12 Oct 23:59, 3 d ago"
std::string due_text(const CourseLab& lab, text::Moment now) {
  if (is_not_open(lab, now)) {
    return fmt::format("opens {}, in {}", text::shown(*lab.opens, lab.offset),
                       text::shown(*lab.opens - now));
  }
  if (!lab.due) return "no date";
  const bool is_over = *lab.due < now;
  const std::string length = text::shown(is_over ? now - *lab.due : *lab.due - now);
  return fmt::format("due {}, {}", text::shown(*lab.due, lab.offset),
                     is_over ? length + " ago" : "in " + length);
}

/// Nothing but that is said of them.
bool is_without_a_time(const PersonStanding& person) {
  return person.footing == Footing::kGraded && person.remarks.size() == 1 &&
         person.remarks.front() == kNoTime;
}

/// A dozen lines that say the same hide the others.
bool are_many_without_a_time(const LabStanding& one) {
  constexpr std::ptrdiff_t kFew = 3;
  return std::ranges::count_if(one.people, is_without_a_time) > kFew;
}

/// Who waits for a person: a few of them by name, since all of a class do at first.
std::string part_text(const gradebook::OutstandingPart& one) {
  constexpr std::size_t kMost = 5;
  const std::size_t count = one.students.size();
  const std::vector<std::string> named(
      one.students.begin(),
      one.students.begin() + static_cast<std::ptrdiff_t>(std::min(count, kMost)));
  return fmt::format("  {:<12} {:<28} {} {}: {}{}\n", "outstanding",
                     fmt::format("{} ({} points)", one.part.title, one.part.points), count,
                     count == 1 ? "person" : "people", fmt::join(named, "; "),
                     count > kMost ? fmt::format("; {} more", count - kMost) : "");
}

std::string lab_text(const LabStanding& one, text::Moment now) {
  const bool not_open = is_not_open(*one.lab, now);
  std::string text = fmt::format("{}   {}   {} graded", one.lab->lab.name, due_text(*one.lab, now),
                                 one.count(Footing::kGraded));
  for (const Footing footing : {Footing::kRefused, Footing::kOutstanding, Footing::kNothing}) {
    if (one.count(footing) > 0 && !(not_open && footing == Footing::kNothing))
      text += fmt::format(", {} {}", one.count(footing), word_for(footing));
  }
  text += "\n";
  for (const gradebook::OutstandingPart& part : one.parts) text += part_text(part);
  const bool is_ahead = not_open || (one.lab->due && *one.lab->due > now);
  const bool folds = are_many_without_a_time(one);
  for (const Footing footing :
       {Footing::kOutstanding, Footing::kRefused, Footing::kGraded, Footing::kNothing}) {
    for (const PersonStanding& person : one.people) {
      if (person.footing != footing) continue;
      if (person.remarks.empty() && footing == Footing::kGraded) continue;
      if (folds && is_without_a_time(person)) continue;
      if (footing == Footing::kNothing && is_ahead) continue;  // nobody is behind yet
      const std::string first = person.remarks.empty() ? "" : person.remarks.front();
      const std::string line =
          fmt::format("  {:<12} {:<28} {}", word_for(footing), person.who, first);
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      for (std::size_t i = 1; i < person.remarks.size(); ++i) {
        text += fmt::format("  {:<12} {:<28} {}\n", "", "", person.remarks[i]);
      }
    }
    if (folds && footing == Footing::kGraded) {
      text += fmt::format(
          "  {:<12} {:<28} {}\n", word_for(footing),
          fmt::format("{} people", std::ranges::count_if(one.people, is_without_a_time)), kNoTime);
    }
  }
  return text;
}

/// What is to be done about whoever handed in, and is not called as one of the roster.
std::string stranger_text(const Course& course, const Stranger& one) {
  const std::string several = gradebook::why_several(course.people, one.name);
  if (!several.empty()) return several;
  if (one.listed_as.empty()) {
    return fmt::format("{} handed in, and is nobody in {}", one.name,
                       course.roster.filename().string());
  }
  return fmt::format(
      "{} is {}, whose other files went by another name: grade them all into a new folder (-o), "
      "which joins them or says what to do",
      one.name, one.listed_as);
}

}  // namespace

std::size_t LabStanding::count(Footing footing) const {
  return static_cast<std::size_t>(std::ranges::count(people, footing, &PersonStanding::footing));
}

bool CourseStanding::is_complete() const {
  return std::ranges::all_of(labs, [](const LabStanding& one) {
    return one.count(Footing::kOutstanding) == 0 && one.parts.empty();
  });
}

std::string unmet_text(const Course& course, const std::set<std::string>& names) {
  if (!course.people.empty()) return "";
  std::set<std::string> unmet;
  const auto look_at = [&](const auto& entries) {
    for (const auto& one : entries) {
      if (!names.contains(one.who)) unmet.insert(one.who);
    }
  };
  look_at(course.extensions);
  look_at(course.hand_ins);
  look_at(course.overrides);
  if (unmet.empty()) return "";
  return text::harmless(fmt::format(
      "{} speaks of {}: nobody of that name has handed in anything. Is the submission called so?",
      course.file.filename().string(), fmt::join(unmet, ", ")));
}

CourseStanding standing_of(const Course& course, const Class& all, text::Moment now,
                           text::Moment since) {
  const std::vector<Participant> members = members_of(course, all);
  const ClassIndex found(all);
  const std::vector<gradebook::OutstandingPart> outstanding = all.outstanding_parts();
  const std::size_t listed = course.people.empty() ? members.size() : course.people.size();
  CourseStanding standing;
  for (const CourseLab& lab : course.labs) {
    LabStanding one{&lab, {}};
    for (std::size_t i = 0; i < members.size(); ++i) {
      PersonStanding person = standing_on(course, lab, members[i], found, now);
      if (i < listed || person.footing != Footing::kNothing)
        one.people.push_back(std::move(person));
    }
    for (const gradebook::OutstandingPart& part : outstanding) {
      if (part.lab != lab.lab.name) continue;
      gradebook::OutstandingPart read = as_read(part, std::span(members).first(listed));
      if (!read.students.empty()) one.parts.push_back(std::move(read));
    }
    standing.labs.push_back(std::move(one));
  }
  for (std::size_t i = listed; i < members.size(); ++i) {
    standing.strangers.push_back({members[i].shown, listed_as(course, all, members[i])});
  }
  std::set<std::string> names;
  for (const auto& [name, user] : all.users()) names.insert(name);
  standing.unmet = unmet_text(course, names);
  look_for_changes(all, since, standing);
  look_for_handouts(all, standing);
  return standing;
}

std::string standing_text(const Course& course, const CourseStanding& standing, text::Moment now,
                          text::Moment since) {
  std::string text =
      fmt::format("{}{}{}", course.name, course.term.empty() ? "" : ", ", course.term);
  if (!course.people.empty()) text += fmt::format(" · {} people", course.people.size());
  text += "\n";
  for (const LabStanding& one : standing.labs) text += lab_text(one, now);
  const std::chrono::minutes offset =
      course.labs.empty() ? std::chrono::minutes(0) : course.labs.front().offset;
  text += fmt::format("since {}: {} graded", text::shown(since, offset), standing.graded_lately);
  if (!standing.changes.empty()) text += fmt::format(", {} of them again", standing.changes.size());
  text += "\n";
  for (const auto& [who, lab, what] : standing.changes) {
    text += fmt::format("  {:<28} {:<22} {}\n", who, lab, what);
  }
  for (const auto& [handout, people] : standing.handouts) {
    text += fmt::format("handout {}: {} packed by it", handout, people.size());
    const bool is_of_most = handout == standing.handouts.front().first;
    text += is_of_most
                ? "\n"
                : fmt::format(": {}\n", text::harmless(fmt::to_string(fmt::join(people, ", "))));
  }
  for (const Stranger& one : standing.strangers) {
    text += "  " + text::harmless(stranger_text(course, one)) + "\n";
  }
  if (!standing.unmet.empty()) text += "  " + standing.unmet + "\n";
  return text;
}

}  // namespace nibble::course
