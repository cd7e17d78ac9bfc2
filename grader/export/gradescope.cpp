// Gradescope: results.json beside the autograder. Hidden checks are shown after the due date; while
// any is hidden the student sees no total, so the text on top says the public sum.
#include <fmt/format.h>

#include "export/formats.hpp"
#include "export/told.hpp"
#include "text/json_text.hpp"

namespace nibble::gradebook {
namespace {

std::string headline(const Result& results) {
  const PublicPoints sum = public_points(results);
  std::string text = fmt::format("Nibble {}, lab {}: ", results.version, results.lab);
  if (!results.compiles()) {
    text += fmt::format("it does not compile, so it has 0 of {} points.", worth(results));
  } else {
    text += fmt::format("public checks {} of {}.", sum.points, sum.max_points);
    if (results.hidden.max_points > 0) {
      text += fmt::format(" Hidden checks are worth {} {}", results.hidden.max_points,
                          results.hidden.run ? "and are shown after the due date."
                                             : "more and were not run: public checks only.");
    }
  }
  return text + fmt::format("\nseed {}, manifest {}", results.seed, results.manifest.kit);
}

std::string output_of(const Result& results, const Check& check) {
  std::string text = why(check);
  if (check.status == CheckStatus::kPass || check.status == CheckStatus::kPart) return text;
  const std::string replay = replay_of(results, check);
  if (!replay.empty()) text += (text.empty() ? "" : "\n") + ("replay: " + replay);
  return text;
}

Json test_of(const Result& results, const Check& check, std::size_t number) {
  const bool passed = check.status == CheckStatus::kPass;
  Json test = {{"number", fmt::format("{}.{}", number_of(results), number)},
               {"name", name_of(results, check) + (check.title.empty() ? "" : ": " + check.title)},
               {"score", check.points},
               {"max_score", check.max_points},
               {"status", passed ? "passed" : "failed"}};
  if (const std::string output = output_of(results, check); !output.empty()) {
    test["output"] = safe_text(output);
  }
  test["tags"] = {results.lab, check.hidden ? "hidden" : "public"};
  if (check.speed) test["tags"].push_back("speed");
  if (!check.diagnosis.empty()) test["tags"].push_back(check.diagnosis);
  test["visibility"] = check.hidden ? "after_due_date" : "visible";
  return test;
}

Json failed_to_compile(const Result& results) {
  return {{"number", number_of(results) + ".1"},
          {"name", "Compiles"},
          {"score", 0},
          {"max_score", worth(results)},
          {"status", "failed"},
          {"output", compile_message(results)},
          {"tags", {results.lab, "public"}},
          {"visibility", "visible"}};
}

Json all_tests(const Result& results) {
  if (!results.compiles()) return Json::array({failed_to_compile(results)});
  Json tests = Json::array();
  std::size_t number = 0;
  for (const Check& check : results.checks) {
    ++number;
    if (!is_skipped(check)) tests.push_back(test_of(results, check, number));
  }
  return tests;
}

/// Ratios, for the board only: points are integers.
Json leaderboard_of(const Result& results) {
  Json board = Json::array();
  for (const Check& check : results.checks) {
    if (!check.speed || check.hidden) continue;
    const std::string name =
        fmt::format("{} {} (x published solution)", results.lab, name_of(results, check));
    board.push_back({{"name", name},
                     {"value", text::json_of(fmt::format("{:.2f}", check.speed->ratio))},
                     {"order", "desc"}});
  }
  return board;
}

}  // namespace

std::string gradescope(const Result& all) {
  const Result results = told(all);
  Json file = {{"score", results.points},       {"execution_time", results.seconds},
               {"output", headline(results)},   {"output_format", "text"},
               {"test_output_format", "text"},  {"visibility", "visible"},
               {"stdout_visibility", "hidden"}, {"tests", all_tests(results)}};
  if (const Json board = leaderboard_of(results); !board.empty()) file["leaderboard"] = board;
  file["extra_data"] = {
      {"nibble", {{"schema", 1}, {"seed", results.seed}, {"manifest", results.manifest.kit}}}};
  return text::file_text(file);
}

std::string gradescope_placeholder() {
  return text::file_text(
      {{"score", 0},
       {"output",
        "The grader itself failed. This is not your grade: ask your instructor for a "
        "re-run."},
       {"output_format", "text"},
       {"visibility", "visible"},
       {"stdout_visibility", "hidden"},
       {"tests", Json::array()}});
}

std::string gradescope_refused(const std::string& lab, const std::string& why) {
  const std::string words = safe_text(why);
  const Json test = {{"name", "Handing in"},   {"score", 0},      {"max_score", 100},
                     {"status", "failed"},     {"output", words}, {"tags", {lab, "public"}},
                     {"visibility", "visible"}};
  return text::file_text(
      {{"score", 0},
       {"output",
        fmt::format("Nothing was graded on lab {}: {}. Mend that, and hand in again.", lab, words)},
       {"output_format", "text"},
       {"visibility", "visible"},
       {"stdout_visibility", "hidden"},
       {"tests", Json::array({test})}});
}

}  // namespace nibble::gradebook
