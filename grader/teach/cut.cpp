#include "teach/cut.hpp"

#include "teach/format_error.hpp"
#include "teach/text.hpp"

namespace nibble::teach {
namespace {

constexpr std::string_view kBegin = "// NIBBLE-BEGIN-SOLUTION";
constexpr std::string_view kEnd = "// NIBBLE-END";
constexpr std::string_view kStub = "// NIBBLE-STUB:";

enum class Kind { kText, kBegin, kEnd, kStub };

Kind kind_of(const std::string& line, int number) {
  const std::string trimmed = trim(line);
  if (trimmed == kBegin) return Kind::kBegin;
  if (trimmed == kEnd) return Kind::kEnd;
  if (trimmed.starts_with(kStub)) return Kind::kStub;
  for (const char* const word : {"NIBBLE-BEGIN", "NIBBLE-END", "NIBBLE-STUB"}) {
    if (line.find(word) == line.npos) continue;
    throw FormatError(number, "this is not a mark: " + trimmed);
  }
  return Kind::kText;
}

/// What the stub leaves in the starter: the mark and one blank are taken out, the indent stays.
std::string stub_text(std::string line) {
  std::size_t length = kStub.size();
  const std::size_t at = line.find(kStub);
  if (at + length < line.size() && line[at + length] == ' ') ++length;
  return line.erase(at, length);
}

struct Pieces {
  std::string starter, unmarked;
  std::vector<Region> regions;
};

Pieces take_apart(std::string_view solution) {
  Pieces pieces;
  int number = 0, opened = 0;  // opened: the line of the open mark
  for (const std::string& line : lines_of(solution)) {
    ++number;
    const Kind kind = kind_of(line, number);
    if (kind == Kind::kBegin) {
      if (opened != 0) {
        throw FormatError(number, "a part begins inside the one of line " + std::to_string(opened));
      }
      opened = number;
      pieces.regions.push_back({number + 1, {}});
      continue;
    }
    if (kind == Kind::kText) {
      if (opened == 0) pieces.unmarked += line + '\n';
      if (opened == 0) pieces.starter += line + '\n';
      if (opened != 0) pieces.regions.back().lines.push_back(line);
      continue;
    }
    if (opened == 0) throw FormatError(number, "outside of a marked part: " + trim(line));
    if (kind == Kind::kEnd) opened = 0;
    if (kind == Kind::kStub) pieces.starter += stub_text(line) + '\n';
  }
  if (opened != 0) throw FormatError(opened, "this part has no NIBBLE-END");
  return pieces;
}

}  // namespace

std::string cut_starter(std::string_view solution) { return take_apart(solution).starter; }

std::string unmarked_part(std::string_view solution) { return take_apart(solution).unmarked; }

std::vector<Region> solution_regions(std::string_view solution) {
  return take_apart(solution).regions;
}

}  // namespace nibble::teach
