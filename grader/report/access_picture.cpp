// Fills the cells of a request lane by lane, as text with letters and as SVG with colours.
#include "report/access_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/svg.hpp"

namespace nibble::report {
namespace {

constexpr std::int64_t kSectorBytes = 32, kBankBytes = 4, kBanks = 32;
constexpr std::size_t kMostRows = 12, kCellsARow = 32;
constexpr std::string_view kLaneNames = "0123456789abcdefghijklmnopqrstuv";

std::int64_t floor_to(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  return value - (rest < 0 ? rest + step : rest);
}

/// Cells of a piece of memory (a sector, or a row of banks) by its first byte; '.': nobody asks.
using Pieces = std::map<std::int64_t, std::string>;

/// Every cell stands for `cell` bytes; where two lanes meet, the first keeps the cell.
Pieces pieces_of(const Access& access, std::int64_t piece, std::int64_t cell) {
  Pieces pieces;
  for (std::size_t lane = 0; lane < access.sample.size(); ++lane) {
    if ((access.sample_lanes >> lane & 1) == 0) continue;
    const std::int64_t first = access.sample[lane];
    for (std::int64_t at = floor_to(first, cell); at < first + access.bytes; at += cell) {
      const std::int64_t begin = floor_to(at, piece);
      std::string& cells = pieces[begin];
      if (cells.empty()) cells.assign(static_cast<std::size_t>(piece / cell), '.');
      char& mark = cells[static_cast<std::size_t>((at - begin) / cell)];
      if (mark == '.') mark = kLaneNames[lane];
    }
  }
  return pieces;
}

std::string sectors_text(const Access& access) {
  const std::int64_t cell = std::min<std::int64_t>(access.bytes, kSectorBytes);
  std::string text;
  std::size_t rows = 0, cells_in_row = 0;
  std::int64_t next = 0;
  const Pieces pieces = pieces_of(access, kSectorBytes, std::max<std::int64_t>(1, cell));
  for (const auto& [begin, cells] : pieces) {
    if (text.empty() || begin != next || cells_in_row + cells.size() > kCellsARow) {
      if (!text.empty()) text += "\n";
      if (++rows > kMostRows) {
        return text + fmt::format("          … {} sectors in all\n", pieces.size());
      }
      text += fmt::format("  byte {:>6} |", begin);
      cells_in_row = 0;
    }
    text += cells + "|";
    next = begin + kSectorBytes;
    cells_in_row += cells.size();
  }
  return text.empty() ? text : text + "\n";
}

std::string banks_text(const Access& access) {
  const Pieces pieces = pieces_of(access, kBankBytes * kBanks, kBankBytes);
  if (pieces.empty()) return "";
  std::string text = fmt::format("  {:>11} |0       8       16      24     |  bank\n", "");
  std::size_t rows = 0;
  for (const auto& [begin, cells] : pieces) {
    if (++rows > kMostRows) return text + fmt::format("  … {} rows in all\n", pieces.size());
    text += fmt::format("  word {:>6} |{}|\n", begin / kBankBytes, cells);
  }
  return text;
}

/// From blue (lane 0) to orange (lane 31), readable in black and white by its letter.
std::string colour_of(char mark) {
  const auto lane = static_cast<int>(kLaneNames.find(mark));
  return fmt::format("#{:02x}{:02x}{:02x}", 90 + lane * 5, 150 + lane, 235 - lane * 5);
}

}  // namespace

std::string access_picture(const Access& access) {
  return access.shared ? banks_text(access) : sectors_text(access);
}

std::string access_svg(const Access& access, const std::string& title) {
  constexpr double kCell = 18, kLeft = 100, kTop = 60, kRow = 26;
  const std::int64_t cell = access.shared ? kBankBytes : std::max<std::int64_t>(1, access.bytes);
  const std::int64_t piece = access.shared ? kBankBytes * kBanks : kSectorBytes;
  const Pieces pieces = pieces_of(access, piece, std::min(cell, piece));
  const std::int64_t columns = piece / std::min(cell, piece);
  Svg svg(kLeft + kCell * static_cast<double>(columns) + 30,
          kTop + kRow * static_cast<double>(pieces.size()) + 40, title);
  svg.text(12, 24, title, "#222", 15);
  svg.text(12, 44,
           access.shared ? "a column is a bank, a row one pass over the banks"
                         : "a row is a sector of 32 bytes, a cell one access",
           "#555", 12);
  double y = kTop;
  for (const auto& [begin, cells] : pieces) {
    svg.text(kLeft - 10, y + 14, fmt::format("byte {}", begin), "#555", 12, "end");
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const double x = kLeft + kCell * static_cast<double>(i) + kCell / 2;
      svg.circle(x, y + 10, kCell * 0.45, cells[i] == '.' ? "#ccc" : colour_of(cells[i]),
                 cells[i] != '.');
      if (cells[i] != '.') svg.text(x, y + 14, std::string(1, cells[i]), "#000", 11, "middle");
    }
    y += kRow;
  }
  return svg.str();
}

}  // namespace nibble::report
