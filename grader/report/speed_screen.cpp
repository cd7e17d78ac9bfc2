// How the screen tells speed: the ratio, how sure it is, and what this machine could do.
#include <fmt/format.h>

#include <algorithm>

#include "report/estimate.hpp"
#include "report/screen.hpp"

namespace nibble::report {
namespace {

/// "0.93x the published solution (±0.02, 75 pairs, CPU time)".
std::string ratio_text(const record::Speed& speed) {
  return fmt::format("{:.2f}x the published solution (±{:.2f}, {} pairs, CPU time)", speed.ratio,
                     speed.margin, speed.pairs);
}

std::string goal_text(const record::Speed& speed) {
  return fmt::format("0 at {:.2f}x, full at {:.2f}x", speed.zero_at, speed.full_at);
}

/// "412 GOPS; this core's ceiling is 1058", or the same of memory, where that is what limits.
std::string ceiling_text(const record::Speed& speed) {
  const double gops = speed.gops, peak = speed.peak_gops, read = speed.read_gbytes;
  const bool memory_limits =
      speed.bytes > 0 && read > 0 && speed.bytes / read > speed.operations / peak;
  if (memory_limits && speed.ns > 0) {
    return fmt::format("{:.1f} GB/s; a loop that only reads reaches {:.1f}", speed.bytes / speed.ns,
                       read);
  }
  if (gops <= 0 || peak <= 0) return "";
  return fmt::format("{:.{}f} GOPS; this core's ceiling is {:.0f}{}", gops, gops < 10 ? 1 : 0, peak,
                     speed.isa == "scalar" ? "" : " (" + speed.isa + ")");
}

std::string row_text(const Check& check, const View& view) {
  std::string text = fmt::format("  {}  {:<28} {:>6}   ", painted_status(check, view.paint),
                                 check.exercise, points_text(check));
  if (!check.speed) return text + check.message + "\n";
  const record::Speed& speed = *check.speed;
  text += ratio_text(speed) + "   " + view.paint.quiet(goal_text(speed)) + "\n";
  const std::string pad(18, ' ');
  if (const std::string ceiling = ceiling_text(speed); !ceiling.empty()) {
    text += pad + view.paint.quiet(ceiling) + "\n";
  }
  if (speed.in_doubt) {
    text += pad + "within noise of a threshold: the higher mark is given\n";
  }
  if (check.status == CheckStatus::kOdd) text += pad + check.message + "\n";
  return text;
}

/// What to type after the first row that did not earn all.
std::string next_line(const Result& results) {
  for (const Check& check : results.checks) {
    const bool earned = check.status == CheckStatus::kPass || check.status == CheckStatus::kSkip;
    if (check.leg != protocol::Leg::kSpeed || earned) continue;
    return fmt::format("next    ./nibble asm {}.{}     or     ./nibble explain {}\n",
                       results.lab.substr(0, 2), check.exercise,
                       check.diagnosis.empty() ? "N-SLOW" : check.diagnosis);
  }
  return "";
}

/// The learner's kernels alone were measured.
std::string estimate_text(const Result& results, double seconds, const View& view) {
  std::string rows;
  for (const Check& check : results.checks) {
    if (!check.estimate) continue;
    rows += fmt::format("  {}  {:<28} {:>6}   about {:.2f}x the published solution\n",
                        view.paint.quiet("est."), check.exercise,
                        fmt::format("{}/{}", check.estimate->points, check.max_points),
                        check.estimate->ratio);
  }
  if (rows.empty()) return "";
  return fmt::format(
             "speed   an estimate: the published solution is not here, only the share of a "
             "machine's ceiling that it reaches     {:.2f} s\n",
             seconds) +
         rows;
}

}  // namespace

std::string speed_text(const Result& results, double seconds, const View& view) {
  const LegState leg = results.legs.speed;
  if (leg == LegState::kNone || leg == LegState::kNotRun) return "";
  if (leg == LegState::kNotHere) return estimate_text(results, seconds, view);
  std::string text =
      fmt::format("speed   against the published solution, in turn     {:.2f} s\n", seconds);
  for (const Check& check : results.checks) {
    if (check.leg == protocol::Leg::kSpeed) text += row_text(check, view);
  }
  const double load = results.environment.load;
  const int not_counted = results.not_counted;
  text += fmt::format("points  {} of {}{}{}\n", results.points, results.max_points,
                      results.hidden.run ? "" : " public",
                      not_counted == 0 ? "" : fmt::format(" ({} not counted here)", not_counted));
  if (load > 1.0) {
    text += view.paint.quiet(fmt::format(
                "machine busy (load {:.1f}): CPU time was compared, not the clock", load)) +
            "\n";
  }
  return text + next_line(results);
}

}  // namespace nibble::report
