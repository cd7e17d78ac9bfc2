// GitHub Classroom. Its reporter adds up scores, but its table counts passes instead: so we write
// the two lines that count ourselves, with a table of our own.
#include <fmt/format.h>

#include <cmath>

#include "export/formats.hpp"
#include "export/told.hpp"
#include "report/base64.hpp"
#include "text/json_text.hpp"

namespace nibble::gradebook {
namespace {

std::string status_of(const Check& check) {
  if (check.status == CheckStatus::kPass) return "pass";
  const bool told = check.status == CheckStatus::kPart || check.status == CheckStatus::kFail;
  return told ? "fail" : "error";
}

Json test_of(const Result& results, const Check& check) {
  const record::Location place = check.location.value_or(record::Location{});
  return {{"name", name_of(results, check)},
          {"status", status_of(check)},
          {"score", check.points},
          {"message", why(check)},
          {"test_code", replay_of(results, check)},
          {"filename", place.file},
          {"line_no", place.line},
          {"duration", std::lround(check.seconds * 1e3)}};
}

Json does_not_compile(const Result& results) {
  return {{"name", "Compiles"},
          {"status", "error"},
          {"score", 0},
          {"message", compile_message(results)},
          {"test_code", "nibble run " + results.lab.substr(0, 2)},
          {"filename", ""},
          {"line_no", 0},
          {"duration", 0}};
}

int total(const Json& report) {
  int sum = 0;
  for (const Json& test : report.at("tests")) sum += test.at("score").get<int>();
  return sum;
}

}  // namespace

Json classroom(const Result& all) {
  const Result results = told(all);
  Json tests = Json::array();
  bool passed = results.compiles();
  for (const Check& check : results.checks) {
    if (check.hidden || is_skipped(check)) continue;
    passed = passed && check.status == CheckStatus::kPass;
    tests.push_back(test_of(results, check));
  }
  if (!results.compiles()) tests.push_back(does_not_compile(results));
  const char* const unfinished = results.compiles() ? "fail" : "error";
  return {{"version", 1},
          {"status", passed ? "pass" : unfinished},
          {"max_score", public_points(results).max_points},
          {"tests", tests}};
}

std::string classroom_output(const Json& counted) {
  return "result=" + report::base64(text::json_text(counted)) + "\n";
}

std::string classroom_notices(const Json& report) {
  const int points = total(report), most = report.at("max_score");
  std::string text = fmt::format(
      "::notice title=Autograding complete::Points {0}/{1}\n"
      "::notice title=Autograding report::{{\"totalPoints\":{0},\"maxPoints\":{1}}}\n",
      points, most);
  for (const Json& test : report.at("tests")) {
    text += fmt::format("  {:<6} {:>4}   {}\n", test.at("status").get<std::string>(),
                        test.at("score").get<int>(), test.at("name").get<std::string>());
  }
  return text + fmt::format("  {} of {} public points. Hidden checks are not part of this.\n",
                            points, most);
}

}  // namespace nibble::gradebook
