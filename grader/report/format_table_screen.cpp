// The table of number formats on the screen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/format_table.hpp"

namespace nibble::report {
namespace {

constexpr double kBar = 20;  // columns, for the time of fp32

std::string bytes_text(double bytes) { return fmt::format("{:.0f} KiB", bytes / 1024); }

std::string name_of(const FormatRow& row) { return row.format + (row.emulated ? " *" : ""); }

/// "0.52 [0.50-0.55]": with ~ behind it where no difference is known.
std::string ratio_text(const FormatRow& row, const FormatCell& cell) {
  if (row.format == "fp32") return "1";
  return fmt::format("{:.2f} [{:.2f}-{:.2f}]{}", cell.ratio.middle, cell.ratio.low, cell.ratio.high,
                     cell.differs_from_fp32() ? "" : " ~");
}

/// As long as the time; from - to - lies the ratio.
std::string bar(const Spread& ratio) {
  const auto columns = [](double value) {
    return static_cast<std::size_t>(std::lround(kBar * std::max(0.0, value)));
  };
  const std::size_t sure = columns(ratio.low);
  return std::string(sure, '#') + std::string(std::max(columns(ratio.high), sure) - sure, '-');
}

std::string share_text(double gops, double roof) {
  return roof > 0 ? fmt::format("{:.0f} %", 100 * gops / roof) : "";
}

std::string cell_line(const FormatTable& table, const FormatRow& row, const FormatCell& cell) {
  return fmt::format("  {:<7} {:>9}  {:<20} {:>5.1f} dB {:>6.1f} {:>7}  |{}\n", name_of(row),
                     duration_text(cell.seconds.middle), ratio_text(row, cell), cell.sqnr_db,
                     cell.gops(), share_text(cell.gops(), table.roof_of(row, cell)),
                     bar(cell.ratio));
}

std::string times_text(const FormatTable& table, const Paint& paint) {
  std::string text = fmt::format("  {:<7} {:>9}  {:<20} {:>8} {:>6} {:>7}\n", "", "time",
                                 "ratio to fp32", "SQNR", "GOPS", "of roof");
  const std::size_t batches = table.rows.empty() ? 0 : table.rows.front().cells.size();
  for (std::size_t b = 0; b < batches; ++b) {
    text += paint.loud(fmt::format("batch {}", table.rows.front().cells[b].batch)) + "\n";
    for (const FormatRow& row : table.rows) text += cell_line(table, row, row.cells[b]);
  }
  return text;
}

/// "93.8 % [93.2-94.2]", and how far it is from fp32's, in points.
std::string accuracy_text(const FormatRow& row, const FormatRow& fp32) {
  const Spread all = spread_of(row.accuracies);
  std::string text =
      fmt::format("{:.1f} % [{:.1f}-{:.1f}]", 100 * all.middle, 100 * all.low, 100 * all.high);
  if (&row == &fp32) return text;
  std::vector<double> points;
  for (std::size_t i = 0; i < row.accuracies.size(); ++i) {
    points.push_back(100 * (row.accuracies[i] - fp32.accuracies[i]));
  }
  const Spread off = spread_of(points);
  return text + fmt::format("   {:+.2f} [{:+.2f} to {:+.2f}]", off.middle, off.low, off.high);
}

std::string sizes_text(const FormatTable& table) {
  std::string text = fmt::format("  {:<7} {:>9}  {:>6}  {:>9}   {}\n", "", "weights", "share",
                                 "process", "accuracy of the net, points to fp32");
  for (const FormatRow& row : table.rows) {
    const FormatRow& fp32 = table.rows.front();
    text += fmt::format("  {:<7} {:>9}  {:>6}  {:>9}   {}\n", name_of(row),
                        bytes_text(row.weight_bytes),
                        fmt::format("{:.3f}", row.weight_bytes / fp32.weight_bytes),
                        row.resident_bytes ? bytes_text(*row.resident_bytes) : "not told",
                        accuracy_text(row, fp32));
  }
  return text;
}

std::string arithmetic_text(const FormatTable& table) {
  std::string text = "*          emulated: nothing here multiplies such codes\n";
  for (const FormatRow& row : table.rows) {
    text += fmt::format("{:<10} {}\n", row.format, row.arithmetic);
  }
  return text;
}

/// Units for such formats that this CPU has, and no kernel of the table uses.
std::string unused_text(const FormatTable& table) {
  std::string names;
  for (const std::string& unit : table.machine.isa) {
    const bool multiplies = unit.starts_with("amx_") || unit.ends_with("vnni") ||
                            unit.ends_with("bf16") || unit == "i8mm" || unit == "asimddp";
    if (multiplies) names += (names.empty() ? "" : ", ") + unit;
  }
  if (names.empty()) return "";
  return "unused     this CPU has " + names + ", which no kernel of this table uses\n";
}

std::string peaks_text(const FormatTable& table) {
  const FormatRow &floats = table.rows.front(), &integers = table.rows.back();
  if (floats.peak_gops <= 0) {
    return fmt::format("roof       not known: {} is timed against no ceiling\n", table.isa);
  }
  return fmt::format(
      "roof       float32 {:.0f}, int8 {:.0f} GOPS by {}; {:.1f} GB/s are read from memory\n",
      floats.peak_gops, integers.peak_gops, table.isa, table.read_gbytes);
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", 1e6 * seconds);
  return fmt::format("{:.2f} ms", 1e3 * seconds);
}

std::string format_table_text(const FormatTable& table, const Paint& paint) {
  std::string text = fmt::format(
      "one product, y = x * w^T, w [{}, {}]; all operands come from memory\n\n", table.n, table.k);
  text += times_text(table, paint) + "\n" + sizes_text(table) + "\n" + arithmetic_text(table);
  text += unused_text(table) + peaks_text(table);
  text += fmt::format(
      "time       CPU time of one core, medians of {} rounds in turn; the ratio is that of pairs,\n"
      "           with 95 % confidence, ~ where it holds 1: no difference is known\n"
      "bars       # the ratio at least, - where it may lie\n"
      "SQNR       of y, against the product of what is not quantized, in double\n"
      "weights    counted, with scales; process: what one grows by that multiplies by them\n"
      "net        784-128-64-10 on QGlyphs, {} test images for each of {} seeds; [worst-best]\n"
      "measured   {} on {}, load {:.1f}; {}\n",
      table.rounds, table.test_images, table.rows.empty() ? 0 : table.rows[0].accuracies.size(),
      table.started, table.machine.cpu, table.machine.load, table.compiler);
  return text;
}

}  // namespace nibble::report
