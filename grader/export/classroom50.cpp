// Classroom 50: result.json beside autograder.py. It runs in the student's own repository, so
// public checks only; the grade of record is `teach grade`.
#include "export/formats.hpp"
#include "export/told.hpp"
#include "text/json_text.hpp"

namespace nibble::gradebook {
namespace {

Json test_of(const Check& check) {
  Json test = {{"test-name", check.exercise + "/" + check.id},
               {"passed", check.status == CheckStatus::kPass},
               {"score", check.points},
               {"max-score", check.max_points}};
  if (!check.diagnosis.empty()) test["diagnosis"] = check.diagnosis;
  return test;
}

Json tests_of(const Result& results) {
  if (!results.compiles()) {
    return Json::array({{{"test-name", "all/Compiles"},
                         {"passed", false},
                         {"score", 0},
                         {"max-score", public_points(results).max_points}}});
  }
  Json tests = Json::array();
  for (const Check& check : results.checks) {
    if (!check.hidden && !is_skipped(check)) tests.push_back(test_of(check));
  }
  return tests;
}

}  // namespace

std::string classroom50(const Result& all, const Classroom50Run& run) {
  const Result results = told(all);
  const PublicPoints sum = public_points(results);
  return text::file_text({{"schema", "classroom50/result/v1"},
                          {"classroom", run.classroom},
                          {"assignment", run.assignment.empty() ? results.lab : run.assignment},
                          {"submission", run.submission},
                          {"commit", run.commit},
                          {"release", run.release},
                          {"review", run.review},
                          {"datetime", run.committed.empty() ? results.started : run.committed},
                          {"graded_at", results.started},
                          {"score", sum.points},
                          {"max-score", sum.max_points},
                          {"tests", tests_of(results)}});
}

}  // namespace nibble::gradebook
