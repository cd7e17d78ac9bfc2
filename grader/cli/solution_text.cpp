#include "cli/solution_text.hpp"

#include <set>
#include <vector>

#include "cli/learner.hpp"
#include "lab/cut.hpp"
#include "text/lines.hpp"
#include "text/pattern.hpp"

namespace nibble::cli {
namespace {

std::string text_of(const lab::SolutionPart& region) { return text::text_of(region.lines); }

/// Names followed by a parenthesis: what a text defines or calls.
std::set<std::string> functions_in(const std::string& text) {
  static const text::Pattern pattern("([A-Za-z_][A-Za-z0-9_]*)\\(");
  std::set<std::string> names;
  for (const text::Found& found : pattern.all(text)) names.insert(found[1]);
  return names;
}

bool shares_a_name(const std::set<std::string>& a, const std::set<std::string>& b) {
  for (const std::string& name : a) {
    if (b.contains(name)) return true;
  }
  return false;
}

/// A marked part outside of any function is not indented. (Braces of namespaces are not, either.)
bool is_helper(const lab::SolutionPart& region) {
  for (const std::string& line : region.lines) {
    if (line.empty() || line.starts_with("//")) continue;
    return line.front() != ' ' && line.front() != '\t';
  }
  return false;
}

/// What it defines: names at the start of a line that is not indented.
std::set<std::string> defined_in(const lab::SolutionPart& region) {
  std::string heads;
  for (const std::string& line : region.lines) {
    if (!line.empty() && line.front() != ' ' && !line.starts_with("//")) heads += line + "\n";
  }
  return functions_in(heads);
}

/// From the definition's first line to the brace that closes it.
std::vector<std::string> function_lines(std::string_view solution, int first) {
  const std::vector<std::string> all = text::lines_of(solution);
  std::vector<std::string> lines;
  for (std::size_t i = static_cast<std::size_t>(first - 1); i < all.size(); ++i) {
    if (text::trim(all[i]).starts_with("// NIBBLE-")) continue;
    lines.push_back(all[i]);
    if (all[i].starts_with("}")) break;
  }
  return lines;
}

}  // namespace

std::string solution_of(std::string_view solution, std::string_view exercise) {
  const int first = line_of(solution, exercise);
  if (first == 0) return "";
  const std::string function = text::text_of(function_lines(solution, first));
  std::set<std::string> called = functions_in(function);

  // From the last to the first, so that a helper's own helpers are found as well.
  const std::vector<lab::SolutionPart> regions = lab::solution_regions(solution);
  std::string helpers;
  for (auto region = regions.rbegin(); region != regions.rend(); ++region) {
    if (!is_helper(*region) || !shares_a_name(defined_in(*region), called)) continue;
    helpers = text_of(*region) + "\n" + helpers;
    called.merge(functions_in(text_of(*region)));
  }
  return helpers + function;
}

}  // namespace nibble::cli
