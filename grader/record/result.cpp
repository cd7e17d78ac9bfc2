#include "record/result.hpp"

#include <algorithm>

namespace nibble::record {

std::string why_no_verdict(const Result& result) {
  if (result.end == End::kKitError || std::ranges::count(result.needs_look, "kit_error") > 0) {
    return "the grader itself failed";
  }
  int points = 0, most = 0;
  for (const Check& check : result.checks) {
    if (check.points > check.max_points) return "check " + check.id + " has too many points";
    if (check.status == CheckStatus::kError) return "the grader itself failed in " + check.id;
    points += check.points;
    most += check.max_points;
  }
  if (result.points != points) return "its points do not add up";
  if (result.compiles() && result.max_points != most) return "its max_points do not add up";
  return "";
}

}  // namespace nibble::record
