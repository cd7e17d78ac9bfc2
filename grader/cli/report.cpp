// nibble report: what was done so far, as one page for a browser.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/learner.hpp"
#include "cli/record.hpp"
#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "language/page_text.hpp"
#include "record/codec.hpp"
#include "report/learner_page.hpp"
#include "report/machine.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;

report::LearnerExercise exercise_for_page(const MarkedExercise& exercise, const Entry* entry,
                                          int earned) {
  report::LearnerExercise one = {exercise.name, exercise.points, "untouched", 0, 0, 0, 0};
  if (entry == nullptr) return one;
  one.state = entry->done() ? "done" : "open";
  one.tries = entry->tries;
  one.hints = entry->hints;
  one.seconds = entry->seconds;
  one.earned = earned;
  return one;
}

std::string roofline_file(const Context& context, const MarkedLab& lab) {
  const fs::path file = context.kit.root / ".nibble" / "out" / lab.name / "roofline.svg";
  return fs::exists(file) ? files::read_file(file) : "";
}

/// None where nothing was drawn, or the file is not what was written.
std::optional<record::Picture> last_picture(const Context& context, const MarkedLab& lab) {
  const fs::path file = picture_file(context.kit, lab);
  try {
    if (fs::exists(file)) return record::read_picture(files::read_file(file));
  } catch (const std::invalid_argument&) {
  }
  return {};
}

}  // namespace

int report_command(Context& context, const std::string& file) {
  const Progress progress = load_progress(context);
  report::LearnerReport page{context.kit.version, report::utc_now(), {}};
  for (const MarkedLab& lab : context.labs) {
    const auto results = last_results(context.kit, lab.name);
    report::LearnerLab one{lab.name,
                           lab.title,
                           {},
                           results,
                           roofline_file(context, lab),
                           elsewhere_of(lab, progress),
                           last_picture(context, lab)};
    for (const MarkedExercise& exercise : lab.exercises) {
      one.exercises.push_back(exercise_for_page(exercise, progress.find(lab.id_of(exercise.name)),
                                                points_of(lab, exercise, progress, results)));
    }
    page.labs.push_back(std::move(one));
  }
  const fs::path usual = fs::path(".nibble") / "report.html";
  const auto catalog = language::catalog_of_reader(context.kit.catalogs());
  files::write_atomically(
      file.empty() ? context.kit.root / usual : fs::path(file),
      language::page_text(catalog, report::learner_page(page, context.diagnoses)).text);
  context.out << fmt::format("wrote  {}   open it in a browser\n",
                             file.empty() ? usual.string() : file);
  return kPassed;
}

}  // namespace nibble::cli
