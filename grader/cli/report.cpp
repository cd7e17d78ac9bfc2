// nibble report: what was done so far, as one page for a browser.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "build/files.hpp"
#include "cli/commands.hpp"
#include "cli/record.hpp"
#include "cli/trouble.hpp"
#include "report/learner_page.hpp"
#include "report/machine.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;

report::LearnerExercise exercise_for_page(const Exercise& exercise, const Entry* entry) {
  report::LearnerExercise one = {exercise.name, exercise.points, "untouched", 0, 0, 0};
  if (entry == nullptr) return one;
  one.state = entry->done() ? "done" : "open";
  one.tries = entry->tries;
  one.hints = entry->hints;
  one.seconds = entry->seconds;
  return one;
}

/// The newest results; null when there are none, or they cannot be read any more.
report::Json newest_results(const Context& context, const Lab& lab) {
  const fs::path file = results_file(context.kit, lab.name);
  if (!fs::exists(file)) return nullptr;
  report::Json results = report::Json::parse(build::read_file(file), nullptr, /*throw=*/false);
  const bool usable = results.is_object() && results.contains("checks") &&
                      results.contains("verdict") && results.contains("points");
  return usable ? results : report::Json(nullptr);
}

std::string roofline_file(const Context& context, const Lab& lab) {
  const fs::path file = context.kit.root / ".nibble" / "out" / lab.name / "roofline.svg";
  return fs::exists(file) ? build::read_file(file) : "";
}

}  // namespace

int report_command(Context& context, const std::string& file) {
  const Progress progress = load_progress(context);
  report::LearnerReport page{context.kit.version, report::utc_now(), {}};
  for (const Lab& lab : context.labs) {
    report::LearnerLab one{
        lab.name, lab.title, {}, newest_results(context, lab), roofline_file(context, lab)};
    for (const Exercise& exercise : lab.exercises) {
      one.exercises.push_back(exercise_for_page(exercise, progress.find(lab.id_of(exercise.name))));
    }
    page.labs.push_back(std::move(one));
  }
  const fs::path usual = fs::path(".nibble") / "report.html";
  build::write_atomically(file.empty() ? context.kit.root / usual : fs::path(file),
                          report::learner_page(page, context.diagnoses));
  context.out << fmt::format("wrote  {}   open it in a browser\n",
                             file.empty() ? usual.string() : file);
  return kPassed;
}

}  // namespace nibble::cli
