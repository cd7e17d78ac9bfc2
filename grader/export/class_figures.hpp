// What a class came to on one lab, in numbers: what its page shows, and nothing but counting.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "export/class.hpp"

namespace nibble::gradebook {

/// One check, over everybody whose file compiled.
struct CheckFigures : record::CheckHead {
  int passed = 0, part = 0, failed = 0, skipped = 0;
  long long points = 0;  ///< of everybody

  int judged() const { return passed + part + failed; }
  /// Passed or not, of those who were judged; 1 when nobody was.
  double passing() const { return judged() == 0 ? 1.0 : static_cast<double>(passed) / judged(); }
  double mean_points() const {
    return judged() == 0 ? 0.0 : static_cast<double>(points) / judged();
  }
};

struct DiagnosisFigures {
  std::string code;
  int students = 0;  ///< who have it in at least one check
  int checks = 0;    ///< how often it stands in all
};

/// A part that people give, over everybody whose checks are graded.
struct PartFigures {
  std::string title;
  int most = 0, given = 0, outstanding = 0;
  long long points = 0;  ///< of everybody

  double mean() const { return given == 0 ? 0.0 : static_cast<double>(points) / given; }
};

struct NeedsLook {
  std::string student, lab, why;
};

struct LabFigures {
  std::string lab;
  int graded = 0, no_compile = 0, full_marks = 0, possible = 0;
  std::vector<int> points;                  ///< everybody's, sorted
  std::vector<CheckFigures> checks;         ///< as the lab orders them
  std::vector<DiagnosisFigures> diagnoses;  ///< the commonest first
  std::vector<PartFigures> parts;           ///< as the course orders them

  double mean() const;
  /// The value below which `share` of the class lies; 0.5 is the median.
  double quantile(double share) const;
  /// Counts of ten equal bins from 0 to `possible`; full marks are in the last.
  std::vector<int> distribution() const;
  /// The checks by how few passed them, the hardest first.
  std::vector<CheckFigures> hardest() const;
};

/// Throws what points_possible throws.
LabFigures figures_of(const Class& all, const std::string& lab);

/// Broken rules, measurements that nobody believes, and what could not be graded.
std::vector<NeedsLook> needs_look(const Class& all);

}  // namespace nibble::gradebook
