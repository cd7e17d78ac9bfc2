// Every format against its sample, its rules, and what people hand in. The samples are one story:
// student s1001, lab 05, 47 of 75 public points and 25 of 25 hidden ones.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <stdexcept>

#include "export/class.hpp"
#include "export/composed.hpp"
#include "export/csv.hpp"
#include "export/feedback.hpp"
#include "export/formats.hpp"
#include "export/plagiarism.hpp"
#include "export/told.hpp"
#include "files/files.hpp"
#include "json_schema.hpp"
#include "process/command.hpp"
#include "record/codec.hpp"
#include "text/json_text.hpp"

#define EXPECT_HOLDS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
#define EXPECT_HOLDS_NO(text, part) EXPECT_EQ((text).find(part), std::string::npos) << (text)

namespace nibble::gradebook {
namespace {

namespace fs = std::filesystem;
using test::JsonSchema;
using Strings = std::vector<std::string>;

std::string sample(const std::string& name) {
  return files::read_file(fs::path(EXPORT_SAMPLES) / name);
}
Json parsed(const std::string& text) { return Json::parse(text); }
Result results() { return record::read_result(sample("nibble.results.json")); }

/// A lab of three checks: one passes, one has points for speed in part, one was not run here.
Result speed_results() {
  Result r = results();
  r.lab = "14_cpu_int8_gemm";
  const auto check = [](const char* id, CheckStatus status, int points, int most) {
    Check made{{id, "gemm", "", false, record::Detail::kFull, most}};
    made.status = status;
    made.points = points;
    made.seconds = 0.1;
    return made;
  };
  r.checks = {check("ExactSmall", CheckStatus::kPass, 75, 75),
              check("Speed", CheckStatus::kPart, 22, 25),
              check("Native", CheckStatus::kSkip, 0, 0)};
  r.checks[1].speed.emplace();
  r.checks[1].speed->ratio = 2.4123;
  r.checks[1].speed->zero_at = 1.0;
  r.checks[1].speed->full_at = 2.6;
  r.checks[2].message = "no CUDA device here";
  r.points = 97;
  return r;
}

Result no_compile() {
  Result r = results();
  r.end = record::End::kNoCompile;
  r.points = 0;
  r.max_points = 75;
  r.hidden = {false, 25};
  r.checks.clear();
  r.compile_message = "per_channel.cpp:31:18: error: 'amax' was not declared in this scope";
  return r;
}

/// All that a submission may put into results, and a hidden check that says too much.
Result hostile() {
  Result r = results();
  Check& check = r.checks[2];
  check.message = std::string("\x1b[2J]]>&<\"\xff\xfe\xef\xbf\xbe '=1\r\n") + "\xe2\x80\xae";
  check.output = std::string(100'000, '\x80') + "<script>";
  Check& hidden = r.checks[5];
  hidden.status = CheckStatus::kFail;
  hidden.points = 0;
  hidden.message = "SECRET x = [1, 2]";
  hidden.output = "SECRET";
  hidden.diagnosis = "N-TAIL";
  hidden.replay = "SECRET";
  hidden.first.emplace();
  hidden.first->name = hidden.first->got = hidden.first->want = "SECRET";
  r.points = 57;
  return r;
}

int total(const Json& tests, const char* key) {
  int sum = 0;
  for (const Json& test : tests) sum += test.at(key).get<int>();
  return sum;
}

void expect_fits(const JsonSchema& schema, const Json& value) {
  for (const std::string& complaint : schema.complaints(value)) ADD_FAILURE() << complaint;
}

Graded graded(const std::string& student, Result r) { return {student, student, std::move(r)}; }

Result with_points(int points) {
  Result r = results();
  r.checks.resize(1);
  r.checks[0].points = points;
  r.checks[0].max_points = 100;
  r.checks[0].status = points == 100 ? CheckStatus::kPass : CheckStatus::kFail;
  r.points = points;
  r.student.reset();
  return r;
}

/// Every result is a grade by our own rule, before anything is made of it.
TEST(Samples, AreGrades) {
  for (const Result& r : {results(), speed_results(), no_compile(), hostile(), with_points(3)}) {
    EXPECT_EQ(why_no_grade(r), "");
  }
}

// --- Gradescope ----------------------------------------------------------------------------------

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

// --- JUnit ---------------------------------------------------------------------------------------

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

// --- GitHub Classroom ----------------------------------------------------------------------------

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

// --- Classroom 50 --------------------------------------------------------------------------------

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

// --- Autolab -------------------------------------------------------------------------------------

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

// --- PrairieLearn --------------------------------------------------------------------------------

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

// --- Hidden checks and hostile text, in all formats of one submission ----------------------------

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

// --- A class -------------------------------------------------------------------------------------

class ResultsFolder : public testing::Test {
 protected:
  ResultsFolder() {
    std::string pattern = (fs::temp_directory_path() / "nibble-export-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~ResultsFolder() override { fs::remove_all(root_); }

  void save(const std::string& place, const Json& r) const {
    files::write_atomically(root_ / place, text::file_text(r));
  }
  void save(const std::string& place, const Result& r) const {
    files::write_atomically(root_ / place, record::text_of(r));
  }

  fs::path root_;
};

TEST_F(ResultsFolder, ReadsWhatGradeWrote) {
  save("s1001/05_per_channel.json", results());
  save("s1002/results.json", with_points(100));
  save("s1002/notes.json", Json{{"not", "ours"}});
  files::write_atomically(root_ / "s1003/05_per_channel.json", "{\"nibble\": \"1.0");
  Result broken = results();
  broken.needs_look = {"kit_error"};
  save("s1004/05_per_channel.json", broken);
  const Class all = read_class(root_);
  EXPECT_EQ(all.graded.size(), 2u);
  ASSERT_EQ(all.ungraded.size(), 2u);
  EXPECT_EQ(all.ungraded[0].submission, "s1003");
  EXPECT_HOLDS(all.ungraded[0].why, "cut off");
  EXPECT_EQ(all.ungraded[1].why, "the grader itself failed");
  EXPECT_EQ(choose_lab(all, ""), "05_per_channel");
  EXPECT_EQ(choose_lab(all, "per_channel"), "05_per_channel");
  EXPECT_THROW(choose_lab(all, "06"), std::invalid_argument);
}

TEST_F(ResultsFolder, FaultsAndRefusalsAreNoZeros) {
  save("s1001/05_per_channel.json", results());
  save("s1001/05_per_channel.fault.json",
       Json{{"lab", "05_per_channel"}, {"message", "disk full"}});
  save("s1002/intake.json",
       Json{{"files", 0},
            {"refusals",
             {{{"lab", "05_per_channel"}, {"why", "is not UTF-8"}, {"missing", false}},
              {{"lab", "03_symmetric"}, {"why", "is not there"}, {"missing", true}}}}});
  save(".batch/work/05_per_channel.json", results());
  files::write_atomically(root_ / "s1003/submitted/05_per_channel/per_channel.cpp", "");
  const Class all = read_class(root_);
  EXPECT_TRUE(all.graded.empty());
  ASSERT_EQ(all.ungraded.size(), 3u);
  EXPECT_HOLDS(all.ungraded[2].why, "not graded yet");
  EXPECT_EQ(all.ungraded[0].why, "the grader itself failed: disk full");
  EXPECT_EQ(all.ungraded[1].why, "refused: is not UTF-8");
  EXPECT_TRUE(all.ungraded[1].refused);
}

TEST_F(ResultsFolder, RefusesTwoResultsOfOneStudent) {
  save("a/05_per_channel.json", results());
  save("b/05_per_channel.json", results());  // both say s1001
  EXPECT_THROW(read_class(root_), std::invalid_argument);
}

TEST_F(ResultsFolder, RefusesAFolderThatIsNotThere) {
  EXPECT_TRUE(read_class(root_).graded.empty());
  EXPECT_THROW(read_class(root_ / "nowhere"), std::invalid_argument);
}

TEST(WhyNoGrade, NamesWhatIsWrong) {
  const auto why = [](const std::function<void(Result&)>& spoil) {
    Result r = results();
    spoil(r);
    return why_no_grade(r);
  };
  EXPECT_HOLDS(why([](Result& r) { r.points = 73; }), "add up");
  EXPECT_HOLDS(why([](Result& r) { r.checks[0].points = 11; }), "too many");
  EXPECT_HOLDS(why([](Result& r) { r.checks[0].status = CheckStatus::kError; }), "grader itself");
  EXPECT_HOLDS(why([](Result& r) { r.end = record::End::kKitError; }), "grader itself");
  EXPECT_HOLDS(why([](Result& r) {
                 r.legs.speed = record::LegState::kNotRun;
                 r.end = record::End::kPass;
               }),
               "speed");
}

TEST(Class, PublicAndFullGradesDoNotMix) {
  Result public_only = with_points(50);
  public_only.hidden.run = false;
  Class all;
  all.graded = {graded("a", with_points(50)), graded("b", public_only)};
  EXPECT_THROW(points_possible(all, "05_per_channel"), std::invalid_argument);
  all.graded = {graded("a", with_points(50)), graded("b", no_compile())};
  EXPECT_EQ(points_possible(all, "05_per_channel"), 100);
}

// --- Canvas --------------------------------------------------------------------------------------

constexpr const char* kColumn = "Lab 05: per-channel (4711)";

Class two_students() {
  Class all;
  all.graded = {{"s1001", "s1001", results()}, graded("s1002", with_points(100))};
  return all;
}

/// As Canvas's importer reads a file: its own rules for header, rows and people, typed again.
struct CanvasImport {
  std::map<std::string, std::string> grades;  ///< by ID
  Strings assignments;
};

CanvasImport import_into_canvas(const std::string& text, const std::string& title,
                                char separator = ',') {
  CanvasImport import;
  const auto rows = read_csv(text, separator);
  const Row& header = rows.at(0);
  std::size_t people = 3;
  if (header.at(2).value == "SIS Login ID") people += 1;
  if (header.at(2).value == "SIS User ID" && header.at(3).value == "SIS Login ID") people += 2;
  EXPECT_HOLDS(header.at(people - 1).value, "Section");
  std::size_t ours = 0;
  for (std::size_t i = people; i < header.size(); ++i) {
    if (header[i].value.find("Current Score") != std::string::npos) continue;
    import.assignments.push_back(header[i].value);
    if (header[i].value == title) ours = i;
  }
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i][0].value.find("Points Possible") != std::string::npos || rows[i].size() < 3)
      continue;
    if (!rows[i][1].value.empty()) import.grades[rows[i][1].value] = rows[i].at(ours).value;
  }
  return import;
}

TEST(Canvas, TheSampleComesOut) {
  const Filled filled = canvas(two_students(), sample("canvas.template.csv"), kColumn);
  EXPECT_EQ(filled.text, sample("canvas.csv"));
  EXPECT_EQ(filled.grades, 2);
  EXPECT_TRUE(filled.remarks.empty()) << filled.remarks.front();
  const CanvasImport import = import_into_canvas(filled.text, kColumn);
  EXPECT_EQ(import.grades.at("1001"), "72");
  EXPECT_EQ(import.grades.at("1002"), "100");
  EXPECT_EQ(import.assignments, (Strings{"Lab 04: asymmetric (4710)", kColumn}));
}

TEST(Canvas, EveryOtherByteStays) {
  std::string bytes =
      "\xEF\xBB\xBFStudent,ID,SIS User ID,SIS Login ID,Section,\"Lab, 5 (1)\",\"Lab ;9 (2)\"\r\n"
      "    Points Possible,,,,,100,7\r\n"
      ",,,,,Manual Posting,\r\n"
      "\"A \"\"=SUM(A1)\"\"\",1,s1001,a,\"S, 1\",,\" 7\"\r\n"
      "B,2,s1002,b,,-,\"x\"\"y\"";
  const Filled filled = canvas(two_students(), bytes, "Lab, 5 (1)");
  std::string wanted = bytes;
  wanted.replace(wanted.find("\"S, 1\",,"), 8, "\"S, 1\",72,");
  wanted.replace(wanted.find(",,-,"), 4, ",,100,");
  EXPECT_EQ(filled.text, wanted);
}

TEST(Canvas, SemicolonsAsCanvasDecides) {
  const std::string bytes =
      "Student;ID;SIS User ID;SIS Login ID;Section;Lab, 5 (1)\n"
      "Points Possible;;;;;100\nA;1;s1001;a;S, 1;\n";
  const Filled filled = canvas(two_students(), bytes, "Lab, 5 (1)");
  EXPECT_EQ(import_into_canvas(filled.text, "Lab, 5 (1)", ';').grades.at("1"), "72");
}

TEST(Canvas, RefusesAnUnknownColumnAndNamesTheOthers) {
  for (const char* const title : {"Lab 05", "Current Score", "Student", ""}) {
    try {
      canvas(two_students(), sample("canvas.template.csv"), title);
      FAIL() << title;
    } catch (const std::invalid_argument& error) {
      EXPECT_HOLDS(std::string(error.what()), kColumn);
    }
  }
  EXPECT_THROW(canvas(two_students(), "", kColumn), std::invalid_argument);
  EXPECT_THROW(canvas(two_students(), "Name,Grade\nAda,1\n", kColumn), std::invalid_argument);
  EXPECT_THROW(canvas(two_students(), "Student,ID,Section,L,L\nA,1,S,,\n", "L"),
               std::invalid_argument);
  EXPECT_THROW(canvas(two_students(),
                      "Student,ID,Section,L\nPoints Possible,,,(read only)\nA,s1001,S,\n", "L"),
               std::invalid_argument);
}

TEST(Canvas, SaysWhoIsLeftOut) {
  Class all = two_students();
  all.graded.push_back(graded("s1003", with_points(10)));
  const Filled filled = canvas(all,
                               "Student,ID,SIS User ID,SIS Login ID,Section,L (1)\n"
                               "Points Possible,,,,,50\n"
                               "Ada,1,s1001,a,S,EX\nKit,2,s1002,k,S,60\nZoe,3,s9,z,S,\n",
                               "L (1)");
  EXPECT_EQ(filled.grades, 1);
  EXPECT_EQ(
      filled.remarks,
      (Strings{"the assignment has 50 points in Canvas, the lab 100: --scale fits one to the other",
               "Ada is excused and stays so (graded: 72)", "Kit had 60 and has 100 now",
               "no grade for Zoe", "s1003 was graded and has no row"}));
  EXPECT_HOLDS(filled.text, "S,EX\n");
}

TEST(Canvas, PointsAreScaledWhenAsked) {
  const std::string header = "Student,ID,SIS User ID,Section,L\n";
  const Filled filled =
      canvas(two_students(), header + "Points Possible,,,,12.5\nAda,1,s1001,S,9\nKit,2,s1002,S,\n",
             "L", Scale::kToPossible);
  EXPECT_HOLDS(filled.text, "s1001,S,9\n");  // 72 of 100
  EXPECT_HOLDS(filled.text, "s1002,S,12.5\n");
  EXPECT_TRUE(filled.remarks.empty());
  for (const char* const row : {"", "Points Possible,,,,\n", "Points Possible,,,,0\n"}) {
    EXPECT_THROW(canvas(two_students(), header + row + "Ada,1,s1001,S,\n", "L", Scale::kToPossible),
                 std::invalid_argument);
  }
}

/// macOS takes letters apart, as in "Jose\u0301".
TEST(Canvas, NamesThatLookTheSameAreTheSame) {
  Class all = two_students();
  all.graded[0].student = composed("jose\xcc\x81");
  const Filled filled = canvas(all,
                               "Student,ID,SIS User ID,SIS Login ID,Section,L\n"
                               "A,1,jos\xc3\xa9,a,S,\nB,2,x,s1002,S,\n",
                               "L");
  EXPECT_EQ(filled.grades, 2);
  EXPECT_EQ(composed("\xff e\xcc\x81"), "\xff e\xcc\x81") << "no UTF-8";
}

/// As Canvas calls what it lets an instructor download: name, user, attachment, file.
TEST(Canvas, DownloadsFindTheirWayBack) {
  Class all;
  all.graded = {graded("lovelaceada_1001_90210_per_channel", with_points(72)),
                graded("oharakit_LATE_1002_90211_per_channel-1", with_points(100))};
  const Filled filled = canvas(all, sample("canvas.template.csv"), kColumn);
  EXPECT_EQ(filled.text, sample("canvas.csv"));
  EXPECT_TRUE(filled.remarks.empty()) << filled.remarks.front();
  all.graded.push_back(graded("lovelaceada_1001_90212_per_channel", with_points(10)));
  EXPECT_THROW(canvas(all, sample("canvas.template.csv"), kColumn), std::invalid_argument);
  all.graded.back() = graded("s1001", with_points(10));
  EXPECT_THROW(canvas(all, sample("canvas.template.csv"), kColumn), std::invalid_argument);
}

TEST(Canvas, NobodyGetsSomebodyElsesGrade) {
  const std::string header = "Student,ID,SIS User ID,SIS Login ID,Section,L\n";
  EXPECT_THROW(canvas(two_students(), header + "Ada,1,s1001,s1002,S,\n", "L"),
               std::invalid_argument);
  EXPECT_THROW(canvas(two_students(), header + "A,1,s1001,,S,\nB,2,s1001,,S,\n", "L"),
               std::invalid_argument);
  EXPECT_EQ(canvas(two_students(), header + "s1001,1,x,y,S,\n", "L").grades,
            0);  // a name is no key
}

/// Whatever names stand in a gradebook: parsed again, it differs in our column only.
TEST(Canvas, AnyNamesSurvive) {
  std::mt19937 random(7);
  const Strings pieces = {"O'Hara, \"Kit\"", "=SUM(A1)", "\xc3\xa9", ";", "\xff", "a", " "};
  for (int trial = 0; trial < 300; ++trial) {
    std::string text = "Student,ID,Section,Before,L (1),After\n";
    for (int row = 0; row < 4; ++row) {
      const auto word = [&] {
        return csv_cell(pieces[random() % pieces.size()] + pieces[random() % pieces.size()]);
      };
      const std::string id = row % 2 == 0 ? "s100" + std::to_string(1 + row / 2) : "x";
      text += word() + "," + id + "," + word() + "," + word() + ",," + word() + "\n";
    }
    const auto before = read_csv(text);
    const auto after = read_csv(canvas(two_students(), text, "L (1)").text);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t r = 0; r < before.size(); ++r) {
      for (std::size_t c = 0; c < before[r].size(); ++c) {
        const std::string wanted = c != 4 || r % 2 == 0 ? before[r][c].value
                                   : r == 1             ? "72"
                                                        : "100";
        ASSERT_EQ(after[r][c].value, wanted) << text;
      }
    }
  }
}

// --- Moodle --------------------------------------------------------------------------------------

TEST(Moodle, TheSampleComesOut) {
  const auto roster = read_roster(
      "username,email,idnumber\nada,ada@example.edu,s1001\n"
      "kit,kit@example.edu,s1002\n");
  const Filled filled = moodle_import(two_students(), roster, "Lab 05: per-channel");
  const auto ours = read_csv(filled.text), theirs = read_csv(sample("moodle.csv"));
  ASSERT_EQ(ours.size(), 3u);
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(ours[r][c].value, theirs[r][c].value);
  }
  EXPECT_EQ(ours[2][4].value, "100/100");
  EXPECT_EQ(
      ours[1][4].value,  // the sample's is shortened
      "72/100; want 8 scales (axis 1 of 4x8), got 4: they equal the scales of axis 0 (N-AXIS); 3 "
      "of "
      "40 codes differ, each exactly on a tie: you round half away from zero, this lab rounds "
      "half to even (N-ROUND)");
}

