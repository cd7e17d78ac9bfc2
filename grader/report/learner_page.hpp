// What one learner has done so far, as a page: progress, the outcome of every lab that was tried,
// the failing case as a picture, and speed where it was measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/picture.hpp"
#include "report/diagnoses.hpp"
#include "report/estimate.hpp"
#include "report/results.hpp"

namespace nibble::report {

struct LearnerExercise {
  std::string name;
  int points = 0;     ///< public ones
  std::string state;  ///< "done", "open", "untouched"
  int tries = 0, hints = 0, seconds = 0;
  int earned = 0;  ///< of the points
};

struct LearnerLab {
  std::string name, title;  ///< "05_per_channel", "per channel"
  std::vector<LearnerExercise> exercises;
  std::optional<Result> results;             ///< the newest; none: never run
  std::string roofline_svg;                  ///< the file; empty: not measured
  Elsewhere elsewhere{};                     ///< points that an instructor gives
  std::optional<record::Picture> picture{};  ///< what `nibble show` drew last
};

struct LearnerReport {
  std::string version, written;  ///< of the kit; as utc_now() writes it
  std::vector<LearnerLab> labs;
};

std::string learner_page(const LearnerReport& report, const Diagnoses& diagnoses);

}  // namespace nibble::report
