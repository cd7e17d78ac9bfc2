#include "table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace nibble::peers {
namespace {

/// Characters, not bytes: what starts a UTF-8 sequence.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t to, bool left) {
  const std::string blanks(to - std::min(to, width(text)), ' ');
  return left ? text + blanks : blanks + text;
}

}  // namespace

TextTable::TextTable(std::string title, std::vector<std::string> header)
    : title_(std::move(title)), header_(std::move(header)) {}

void TextTable::add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const std::string& cell : header_) widths.push_back(width(cell));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string out = "\n" + title_ + "\n";
  const auto add_line = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += (i == 0 ? "  " : "   ") + padded(row[i], widths[i], i == 0);
    }
    out += '\n';
  };
  add_line(header_);
  for (const auto& row : rows_) add_line(row);
  return out;
}

std::string TextTable::markdown() const {
  std::string out = fmt::format("**{}**\n\n| {} |\n| ---", title_, fmt::join(header_, " | "));
  for (std::size_t i = 1; i < header_.size(); ++i) out += " | --:";
  out += " |\n";
  for (const auto& row : rows_) out += fmt::format("| {} |\n", fmt::join(row, " | "));
  return out + "\n";
}

}  // namespace nibble::peers
