// One result as a pipeline reads it: JUnit's XML, GitHub Classroom's notices, Classroom 50's file.
#include <stdlib.h>

#include <algorithm>

#include "process/command.hpp"
#include "samples.hpp"

namespace nibble::gradebook {
namespace {

bool have(const char* program) {
  process::Command command;
  command.words = {"sh", "-c", std::string("command -v ") + program};
  return process::run(command).ok();
}

/// xmllint's opinion; empty when it is content.
std::string complaint_on(const std::string& xml) {
  std::string pattern = (fs::temp_directory_path() / "nibble-junit-XXXXXX").string();
  const fs::path folder = mkdtemp(pattern.data());
  files::write_atomically(folder / "junit.xml", xml);
  process::Command command;
  command.words = {"xmllint", "--noout", "--schema",
                   (fs::path(EXPORT_SAMPLES) / "junit.xsd").string(),
                   (folder / "junit.xml").string()};
  const process::Finished finished = process::run(command);
  fs::remove_all(folder);
  return finished.ok() ? "" : finished.err;
}

TEST(JUnit, FollowsTheSchema) {
  if (!have("xmllint")) GTEST_SKIP() << "xmllint is not here, so no schema was looked at";
  EXPECT_EQ(complaint_on(sample("junit.xml")), "");
  Result kit_error = results();
  kit_error.checks[0].status = CheckStatus::kError;
  EXPECT_EQ(complaint_on(junit({results(), speed_results(), no_compile(), hostile(), kit_error})),
            "");
  EXPECT_NE(complaint_on("<testsuites><testsuite name=\"a\"/></testsuites>"), "");
}

/// The lines of a document that say something of a check.
Strings cases_of(const std::string& xml, const std::string& suite) {
  const std::size_t begin = xml.find("<testsuite name=\"" + suite);
  const std::string part = xml.substr(begin, xml.find("</testsuite>", begin) - begin);
  Strings cases;
  for (std::size_t at = 0; (at = part.find("<testcase ", at)) != std::string::npos; ++at) {
    cases.push_back(part.substr(at, part.find_first_of("/>", at + 10) - at));
  }
  return cases;
}

TEST(JUnit, TheSampleComesOut) {
  const std::string ours = junit({results()}), theirs = sample("junit.xml");
  EXPECT_EQ(cases_of(ours, "05_per_channel"), cases_of(theirs, "05_per_channel"));
  EXPECT_EQ(cases_of(ours, "05_per_channel").size(), 7u);
  for (const char* const both :
       {"tests=\"7\" failures=\"2\" errors=\"0\" skipped=\"0\" time=\"1.000\"",
        "<property name=\"nibble.points\" value=\"72\"/>",
        "<failure type=\"N-AXIS\" message=\"want 8 scales (axis 1 of 4x8), got 4: they equal the "
        "scales of axis 0\">",
        "<failure type=\"N-ROUND\" message=\"3 of 40 codes differ"}) {
    EXPECT_HOLDS(ours, both);
    EXPECT_HOLDS(theirs, both);
  }
}

/// The reporter's rule, written again: decode, add up `score`, say max_score.
std::string notices_by_the_reporters_rule(const std::string& line) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : line.substr(7, line.find_first_of("=\n", 7) - 7)) {  // after "result="
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8));
  }
  const Json report = parsed(bytes);
  const std::string points = std::to_string(total(report["tests"], "score"));
  const std::string most = std::to_string(report["max_score"].get<int>());
  return "::notice title=Autograding complete::Points " + points + "/" + most +
         "\n::notice title=Autograding report::{\"totalPoints\":" + points +
         ",\"maxPoints\":" + most + "}\n";
}

TEST(Classroom, TheSampleComesOut) {
  Json ours = classroom(results()), theirs = parsed(sample("classroom.json"));
  EXPECT_HOLDS(ours["tests"][4]["message"].get<std::string>(),
               theirs["tests"][4]["message"].get<std::string>());  // the sample's is shortened
  ours["tests"][4].erase("message");
  theirs["tests"][4].erase("message");
  EXPECT_EQ(ours, theirs);
}

TEST(Classroom, NoticesAreTheReporters) {
  EXPECT_TRUE(classroom_notices(classroom(results())).starts_with(sample("classroom.notices.txt")));
  int lengths = 0;
  for (const Result& r : {results(), speed_results(), no_compile(), hostile()}) {
    for (int pad = 0; pad < 3; ++pad, ++lengths) {  // base64 ends in each of its three ways
      Json report = classroom(r);
      report["tests"][0]["test_code"] = std::string(static_cast<std::size_t>(pad), 'x');
      const std::string wanted = notices_by_the_reporters_rule(classroom_output(report));
      EXPECT_TRUE(classroom_notices(report).starts_with(wanted)) << wanted;
    }
  }
  EXPECT_EQ(lengths, 12);
}

TEST(Classroom, NothingIsTakenForACommandOfTheRunner) {
  const std::string text = classroom_notices(classroom(hostile()));
  int commands = 0;
  for (std::size_t at = 0; (at = text.find("::", at)) != std::string::npos; at += 2) ++commands;
  EXPECT_EQ(commands, 4);  // two lines, two marks each
}

TEST(Classroom, WhatDoesNotCompileIsAnError) {
  const Json report = classroom(no_compile());
  EXPECT_EQ(report["status"], "error");
  EXPECT_EQ(report["max_score"], 75);
  EXPECT_EQ(total(report["tests"], "score"), 0);
}

TEST(Classroom50, TheSampleComesOut) {
  const Json theirs = parsed(sample("classroom50.result.json"));
  const Classroom50Run run = {theirs["classroom"], theirs["assignment"], theirs["submission"],
                              theirs["commit"],    theirs["release"],    theirs["review"],
                              theirs["datetime"]};
  Json ours = parsed(classroom50(results(), run)), wanted = theirs;
  for (const char* const stamped_by_the_runner : {"assignment_type", "owner", "graded_at"}) {
    wanted.erase(stamped_by_the_runner);
    ours.erase(stamped_by_the_runner);
  }
  EXPECT_EQ(ours, wanted);
}

TEST(Classroom50, PointsAreIntegersThatAddUp) {
  for (const Result& r : {results(), speed_results(), no_compile(), hostile()}) {
    const Json file = parsed(classroom50(r, {}));
    EXPECT_TRUE(file["score"].is_number_integer());
    EXPECT_EQ(total(file["tests"], "score"), file["score"]);
    EXPECT_EQ(total(file["tests"], "max-score"), file["max-score"]);
  }
}

}  // namespace
}  // namespace nibble::gradebook
