// A course as its instructor writes it down: course.toml. It holds what every command would
// otherwise be told again each week.
#pragma once

#include <chrono>
#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "export/formats.hpp"
#include "export/roster.hpp"
#include "lab/kit.hpp"
#include "text/moment.hpp"

namespace nibble::course {

/// Parts are per cent of what a lab is worth.
struct LatePolicy {
  std::chrono::minutes grace{0};  ///< so much later is in time
  double per_day = 0.0;           ///< for each day that was begun
  double cap = 100.0;
};

/// Which of several files of one lab is somebody's grade.
enum class CountedAttempt { kLast, kBest };

struct CourseLab {
  lab::Lab lab;
  std::optional<text::Moment> opens{}, due{}, closes{};  ///< what comes later than `closes` is 0
  std::chrono::minutes offset{0};                        ///< of `due`, ahead of UTC
  double weight = 1.0;
  gradebook::Scale scale{};
  std::string column{};  ///< of the gradebook; empty: nobody says
  gradebook::MarkParts parts{};
  std::optional<int> hints{};  ///< that cost nothing; nothing: nobody says how many
};

struct Extension {
  std::string who;                    ///< as the roster calls them, where there is one
  std::string lab{};                  ///< empty: every lab
  std::optional<text::Moment> due{};  ///< in place of the lab's
  std::chrono::days days{0};          ///< or so many later
};

/// The instructor knows better than any file when something came in.
struct HandInByHand {
  std::string who, lab;
  text::Moment at;
};

/// Somebody decided otherwise than the judge and the dates.
struct Override {
  std::string who, lab;
  std::optional<int> points{};  ///< in place of what they came to
  int add = 0;                  ///< or so many more; fewer below 0
  std::string by, why;
  text::Moment at;
  std::string day;  ///< of `at`, where it was written
};

/// A part of a lab that no check judges, of one person.
struct ManualKey {
  std::string who, lab, part;

  auto operator<=>(const ManualKey&) const = default;
};

/// What somebody gave for it.
struct ManualPoints {
  int points = 0;
  std::string by, why;
  std::string day;  ///< when, as it was written

  /// "by M. C. on 2026-11-20: two tables without units"
  std::string words() const { return "by " + by + " on " + day + ": " + why; }
};

struct Course {
  std::filesystem::path file;
  std::string name, term;
  std::string language;  ///< of pages and of the handout's screens, "de"; empty: nobody says
  std::filesystem::path grades, salt_file;  ///< absolute; empty: not said
  bool hidden = false;                      ///< checks are run, too
  std::filesystem::path roster;
  std::vector<gradebook::Person> people;  ///< of the roster
  std::vector<CourseLab> labs;            ///< sorted
  LatePolicy late{};
  CountedAttempt attempts = CountedAttempt::kLast;
  std::optional<std::size_t> most_attempts{};  ///< of a lab, that count; nothing: all do
  std::vector<Extension> extensions;
  std::vector<HandInByHand> hand_ins;
  std::vector<Override> overrides;
  std::filesystem::path marks;  ///< the file with what people gave
  std::map<ManualKey, ManualPoints> manual_points;

  const CourseLab* find(const std::string& lab) const;
  std::vector<std::string> lab_names() const;
  /// With its term.
  std::string shown_name() const { return name + (term.empty() ? "" : ", ") + term; }
};

/// Throws std::invalid_argument, one line with the line and the remedy, for a file of another
/// version, a word that means nothing, dates that contradict each other, and people or labs that
/// are not there.
Course read_course(const lab::Kit& kit, const std::filesystem::path& file);

/// course.toml in `folder` or in the nearest one above it; nothing: there is none.
std::optional<std::filesystem::path> find_course(const std::filesystem::path& folder);

/// What `course init` writes: every setting with its sentence, those of no use to all as comments.
std::string new_course(const std::vector<lab::Lab>& labs);

}  // namespace nibble::course
