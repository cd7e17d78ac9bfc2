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

inline report::Json one_check(const char* id, const char* title, int points, const char* code) {
  const bool passed = std::string_view(code).empty();
  report::Json check = {{"id", id},
                        {"exercise", "quantize_per_channel"},
                        {"title", title},
                        {"visibility", "public"},
                        {"detail", "full"},
                        {"status", passed ? "pass" : "fail"},
                        {"points", passed ? points : 0},
                        {"max_points", points},
                        {"leg", "plain"},
                        {"seconds", 0.001}};
  if (!passed) check["diagnosis"] = code;
  return check;
}

inline report::Json one_result(bool columns, bool ties) {
  report::Json results = {{"nibble", "1.0.0"},
                          {"schema", 1},
                          {"lab", "05_per_channel"},
                          {"verdict", columns && ties ? "pass" : "fail"},
                          {"points", 45 + (columns ? 40 : 0) + (ties ? 15 : 0)},
                          {"max_points", 100},
                          {"hidden", {{"run", true}, {"max_points", 25}}},
                          {"legs", {{"plain", "ran"}}},
                          {"seed", "0x71c3"},
                          {"started", "2026-10-01T14:02:11Z"},
                          {"seconds", 0.5},
                          {"manifest", {{"kit", "sha256:4f1c"}}},
                          {"needs_look", report::Json::array()}};
  results["checks"] = {
      one_check("ShapeAndRange", "shape and range of the codes", 45, ""),
      one_check("ScalesOverColumns", "one scale per column", 40, columns ? "" : "N-AXIS"),
      one_check("TiesGoToEven", "ties go to even", 15, ties ? "" : "N-ROUND")};
  return results;
}

inline report::Json without_compiling() {
  report::Json results = one_result(true, true);
  results["verdict"] = "no_compile";
  results["points"] = 0;
  results["max_points"] = 75;
  results["hidden"]["run"] = false;
  results["checks"] = report::Json::array();
  return results;
}

inline gradebook::Class class_of_fifty() {
  gradebook::Class all;
  for (int i = 0; i < 50; ++i) {
    const std::string id = "s" + std::to_string(1001 + i);
    all.graded.push_back({id, id, i < 48 ? one_result(i < 24, i < 40) : without_compiling()});
  }
  all.graded[7].results["needs_look"] = {"rule"};
  all.graded[11].results["needs_look"] = {"noise"};
  all.ungraded.push_back({"s2000", "05_per_channel", "the file is not JSON"});
  return all;
}

}  // namespace nibble::test
