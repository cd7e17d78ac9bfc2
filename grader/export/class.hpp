// The results of a class, read from the folder that `teach grade` fills:
// RESULTS/<submission>/<lab>.json. What cannot be read is no zero: it is kept apart,
// with the reason.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/hand_in.hpp"
#include "record/result.hpp"

namespace nibble::gradebook {

using record::Check;
using record::CheckStatus;
using record::Result;

/// What a course's dates say of one file.
struct Lateness {
  std::string due{};    ///< as stamp() writes it; empty: no course says
  std::string words{};  ///< "2 d 3 h late"; empty: in time
  int taken_off = 0;    ///< points
};

/// What a person decided otherwise than the judge.
struct ByHand {
  int points = 0;  ///< what counts, lateness and all
  std::string
      words;  ///< "72 points in place of 64, by M. C. on 2026-11-20: the statement was unclear"
  bool replaces = false;  ///< all that went before, parts that nobody has given among it
};

/// A part of a lab's mark that a person gives.
struct ManualPart {
  std::string title;
  int points = 0;           ///< at most
  bool is_late_too = true;  ///< lateness takes off from it as from the checks
};

/// What a lab's mark is made of, as the course has it.
struct MarkParts {
  std::optional<int> checks{};  ///< what all points of the checks become; nothing: what they are
  std::vector<ManualPart> manual{};
};

/// What one person has in one of these parts.
struct GivenPart {
  ManualPart part;
  std::optional<int> points{};  ///< nothing: outstanding
  std::string words{};          ///< "by M. C. on 2026-11-20: two tables without units"

  /// "report 17 of 20, by M. C. on …"; "report (20 points) is outstanding".
  std::string shown() const;
};

/// One lab of one submission that has a grade.
struct Graded {
  std::string submission;  ///< the folder's name
  std::string student;     ///< as the results say; else the submission
  Result results;
  std::string user{};  ///< whose it is in the course system: "canvas 4711"; empty: it is of none
  record::HandIn handed_in{};
  std::string handout{};  ///< that it was packed by, as the student's archive says
  Lateness late{};
  std::optional<int> from_checks{};  ///< what the course makes of the judge's points
  std::vector<GivenPart> parts{};    ///< all of the lab's that people give
  std::optional<ByHand> by_hand{};
  int left_out = 0;  ///< later files of this lab, beyond those that the course counts

  const std::string& lab() const { return results.lab; }
  int raw_points() const { return results.points; }
  int check_points() const { return from_checks.value_or(results.points); }
  int manual_points() const;
  /// Of the checks and of all parts that people give, before lateness.
  int given_points() const { return check_points() + manual_points(); }
  /// What these and the dates come to.
  int settled_points() const { return given_points() - late.taken_off; }
  /// What counts.
  int points() const { return by_hand ? by_hand->points : settled_points(); }
  /// "2 later attempts do not count"; empty: all do.
  std::string left_out_words() const;
  /// "checks 68, report 17 of 20, by M. C. on …"; empty: the checks are all there is.
  std::string parts_words() const;
};

/// One that has none: the grader failed, not the student; or the file was refused before it was
/// looked at, which a person has to decide on.
struct Ungraded {
  std::string submission, lab;
  std::string why;
  bool refused = false;
  std::string user{};
};

/// People whose checks are graded, and whose part waits for a person.
struct OutstandingPart {
  std::string lab;
  ManualPart part;
  std::vector<std::string> students;
};

struct Class {
  std::vector<Graded> graded;  ///< sorted by submission, then lab
  std::vector<Ungraded> ungraded;
  std::vector<Graded> attempts{};      ///< what was graded before another file of the lab came
  std::vector<Graded> without_file{};  ///< nothing was handed in, and a person gave points
  std::map<std::string, std::string> due{};  ///< of a lab, as stamp() writes it; without extensions
  /// By submission and lab, what its file was called in Canvas's download.
  std::map<std::pair<std::string, std::string>, std::string> entries{};
  std::map<std::string, MarkParts> parts{};  ///< of labs that are more than their checks
  /// Whom a course expects: by the names that submissions go by, what people read.
  std::map<std::string, std::string> expected{};
  bool is_anonymous = false;  ///< names mean nothing

  std::vector<std::string> labs() const;
  std::vector<std::string> submissions() const;
  /// Each, and whom the course system knows it of; or empty.
  std::map<std::string, std::string> users() const;
  /// Whoever has points: of a file, or without one.
  std::vector<const Graded*> with_points() const;
  /// Parts that wait for a person, and of whom; an override stands for all parts.
  std::vector<OutstandingPart> outstanding_parts() const;
};

/// `path`: such a folder, or one file of it. <lab>.fault.json beside a result says that the grader
/// failed, intake.json what was refused, and when the rest came in; attempts/<lab>/<n>.json are
/// earlier ones. Files of other names are left alone.
/// Throws std::invalid_argument when it is not there, or holds two results on one lab of one
/// submission.
Class read_class(const std::filesystem::path& path);

/// Why a lab's file was not taken, or that there was none, as intake.json in a submission's folder
/// says; empty: it was taken.
std::string why_not_taken(const std::filesystem::path& folder, const std::string& lab);

/// Why these are no grade, in one sentence; empty when they are one: points add up, and lie within
/// their bounds.
std::string why_no_grade(const Result& results);

/// What the checks of the lab are worth in this class: of everybody's points the most that could be
/// had. Throws std::invalid_argument when some were graded with hidden checks and some without.
int check_points_possible(const Class& all, std::string_view lab);

/// What the lab is worth: its checks, as the course counts them, and all parts that people give; 0
/// where no file was graded, and the course does not say. Throws the same.
int points_possible(const Class& all, std::string_view lab);

/// Throws std::invalid_argument unless `wanted` names one lab of the class; empty: its only one.
std::string choose_lab(const Class& all, const std::string& wanted);

/// The part of a class that is about one lab.
Class only_lab(const Class& all, std::string_view lab);

}  // namespace nibble::gradebook
