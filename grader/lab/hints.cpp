#include "lab/hints.hpp"

#include <algorithm>

#include "text/format_error.hpp"
#include "text/lines.hpp"
#include "text/pattern.hpp"

namespace nibble::lab {
namespace {

Hint open_hint(const std::string& exercise, const std::string& heading, int line) {
  static const text::Pattern level(R"(### ([1-3]) \S.*)");
  const auto match = level.match(heading);
  if (!match) {
    throw text::FormatError(line, "want `### 1 words`, 1 to 3, got: " + heading);
  }
  if (exercise.empty())
    throw text::FormatError(line, "this hint stands before the first ## exercise");
  return {exercise, std::stoi((*match)[1]), "", "", line};
}

/// True when the line says which diagnosis the hint answers.
bool take_when(Hint& hint, const std::string& line, int number) {
  if (!line.starts_with("when:") || !hint.text.empty()) return false;
  static const text::Pattern when(R"(when: (N-[A-Z0-9-]+))");
  const auto match = when.match(line);
  if (!match || !hint.when.empty()) {
    throw text::FormatError(number, "want `when: N-CODE`, once, got: " + line);
  }
  hint.when = (*match)[1];
  return true;
}

}  // namespace

std::vector<Hint> parse_hints(std::string_view markdown) {
  std::vector<Hint> hints;
  std::string exercise;
  bool inside = false;  // of a hint
  int number = 0;
  for (const std::string& line : text::lines_of(markdown)) {
    ++number;
    if (line.starts_with("## ")) {
      exercise = text::trim(line.substr(3));
      inside = false;
    } else if (line.starts_with("### ")) {
      hints.push_back(open_hint(exercise, line, number));
      inside = true;
    } else if (inside && !take_when(hints.back(), line, number)) {
      const bool leading_blank = hints.back().text.empty() && text::trim(line).empty();
      if (!leading_blank) hints.back().text += line + '\n';
    }
  }
  for (const Hint& hint : hints) {
    if (text::trim(hint.text).empty()) throw text::FormatError(hint.line, "this hint has no words");
  }
  return hints;
}

std::vector<std::string> gaps_in_hints(const std::vector<Hint>& hints,
                                       const std::vector<std::string>& exercises) {
  std::vector<std::string> gaps;
  for (const std::string& exercise : exercises) {
    for (int level = 1; level <= 3; ++level) {
      const bool there = std::ranges::any_of(hints, [&](const Hint& hint) {
        return hint.exercise == exercise && hint.level == level;
      });
      if (!there) gaps.push_back(exercise + " has no hint of level " + std::to_string(level));
    }
  }
  for (const Hint& hint : hints) {
    if (std::ranges::find(exercises, hint.exercise) != exercises.end()) continue;
    gaps.push_back("line " + std::to_string(hint.line) + ": no exercise is called " +
                   hint.exercise);
  }
  return gaps;
}

}  // namespace nibble::lab
