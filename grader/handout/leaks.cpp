#include "handout/leaks.hpp"

#include <set>

#include "text/cpp_text.hpp"
#include "text/lines.hpp"

namespace nibble::handout {
namespace {

using Runs = std::set<std::string>;

std::string joined(const std::vector<std::string>& tokens, std::size_t first) {
  std::string run;
  for (std::size_t i = first; i < first + kRunOfTokens; ++i) run += tokens[i] + ' ';
  return run;
}

void add_runs(Runs& runs, std::string_view text) {
  const std::vector<std::string> tokens = text::tokens_of(text);
  for (std::size_t i = 0; i + kRunOfTokens <= tokens.size(); ++i) runs.insert(joined(tokens, i));
}

struct Secret {
  std::set<std::string> lines;
  Runs runs;
};

Secret secret_of(const std::vector<lab::SolutionPart>& regions, std::string_view given) {
  Secret secret;
  for (const lab::SolutionPart& region : regions) {
    const std::string code = text::without_comments(text::text_of(region.lines));
    add_runs(secret.runs, code);
    for (const std::string& line : text::lines_of(code)) {
      if (text::squeeze(line).size() >= kLeastLine) secret.lines.insert(text::squeeze(line));
    }
  }
  Runs known;
  add_runs(known, given);
  for (const std::string& run : known) secret.runs.erase(run);
  for (const std::string& line : text::lines_of(given)) secret.lines.erase(text::squeeze(line));
  return secret;
}

}  // namespace

std::vector<std::string> leaks(const std::vector<lab::SolutionPart>& regions, std::string_view text,
                               std::string_view given) {
  const Secret secret = secret_of(regions, given);
  std::vector<std::string> found;
  int number = 0;
  for (const std::string& line : text::lines_of(text)) {
    ++number;
    if (!secret.lines.contains(text::squeeze(line))) continue;
    found.push_back("line " + std::to_string(number) +
                    " is a line of the solution: " + text::squeeze(line));
  }
  const std::vector<std::string> tokens = text::tokens_of(text);
  for (std::size_t i = 0; found.empty() && i + kRunOfTokens <= tokens.size(); ++i) {
    const std::string run = joined(tokens, i);
    if (secret.runs.contains(run))
      found.push_back("holds a piece of the solution: " + text::trim(run));
  }
  return found;
}

}  // namespace nibble::handout