/// One unknown user stops Moodle's whole import, and so does a grade that is no number up to 100.
TEST(Moodle, OnlyPeopleThatMoodleKnows) {
  Class all = two_students();
  all.graded.push_back(graded("=s1003", with_points(10)));
  const auto roster = read_roster("username,idnumber\nada,s1001\nzoe,s9\n");
  const Filled filled = moodle_import(all, roster, "L");
  EXPECT_EQ(filled.grades, 1);
  EXPECT_EQ(filled.remarks,
            (Strings{"s1002 is not in the roster and was left out",
                     "=s1003 is not in the roster and was left out", "no grade for s9"}));
  const auto rows = read_csv(filled.text);
  ASSERT_EQ(rows.size(), 2u);
  for (const char c : rows[1][3].value) EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(c)));
}

/// A row without one of its three names would be nobody's grade.
TEST(Moodle, RefusesARosterThatMoodleCouldNotRead) {
  const auto roster = read_roster("student_id,last_name\ns1001,Ada\ns1002,Kit\n");
  try {
    moodle_import(two_students(), roster, "L");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_HOLDS(std::string(error.what()), "of Ada (s1001) and of 1 more, and Moodle finds");
  }
}

constexpr const char* kWorksheet =
    "Identifier,\"Full name\",\"ID number\",Status,Grade,\"Maximum Grade\",\"Grade can be "
    "changed\",\"Last modified (grade)\",\"Feedback comments\"\n"
    "\"Participant 71\",\"O'Hara, \"\"Kit\"\"\",s1002,Submitted,,100.00,Yes,-,\n"
    "\"Participant 72\",\"=SUM(A1)\",,Submitted,,100.00,Yes,\"Friday, 2 October 2026, 9:00 AM\",\n"
    "\"Participant 73\",Zoe,s9,Submitted,55.00,100.00,Yes,-,fine\n";

