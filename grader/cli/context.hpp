// What every command has at hand.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/gpu_legs.hpp"
#include "cli/labs.hpp"
#include "cli/progress.hpp"
#include "lab/kit.hpp"
#include "report/diagnoses.hpp"
#include "report/screen.hpp"

namespace nibble::cli {

struct Context {
  lab::Kit kit;
  std::vector<MarkedLab> labs;
  report::Diagnoses diagnoses;
  Notebook notebook;
  report::Paint paint;
  GpuProgram gpu;
  bool terminal = false;  ///< someone reads along, and has keys
  std::ostream& out;
  std::ostream& err;
};

Context open_context(std::ostream& out, std::ostream& err, GpuProgram gpu = {});

/// The progress so far; a complaint about a damaged file goes to `err`.
Progress load_progress(const Context& context);

/// The exercise a learner works on: the open one that was tried last, else the next one.
/// A target without a lab when everything is done.
Target current_exercise(const Context& context, const Progress& progress);

/// The first exercise that is not done, in teaching order; of `lab` only, when it is given.
Target next_exercise(const Context& context, const Progress& progress,
                     const MarkedLab* lab = nullptr);

/// `word`, or the current exercise when it is empty.
Target exercise_or_current(const Context& context, const std::string& word);

}  // namespace nibble::cli
