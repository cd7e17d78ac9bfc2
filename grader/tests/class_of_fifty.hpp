// A class whose figures can be counted by hand. Lab 05, three checks of 40, 15 and 45 points:
//
//     24 pass all          100 points
//     16 fail the columns   60            N-AXIS
//      8 fail both          45            N-AXIS, N-ROUND
//      2 do not compile      0
//      1 has no grade; two of the others want a look
#pragma once

#include <string>

#include "export/class.hpp"

namespace nibble::test {

inline record::Check one_check(const char* id, const char* title, int points, const char* code) {
  record::Check check{{id, "quantize_per_channel", title, false, record::Detail::kFull, points}};
  check.diagnosis = code;
  const bool passed = check.diagnosis.empty();
  check.status = passed ? record::CheckStatus::kPass : record::CheckStatus::kFail;
  check.points = passed ? points : 0;
  return check;
}

inline record::Result one_result(bool columns, bool ties) {
  record::Result result;
  result.lab = "05_per_channel";
  result.end = columns && ties ? record::End::kPass : record::End::kFail;
  result.points = 45 + (columns ? 40 : 0) + (ties ? 15 : 0);
  result.max_points = 100;
  result.hidden = {true, 25};
  result.checks = {
      one_check("ShapeAndRange", "shape and range of the codes", 45, ""),
      one_check("ScalesOverColumns", "one scale per column", 40, columns ? "" : "N-AXIS"),
      one_check("TiesGoToEven", "ties go to even", 15, ties ? "" : "N-ROUND")};
  return result;
}

inline record::Result without_compiling() {
  record::Result result = one_result(true, true);
  result.end = record::End::kNoCompile;
  result.points = 0;
  result.max_points = 75;
  result.hidden.run = false;
  result.checks.clear();
  return result;
}

inline gradebook::Class class_of_fifty() {
  gradebook::Class all;
  for (int i = 0; i < 50; ++i) {
    const std::string id = "s" + std::to_string(1001 + i);
    all.graded.push_back({id, id, i < 48 ? one_result(i < 24, i < 40) : without_compiling()});
  }
  all.graded[7].results.needs_look = {"rule"};
  all.graded[11].results.needs_look = {"noise"};
  all.ungraded.push_back({"s2000", "05_per_channel", "the file is not JSON"});
  return all;
}

}  // namespace nibble::test