TEST(Moodle, TheWorksheetIsFilledAndNothingElse) {
  Class all = two_students();
  all.graded[0].submission = "SUM_72_assignsubmission_file";
  const Filled filled = moodle_worksheet(all, kWorksheet);
  std::string wanted = kWorksheet;
  wanted.replace(wanted.find("s1002,Submitted,,"), 17, "s1002,Submitted,100,");
  wanted.replace(wanted.find("\"=SUM(A1)\",,Submitted,,"), 23, "\"=SUM(A1)\",,Submitted,72,");
  EXPECT_EQ(filled.text, wanted);
  EXPECT_EQ(filled.remarks, Strings{"no grade for Participant 73"});
}

TEST(Moodle, RefusesAWorksheetItWouldMisread) {
  std::string german = kWorksheet;
  german.replace(0, 10, "ID");
  EXPECT_THROW(moodle_worksheet(two_students(), german), std::invalid_argument);
  std::string small = kWorksheet;
  small.replace(small.find("100.00"), 6, "10.00");
  EXPECT_THROW(moodle_worksheet(two_students(), small), std::invalid_argument);
  std::string locked = kWorksheet;
  locked.replace(locked.find("Yes"), 3, "No");
  EXPECT_EQ(moodle_worksheet(two_students(), locked).grades, 0);
  const Filled scaled = moodle_worksheet(two_students(), small, Scale::kToPossible);
  EXPECT_HOLDS(scaled.text, "s1002,Submitted,10,");
}

