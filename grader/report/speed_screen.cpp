// How the screen tells speed: the ratio, how sure it is, and what this machine could do.
#include <fmt/format.h>

#include <algorithm>

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

/// "412 of the 1058 GOPS that this core can do (avx512_vnni)".
std::string ceiling_text(const Json& speed) {
  const double gops = speed.at("gops"), peak = speed.at("peak_gops");
  const double bytes = speed.at("bytes"), ns = speed.at("ns");
  std::string text;
  if (gops > 0 && peak > 0) {
    const std::string isa = speed.at("isa");
    text = fmt::format("{:.{}f} GOPS; this core's ceiling is {:.0f}{}", gops, gops < 10 ? 1 : 0,
                       peak, isa == "scalar" ? "" : " (" + isa + ")");
  }
  if (bytes > 0 && ns > 0) {
    text +=
        fmt::format("{}{:.1f} GB/s; a loop that only reads reaches {:.1f}",
                    text.empty() ? "" : " · ", bytes / ns, speed.at("read_gbytes").get<double>());
  }
  return text;
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

}  // namespace

std::string speed_text(const Json& results, double seconds, const View& view) {
  const std::string leg = results.at("legs").at("speed");
  if (leg == "none" || leg == "not_run") return "";
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
  return text;
}

}  // namespace nibble::report
