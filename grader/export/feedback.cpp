#include "export/feedback.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "export/told.hpp"

namespace nibble::gradebook {

std::string feedback_line(const Json& all, int possible) {
  const Json results = told(all);
  std::string line = fmt::format("{}/{}", results.at("points").get<int>(), possible);
  if (!compiled(results)) {
    const std::string message = compile_message(results);
    line += "; does not compile: " + message.substr(0, message.find('\n'));
  }
  for (const Json& check : results.at("checks")) {
    if (check.at("points") == check.at("max_points") || is_skipped(check)) continue;
    const std::string words = why(check);
    line += "; " + (words.empty() ? name_of(results, check) : words);
  }
  std::ranges::replace(line, '\n', ' ');
  return safe_text(line);
}

}  // namespace nibble::gradebook