// --- Plain CSV -----------------------------------------------------------------------------------

TEST(PlainCsv, TheSampleComesOut) {
  Class all;
  all.graded = {{"s1001", "s1001", results()}};
  const auto roster = read_roster(
      "student_id,last_name,first_name,email\ns1001,Lovelace,Ada,ada@example.edu\n"
      "s1003,=SUM(A1),Mallory,mallory@example.edu\n");
  const auto ours = read_csv(plain_csv(all, roster).text), theirs = read_csv(sample("grades.csv"));
  ASSERT_EQ(ours.size(), 3u);
  const std::size_t due = 1;  // results hold no due date
  for (const auto& [mine, other] : {std::pair{0, 0}, {1, 1}, {2, 3}}) {
    for (std::size_t c = 0; c < theirs[0].size(); ++c) {
      if (c == due && mine > 0) continue;
      EXPECT_EQ(ours[static_cast<std::size_t>(mine)][c].value,
                theirs[static_cast<std::size_t>(other)][c].value)
          << theirs[0][c].value;
    }
  }
}

TEST(PlainCsv, AKitErrorIsNoZero) {
  Class all = two_students();
  all.ungraded.push_back({"s1003", "05_per_channel", "the grader itself failed"});
  const auto rows = read_csv(plain_csv(all, {}).text);
  ASSERT_EQ(rows.size(), 4u);
  const int raw = column_of(rows[0], "raw_score"), score = column_of(rows[0], "score");
  const int look = column_of(rows[0], "needs_look");
  const Row& broken = rows[3];
  EXPECT_EQ(broken[static_cast<std::size_t>(raw)].value, "");
  EXPECT_EQ(broken[static_cast<std::size_t>(score)].value, "");
  EXPECT_EQ(broken[static_cast<std::size_t>(look)].value, "kit_error");
}

