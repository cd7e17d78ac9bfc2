// JUnit XML of a verdict, as continuous integration reads it.
#include "a_verdict.hpp"

#include <unistd.h>
#include <regex>

#include "process/command.hpp"
#include "report/junit.hpp"

namespace nibble::report {
namespace {

/// What xmllint has against it; nothing when it is well-formed, or xmllint is not here.
std::string complaints(const std::string& xml) {
  const fs::path file =
      fs::temp_directory_path() / ("nibble-junit-" + std::to_string(getpid()) + ".xml");
  files::write_atomically(file, xml);
  std::string text;
  try {
    const process::Finished lint = process::run({.words = {"xmllint", "--noout", file.string()}});
    if (!lint.ok()) text = lint.err;
  } catch (const std::system_error&) {
  }
  fs::remove(file);
  return text;
}

TEST(Junit, AFailure) {
  const std::string xml = junit_xml({a_failure()}, "runner-7");
  EXPECT_EQ(complaints(xml), "");
  EXPECT_HOLDS(
      xml, "<testsuites name=\"nibble\" tests=\"5\" failures=\"4\" errors=\"0\" time=\"0.740\">");
  EXPECT_HOLDS(
      xml,
      "<testsuite name=\"05_per_channel\" tests=\"5\" failures=\"4\" errors=\"0\" "
      "skipped=\"0\" time=\"0.740\" timestamp=\"2026-10-01T14:02:11\" hostname=\"runner-7\">");
  EXPECT_HOLDS(xml, "<property name=\"nibble.points\" value=\"15\"/>");
  EXPECT_HOLDS(
      xml,
      "<testcase classname=\"05_per_channel.quantize_per_channel\" name=\"ScalesOverRows\" "
      "time=\"0.004\"/>");
  EXPECT_HOLDS(xml,
               "<failure type=\"N-AXIS\" message=\"want 8 scales, got 4 &lt;of &quot;axis "
               "0&quot;&gt;\">at [0,3]: got -31, want -127\nreplay: nibble run 05.");
}

TEST(Junit, EveryStatus) {
  Result results = a_crash();
  const Check crash = results.checks[0];
  for (const CheckStatus status : {CheckStatus::kPart, CheckStatus::kSkip, CheckStatus::kTimeout,
                                   CheckStatus::kRule, CheckStatus::kOdd, CheckStatus::kError}) {
    results.checks.push_back(crash);
    results.checks.back().status = status;
  }
  results.checks[0].output = "\x1b[2J <tag> & \xEF\xBF\xBF";
  const std::string xml = junit_xml({results, a_pass()}, "h");
  EXPECT_EQ(complaints(xml), "");
  EXPECT_HOLDS(
      xml, "<testsuites name=\"nibble\" tests=\"8\" failures=\"0\" errors=\"5\" time=\"1.480\">");
  EXPECT_HOLDS(xml, "<error type=\"crash\" message=\"read element 32");
  EXPECT_HOLDS(xml, "labs/05_per_channel/per_channel.cpp:27\nreplay: ");
  EXPECT_HOLDS(xml, "<error type=\"kit\"");
  EXPECT_HOLDS(xml, "<skipped message=");
  EXPECT_HOLDS(xml, "<system-out>0 of 20 points</system-out>");
  EXPECT_HOLDS(xml, "?[2J &lt;tag&gt; &amp; ?");
}

TEST(Junit, WhatBelongsToNoCheckIsACaseOfItsOwn) {
  Result broken = a_pass();
  broken.end = record::End::kNoCompile;
  broken.checks.clear();
  broken.compile_message = "error: x";
  EXPECT_HOLDS(junit_xml({broken}, "h"), "name=\"Compiles\"");
  Result found = a_pass();
  found.finding = {protocol::Leg::kSanitizers, "A", "f", "overflow"};
  const std::string xml = junit_xml({found}, "h");
  EXPECT_HOLDS(xml, "name=\"Sanitizers\"");
  EXPECT_HOLDS(xml, "errors=\"1\"");
  EXPECT_EQ(complaints(xml), "");
}

}  // namespace
}  // namespace nibble::report
