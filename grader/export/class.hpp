// The results of a class, read from the folder that `teach grade` fills:
// RESULTS/<submission>/<lab>.json. What cannot be read is no zero: it is kept apart,
// with the reason.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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
  std::optional<ByHand> by_hand{};
  int left_out = 0;  ///< later files of this lab, beyond those that the course counts

  const std::string& lab() const { return results.lab; }
  int raw_points() const { return results.points; }
  /// What the judge and the dates come to.
  int settled_points() const { return results.points - late.taken_off; }
  /// What counts.
  int points() const { return by_hand ? by_hand->points : settled_points(); }
  /// "2 later attempts do not count"; empty: all do.
  std::string left_out_words() const;
};

/// One that has none: the grader failed, not the student; or the file was refused before it was
/// looked at, which a person has to decide on.
struct Ungraded {
  std::string submission, lab;
  std::string why;
  bool refused = false;
  std::string user{};
};

struct Class {
  std::vector<Graded> graded;  ///< sorted by submission, then lab
  std::vector<Ungraded> ungraded;
  std::vector<Graded> attempts{};  ///< what was graded before another file of the lab came
  std::map<std::string, std::string> due{};  ///< of a lab, as stamp() writes it; without extensions
  bool is_anonymous = false;                 ///< names mean nothing

  std::vector<std::string> labs() const;
  std::vector<std::string> submissions() const;
  /// Each, and whom the course system knows it of; or empty.
  std::map<std::string, std::string> users() const;
  const Graded* find(std::string_view submission, std::string_view lab) const;
};

/// `path`: such a folder, or one file of it. <lab>.fault.json beside a result says that the grader
/// failed, intake.json what was refused, and when the rest came in; attempts/<lab>/<n>.json are
/// earlier ones. Files of other names are left alone.
/// Throws std::invalid_argument when there is nothing, or two results on one lab of one submission.
Class read_class(const std::filesystem::path& path);

/// Why a lab's file was not taken, or that there was none, as intake.json in a submission's folder
/// says; empty: it was taken.
std::string why_not_taken(const std::filesystem::path& folder, const std::string& lab);

/// Why these are no grade, in one sentence; empty when they are one: points add up, and lie within
/// their bounds.
std::string why_no_grade(const Result& results);

/// What the lab is worth in this class: of everybody's points the most that could be had. Throws
/// std::invalid_argument when some were graded with hidden checks and some without.
int points_possible(const Class& all, std::string_view lab);

/// Throws std::invalid_argument unless `wanted` names one lab of the class; empty: its only one.
std::string choose_lab(const Class& all, const std::string& wanted);

/// The part of a class that is about one lab.
Class only_lab(const Class& all, std::string_view lab);

}  // namespace nibble::gradebook
