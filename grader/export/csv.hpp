// Tables of comma-separated values, RFC 4180. Reading keeps the place of every cell, so that one
// can be filled while every other byte of somebody's file stays as it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::gradebook {

struct Cell {
  std::string value;               ///< without its quotes; composed
  std::size_t begin = 0, end = 0;  ///< of its bytes in the text, quotes included
};
using Row = std::vector<Cell>;

/// A byte-order mark, and CRLF as a line end, are understood. A last line end begins no row. Throws
/// std::invalid_argument, with the line, for a quote that is not closed or is followed by text.
std::vector<Row> read_csv(std::string_view text, char separator = ',');

/// A comma, a semicolon or a tab, whichever the first line has most of: Excel writes what the
/// system's language asks for.
char separator_in(std::string_view text);

/// A table that somebody brings, whatever separates its cells. Throws std::invalid_argument, one
/// line with the remedy, for a text that is not UTF-8, and for control characters in it. `what`: as
/// people call it, "the roster".
std::vector<Row> read_table(std::string_view text, std::string_view what);

/// One cell as it is written: quoted where it has to be; without line breaks or control characters;
/// and with a leading ' where a spreadsheet would take it for a formula.
std::string csv_cell(std::string_view value);

/// The way back: without the ' that a formula was given.
std::string uncovered(std::string_view value);

/// Cells joined by commas, and a line feed.
std::string csv_row(const std::vector<std::string>& values);

/// The column whose header, blanks at its ends aside, is `name`; -1 when there is none, -2 when
/// there are several.
int column_of(const Row& header, std::string_view name);

/// Cells that are filled in, on a text of somebody else.
class Filling {
 public:
  explicit Filling(std::string text) : text_(std::move(text)) {}

  /// Cells must be filled from the first to the last.
  void put(const Cell& cell, std::string_view value);
  std::string str() const { return filled_ + text_.substr(taken_); }

 private:
  std::string text_, filled_;
  std::size_t taken_ = 0;
};

}  // namespace nibble::gradebook
