// How the screen tells speed: the ratio, how sure it is, and what this machine could do.
#include <fmt/format.h>

#include <algorithm>

#include "report/estimate.hpp"
#include "report/screen.hpp"

namespace nibble::report {
namespace {

/// "0.93x the published solution (±0.02, 75 pairs, CPU time)".
std::string ratio_text(const Json& speed) {
  return fmt::format("{:.2f}x the published solution (±{:.2f}, {} pairs, CPU time)",
                     speed.at("ratio").get<double>(), speed.at("margin").get<double>(),
                     speed.at("pairs").get<int>());
}

std::string goal_text(const Json& speed) {
  return fmt::format("0 at {:.2f}x, full at {:.2f}x", speed.at("zero_at").get<double>(),
                     speed.at("full_at").get<double>());
}

/// "412 GOPS; this core's ceiling is 1058", or the same of memory, where that is what limits.
std::string ceiling_text(const Json& speed) {
  const double gops = speed.at("gops"), peak = speed.at("peak_gops"), ns = speed.at("ns");
  const double bytes = speed.at("bytes"), read = speed.at("read_gbytes");
  const bool memory_limits =
      bytes > 0 && read > 0 && bytes / read > speed.at("operations").get<double>() / peak;
  if (memory_limits && ns > 0) {
    return fmt::format("{:.1f} GB/s; a loop that only reads reaches {:.1f}", bytes / ns, read);
  }
  if (gops <= 0 || peak <= 0) return "";
  const std::string isa = speed.at("isa");
  return fmt::format("{:.{}f} GOPS; this core's ceiling is {:.0f}{}", gops, gops < 10 ? 1 : 0, peak,
                     isa == "scalar" ? "" : " (" + isa + ")");
}

std::string row_text(const Json& check, const View& view) {
  const std::string status = check.at("status");
  const std::string word =
      status == "crash" || status == "timeout" || status == "rule" ? "stop" : status;
  const bool good = status == "pass" || status == "part" || status == "skip";
  const std::string points =
      fmt::format("{}/{}", check.at("points").get<int>(), check.at("max_points").get<int>());
  std::string text =
      fmt::format("  {}  {:<28} {:>6}   ", good ? view.paint.good(word) : view.paint.bad(word),
                  text_at(check, "exercise"), points);
  if (!check.contains("speed")) return text + text_at(check, "message") + "\n";
  const Json& speed = check["speed"];
  text += ratio_text(speed) + "   " + view.paint.quiet(goal_text(speed)) + "\n";
  const std::string pad(18, ' ');
  if (const std::string ceiling = ceiling_text(speed); !ceiling.empty()) {
    text += pad + view.paint.quiet(ceiling) + "\n";
  }
  if (speed.value("in_doubt", false)) {
    text += pad + "within noise of a threshold: the higher mark is given\n";
  }
  if (status == "odd") text += pad + text_at(check, "message") + "\n";
  return text;
}

/// What to type after the first row that did not earn all.
std::string next_line(const Json& results) {
  for (const Json& check : results.at("checks")) {
    const std::string status = check.at("status");
    if (text_at(check, "leg") != "speed" || status == "pass" || status == "skip") continue;
    const std::string code = text_at(check, "diagnosis");
    return fmt::format("next    ./nibble asm {}.{}     or     ./nibble explain {}\n",
                       text_at(results, "lab").substr(0, 2), text_at(check, "exercise"),
                       code.empty() ? "N-SLOW" : code);
  }
  return "";
}

/// The learner's kernels alone were measured.
std::string estimate_text(const Json& results, double seconds, const View& view) {
  std::string rows;
  for (const Json& check : results.at("checks")) {
    if (!check.contains("estimate")) continue;
    const Json& estimate = check["estimate"];
    rows += fmt::format(
        "  {}  {:<28} {:>6}   {}\n", view.paint.quiet("est."), text_at(check, "exercise"),
        fmt::format("{}/{}", estimate.at("points").get<int>(), check.at("max_points").get<int>()),
        fmt::format("about {:.2f}x the published solution", estimate.at("ratio").get<double>()));
  }
  if (rows.empty()) return "";
  return fmt::format(
             "speed   an estimate: the published solution is not here, only the share of a "
             "machine's ceiling that it reaches     {:.2f} s\n",
             seconds) +
         rows;
}

}  // namespace

std::string speed_text(const Json& results, double seconds, const View& view) {
  const std::string leg = results.at("legs").at("speed");
  if (leg == "none" || leg == "not_run") return "";
  if (leg == "not_here") return estimate_text(results, seconds, view);
  std::string text =
      fmt::format("speed   against the published solution, in turn     {:.2f} s\n", seconds);
  for (const Json& check : results.at("checks")) {
    if (text_at(check, "leg") == "speed") text += row_text(check, view);
  }
  const double load = results.at("env").value("load", 0.0);
  const int not_counted = results.at("not_counted");
  text += fmt::format("points  {} of {}{}{}\n", results.at("points").get<int>(),
                      results.at("max_points").get<int>(),
                      results.at("hidden").at("run").get<bool>() ? "" : " public",
                      not_counted == 0 ? "" : fmt::format(" ({} not counted here)", not_counted));
  if (load > 1.0) {
    text += view.paint.quiet(fmt::format(
                "machine busy (load {:.1f}): CPU time was compared, not the clock", load)) +
            "\n";
  }
  return text + next_line(results);
}

}  // namespace nibble::report
