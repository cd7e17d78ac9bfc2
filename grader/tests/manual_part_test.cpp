// A part of a mark that a person gives adds up with the rest, is asked for until it is there, and
// is kept whatever is graded again.
#include <gtest/gtest.h>

#include "a_course.hpp"
#include "course/lateness.hpp"
#include "course/manual_points.hpp"
#include "course/standing.hpp"
#include "export/class_page.hpp"
#include "export/csv.hpp"
#include "export/feedback.hpp"
#include "export/formats.hpp"
#include "export/given_back.hpp"
#include "export/pseudonyms.hpp"
#include "record/codec.hpp"

namespace nibble::course {
namespace {

const std::string kWithReport =
    std::string(kCourse) + "checks = 80\nmanual = { title = \"report\", points = 20 }\n";
constexpr const char* kHeader = "who,lab,part,points,by,at,why\n";
constexpr const char* kAda =
    "s1001,05_per_channel,report,17,M. C.,2026-10-20T08:00:00Z,\"clear, no units\"\n";
constexpr const char* kBook =
    "Student,ID,SIS User ID,SIS Login ID,Section,Lab 05 (4711)\n    Points Possible,,,,,100\n"
    "\"Lovelace, Ada\",1,s1001,a,S,\n\"O'Hara, Kit\",2,s1002,k,S,\n\"Hopper, Zoe\",3,s1003,z,S,\n";

class ManualPartTest : public CourseTest {
 protected:
  Course with_marks(const std::string& rows, const std::string& text = kWithReport) const {
    put("marks.csv", kHeader + rows);
    return read(text);
  }
  std::string refused_row(const std::string& row, const std::string& text = kWithReport) const {
    put("marks.csv", kHeader + row);
    return refused(text);
  }
};

/// 100 and 60 of 100, in time.
Class class_of_two() {
  Class all;
  all.graded = {graded("s1001", true, nullptr), graded("s1002", false, nullptr)};
  return all;
}

std::string status_of(const Course& course, const Class& all) {
  const text::Moment now = at("2026-10-21T12:00:00Z");
  return standing_text(course, standing_of(course, all, now, now), now, now);
}

TEST_F(ManualPartTest, AddsToWhatTheChecksAreWorth) {
  const Course course = with_marks(kAda);
  Class all = class_of_two();
  settle(course, all);
  settle(course, all);
  EXPECT_EQ(points_possible(all, "05_per_channel"), 100) << "80 and 20";
  EXPECT_EQ(all.graded[0].points(), 97) << "80 of 80 and 17 of 20";
  EXPECT_EQ(all.graded[0].raw_points(), 100) << "the judge's word stays";
  EXPECT_EQ(all.graded[1].points(), 48) << "60 % of 80, and nothing yet";
  const Course as_they_are =
      with_marks(kAda, std::string(kCourse) + "manual = { title = \"report\", points = 20 }\n");
  settle(as_they_are, all);
  EXPECT_EQ(points_possible(all, "05_per_channel"), 120) << "checks are worth what they are";
  EXPECT_EQ(all.graded[0].points(), 117);
  fs::remove(here_.path() / "marks.csv");
  settle(read(kCourse), all);
  EXPECT_EQ(all.graded[0].points(), 100) << "no part, no points";
}

TEST_F(ManualPartTest, ChecksAreScaledToTheNearestPoint) {
  Class all;
  all.graded = {graded("s1001", false, nullptr), graded("s1002", true, nullptr)};
  all.graded[0].results.points = 99;
  settle(read(std::string(kCourse) + "checks = 80\n"), all);
  EXPECT_EQ(all.graded[0].points(), 79) << "79.2: not everything";
  EXPECT_EQ(all.graded[1].points(), 80);
  all.graded[0].results.points = 98;  // 78.4
  settle(read(std::string(kCourse) + "checks = 80\n"), all);
  EXPECT_EQ(all.graded[0].points(), 78);
  settle(read(std::string(kCourse) + "checks = 25\n"), all);
  EXPECT_EQ(all.graded[0].points(), 25) << "24.5: a half is the student's";
}

TEST_F(ManualPartTest, TheLatePolicyIsOnTheWholeMarkUnlessTheCourseSaysOtherwise) {
  const auto points = [&](const std::string& text, const char* came) {
    Class all;
    all.graded = {graded("s1001", true, came)};
    settle(with_marks(kAda, text), all);
    return std::pair(all.graded[0].points(), all.graded[0].late.taken_off);
  };
  const std::string apart = std::string(kCourse) +
                            "checks = 80\n"
                            "manual = { title = \"report\", points = 20, late = false }\n";
  const char* const two_days = "2026-10-13T22:30:00Z";
  const char* const closed = "2026-10-20T22:30:00Z";
  EXPECT_EQ(points(kWithReport, two_days), std::pair(77, 20)) << "20 % of 100";
  EXPECT_EQ(points(apart, two_days), std::pair(81, 16)) << "20 % of 80";
  EXPECT_EQ(points(kWithReport, closed), std::pair(0, 97));
  EXPECT_EQ(points(apart, closed), std::pair(17, 80)) << "the report is not the file";
}

TEST_F(ManualPartTest, IsOfThePersonAndOutlivesAttemptsAndARegrade) {
  const std::string best = "attempts = \"best\"\n" + kWithReport;
  Class all;
  all.graded = {graded("s1001", false, nullptr)};   // 48 of 80
  all.attempts = {graded("s1001", true, nullptr)};  // 80 of 80
  settle(with_marks(kAda, best), all);
  EXPECT_EQ(all.graded[0].points(), 97) << "the best attempt, and the report";
  all.graded = {graded("s1001", false, nullptr)};  // graded again, another way
  settle(with_marks(kAda), all);
  EXPECT_EQ(all.graded[0].points(), 65);
}

TEST_F(ManualPartTest, OfSeveralRowsTheLastCounts) {
  Class all = class_of_two();
  settle(with_marks(std::string(kAda) + "s1001,05,report,12,Z. H.,2026-10-21,read again\n"), all);
  EXPECT_EQ(all.graded[0].points(), 92);
  EXPECT_EQ(all.graded[0].parts[0].words, "by Z. H. on 2026-10-21: read again");
}

TEST_F(ManualPartTest, SeveralPartsAddUp) {
  const std::string two = std::string(kCourse) +
                          "manual = [{ title = \"report\", points = 20 }, "
                          "{ title = \"talk\", points = 10 }]\n";
  Class all = class_of_two();
  settle(with_marks(std::string(kAda) + "s1001,05,talk,9,M. C.,2026-10-21,short\n", two), all);
  EXPECT_EQ(points_possible(all, "05_per_channel"), 130);
  EXPECT_EQ(all.graded[0].points(), 126);
  EXPECT_HOLDS(refused_row("s1001,05,,9,M. C.,2026-10-21,short\n", two),
               "has several parts: say which of report, talk");
}

TEST_F(ManualPartTest, IsSeenWhereverTheGradeIs) {
  const Course course = with_marks(kAda);
  Class all = class_of_two();
  settle(course, all);
  const std::string words = "checks 80, report 17 of 20, by M. C. on 2026-10-20: clear, no units";
  EXPECT_EQ(all.graded[0].parts_words(), words);
  EXPECT_TRUE(gradebook::feedback_line(all.graded[0], 100).starts_with("97/100; " + words));
  const auto rows = gradebook::read_csv(gradebook::plain_csv(all, course.people).text);
  const auto cell = [&](std::size_t row, const char* column) {
    return rows[row][static_cast<std::size_t>(gradebook::column_of(rows[0], column))].value;
  };
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  EXPECT_EQ(cell(1, "raw_score") + " " + cell(1, "check_score"), "100 80");
  EXPECT_EQ(cell(1, "manual_score") + " " + cell(1, "score"), "17 97");
  EXPECT_EQ(cell(1, "max_score"), "100");
  EXPECT_EQ(cell(1, "parts"), words);
  EXPECT_EQ(cell(2, "manual_score"), "") << "outstanding is no zero";
  EXPECT_HOLDS(gradebook::totals(all, course.people, {}).text,
               "s1001,Lovelace,Ada,"
               "ada@example.edu,97,97\n");
  EXPECT_HOLDS(gradebook::canvas(all, kBook, "Lab 05 (4711)").text, "s1001,a,S,97\n");
  EXPECT_HOLDS(gradebook::moodle_import(all, course.people, "Lab").text, ",97,\"97/100; checks 80");
  const auto people = gradebook::given_back(all, course.people);
  EXPECT_HOLDS(feedback_text(all, people[0], ""), "97 of 100 points; " + words);
  EXPECT_HOLDS(feedback_page(all, people[1], "", "today", {}), "report (20 points) is outstanding");
  const std::string page = class_page(all, "", "today", {});
  EXPECT_HOLDS(page, "report: 1 given, of 20 points 17.0 in the mean; outstanding: 1.");
  EXPECT_HOLDS(page, "48 <span class=\"soft\">no report yet</span>");
}

TEST_F(ManualPartTest, WhoseIsOutstandingIsSaidUntilItIsThere) {
  const Course course = with_marks(kAda);
  Class all = class_of_two();
  settle(course, all);
  EXPECT_HOLDS(status_of(course, all),
               "\n  outstanding  report (20 points)           1 person: O'Hara, Kit (s1002)\n");
  const text::Moment now = at("2026-10-21T12:00:00Z");
  EXPECT_FALSE(standing_of(course, all, now, now).is_complete());
  const Course whole = with_marks(std::string(kAda) + "s1002,05,report,0,M. C.,2026-10-21,none\n");
  settle(whole, all);
  EXPECT_EQ(status_of(whole, all).find("outstanding"), std::string::npos) << "0 is given, too";
  EXPECT_TRUE(standing_of(whole, all, now, now).is_complete());
  all.graded.push_back(all.graded[1]);
  all.graded.back().submission = all.graded.back().student = "left";
  settle(whole, all);
  EXPECT_TRUE(standing_of(whole, all, now, now).is_complete()) << "who left has no part to come";
  const Course overridden =
      with_marks(kAda, kWithReport +
                           "[[override]]\nwho = \"s1002\"\nlab = \"05\"\npoints = 70\n"
                           "by = \"M. C.\"\nat = 2026-10-21T00:30:00Z\nwhy = \"all in all\"\n");
  settle(overridden, all);
  EXPECT_EQ(all.graded[1].points(), 70) << "an override has the last word";
  EXPECT_EQ(status_of(overridden, all).find("outstanding"), std::string::npos);
}

TEST_F(ManualPartTest, OfAClassAFewAreNamed) {
  std::string roster = "student_id\n";
  Class all;
  for (int i = 1; i <= 8; ++i) {
    roster += "s" + std::to_string(i) + "\n";
    all.graded.push_back(graded("s" + std::to_string(i), true, nullptr));
  }
  const Course course = read(kWithReport, roster);
  settle(course, all);
  EXPECT_HOLDS(status_of(course, all), "8 people: s1; s2; s3; s4; s5; 3 more\n");
}

TEST_F(ManualPartTest, WithoutAFileItIsAGradeAndBesideARefusalItWaits) {
  const Course course =
      with_marks(std::string(kAda) + "s1003,05,report,12,M. C.,2026-10-20,by mail\n" +
                 "s1002,05,report,8,M. C.,2026-10-20,too short\n");
  Class all;
  all.graded = {graded("s1001", true, nullptr)};
  all.ungraded = {{"s1002", "?", "refused: kit.zip is damaged", true}};
  settle(course, all);
  settle(course, all);
  ASSERT_EQ(all.without_file.size(), 1u);
  const gradebook::Filled book = gradebook::canvas(all, kBook, "Lab 05 (4711)");
  EXPECT_HOLDS(book.text, "s1003,z,S,12\n");
  EXPECT_HOLDS(book.text, "s1002,k,S,\n");
  const gradebook::Filled table = gradebook::plain_csv(all, course.people);
  const auto rows = gradebook::read_csv(table.text);
  ASSERT_EQ(rows.size(), 4u) << "everybody once";
  EXPECT_HOLDS(table.text, ",s1003,Hopper,Zoe,,,,12,100,");
  EXPECT_HOLDS(gradebook::totals(all, course.people, {}).text, "s1003,Hopper,Zoe,,12,12\n");
  const std::string status = status_of(course, all);
  EXPECT_HOLDS(status, "nothing      Hopper, Zoe (s1003)          checks 0, report 12 of 20, by");
  EXPECT_HOLDS(status, "report 8 of 20 waits for the grade of the checks");
  EXPECT_HOLDS(class_page(all, "", "today", {}), "12 <span class=\"soft\">none came</span>");
  const auto people = gradebook::given_back(all, course.people);
  ASSERT_EQ(people.size(), 3u);
  EXPECT_HOLDS(feedback_text(all, people[2], ""), "05_per_channel: 12 of 100 points; checks 0, r");
}

TEST_F(ManualPartTest, WhereNoFileIsGradedTheCourseAloneKnowsWhatALabIsWorth) {
  Class all;
  settle(with_marks(kAda), all);
  EXPECT_EQ(points_possible(all, "05_per_channel"), 100);
  const Course unknown =
      with_marks(kAda, std::string(kCourse) + "manual = { title = \"report\", points = 20 }\n");
  settle(unknown, all);
  ASSERT_EQ(all.without_file.size(), 1u);
  EXPECT_EQ(outcome_line(all, all.without_file[0]).find("of 0"), std::string::npos);
  EXPECT_HOLDS(gradebook::totals(all, unknown.people, {{"05_per_channel", 1.0}}).text,
               "s1001,Lovelace,Ada,ada@example.edu,,\n");
}

TEST_F(ManualPartTest, NamesThatMeanNothingLoseWhoGaveItAndWhy) {
  Class all = class_of_two();
  settle(with_marks(kAda), all);
  gradebook::Pseudonyms names;
  const std::string text = gradebook::plain_csv(gradebook::anonymous(all, names), {}).text;
  EXPECT_HOLDS(text, "report 17 of 20");
  EXPECT_EQ(text.find("clear, no units"), std::string::npos) << text;
}

TEST_F(ManualPartTest, WhatCannotBeMeantIsRefusedWithItsRow) {
  const auto row = [](const char* who, const char* lab, const char* part, const char* points) {
    return std::string(who) + "," + lab + "," + part + "," + points + ",M. C.,2026-10-20,why\n";
  };
  EXPECT_EQ(refused_row(row("kit@example.edu", "05", "", "20")), "") << "any name of theirs";
  EXPECT_HOLDS(refused_row(row("kim", "05", "report", "1")),
               "marks.csv, row 2: kim is nobody, or several, in people.csv: write a student_id");
  EXPECT_HOLDS(refused_row(row("s1001", "99", "report", "1")), "`99` is no lab of this course");
  EXPECT_HOLDS(refused_row(row("s1001", "05", "rapport", "1")),
               "has no part `rapport`. There are: report");
  for (const char* const points : {"21", "-1", "17.5", "", "many"}) {
    EXPECT_HOLDS(refused_row(row("s1001", "05", "report", points)),
                 "write a whole number from 0 to 20");
  }
  EXPECT_HOLDS(refused_row(row("s1001", "05", "report", "1"), kCourse),
               "05_per_channel has no part that a person marks: write `manual = { title =");
  EXPECT_HOLDS(refused_row("s1001,05,report,1,,2026-10-20,why\n"), "no `by`");
  EXPECT_HOLDS(refused_row("s1001,05,report,1,M. C.,2026-10-20,\n"), "no `why`");
  EXPECT_HOLDS(refused_row("s1001,05,report,1,M. C.,20.10.2026,why\n"), "`at` is a date");
  EXPECT_HOLDS(refused_row("s1001,05,report,1,M. C.,2026-10-20,J\xe9rome\n"), "is not UTF-8");
  put("marks.csv", "who,points\n");
  EXPECT_HOLDS(refused(kWithReport), "has no column `lab`");
  fs::remove(here_.path() / "marks.csv");
  const std::string lab = kCourse;
  EXPECT_HOLDS(refused(lab + "manual = { title = \"report\" }\n"), "report says no `points`");
  EXPECT_HOLDS(refused(lab + "manual = { points = 20 }\n"), "says no `title`");
  EXPECT_HOLDS(refused(lab + "manual = { title = \"a\", points = 2.5 }\n"), "points are whole");
  EXPECT_HOLDS(refused(lab + "manual = \"report\"\n"), "`manual`");
  EXPECT_HOLDS(refused(lab + "manual = [{ title = \"a\", points = 2 }, "
                             "{ title = \"a\", points = 3 }]\n"),
               "two parts are called a");
  EXPECT_HOLDS(refused(lab + "manual = { title = \"a\", points = 2, lat = false }\n"), "`lat`");
}

// --- As it is typed ------------------------------------------------------------------------------

class MarkCommand : public CourseCommand {
 protected:
  MarkCommand() {
    put("people.csv", kRoster);
    put("course.toml", kWithReport);
    for (const char* const who : {"s1001", "s1002"}) {
      put(std::string("grades/") + who + "/05_per_channel.json",
          record::text_of(test::one_result(true, true)));
    }
  }
  std::string marks() const {
    const fs::path file = here_.path() / "marks.csv";
    return fs::exists(file) ? files::read_file(file) : "";
  }
};

TEST_F(MarkCommand, WritesARowOfItsOwnEachTime) {
  const process::Finished first = teach(
      {"mark", "05", "Lovelace, Ada", "--points", "15", "--by", "M. C.", "--why", "-5: no units"});
  EXPECT_EQ(first.exit_status, 0) << first.err;
  EXPECT_HOLDS(first.out, "  Lovelace, Ada (s1001)        05_per_channel   report 15\n");
  const process::Finished again = teach({"mark", "05", "s1001", "--part", "report", "--points",
                                         "17", "--by", "M. C.", "--why", "units are there"});
  EXPECT_EQ(again.exit_status, 0) << again.err;
  EXPECT_HOLDS(again.out, "report 17 in place of 15, by M. C. on 2");
  EXPECT_HOLDS(again.out, ": -5: no units\n1 in marks.csv\n");
  const auto rows = gradebook::read_csv(marks());
  ASSERT_EQ(rows.size(), 3u) << "the row before is its history";
  EXPECT_EQ(rows[2][1].value, "05_per_channel");
  const process::Finished table = teach({"export", "canvas", "--template", "book.csv"});
  EXPECT_EQ(table.exit_status, 2) << "there is no such file";
  put("book.csv", kBook);
  const process::Finished book = teach({"export", "canvas", "--template", "book.csv"});
  EXPECT_EQ(book.exit_status, 6) << "one grade is not whole";
  EXPECT_HOLDS(book.out, "s1001,a,S,19.4\n");
  EXPECT_HOLDS(book.err, "outstanding: report of 05_per_channel, 20 points, for s1002; their grad");
  const process::Finished status = teach({"status"});
  EXPECT_EQ(status.exit_status, 1);
  EXPECT_HOLDS(status.out, "outstanding  report (20 points)           1 person: O'Hara, Kit");
}

TEST_F(MarkCommand, TakesATableOfManyPeopleWholeOrNotAtAll) {
  put("report.csv",
      "student_id;points;why\r\ns1001;17;\"clear; no units\"\r\ns1002;3;late\r\ns1003;;\r\n");
  const process::Finished all = teach({"mark", "05", "--from", "report.csv", "--by", "M. C."});
  EXPECT_EQ(all.exit_status, 0) << all.err;
  EXPECT_HOLDS(all.out, "\n2 in marks.csv\n");
  EXPECT_HOLDS(marks(), "s1001,05_per_channel,report,17,M. C.,");
  EXPECT_HOLDS(marks(), ",\"clear; no units\"\n");
  EXPECT_EQ(marks().find("s1003"), std::string::npos) << "has no points yet";
  const std::string before = marks();
  put("report.csv", "student_id,points,why\ns1003,4,good\ns1002,44,good\n");
  const process::Finished refused = teach({"mark", "05", "--from", "report.csv", "--by", "M. C."});
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_HOLDS(refused.err, "report.csv, row 3: s1002 has 44 points for report in 05_per_channel");
  EXPECT_EQ(marks(), before) << "nothing was written";
}

TEST_F(MarkCommand, IsRefusedInOneLineAndWritesNothing) {
  const auto refused = [&](std::vector<std::string> words) {
    for (const char* const word : {"--by", "M. C."}) words.emplace_back(word);
    const process::Finished done = teach(std::move(words));
    EXPECT_EQ(done.exit_status, 2);
    EXPECT_EQ(done.err.find('\n'), done.err.size() - 1) << "one line: " << done.err;
    EXPECT_EQ(marks(), "");
    return done.err;
  };
  EXPECT_HOLDS(refused({"mark", "05", "kim", "--points", "3", "--why", "x"}), "kim is nobody");
  EXPECT_HOLDS(refused({"mark", "05", "s1001", "--points", "21", "--why", "x"}), "from 0 to 20");
  EXPECT_HOLDS(refused({"mark", "05", "s1001", "--part", "talk", "--points", "3", "--why", "x"}),
               "has no part `talk`. There are: report");
  EXPECT_HOLDS(refused({"mark", "03", "s1001", "--points", "3", "--why", "x"}),
               "`03` is no lab of this course. There are: 05_per_channel");
  EXPECT_HOLDS(refused({"mark", "05", "s1001", "--points", "3"}), "no `why`: write it down");
  EXPECT_HOLDS(refused({"mark", "05", "s1001"}), "say whose and how many");
  put("course.toml", kCourse);
  EXPECT_HOLDS(refused({"mark", "05", "s1001", "--points", "3", "--why", "x"}),
               "05_per_channel has no part that a person marks");
  put("course.toml",
      "version = 1\ngrades = \"grades\"\n[[lab]]\nlab = \"05\"\n"
      "manual = { title = \"report\", points = 20 }\n");
  EXPECT_HOLDS(refused({"mark", "05", "kim", "--points", "3", "--why", "x"}),
               "kim handed in nothing, and the course has no `roster`");
}

}  // namespace
}  // namespace nibble::course
