// A reader that knows where each cell begins and ends, and a
// writer that quotes what has to be quoted.
#include "export/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <stdexcept>

#include "export/composed.hpp"
#include "text/harmless.hpp"
#include "text/utf8.hpp"

namespace nibble::gradebook {
namespace {

/// What a cell begins with that a spreadsheet takes for a formula.
constexpr std::string_view kFormula = "=+-@\t\r";

/// Reads one cell after the other.
class CsvReader {
 public:
  CsvReader(std::string_view text, char separator) : text_(text), separator_(separator) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  bool at_end() const { return at_ >= text_.size(); }

  Row row() {
    Row cells;
    do {
      cells.push_back(cell());
    } while (took(separator_));
    took('\r');
    if (!at_end() && !took('\n')) fail("there is text after a closing quote");
    return cells;
  }

 private:
  Cell cell() {
    Cell found{"", at_, at_};
    found.value = composed(!at_end() && text_[at_] == '"' ? quoted() : plain());
    found.end = at_;
    return found;
  }

  std::string plain() {
    const std::size_t begin = at_;
    while (!at_end() && text_[at_] != separator_ && !at_line_end()) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string quoted() {
    std::string value;
    for (++at_; !at_end(); ++at_) {
      if (text_[at_] != '"') {
        value += text_[at_];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        value += text_[++at_];
      } else {
        ++at_;
        return value;
      }
    }
    fail("a quote is never closed");
  }

  /// A CR that no LF follows is a character like any other.
  bool at_line_end() const {
    return text_[at_] == '\n' || text_.substr(at_, 2) == "\r\n" || text_.substr(at_) == "\r";
  }

  bool took(char wanted) {
    if (at_end() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void fail(const char* what) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size()));
    throw std::invalid_argument(
        fmt::format("line {}: {}", 1 + std::count(text_.begin(), end, '\n'), what));
  }

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
};

bool is_number(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool digit = std::isdigit(static_cast<unsigned char>(text.back())) != 0;  // no "-inf"
  return digit && error == std::errc() && end == text.data() + text.size();
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

void must_be_utf8(std::string_view text, std::string_view what) {
  if (text.find('\0') != text.npos) {  // as every ASCII character is in UTF-16
    throw std::invalid_argument(
        fmt::format("{} is UTF-16, or no text: save it as \"CSV UTF-8\"", what));
  }
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = text::utf8_length(text.substr(i));
    if (length == 0) {
      throw std::invalid_argument(
          fmt::format("line {} of {} is not UTF-8: save it as \"CSV UTF-8\"",
                      1 + std::ranges::count(text.substr(0, i), '\n'), what));
    }
    i += length;
  }
}

}  // namespace

std::vector<Row> read_csv(std::string_view text, char separator) {
  std::vector<Row> rows;
  CsvReader reader(text, separator);
  while (!reader.at_end()) rows.push_back(reader.row());
  return rows;
}

char separator_in(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return std::ranges::max(std::array{',', ';', '\t'}, {},
                          [&](char separator) { return std::ranges::count(first, separator); });
}

std::vector<Row> read_table(std::string_view text, std::string_view what) {
  must_be_utf8(text, what);
  std::vector<Row> rows = read_csv(text, separator_in(text));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const Cell& cell : rows[i]) {
      std::string value = cell.value;
      std::erase(value, '\r');
      std::ranges::replace(value, '\n', ' ');
      const std::string shown = text::harmless(value);
      if (shown == value) continue;
      throw std::invalid_argument(fmt::format(
          "row {} of {} holds a control character, in {}: delete it", i + 1, what, shown));
    }
  }
  return rows;
}

std::string uncovered(std::string_view value) {
  const bool covered =
      value.size() > 1 && value.front() == '\'' && kFormula.find(value[1]) != value.npos;
  return std::string(value.substr(covered ? 1 : 0));
}

std::string csv_cell(std::string_view value) {
  const bool formula =
      !value.empty() && kFormula.find(value.front()) != std::string_view::npos && !is_number(value);
  std::string cell = (formula ? "'" : "") + text::harmless(value);
  std::ranges::replace(cell, '\n', ' ');
  std::ranges::replace(cell, '\t', ' ');
  if (cell.find_first_of(",;\"") == std::string::npos && trimmed(cell) == cell) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string csv_row(const std::vector<std::string>& values) {
  std::string line;
  for (std::size_t i = 0; i < values.size(); ++i) line += (i == 0 ? "" : ",") + csv_cell(values[i]);
  return line + "\n";
}

int column_of(const Row& header, std::string_view name) {
  int found = -1;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (trimmed(header[i].value) != name) continue;
    if (found != -1) return -2;
    found = static_cast<int>(i);
  }
  return found;
}

void Filling::put(const Cell& cell, std::string_view value) {
  filled_ += text_.substr(taken_, cell.begin - taken_);
  filled_ += value;
  taken_ = cell.end;
}

}  // namespace nibble::gradebook
