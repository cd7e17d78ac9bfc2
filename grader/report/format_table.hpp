// One product in every number format, as format-times measured it: for screen, file and drawing.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/machine.hpp"
#include "report/screen.hpp"

namespace nibble::report {

/// A value, and from where to where it lies.
struct Spread {
  double low = 0.0, middle = 0.0, high = 0.0;
};

/// One format at one batch.
struct FormatCell {
  std::size_t batch = 0;
  double operations = 0.0, bytes = 0.0;  ///< counted
  Spread seconds;                        ///< median, and the quarters
  Spread ratio;                          ///< of times, to fp32's; with 95 % confidence
  double sqnr_db = 0.0;

  double gops() const { return 1e-9 * operations / seconds.middle; }
  double intensity() const { return operations / bytes; }
  bool differs_from_fp32() const { return ratio.high < 1 || ratio.low > 1; }
};

struct FormatRow {
  std::string format;      ///< "int8"
  std::string arithmetic;  ///< what is multiplied, and by which instruction
  bool emulated = false;
  double weight_bytes = 0.0;             ///< counted, with scales
  std::optional<double> resident_bytes;  ///< measured; none: the system does not tell
  double peak_gops = 0.0;                ///< of its instruction alone; 0: not known
  std::vector<FormatCell> cells;         ///< by batch
  std::vector<double> accuracies;        ///< of the network, 0 .. 1, by seed
};

struct FormatTable {
  std::string started, isa, compiler;
  Machine machine;
  std::size_t n = 0, k = 0;  ///< of the weights
  int rounds = 0;
  int test_images = 0;       ///< for each seed
  double read_gbytes = 0.0;  ///< a second, from memory
  std::vector<FormatRow> rows;

  /// 10^9 operations a second: what the instruction and the memory allow; 0: not known.
  double roof_of(const FormatRow& row, const FormatCell& cell) const;
  /// The largest ratio that a bar has to hold.
  double longest_ratio() const;
};

/// "571 us", "2.04 ms".
std::string duration_text(double seconds);

/// From low to high, around the mean.
Spread spread_of(const std::vector<double>& values);

/// `measured` holds started, env, times, net and memory, as `nibble bench 35` puts them together.
FormatTable read_format_table(const nlohmann::ordered_json& measured);

/// The table for people, with a bar for each time.
std::string format_table_text(const FormatTable& table, const Paint& paint);

/// Bars of times, and the places of all products below the roof, as a file of its own.
std::string format_table_svg(const FormatTable& table);

}  // namespace nibble::report
