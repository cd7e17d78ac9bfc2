#include "teach/leaks.hpp"

#include <set>

#include "teach/cpp_text.hpp"
#include "teach/text.hpp"

namespace nibble::teach {
namespace {

using Runs = std::set<std::string>;

std::string joined(const std::vector<std::string>& tokens, std::size_t first) {
  std::string run;
  for (std::size_t i = first; i < first + kRunOfTokens; ++i) run += tokens[i] + ' ';
  return run;
}

void add_runs(Runs& runs, std::string_view text) {
  const std::vector<std::string> tokens = tokens_of(text);
  for (std::size_t i = 0; i + kRunOfTokens <= tokens.size(); ++i) runs.insert(joined(tokens, i));
}

struct Secret {
  std::set<std::string> lines;
  Runs runs;
};

Secret secret_of(const std::vector<Region>& regions, std::string_view given) {
  Secret secret;
  for (const Region& region : regions) {
    const std::string code = without_comments(text_of(region.lines));
    add_runs(secret.runs, code);
    for (const std::string& line : lines_of(code)) {
      if (squeeze(line).size() >= kLeastLine) secret.lines.insert(squeeze(line));
    }
  }
  Runs known;
  add_runs(known, given);
  for (const std::string& run : known) secret.runs.erase(run);
  for (const std::string& line : lines_of(given)) secret.lines.erase(squeeze(line));
  return secret;
}

}  // namespace

std::vector<std::string> leaks(const std::vector<Region>& regions, std::string_view text,
                               std::string_view given) {
  const Secret secret = secret_of(regions, given);
  std::vector<std::string> found;
  int number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    if (!secret.lines.contains(squeeze(line))) continue;
    found.push_back("line " + std::to_string(number) +
                    " is a line of the solution: " + squeeze(line));
  }
  const std::vector<std::string> tokens = tokens_of(text);
  for (std::size_t i = 0; found.empty() && i + kRunOfTokens <= tokens.size(); ++i) {
    const std::string run = joined(tokens, i);
    if (secret.runs.contains(run)) found.push_back("holds a piece of the solution: " + trim(run));
  }
  return found;
}

}  // namespace nibble::teach
