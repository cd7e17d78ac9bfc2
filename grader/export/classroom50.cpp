// Classroom 50: result.json beside autograder.py. It runs in the student's own repository, so
// public checks only; the grade of record is `teach grade`.
#include "export/formats.hpp"
#include "export/told.hpp"

namespace nibble::gradebook {
namespace {

Json test_of(const Json& check) {
  Json test = {
      {"test-name", report::text_at(check, "exercise") + "/" + report::text_at(check, "id")},
      {"passed", check.at("status") == "pass"},
      {"score", check.at("points")},
      {"max-score", check.at("max_points")}};
  if (check.contains("diagnosis")) test["diagnosis"] = check["diagnosis"];
  return test;
}

Json tests_of(const Json& results) {
  if (!compiled(results)) {
    return Json::array({{{"test-name", "all/Compiles"},
                         {"passed", false},
                         {"score", 0},
                         {"max-score", public_points(results).max_points}}});
  }
  Json tests = Json::array();
  for (const Json& check : results.at("checks")) {
    if (is_public(check) && !is_skipped(check)) tests.push_back(test_of(check));
  }
  return tests;
}

}  // namespace

std::string classroom50(const Json& all, const Classroom50Run& run) {
  const Json results = told(all);
  const PublicPoints sum = public_points(results);
  const std::string lab = results.at("lab");
  return json_text(
      {{"schema", "classroom50/result/v1"},
       {"classroom", run.classroom},
       {"assignment", run.assignment.empty() ? lab : run.assignment},
       {"submission", run.submission},
       {"commit", run.commit},
       {"release", run.release},
       {"review", run.review},
       {"datetime", run.committed.empty() ? results.at("started") : Json(run.committed)},
       {"graded_at", results.at("started")},
       {"score", sum.points},
       {"max-score", sum.max_points},
       {"tests", tests_of(results)}});
}

}  // namespace nibble::gradebook
