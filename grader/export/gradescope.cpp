// Gradescope: results.json beside the autograder. Hidden checks are shown after the due date; while
// any is hidden the student sees no total, so the text on top says the public sum.
#include <fmt/format.h>

#include "export/formats.hpp"
#include "export/told.hpp"
#include "text/json_text.hpp"

namespace nibble::gradebook {
namespace {

std::string headline(const Json& results) {
  const PublicPoints sum = public_points(results);
  const Json& hidden = results.at("hidden");
  const int hidden_points = hidden.at("max_points");
  std::string text =
      fmt::format("Nibble {}, lab {}: public checks {} of {}.", report::text_at(results, "nibble"),
                  report::text_at(results, "lab"), sum.points, sum.max_points);
  if (hidden_points > 0) {
    text +=
        fmt::format(" Hidden checks are worth {} {}", hidden_points,
                    hidden.at("run").get<bool>() ? "and are shown after the due date."
                                                 : "more and were not run: public checks only.");
  }
  return text + fmt::format("\nseed {}, manifest {}", report::text_at(results, "seed"),
                            report::text_at(results.at("manifest"), "kit"));
}

std::string output_of(const Json& results, const Json& check) {
  std::string text = why(check);
  if (check.at("status") == "pass" || check.at("status") == "part") return text;
  const std::string replay = replay_of(results, check);
  if (!replay.empty()) text += (text.empty() ? "" : "\n") + ("replay: " + replay);
  return text;
}

Json test_of(const Json& results, const Json& check, std::size_t number) {
  const std::string title = report::text_at(check, "title");
  const bool passed = check.at("status") == "pass";
  Json test = {{"number", fmt::format("{}.{}", number_of(results), number)},
               {"name", name_of(results, check) + (title.empty() ? "" : ": " + title)},
               {"score", check.at("points")},
               {"max_score", check.at("max_points")},
               {"status", passed ? "passed" : "failed"}};
  if (const std::string output = output_of(results, check); !output.empty()) {
    test["output"] = safe_text(output);
  }
  test["tags"] = {results.at("lab"), check.at("visibility")};
  if (check.contains("speed")) test["tags"].push_back("speed");
  if (check.contains("diagnosis")) test["tags"].push_back(check["diagnosis"]);
  test["visibility"] = is_public(check) ? "visible" : "after_due_date";
  return test;
}

Json failed_to_compile(const Json& results) {
  return {{"number", number_of(results) + ".1"},
          {"name", "Compiles"},
          {"score", 0},
          {"max_score", worth(results)},
          {"status", "failed"},
          {"output", compile_message(results)},
          {"tags", {results.at("lab"), "public"}},
          {"visibility", "visible"}};
}

Json all_tests(const Json& results) {
  if (!compiled(results)) return Json::array({failed_to_compile(results)});
  Json tests = Json::array();
  std::size_t number = 0;
  for (const Json& check : results.at("checks")) {
    ++number;
    if (!is_skipped(check)) tests.push_back(test_of(results, check, number));
  }
  return tests;
}

/// Ratios, for the board only: points are integers.
Json leaderboard_of(const Json& results) {
  Json board = Json::array();
  for (const Json& check : results.at("checks")) {
    if (!check.contains("speed") || !is_public(check)) continue;
    const double ratio = check["speed"].value("ratio", 0.0);
    const std::string name = fmt::format("{} {} (x published solution)",
                                         report::text_at(results, "lab"), name_of(results, check));
    board.push_back({{"name", name},
                     {"value", text::json_of(fmt::format("{:.2f}", ratio))},
                     {"order", "desc"}});
  }
  return board;
}

}  // namespace

std::string gradescope(const Json& all) {
  const Json results = told(all);
  Json file = {{"score", results.at("points")}, {"execution_time", results.at("seconds")},
               {"output", headline(results)},   {"output_format", "text"},
               {"test_output_format", "text"},  {"visibility", "visible"},
               {"stdout_visibility", "hidden"}, {"tests", all_tests(results)}};
  if (const Json board = leaderboard_of(results); !board.empty()) file["leaderboard"] = board;
  file["extra_data"] = {{"nibble",
                         {{"schema", results.at("schema")},
                          {"seed", results.at("seed")},
                          {"manifest", results.at("manifest").at("kit")}}}};
  return json_text(file);
}

std::string gradescope_placeholder() {
  return json_text({{"score", 0},
                    {"output",
                     "The grader itself failed. This is not your grade: ask your instructor for a "
                     "re-run."},
                    {"output_format", "text"},
                    {"visibility", "visible"},
                    {"stdout_visibility", "hidden"},
                    {"tests", Json::array()}});
}

}  // namespace nibble::gradebook