TEST(PlainCsv, RefusedAsAWholeIsRefusedForEachLab) {
  Class all = two_students();
  all.ungraded = {{"s1001", "?", "refused: the archive is damaged", true},
                  {"s1003", "?", "refused: the archive is damaged", true}};
  const auto rows = read_csv(plain_csv(all, {{.id = "s1003"}, {.id = "s1004"}}).text);
  ASSERT_EQ(rows.size(), 5u) << "two grades, one refused, one who handed in nothing";
  const auto look = static_cast<std::size_t>(column_of(rows[0], "needs_look"));
  EXPECT_EQ(rows[3][3].value, "s1003");
  EXPECT_EQ(rows[3][look].value, "refused");
  all.graded.clear();
  EXPECT_EQ(read_csv(plain_csv(all, {}).text).size(), 3u) << "nobody is lost where all are refused";
}

// --- Plagiarism ----------------------------------------------------------------------------------

TEST_F(ResultsFolder, SourcesForAComparison) {
  files::write_atomically(root_ / "in/s1001/per_channel.cpp", "int one;\n");
  files::write_atomically(root_ / "in/s1002/submitted/05_per_channel/per_channel.cpp",
                          "int two;\n");
  files::write_atomically(root_ / "in/s1003/other.cpp", "int three;\n");
  fs::create_directories(root_ / "in/s1004");
  fs::create_symlink("/etc/passwd", root_ / "in/s1004/per_channel.cpp");
  Strings without;
  const auto sources = read_sources(root_ / "in", {"05_per_channel"}, without);
  ASSERT_EQ(sources.size(), 2u);
  EXPECT_EQ(sources[1].text, "int two;\n");
  EXPECT_EQ(without, (Strings{"s1003", "s1004"}));
  for (const char* const tool : {"jplag", "dolos", "moss"}) {
    const fs::path out = root_ / tool;
    write_plagiarism(out, tool, "per_channel.cpp", sources, "// starter\n");
    EXPECT_EQ(files::read_file(out / "submissions/s1001/per_channel.cpp"), "int one;\n");
    EXPECT_EQ(files::read_file(out / "base/per_channel.cpp"), "// starter\n");
    EXPECT_HOLDS(files::read_file(out / "COMMAND.txt"), "base");
    EXPECT_THROW(write_plagiarism(out, tool, "per_channel.cpp", sources, ""),
                 std::invalid_argument);
  }
}

