// Where a course stands, person by person: who has a grade, who was refused and why, who has
// nothing yet, what is outstanding, and what came lately.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "course/course.hpp"
#include "export/class.hpp"

namespace nibble::course {

enum class Footing {
  kGraded,
  kRefused,      ///< what was handed in was not taken
  kOutstanding,  ///< taken, and without a verdict
  kNothing
};

/// One person on one lab.
struct PersonStanding {
  std::string who;  ///< as people read it
  Footing footing = Footing::kNothing;
  std::vector<std::string> remarks;  ///< what should be read of it; a grade may have none
};

struct LabStanding {
  const CourseLab* lab;
  std::vector<PersonStanding> people;  ///< everybody of the roster, then who is not in it
  std::vector<gradebook::OutstandingPart> parts{};  ///< whose people are named as they are read

  std::size_t count(Footing footing) const;
};

struct Change {
  std::string who, lab, what;  ///< "61 -> 100"
};

struct Stranger {
  std::string name;       ///< that results go by
  std::string listed_as;  ///< who of the roster it means, beside another name; empty: nobody
};

struct CourseStanding {
  std::vector<LabStanding> labs;
  std::vector<Stranger> strangers;  ///< who handed in, beyond the roster
  std::string unmet{};              ///< as unmet_text() writes it
  std::size_t graded_lately = 0;
  std::vector<Change> changes;  ///< of those, grades that replaced another
  /// Who packed by which handout, where a class has more than one; the one of most first.
  std::vector<std::pair<std::string, std::vector<std::string>>> handouts;

  bool is_complete() const;  ///< nothing is outstanding, of the grader or of a person
};

/// Of whom the course has an extension and the like, and who handed in nothing by that name: a line
/// for a course without a roster, which would refuse them. Empty: there is nobody. `names`: of what
/// was handed in.
std::string unmet_text(const Course& course, const std::set<std::string>& names);

/// Of a class that settle() has seen.
CourseStanding standing_of(const Course& course, const gradebook::Class& all, text::Moment now,
                           text::Moment since);

/// As lines for people.
std::string standing_text(const Course& course, const CourseStanding& standing, text::Moment now,
                          text::Moment since);

}  // namespace nibble::course
