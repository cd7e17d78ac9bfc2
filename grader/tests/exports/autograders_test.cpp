// One result as Gradescope, Autolab and PrairieLearn read it, and what no format may tell.
#include <algorithm>

#include "export/feedback.hpp"
#include "export/told.hpp"
#include "samples.hpp"
#include "tests/json_schema.hpp"

namespace nibble::gradebook {
namespace {

using test::JsonSchema;

void expect_fits(const JsonSchema& schema, const Json& value) {
  for (const std::string& complaint : schema.complaints(value)) ADD_FAILURE() << complaint;
}

TEST(Gradescope, TheSampleComesOut) {
  Json ours = parsed(gradescope(results())), theirs = parsed(sample("gradescope.results.json"));
  EXPECT_EQ(ours, theirs);
}

TEST(Gradescope, FollowsTheSchemaAndAddsUp) {
  const JsonSchema schema(parsed(sample("gradescope.schema.json")));
  for (const Result& r : {results(), speed_results(), no_compile(), hostile()}) {
    const Json file = parsed(gradescope(r));
    expect_fits(schema, file);
    EXPECT_EQ(total(file["tests"], "score"), file["score"]);
  }
  expect_fits(schema, parsed(gradescope_placeholder()));
  expect_fits(schema, parsed(gradescope_refused("05_per_channel", "there is no per_channel.cpp")));
}

TEST(Gradescope, TheSchemaRefusesWhatIsWrong) {
  const JsonSchema schema(parsed(sample("gradescope.schema.json")));
  Json file = parsed(gradescope(results()));
  file["tests"][0]["status"] = "part";
  file["tests"][1]["points"] = 1;
  file["visibility"] = 7;
  EXPECT_EQ(schema.complaints(file).size(), 3u);
  EXPECT_FALSE(schema.complaints(Json{{"output", ""}}).empty());
}

TEST(Gradescope, SpeedIsOnTheBoardAndSkippedChecksAreNot) {
  const Json file = parsed(gradescope(speed_results()));
  ASSERT_EQ(file["tests"].size(), 2u);
  EXPECT_EQ(file["tests"][1]["status"], "failed");
  EXPECT_EQ(file["tests"][1]["output"], "2.41x the published solution (0 at 1.00x, full at 2.60x)");
  EXPECT_EQ(file["leaderboard"][0]["value"], 2.41);
}

TEST(Gradescope, WhatDoesNotCompileIsOneFailedTest) {
  const Json file = parsed(gradescope(no_compile()));
  ASSERT_EQ(file["tests"].size(), 1u);
  EXPECT_EQ(file["tests"][0]["max_score"], 100);
  EXPECT_HOLDS(file["tests"][0]["output"].get<std::string>(), "'amax' was not declared");
  const std::string words = file["output"];
  EXPECT_HOLDS(words, "it does not compile, so it has 0 of 100 points.\nseed ");
}

std::string last_line(const std::string& text) {
  return text.substr(text.rfind('\n', text.size() - 2) + 1);
}

TEST(Autolab, TheSamplesComeOut) {
  EXPECT_EQ(autolab(results()), sample("autolab.stdout"));
  EXPECT_EQ(last_line(autolab(speed_results())), last_line(sample("autolab.speed.stdout")));
}

TEST(Autolab, TheLastLineParsesAndNothingOfTheStudentsIsThere) {
  for (const Result& r : {results(), speed_results(), no_compile(), hostile()}) {
    const std::string text = autolab(r);
    const Json scores = parsed(last_line(text));
    EXPECT_EQ(scores["scores"][r.lab], r.points);
    EXPECT_EQ(std::ranges::count(text, '\n'), 2);
    EXPECT_HOLDS_NO(text, "amax");
  }
}

TEST(PrairieLearn, TheSamplesComeOut) {
  Json ours = parsed(prairielearn(results())), theirs = parsed(sample("prairielearn.results.json"));
  EXPECT_HOLDS(ours["tests"][4]["output"].get<std::string>(),
               theirs["tests"][4]["output"].get<std::string>());
  ours["tests"][4].erase("output");
  theirs["tests"][4].erase("output");
  EXPECT_EQ(ours, theirs);
  EXPECT_EQ(parsed(prairielearn(no_compile())),
            parsed(sample("prairielearn.no_compile.results.json")));
}

TEST(PrairieLearn, PointsOnEveryTestAndLessThanAMegabyte) {
  Result huge = results();
  for (int i = 0; i < 150; ++i) {
    Check check = huge.checks[4];
    check.id = "Check" + std::to_string(i);
    check.max_points = 0;
    check.message = std::string(60'000, 'x');
    huge.checks.push_back(check);
  }
  EXPECT_EQ(why_no_grade(huge), "");
  for (const Result& r : {results(), speed_results(), hostile(), huge}) {
    const std::string text = prairielearn(r);
    EXPECT_LT(text.size(), 1'000'000u);
    const Json file = parsed(text);
    EXPECT_GE(file["score"], 0.0);
    EXPECT_LE(file["score"], 1.0);
    for (const Json& test : file["tests"]) {
      EXPECT_TRUE(test["points"].is_number() && test["max_points"].is_number());
    }
  }
}

TEST(EveryFormat, KeepsWhatHiddenChecksKnow) {
  const Result r = hostile();
  for (const std::string& text :
       {gradescope(r), junit({r}),
        classroom(r).dump(-1, ' ', false, Json::error_handler_t::replace), classroom50(r, {}),
        autolab(r), prairielearn(r), feedback_line({"s", "s", r}, 100)}) {
    EXPECT_HOLDS_NO(text, "SECRET");
    EXPECT_HOLDS_NO(text, "\x1b");
  }
  EXPECT_HOLDS(gradescope(r), "N-TAIL");  // its kind is told
}

TEST(EveryFormat, SaysOfADiagnosisHowCertainItIs) {
  for (const bool hidden : {false, true}) {
    Result r = results();
    for (Check& check : r.checks) {
      check.hidden = hidden;
      check.detail = record::Detail::kKind;
      check.status = CheckStatus::kFail;
      check.diagnosis = "N-TAIL";
      check.usual = true;
    }
    const Result safe = told(r);
    EXPECT_HOLDS(why(safe.checks.front()), "often N-TAIL");
    r.checks.front().usual = r.checks.front().sure = false;
    EXPECT_HOLDS(why(told(r).checks.front()), "looks like N-TAIL");
  }
}

TEST(EveryFormat, TextIsCutWhereACharacterEnds) {
  std::string text;
  while (text.size() < 2 * kMostText) text += "\xe2\x82\xac";
  const std::string safe = safe_text("x" + text);
  EXPECT_LE(safe.size(), kMostText);
  EXPECT_NO_THROW(Json(safe).dump());
  EXPECT_HOLDS(safe, "(cut at 64 KiB)");
  EXPECT_EQ(safe_text("\xff\x80ok"), "??ok");
}

}  // namespace
}  // namespace nibble::gradebook