// --- The command ---------------------------------------------------------------------------------

class ExportCommand : public ResultsFolder {
 protected:
  static process::Finished run_export(Strings words) {
    words.insert(words.begin(), {std::string(NIBBLE_TEST_BUILD) + "/bin/nibble-teach", "export"});
    process::Command command;
    command.words = std::move(words);
    command.wall_limit = std::chrono::seconds{60};
    return process::run(command);
  }
  std::string path(const std::string& name) const { return (root_ / name).string(); }
};

TEST_F(ExportCommand, FillsACanvasFile) {
  save("r/s1001/05_per_channel.json", results());
  Result other = with_points(100);
  save("r/s1002/05_per_channel.json", other);
  files::write_atomically(root_ / "canvas.csv", sample("canvas.template.csv"));
  const auto done = run_export({"canvas", path("r"), "--template", path("canvas.csv"), "--column",
                                kColumn, "-o", path("out.csv")});
  EXPECT_EQ(done.exit_status, 0) << done.err;
  EXPECT_HOLDS(done.err, "2 grades");
  EXPECT_EQ(files::read_file(root_ / "out.csv"), sample("canvas.csv"));
}

TEST_F(ExportCommand, OneFileGoesToTheStandardOutput) {
  save("s1001/05_per_channel.json", results());
  const auto done = run_export({"autolab", path("s1001/05_per_channel.json")});
  EXPECT_EQ(done.exit_status, 0) << done.err;
  EXPECT_EQ(done.out, sample("autolab.stdout"));
}

