// Sums up what an attempt earned, exercise by exercise, and
// merges it into the notebook under a lock.
#include "cli/record.hpp"

#include <algorithm>
#include <ctime>
#include <iomanip>
#include <sstream>

#include "files/file_lock.hpp"
#include "files/files.hpp"
#include "files/sha256.hpp"
#include "record/codec.hpp"
#include "report/estimate.hpp"

namespace nibble::cli {
namespace {

constexpr int kLongestGap = 15 * 60;

struct Standing {
  bool ran = false, passed = true, untouched = true;
};

Standing summary_of(const record::Result& results, const std::string& exercise) {
  const bool speed_follows = results.legs.speed == record::LegState::kNotRun;
  Standing summary;
  for (const record::Check& check : results.checks) {
    if (check.exercise != exercise) continue;
    summary.ran = true;
    const bool to_come = check.status == record::CheckStatus::kSkip && speed_follows;
    summary.passed = summary.passed && is_good(check.status) && !to_come;
    summary.untouched = summary.untouched && check.diagnosis == "N-STUB";
  }
  if (results.finding && results.finding->exercise == exercise) summary.passed = false;
  return summary;
}

/// What the checks of an exercise earned, and what is left to an instructor: what list and report
/// say. A run without the rows of speed leaves what a run with them found of the same file.
void note_points(Entry& entry, const record::Result& results, const MarkedExercise& exercise,
                 const std::string& source) {
  int points = 0, most = 0;
  for (const record::Check& check : results.checks) {
    if (check.exercise != exercise.name || check.hidden) continue;
    points += check.points;
    most += check.max_points;
  }
  const bool same_file = entry.notes.contains("points") && entry.notes["source"] == source;
  if (most < exercise.points && same_file) return;
  entry.notes["points"] = std::to_string(points);
  entry.notes.erase("elsewhere");
  entry.notes.erase("estimate");
  const report::Elsewhere rest = report::elsewhere(results, exercise.name);
  if (rest.points > 0) entry.notes["elsewhere"] = std::to_string(rest.points);
  if (rest.estimate) entry.notes["estimate"] = std::to_string(*rest.estimate);
}

std::string newest_date(const Progress& progress) {
  std::string newest;
  for (const auto& [id, entry] : progress.entries) newest = std::max(newest, entry.date);
  return newest;
}

std::time_t time_of(const std::string& date) {
  std::tm parts{};
  std::istringstream(date) >> std::get_time(&parts, "%Y-%m-%dT%H:%M:%SZ");
  return timegm(&parts);
}

}  // namespace

void keep_results(const Context& context, const Attempt& attempt) {
  const std::string& lab = attempt.target.lab->name;
  files::write_atomically(results_file(context.kit, lab), record::text_of(attempt.results));
}

void change_progress(const Context& context, const std::function<void(Progress&)>& change) {
  const files::FileLock lock(context.notebook.file().parent_path() / "progress.lock");
  Progress progress = load_progress(context);
  change(progress);
  context.notebook.save(progress);
}

int seconds_of_work(const std::string& before, const std::string& now) {
  if (before.empty()) return 0;
  const std::time_t gap = time_of(now) - time_of(before);
  return gap < 0 || gap > kLongestGap ? 0 : static_cast<int>(gap);
}

int note_progress(const Context& context, const Attempt& attempt) {
  const record::Result& results = attempt.results;
  if (!attempt.whole || !results.compiles()) return 0;
  const MarkedLab& lab = *attempt.target.lab;
  const std::string now = report::utc_now();
  int earned = 0;
  change_progress(context, [&](Progress& progress) {
    int work = seconds_of_work(newest_date(progress), now);
    for (const MarkedExercise& exercise : lab.exercises) {
      const Standing summary = summary_of(results, exercise.name);
      const bool asked_for = attempt.target.exercise == exercise.name;
      if (!summary.ran || (summary.untouched && !asked_for)) continue;
      Entry& entry = progress.entries[lab.id_of(exercise.name)];
      if (summary.passed && !entry.done()) earned += exercise.points;
      if (!summary.passed || entry.state != "passed") {
        entry.seconds += work;
        work = 0;  // counted once
        ++entry.tries;
        entry.date = now;
      }
      entry.state = summary.passed ? "passed" : "open";
      const std::string source = files::sha256(attempt.source).substr(0, 23);
      note_points(entry, results, exercise, source);
      entry.notes["source"] = source;
    }
  });
  return earned;
}

}  // namespace nibble::cli
