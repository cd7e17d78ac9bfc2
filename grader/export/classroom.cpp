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

std::string status_of(const Json& check) {
  const std::string status = check.at("status");
  if (status == "pass") return "pass";
  return status == "part" || status == "fail" ? "fail" : "error";
}

Json test_of(const Json& results, const Json& check) {
  const Json place = check.value("location", Json::object());
  const bool passed = check.at("status") == "pass";
  return {{"name", name_of(results, check)},
          {"status", status_of(check)},
          {"score", check.at("points")},
          {"message", passed ? "" : why(check)},
          {"test_code", replay_of(results, check)},
          {"filename", place.value("file", "")},
          {"line_no", place.value("line", 0)},
          {"duration", std::lround(check.at("seconds").get<double>() * 1e3)}};
}

Json does_not_compile(const Json& results) {
  return {{"name", "Compiles"},
          {"status", "error"},
          {"score", 0},
          {"message", compile_message(results)},
          {"test_code", "nibble run " + results.at("lab").get<std::string>().substr(0, 2)},
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

Json classroom(const Json& all) {
  const Json results = told(all);
  Json tests = Json::array();
  bool passed = compiled(results);
  for (const Json& check : results.at("checks")) {
    if (!is_public(check) || is_skipped(check)) continue;
    passed = passed && check.at("status") == "pass";
    tests.push_back(test_of(results, check));
  }
  if (!compiled(results)) tests.push_back(does_not_compile(results));
  const char* const unfinished = compiled(results) ? "fail" : "error";
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
    text += fmt::format("  {:<6} {:>4}   {}\n", report::text_at(test, "status"),
                        test.at("score").get<int>(), report::text_at(test, "name"));
  }
  return text + fmt::format("  {} of {} public points. Hidden checks are not part of this.\n",
                            points, most);
}

}  // namespace nibble::gradebook