TEST_F(ExportCommand, AFolderBecomesAFolder) {
  save("r/s1001/05_per_channel.json", results());
  EXPECT_EQ(run_export({"gradescope", path("r")}).exit_status, 2);
  const auto done = run_export({"gradescope", path("r"), "-o", path("out")});
  EXPECT_EQ(done.exit_status, 0) << done.err;
  EXPECT_EQ(files::read_file(root_ / "out/s1001/05_per_channel/results.json"),
            gradescope(results()));
}

TEST_F(ExportCommand, AKitErrorIsSaidAloud) {
  Result broken = results();
  broken.end = record::End::kKitError;
  save("r/s1001/05_per_channel.json", broken);
  save("r/s1002/05_per_channel.json", with_points(7));
  const auto done = run_export({"csv", path("r")});
  EXPECT_EQ(done.exit_status, 6);
  EXPECT_HOLDS(done.err, "needs a look: s1001 on 05_per_channel has no grade");
  EXPECT_HOLDS(done.out, "kit_error");
}

TEST_F(ExportCommand, SaysWhatIsMissing) {
  const auto done = run_export({"csv", path("nowhere")});
  EXPECT_EQ(done.exit_status, 2);
  EXPECT_HOLDS(done.err, "is not there");
  EXPECT_HOLDS(done.err, "teach grade");
  EXPECT_EQ(run_export({"gradescope", "--placeholder"}).exit_status, 0);
  files::write_atomically(root_ / "kim/intake.json",
                          R"({"files":0,"refusals":[{"lab":"05_per_channel","missing":true,)"
                          R"("why":"there is no per_channel.cpp"}]})");
  const auto refused = run_export({"gradescope", (root_ / "kim/05_per_channel.json").string()});
  EXPECT_EQ(refused.exit_status, 0) << "a student's slip is no failure of the grader";
  EXPECT_HOLDS(refused.out, "there is no per_channel.cpp. Mend that, and hand in again");
}

}  // namespace
}  // namespace nibble::gradebook
