// The ladder on the screen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/ladder.hpp"

namespace nibble::report {
namespace {

constexpr std::size_t kBar = 16;

/// 0.61, 9.4, 31, 412.
std::string number(double value) {
  return value <= 0      ? ""
         : value < 0.995 ? fmt::format("{:.2f}", value)
         : value < 100   ? fmt::format("{:.1f}", value)
                         : fmt::format("{:.0f}", value);
}

std::string label(const Rung& rung) {
  return rung.exercise + (rung.check == "Speed" ? "" : "." + rung.check);
}

std::string times(const Rung& rung, double rate, const Rung* slowest) {
  if (slowest == nullptr || !rung.computes() || rate <= 0) return "";
  return number(rate / slowest->published()) + "x";
}

/// "3 %": of what the machine allows, yours where there is such a figure.
std::string share(const Rung& rung) {
  const double rate = rung.yours() > 0 ? rung.yours() : rung.published();
  if (rate <= 0 || rung.roof() <= 0) return "";
  const double percent = 100 * rate / rung.roof();
  return percent < 1 ? "under 1 %" : fmt::format("{:.0f} %", percent);
}

std::size_t cells(double rate, double most) {
  return most <= 0 ? 0 : static_cast<std::size_t>(std::lround(kBar * rate / most));
}

/// "########....": yours, and how far the published solution goes beyond.
std::string bar(const Rung& rung, double most) {
  if (!rung.computes()) return "";
  const std::size_t mine = cells(rung.yours(), most), theirs = cells(rung.published(), most);
  return std::string(mine, '#') + std::string(theirs > mine ? theirs - mine : 0, '.');
}

double fastest(const Ladder& ladder) {
  double most = 0.0;
  for (const Rung& rung : ladder.rungs) {
    if (rung.computes()) most = std::max({most, rung.yours(), rung.published()});
  }
  return most;
}

std::string ratio_text(const Rung& rung) {
  return rung.ratio > 0 ? fmt::format("{:.2f} ±{:.2f}", rung.ratio, rung.margin) : "";
}

std::string why_not(Rung::State state) {
  switch (state) {
    case Rung::State::kWrong:
      return "not right yet";
    case Rung::State::kNotWritten:
      return "not written yet";
    default:
      return "not measured";
  }
}

std::string rate_text(const Rung& rung, double rate, const Rung* slowest) {
  return fmt::format("{:>6} {:>8}", number(rate), times(rung, rate, slowest));
}

std::string rung_line(const Rung& rung, const Ladder& ladder, double most, const Paint& paint) {
  const Rung* const slowest = ladder.slowest();
  const bool measured = rung.yours() > 0;
  const std::string yours = measured ? rate_text(rung, rung.yours(), slowest)
                                     : fmt::format("{:>15}", why_not(rung.state));
  std::string text = fmt::format("{} {:<21} {}", rung.letter, label(rung),
                                 measured ? paint.loud(yours) : paint.quiet(yours));
  if (ladder.has_published) {
    text +=
        fmt::format("  {} {:>12}", rate_text(rung, rung.published(), slowest), ratio_text(rung));
  }
  return text + fmt::format(" {:>9}  {}\n", share(rung),
                            rung.computes() ? "|" + bar(rung, most) : rung.unit());
}

std::string headings(const Ladder& ladder) {
  const Rung* const slowest = ladder.slowest();
  const bool naive = slowest != nullptr && slowest->exercise.find("naive") != std::string::npos;
  const char* const times = naive ? "x naive" : "times";
  std::string first = fmt::format("{:<23} {:>15}", "", "yours");
  std::string second = fmt::format("{:<23} {:>6} {:>8}", "rung", "GOPS", times);
  if (ladder.has_published) {
    first += fmt::format("  {:>15} {:>12}", "published", "yours /");
    second += fmt::format("  {:>6} {:>8} {:>12}", "GOPS", times, "published");
  }
  return first + fmt::format(" {:>9}\n", "of the") + second + fmt::format(" {:>9}\n", "ceiling");
}

std::string legend(const Ladder& ladder) {
  const Rung* const slowest = ladder.slowest();
  std::string text = "bars       # yours";
  if (ladder.has_published) text += ", . what the published solution adds";
  if (slowest == nullptr) return text + "\n";
  return text + fmt::format("\ntimes      {}, the slowest rung{}\n", label(*slowest),
                            ladder.has_published ? " as published" : "");
}

std::string ceilings_text(const Ceilings& ceilings) {
  std::string text = "one core   at most ";
  for (const auto& peak : ceilings.peaks) {
    text += fmt::format("{} {:.0f}{}, ", peak.isa, peak.gops, peak.assumed ? " (assumed)" : "");
  }
  if (text.ends_with(", ")) text.replace(text.size() - 2, 2, " GOPS;\n           reads ");
  for (const auto& read : ceilings.reads) {
    text += fmt::format("{} at {}, ", size_text(read.bytes), number(read.gbytes));
  }
  if (text.ends_with(", ")) text.replace(text.size() - 2, 2, " GB/s");
  return text + "\n";
}

std::string how_sure(const Ladder& ladder) {
  int fewest = 0;
  for (const Rung& rung : ladder.rungs) {
    if (rung.pairs > 0) fewest = fewest == 0 ? rung.pairs : std::min(fewest, rung.pairs);
  }
  if (fewest == 0) return "";
  return fmt::format(
      "how sure   ± is two standard errors, from {} pairs of calls or more, in turn; CPU time was"
      "\n           compared, not the clock (load {:.1f}, {})\n",
      fewest, ladder.machine.load, ladder.machine.cpu);
}

}  // namespace

std::string ladder_text(const Ladder& ladder, const Paint& paint) {
  const double most = fastest(ladder);
  std::string text = fmt::format("{} · {}   one core, {}\n", paint.loud(ladder.lab), ladder.title,
                                 ladder.compiler);
  text += headings(ladder);
  for (const Rung& rung : ladder.rungs) text += rung_line(rung, ladder, most, paint);
  for (const Rung& rung : ladder.rungs) {
    if (rung.message.empty() || rung.state == Rung::State::kNotWritten) continue;
    text += fmt::format("note       {}: {}\n", label(rung), rung.message);
  }
  if (!ladder.has_published) {
    text += "note       the published solution is not in this copy of the kit: yours alone\n";
  }
  return text + legend(ladder) + how_sure(ladder) + ceilings_text(ladder.ceilings);
}

}  // namespace nibble::report
