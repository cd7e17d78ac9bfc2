#include "lab/cut.hpp"

#include "text/format_error.hpp"
#include "text/lines.hpp"

namespace nibble::lab {
namespace {

constexpr std::string_view kBegin = "// NIBBLE-BEGIN-SOLUTION";
constexpr std::string_view kEnd = "// NIBBLE-END";
constexpr std::string_view kStub = "// NIBBLE-STUB:";

enum class LineKind { kNone, kBegin, kEnd, kStub };

LineKind kind_of(const std::string& line, int number) {
  const std::string trimmed = text::trim(line);
  if (trimmed == kBegin) return LineKind::kBegin;
  if (trimmed == kEnd) return LineKind::kEnd;
  if (trimmed.starts_with(kStub)) return LineKind::kStub;
  for (const char* const word : {"NIBBLE-BEGIN", "NIBBLE-END", "NIBBLE-STUB"}) {
    if (line.find(word) == line.npos) continue;
    throw text::FormatError(number, "this is not a mark: " + trimmed);
  }
  return LineKind::kNone;
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
  std::vector<SolutionPart> regions;
};

Pieces take_apart(std::string_view solution) {
  Pieces pieces;
  int number = 0, opened = 0;  // opened: the line of the open mark
  for (const std::string& line : text::lines_of(solution)) {
    ++number;
    const LineKind kind = kind_of(line, number);
    if (kind == LineKind::kBegin) {
      if (opened != 0) {
        throw text::FormatError(number,
                                "a part begins inside the one of line " + std::to_string(opened));
      }
      opened = number;
      pieces.regions.push_back({number + 1, {}});
      continue;
    }
    if (kind == LineKind::kNone) {
      if (opened == 0) pieces.unmarked += line + '\n';
      if (opened == 0) pieces.starter += line + '\n';
      if (opened != 0) pieces.regions.back().lines.push_back(line);
      continue;
    }
    if (opened == 0)
      throw text::FormatError(number, "outside of a marked part: " + text::trim(line));
    if (kind == LineKind::kEnd) opened = 0;
    if (kind == LineKind::kStub) pieces.starter += stub_text(line) + '\n';
  }
  if (opened != 0) throw text::FormatError(opened, "this part has no NIBBLE-END");
  return pieces;
}

}  // namespace

std::string cut_starter(std::string_view solution) { return take_apart(solution).starter; }

std::string unmarked_part(std::string_view solution) { return take_apart(solution).unmarked; }

std::vector<SolutionPart> solution_regions(std::string_view solution) {
  return take_apart(solution).regions;
}

}  // namespace nibble::lab
