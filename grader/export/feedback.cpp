#include "export/feedback.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "export/told.hpp"

namespace nibble::gradebook {

std::string feedback_line(const Graded& one, int possible) {
  const Result results = told(one.results);
  std::string line = fmt::format("{}/{}", one.points(), possible);
  if (const std::string words = one.parts_words(); !words.empty()) line += "; " + words;
  if (one.by_hand) line += "; " + one.by_hand->words;
  if (one.left_out > 0) line += "; " + one.left_out_words();
  if (one.late.taken_off > 0) {
    line += fmt::format("; {}: {} points taken off", one.late.words, one.late.taken_off);
  }
  if (!results.compiles()) {
    const std::string message = compile_message(results);
    line += "; does not compile: " + message.substr(0, message.find('\n'));
  }
  for (const Check& check : results.checks) {
    if (check.points == check.max_points || is_skipped(check)) continue;
    const std::string words = why(check);
    line += "; " + (words.empty() ? name_of(results, check) : words);
  }
  std::ranges::replace(line, '\n', ' ');
  return safe_text(line);
}

}  // namespace nibble::gradebook
