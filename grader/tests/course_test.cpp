// A course.toml says what it means or is refused in one line; lateness is taken off once.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <stdexcept>

#include "a_course.hpp"
#include "class_of_fifty.hpp"
#include "course/course.hpp"
#include "course/lateness.hpp"
#include "course/standing.hpp"
#include "export/class_page.hpp"
#include "export/csv.hpp"
#include "export/feedback.hpp"
#include "export/formats.hpp"
#include "export/given_back.hpp"
#include "export/pseudonyms.hpp"
#include "files/files.hpp"
#include "record/codec.hpp"

namespace nibble::course {
namespace {

using namespace std::chrono_literals;

// --- Moments -------------------------------------------------------------------------------------

TEST(Moment, IsReadAsItWasWritten) {
  EXPECT_EQ(text::stamp(at("2026-10-12T23:59:00+02:00")), "2026-10-12T21:59:00Z");
  EXPECT_EQ(text::stamp(at("2024-02-29T00:30:01-05:30")), "2024-02-29T06:00:01Z");
  for (const char* const wrong :
       {"", "2026-10-12", "2026-10-12T21:59:00", "2026-13-12T21:59:00Z", "2026-02-30T21:59:00Z",
        "2026-10-12T25:59:00Z", "2026-10-12T21:59:00+2", "2026-10-1xT21:59:00Z"}) {
    EXPECT_FALSE(text::moment_of(wrong)) << wrong;
  }
  EXPECT_EQ(text::shown(at("2026-10-12T21:59:00Z"), 120min), "Mon 12 Oct 23:59");
  EXPECT_EQ(text::dated("2026-10-12T23:59:00+02:00"), "12 Oct 2026, 21:59 UTC");
  EXPECT_EQ(text::dated("today"), "today");
  EXPECT_EQ(text::shown(27h + 5min), "1 d 3 h");
  EXPECT_EQ(text::shown(90min), "1 h 30 min");
  EXPECT_EQ(text::shown(59s), "0 min");
}

// --- The file ------------------------------------------------------------------------------------

TEST_F(CourseTest, SaysWhatItMeans) {
  const Course course = read(std::string(kCourse) +
                             "[[extension]]\nwho = \"Lovelace, Ada\"\nlab = \"05\"\n"
                             "due = 2026-10-14T23:59:00+02:00\nwhy = \"ill\"\n"
                             "[[extension]]\nwho = \"kit@example.edu\"\ndays = 7\n");
  EXPECT_EQ(course.name, "Quantization");
  EXPECT_EQ(course.grades, here_.path() / "grades");
  EXPECT_EQ(course.people.size(), 3u);
  const CourseLab* const lab = course.find("05_per_channel");
  ASSERT_NE(lab, nullptr);
  EXPECT_EQ(lab->weight, 2.0);
  EXPECT_EQ(lab->scale.points, 20.0);
  EXPECT_EQ(text::stamp(*due_for(course, *lab, "s1001")), "2026-10-14T21:59:00Z");
  EXPECT_EQ(text::stamp(*due_for(course, *lab, "s1002")), "2026-10-19T21:59:00Z");
  EXPECT_EQ(text::stamp(*due_for(course, *lab, "s1003")), "2026-10-12T21:59:00Z");
  EXPECT_EQ(find_course(here_.path() / "a/b"), here_.path() / "course.toml");
}

TEST_F(CourseTest, ADateIsItsDistanceFromUtcAway) {
  std::string west = kCourse;
  west.replace(west.find("12T23:59:00+02:00"), 17, "12T16:29:00-05:30");
  const CourseLab lab = read(west).labs[0];
  EXPECT_EQ(text::stamp(*lab.due), "2026-10-12T21:59:00Z");
  EXPECT_EQ(lab.offset, -330min);
}

TEST_F(CourseTest, WhatInitWritesIsACourse) {
  put("course.toml", new_course(kit_.choose({"03", "05"})));
  const Course course = read_course(kit_, here_.path() / "course.toml");
  EXPECT_EQ(course.lab_names(), (std::vector<std::string>{"03_symmetric", "05_per_channel"}));
  std::string opened = new_course(kit_.choose({"03"}));  // every comment that is a setting
  for (const char* const key :
       {"opens",  "due",    "closes",        "weight",        "scale",
        "column", "who",    "lab",           "why",           "at",
        "points", "by",     "marks",         "language",      "hints",
        "checks", "manual", "[[extension]]", "[[handed_in]]", "[[override]]"}) {
    for (std::size_t i; (i = opened.find(std::string("\n# ") + key)) != opened.npos;)
      opened.erase(i + 1, 2);
  }
  EXPECT_EQ(refused("roster = \"people.csv\"\n" + opened), "");
}

TEST_F(CourseTest, RefusesInOneLineWithTheRemedy) {
  const std::string course = kCourse;
  EXPECT_HOLDS(refused("course = \"x\"\n"), "no version: this kit reads version 1");
  EXPECT_HOLDS(refused("version = 0\n"), "version 0: this kit reads version 1");
  EXPECT_HOLDS(refused("version = 1\nterm = \n"), "line 2: ");
  EXPECT_EQ(refused("version = 1\nterm = \n").find("toml::"), std::string::npos)
      << "no function of the parser's";
  EXPECT_HOLDS(refused("version = 1\n[late]\nper_dya = 3\n"),
               "line 3: there is no `per_dya` in [late]. There are: cap, grace, per_day");
  EXPECT_HOLDS(refused("version = 1\n[late]\nper_day = 101\n"), "a number from 0 to 100");
  EXPECT_HOLDS(refused("version = 1\n[late]\ngrace = 15\n"), "write it in quotes");
  EXPECT_HOLDS(refused("version = 1\n[late]\ngrace = \"15 bits\"\n"), "\"15 min\"");
  EXPECT_HOLDS(refused("version = 1\nattempts = \"worst\"\n"), "\"last\" or \"best\"");
  EXPECT_HOLDS(refused("version = 1\n[lab]\nlab = \"05\"\n"), "write [[lab]]");
  EXPECT_HOLDS(refused("version = 1\n[[lab]]\nlab = \"99\"\n"), "no lab is called 99");
  EXPECT_HOLDS(refused(course + "[[lab]]\nlab = \"05\"\n"), "stands in the course twice");
  EXPECT_HOLDS(refused("version = 1\nroster = \"nobody.csv\"\n"), "nobody.csv: export the list");
}

TEST_F(CourseTest, RefusesDatesThatContradictEachOther) {
  const std::string lab = "version = 1\nroster = \"people.csv\"\n[[lab]]\nlab = \"05\"\n";
  const std::string due = lab + "due = 2026-10-12T23:59:00Z\n";
  EXPECT_HOLDS(refused(lab + "due = 2026-10-12\n"), "2026-10-12T23:59:00+02:00");
  EXPECT_HOLDS(refused(lab + "due = 2026-10-12T23:59:00\n"), "its distance from UTC");
  EXPECT_HOLDS(refused(lab + "due = 2026-02-30T23:59:00Z\n"), "line 5: ");
  EXPECT_HOLDS(refused(due + "opens = 2026-10-13T00:00:00Z\n"), "line 5: 05_per_channel is due b");
  EXPECT_HOLDS(refused(due + "closes = 2026-10-12T00:00:00Z\n"), "closes before it is due: Mon");
  EXPECT_HOLDS(refused(lab + "closes = 2026-10-12T00:00:00Z\n"), "needs a `due`");
  const std::string more = due + "[[extension]]\nwho = \"s1001\"\n";
  EXPECT_HOLDS(refused(more + "lab = \"05\"\ndue = 2026-10-12T00:00:00Z\n"), "ends before 05");
  EXPECT_HOLDS(refused(more + "days = 1.9\n"), "days are whole");
  EXPECT_HOLDS(refused(due + "[[handed_in]]\nwho = \"s1001\"\nlab = \"05\"\n"
                             "at = 2999-10-12T00:00:00Z\n"),
               "2999-10-12T00:00:00Z is still to come: nobody has handed in then");
  EXPECT_HOLDS(refused(more + "lab = \"03\"\ndays = 1\n"), "03 is no lab of this course");
  EXPECT_HOLDS(refused(more + "due = 2026-10-13T00:00:00Z\n"), "says of which `lab`");
  EXPECT_HOLDS(refused(more), "says `due` or `days`");
  EXPECT_HOLDS(refused(more + "days = 1\n[[extension]]\nwho = \"Ada Lovelace\"\ndays = 2\n"),
               "two extensions");
  EXPECT_HOLDS(refused(due + "[[extension]]\nwho = \"nobody\"\ndays = 1\n"),
               "nobody is nobody, or several, in people.csv");
  EXPECT_HOLDS(refused(due + "[[handed_in]]\nwho = \"s1001\"\nlab = \"05\"\n"), "says no `at`");
}

TEST_F(CourseTest, RefusesARosterThatTellsPeopleBadly) {
  const std::string course = kCourse;
  EXPECT_HOLDS(refused(course, "student_id\ns1\ns2\ns1\n"), "rows 2 and 4 of the roster are both");
  EXPECT_HOLDS(refused(course, "student_id,email\ns1,a@b\ns2,a@b\n"), "both a@b");
  EXPECT_HOLDS(refused(course, "student_id,last_name\ns1,J\xe9rome\n"),
               "line 2 of the roster is not UTF-8");
  EXPECT_HOLDS(refused(course, std::string("s\0t\0", 4)),
               "people.csv: the roster is UTF-16, or no");
  EXPECT_HOLDS(refused(course, "student_id,last_name\ns1,\"Je\x1brome\"\n"),
               "row 2 of the roster holds a control character, in Je?rome: delete it");
  EXPECT_HOLDS(refused(course, "student_id,last_name\ns1,A\ns2,\"Je\r\nrome\"\n"),
               "row 3 of the roster holds a line break, in Je? rome: write it on one line");
  EXPECT_EQ(refused(course, "student_id,last_name,Feedback comments\ns1,A,\"good\r\nwork\"\n"), "")
      << "of no column that is read";
  EXPECT_HOLDS(refused(course, "last_name\nA\n"), "has no student_id, idnumber, username or email");
  EXPECT_EQ(refused(course, "student_id,email\ns1,\ns2,\n"), "") << "nobody has an address";
  EXPECT_EQ(refused(course, "student_id;last_name\r\ns1;Twin\r\ns2;Twin\r\n"), "");
  EXPECT_HOLDS(refused(course + "[[extension]]\nwho = \"Ada Twin\"\ndays = 1\n",
                       "student_id,last_name,first_name\ns1,Twin,Ada\ns2,Twin,Ada\n"),
               "or several");
}

TEST(Roster, OfAddressesAloneCallsPeopleByThem) {
  const auto people = gradebook::read_roster("email\nada@example.edu\nkit@example.edu\n");
  ASSERT_EQ(people.size(), 2u);
  EXPECT_EQ(people[0].id, "ada@example.edu");
  EXPECT_EQ(gradebook::find_by_any_name(people, "kit"), &people[1]) << "as before the @";
  const auto moodle = gradebook::read_roster(
      "\"First name\",Surname,\"Email address\"\nAda,Lovelace,ada@example.edu\n");
  EXPECT_EQ(gradebook::find_by_any_name(moodle, "Ada Lovelace_71"), moodle.data());
}

TEST(Roster, IsReadAsSpreadsheetsWriteIt) {
  for (const char* const table : {"\xef\xbb\xbfstudent_id;last_name\r\ns1;J\u00e9rome\r\n",
                                  "student_id\tlast_name\r\ns1\tJ\u00e9rome\r\n"}) {
    EXPECT_EQ(gradebook::shown(gradebook::read_roster(table).at(0)), "J\u00e9rome (s1)") << table;
  }
}

TEST(RosterOfCourseSystems, AreRead) {
  const auto canvas = gradebook::read_roster(
      "Student,ID,SIS User ID,SIS Login ID,Section,Lab 05 (4711)\n"
      "    Points Possible,,,,,100\n\"Lovelace, Ada\",1001,s1001,ada,S,\n\"Student, "
      "Test\",9,,,S,\n");
  ASSERT_EQ(canvas.size(), 1u);
  EXPECT_EQ(gradebook::shown(canvas[0]), "Lovelace, Ada (s1001)");
  EXPECT_EQ(canvas[0].user, "canvas 1001");
  EXPECT_EQ(gradebook::find_by_any_name(canvas, "Ada Lovelace"), canvas.data());
  EXPECT_EQ(gradebook::find_by_any_name(canvas, "Ada"), nullptr) << "half a name";
  const auto moodle = gradebook::read_roster(
      "Identifier,\"Full name\",\"ID number\",\"Email address\"\n"
      "Participant 71,Ada Lovelace,,ada@example.edu\n");
  ASSERT_EQ(moodle.size(), 1u);
  EXPECT_EQ(moodle[0].user, "moodle 71");
  EXPECT_EQ(moodle[0].id, "moodle 71");
}

// --- Lateness ------------------------------------------------------------------------------------

TEST(Lateness, CountsDaysThatWereBegunUpToTheCap) {
  const LatePolicy late{15min, 10.0, 30.0};
  EXPECT_EQ(points_off(late, -5h, 100), 0);
  EXPECT_EQ(points_off(late, 15min, 100), 0);
  EXPECT_EQ(points_off(late, 15min + 1s, 100), 10);
  EXPECT_EQ(points_off(late, 24h, 100), 10);
  EXPECT_EQ(points_off(late, 24h + 1s, 100), 20);
  EXPECT_EQ(points_off(late, 24h * 30, 100), 30);
  EXPECT_EQ(points_off(late, 1h, 75), 7) << "rounded for the student";
}

TEST_F(CourseTest, LatenessIsTakenOffOnceAndShownApart) {
  const Course course = read(std::string(kCourse) +
                                 "[[extension]]\nwho = \"s1002\"\ndays = 2\n"
                                 "[[handed_in]]\nwho = \"s1004\"\nlab = \"05\"\n"
                                 "at = 2026-10-12T21:00:00Z\n",
                             std::string(kRoster) + "s1004,Noether,Emmy,\ns1005,Late,Very,\n");
  Class all;
  all.graded = {graded("s1001", true, "2026-10-13T22:30:00Z"),
                graded("s1002", true, "2026-10-13T22:30:00Z"), graded("s1003", false, nullptr),
                graded("s1004", true, "2026-10-18T00:00:00Z"),
                graded("s1005", true, "2026-10-20T00:00:00Z")};
  settle(course, all);
  settle(course, all);
  EXPECT_EQ(all.graded[0].points(), 80) << "two days were begun";
  EXPECT_EQ(all.graded[0].late.words, "1 d late");
  EXPECT_EQ(all.graded[1].points(), 100) << "had two days more";
  EXPECT_EQ(all.graded[2].points(), 60) << "nothing says when";
  EXPECT_EQ(all.graded[3].points(), 100) << "the instructor says when";
  EXPECT_EQ(all.graded[4].points(), 0) << "it was closed";
  const auto rows = gradebook::read_csv(gradebook::plain_csv(all, course.people).text);
  const auto cell = [&](std::size_t row, const char* column) {
    return rows[row][static_cast<std::size_t>(gradebook::column_of(rows[0], column))].value;
  };
  EXPECT_EQ(cell(1, "raw_score"), "100");
  EXPECT_EQ(cell(1, "late_submission_penalty"), "20");
  EXPECT_EQ(cell(1, "score"), "80");
  EXPECT_EQ(cell(1, "duedate"), "2026-10-12T21:59:00Z");
  EXPECT_EQ(cell(2, "duedate"), "2026-10-14T21:59:00Z");
  EXPECT_EQ(cell(1, "timestamp_from"), "archive");
  EXPECT_EQ(cell(4, "timestamp_from"), "by hand");
  EXPECT_TRUE(gradebook::feedback_line(all.graded[0], 100)
                  .starts_with("80/100; 1 d late: 20 points taken off"));
}

TEST_F(CourseTest, TheBestAttemptCountsAfterItsPenalty) {
  const std::string best = "attempts = \"best\"\n";
  Class all;
  all.graded = {graded("s1001", true, "2026-10-18T00:00:00Z")};     // 100 - 30
  all.attempts = {graded("s1001", false, "2026-10-12T00:00:00Z")};  // 60
  Class last = all;
  settle(read(best + kCourse), all);
  EXPECT_EQ(all.graded[0].points(), 70);
  all.attempts = {graded("s1001", true, "2026-10-13T00:00:00Z")};  // 100 - 10
  settle(read(best + kCourse), all);
  EXPECT_EQ(all.graded[0].points(), 90);
  last.attempts = all.attempts;
  settle(read(kCourse), last);
  EXPECT_EQ(last.graded[0].points(), 70) << "the last";
  last.attempts = {graded("s1001", false, nullptr)};  // 60, and nothing says when
  settle(read(best + kCourse +
              "[[handed_in]]\nwho = \"s1001\"\nlab = \"05\"\n"
              "at = 2026-10-20T00:00:00Z\n"),
         last);
  EXPECT_EQ(last.graded[0].points(), 60) << "what is said by hand is of the last file alone";
}

TEST_F(CourseTest, NoMoreAttemptsCountThanTheCourseHas) {
  const std::string two = "most_attempts = 2\n";
  Class all;
  all.graded = {graded("s1001", true, nullptr)};  // 100, the fourth
  for (const bool columns : {true, false, true}) {
    all.attempts.push_back(graded("s1001", columns, nullptr));
  }
  Class best = all, enough = all;
  settle(read(two + kCourse), all);
  EXPECT_EQ(all.graded[0].points(), 60) << "the second";
  EXPECT_HOLDS(gradebook::feedback_line(all.graded[0], 100), "; 2 later attempts do not count");
  settle(read(two + "attempts = \"best\"\n" + kCourse), best);
  EXPECT_EQ(best.graded[0].points(), 100) << "the first";
  EXPECT_EQ(best.graded[0].left_out, 2);
  best.graded = {graded("s1001", false, nullptr)};  // 60, after 100, 60 and 100
  best.attempts[2].handed_in.is_called_late = true;
  settle(read("attempts = \"best\"\n" + std::string(kCourse)), best);
  EXPECT_TRUE(best.graded[0].handed_in.is_called_late)
      << "of two that are worth the same the later";
  settle(read("most_attempts = 4\n" + std::string(kCourse)), enough);
  EXPECT_EQ(enough.graded[0].points(), 100);
  EXPECT_EQ(enough.graded[0].left_out_words(), "");
  EXPECT_HOLDS(refused("version = 1\nmost_attempts = 1.5\n"), "a whole number");
  EXPECT_HOLDS(refused("version = 1\nmost_attempts = 0\n"), "most_attempts");
}

TEST_F(CourseTest, HintsAreOfALabOrOfAll) {
  EXPECT_FALSE(read(kCourse).labs[0].hints) << "nobody says";
  const std::string both =
      std::string("hints = 3\n") + kCourse + "hints = 0\n[[lab]]\nlab = \"03\"\n";
  const Course course = read(both);
  EXPECT_EQ(course.find("05_per_channel")->hints, 0);
  EXPECT_EQ(course.find("03_symmetric")->hints, 3);
  EXPECT_HOLDS(refused("version = 1\nhints = 1.5\n"), "line 2: `hints` is a whole number");
  EXPECT_HOLDS(refused("version = 1\nhints = -1\n"), "`hints` is a number from 0");
}

TEST_F(CourseTest, ItsLanguageIsOneThatSomebodyWrote) {
  EXPECT_EQ(read(kCourse).language, "");
  EXPECT_EQ(read(std::string("language = \"de\"\n") + kCourse).language, "de");
  EXPECT_EQ(read(std::string("language = \"en\"\n") + kCourse).language, "en");
  EXPECT_HOLDS(refused("version = 1\nlanguage = \"xx\"\n"),
               "line 2: there are no words for the language xx; there are: en, de");
}

TEST_F(CourseTest, TotalsWeighLabsAndLoseNobody) {
  const Course course = read(kCourse);
  Class all;
  all.graded = {graded("s1001", true, nullptr)};
  all.ungraded = {{"s1003", "05_per_channel", "the grader itself failed: no space"}};
  const auto filled =
      gradebook::totals(all, course.people, {{"03_symmetric", 1.0}, {"05_per_channel", 2.0}});
  const auto rows = gradebook::read_csv(filled.text);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[1][6].value, "66.67");
  EXPECT_EQ(rows[2][6].value, "0") << "handed in nothing";
  EXPECT_EQ(rows[3][6].value, "") << "a fault of the kit is no zero";
  EXPECT_EQ(filled.remarks.size(), 1u);
}

// --- A person's word -----------------------------------------------------------------------------

constexpr const char* kSigned = "by = \"M. C.\"\nat = 2026-10-21T00:30:00+02:00\n";

std::string override_of(const char* who, const char* what) {
  return std::string("[[override]]\nwho = \"") + who + "\"\nlab = \"05\"\n" + what + kSigned +
         "why = \"on paper\"\n";
}

TEST_F(CourseTest, AnOverrideStandsForTheGradeAndIsSeenEverywhere) {
  const Course course =
      read(kCourse + override_of("Lovelace, Ada", "points = 95\n") +
           override_of("s1003", "add = -5\n") + override_of("s1002", "points = 10\n"));
  Class all;
  all.graded = {graded("s1001", true, "2026-10-13T22:30:00Z"), graded("s1003", false, nullptr)};
  settle(course, all);
  settle(course, all);
  EXPECT_EQ(all.graded[0].points(), 95) << "lateness is over with it";
  EXPECT_EQ(all.graded[0].raw_points(), 100) << "the judge's word stays";
  EXPECT_EQ(all.graded[1].points(), 55);
  const std::string words = "95 points in place of 80, by M. C. on 2026-10-21: on paper";
  EXPECT_EQ(all.graded[0].by_hand->words, words);
  EXPECT_EQ(all.graded[1].by_hand->words, "5 points fewer, by M. C. on 2026-10-21: on paper");
  EXPECT_TRUE(gradebook::feedback_line(all.graded[0], 100).starts_with("95/100; " + words));
  EXPECT_HOLDS(gradebook::plain_csv(all, course.people).text, words);
  EXPECT_HOLDS(gradebook::totals(all, course.people, {}).text, "95");
  const gradebook::Filled sheet = gradebook::canvas(
      all,
      "Student,ID,SIS User ID,SIS Login ID,Section,Lab 05 (4711)\n    Points Possible,,,,,100\n"
      "\"Lovelace, Ada\",1,s1001,a,S,\n",
      "Lab 05 (4711)");
  EXPECT_HOLDS(sheet.text, "s1001,a,S,95\n");
  EXPECT_EQ(sheet.remarks.front(), "Lovelace, Ada: " + words);
  const text::Moment now = at("2026-10-21T12:00:00Z");
  const std::string text = standing_text(course, standing_of(course, all, now, now), now, now);
  EXPECT_HOLDS(text, "graded       Lovelace, Ada (s1001)        " + words);
  EXPECT_HOLDS(text, "O'Hara, Kit (s1002)          [[override]] finds no grade here");
}

TEST_F(CourseTest, AnOverrideWithoutANameAReasonOrPossiblePointsIsRefused) {
  const std::string whole = kCourse + override_of("s1001", "points = 95\n");
  EXPECT_EQ(refused(whole), "");
  for (const char* const part : {"by = \"M. C.\"\n", "at = 2026-10-21T00:30:00+02:00\n",
                                 "why = \"on paper\"\n", "points = 95\n"}) {
    std::string without = whole;
    without.erase(without.find(part), std::string(part).size());
    EXPECT_NE(refused(without), "") << part;
  }
  EXPECT_HOLDS(refused(kCourse + override_of("s1001", "points = 9\nadd = 9\n")), "not both");
  EXPECT_HOLDS(refused(kCourse + override_of("s1001", "points = 9.5\n")), "points are whole");
  EXPECT_HOLDS(refused(whole + override_of("s1001", "add = 1\n")), "two overrides");
  const Course course = read(kCourse + override_of("s1001", "add = 1\n"));
  Class all;
  all.graded = {graded("s1001", true, nullptr)};
  EXPECT_THROW(settle(course, all), std::invalid_argument) << "101 of 100";
}

// --- What goes back ------------------------------------------------------------------------------

TEST_F(CourseTest, EverybodyGetsAPageAndATextOfTheirOwn) {
  const Course course = read(kCourse);
  Class all;
  all.graded = {graded("s1001", false, "2026-10-13T22:30:00Z")};
  record::Check& hidden = all.graded[0].results.checks.emplace_back();
  hidden.id = "UnseenData", hidden.hidden = true, hidden.detail = record::Detail::kNone;
  hidden.status = record::CheckStatus::kFail;
  hidden.message = "got 12345, want 54321";
  all.graded[0].results.finding =
      record::Finding{.check = hidden.id, .exercise = hidden.exercise, .message = "reads 12345"};
  all.ungraded = {{"s1002", "?", "refused: kit.zip is damaged", true},
                  {"s1003", "05_per_channel", "the grader itself failed: /a/path"}};
  settle(course, all);
  const auto people = gradebook::given_back(all, course.people);
  ASSERT_EQ(people.size(), 3u);
  const auto text = [&](std::size_t i) { return feedback_text(all, people[i], "Quantization"); };
  EXPECT_HOLDS(text(0), "Lovelace, Ada (s1001) · Quantization\n");
  EXPECT_HOLDS(text(0), "05_per_channel: 40 of 100 points; 1 d late: 20 points taken off");
  EXPECT_HOLDS(text(0), "N-AXIS");
  EXPECT_EQ(text(0).find("12345"), std::string::npos) << "what a hidden check saw";
  EXPECT_HOLDS(text(1), "kit.zip is damaged");
  EXPECT_HOLDS(text(2), "05_per_channel: no grade yet");
  EXPECT_EQ(text(2).find("/a/path"), std::string::npos) << "no business of theirs";
  const std::string page = feedback_page(all, people[0], "Quantization", "today", {});
  EXPECT_HOLDS(page, "<li>05_per_channel: 40 of 100 points");
  EXPECT_HOLDS(page, "ScalesOverColumns");
  EXPECT_EQ(page.find("12345"), std::string::npos);
}

// --- Without names -------------------------------------------------------------------------------

TEST_F(CourseTest, PseudonymsAreOfThePersonAndStandInTheKeyAlone) {
  Class all;
  all.graded = {graded("adler, \"A\"", true, nullptr), graded("=kim", false, nullptr)};
  all.graded[0].results.student = record::Student{"adler", "2026-10-12T00:00:00Z"};
  all.graded[0].student = "adler";
  all.ungraded = {{"zoe", "?", "refused: zoe.zip is damaged", true, "moodle 71"},
                  {"=kim", "03_symmetric", "kim/03_symmetric.json is torn"}};
  all.expected = {{"adler", "Adler, A (s1)"}, {"nix", "Nix, N (s4)"}};
  const fs::path key = here_.path() / "key.csv";
  const auto once = [&] {
    auto names = gradebook::Pseudonyms::read(key);
    const Class hidden = gradebook::anonymous(all, names);
    names.write(key);
    return gradebook::plain_csv(hidden, {}).text + class_page(hidden, "", "today", {});
  };
  const std::string first = once();
  EXPECT_EQ(once(), first) << "the same again";
  for (const char* const name : {"adler", "kim", "zoe", "moodle", "Adler", "nix", "Nix"}) {
    EXPECT_EQ(first.find(name), std::string::npos) << name;
  }
  EXPECT_HOLDS(first, "Names mean nothing here");
  EXPECT_HOLDS(first, ">no grade: the reason could tell whose it is<");
  EXPECT_EQ(fs::status(key).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const auto rows = gradebook::read_csv(files::read_file(key));
  ASSERT_EQ(rows.size(), 5u);  // one of them handed in nothing
  EXPECT_NE(rows[1][1].value, rows[2][1].value);
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_HOLDS(first, rows[i][1].value);
  put("other.csv", "a,b\n");
  EXPECT_THROW(gradebook::Pseudonyms::read(here_.path() / "other.csv"), std::invalid_argument);
}

/// With a check of speed of that ratio, and a hidden one that is faster still.
Graded timed(const std::string& who, double ratio) {
  Graded one = graded(who, true, nullptr);
  for (const bool hidden : {false, true}) {
    record::Check check{{hidden ? "Faster" : "Speed", "quantize", "", hidden}};
    check.speed.emplace();
    check.speed->ratio = hidden ? 9 : ratio;
    check.speed->full_at = 0.45;
    one.results.checks.push_back(check);
  }
  return one;
}

TEST_F(CourseTest, ATableOfSpeedIsInOrderAndHasNoNames) {
  Class all;
  all.graded = {timed("s1001", 0.5), timed("s1002", 2.0), graded("s1003", true, nullptr)};
  EXPECT_THROW(gradebook::speed_table(all), std::invalid_argument) << "it has names";
  gradebook::Pseudonyms names;
  const std::string text = gradebook::speed_table(gradebook::anonymous(all, names));
  EXPECT_EQ(text.find("s100"), std::string::npos) << text;
  EXPECT_HOLDS(text, "\nquantize.Speed: all points from 0.45\n");
  EXPECT_HOLDS(text, "   1  " + names.of("s1002") + "      2.00 ±0.00  " + std::string(40, '#'));
  EXPECT_HOLDS(text,
               "   2  " + names.of("s1001") + "      0.50 ±0.00  " + std::string(10, '#') + "\n");
  EXPECT_EQ(text.find(names.of("s1003")), std::string::npos) << "without a time there is no row";
  EXPECT_EQ(text.find("Faster"), std::string::npos) << "hidden checks keep their times";

  all.graded = {graded("s1003", true, nullptr)};
  EXPECT_THROW(gradebook::speed_table(gradebook::anonymous(all, names)), std::invalid_argument);
}

TEST_F(CourseTest, FeedbackTellsThePseudonymWhereThereIsOne) {
  Class all;
  all.graded = {graded("s1001", true, nullptr)};
  auto people = gradebook::given_back(all, {});
  ASSERT_EQ(people.size(), 1u);
  EXPECT_EQ(feedback_text(all, people[0], "").find("you are"), std::string::npos);
  people[0].pseudonym = "p204";
  EXPECT_HOLDS(feedback_text(all, people[0], ""), "you are p204.");
  EXPECT_HOLDS(feedback_page(all, people[0], "", "today", {}), "you are p204.");
}

// --- Where it stands -----------------------------------------------------------------------------

TEST_F(CourseTest, EverybodyOfTheRosterIsSomewhere) {
  const Course course = read(std::string(kCourse) + "[[extension]]\nwho = \"s1003\"\ndays = 5\n");
  Class all;
  all.graded = {graded("s1001", true, "2026-10-13T22:30:00Z"), graded("stranger", true, nullptr)};
  all.graded[0].results.started = "2026-10-14T08:00:00Z";
  all.attempts = {graded("s1001", false, "2026-10-12T00:00:00Z")};
  all.ungraded = {{"s1002", "?", "refused: kit.zip is damaged", true}};
  settle(course, all);
  const text::Moment now = at("2026-10-15T12:00:00Z");
  const CourseStanding standing = standing_of(course, all, now, now - 168h);
  ASSERT_EQ(standing.labs.size(), 1u);
  EXPECT_EQ(standing.labs[0].people.size(), 4u);
  EXPECT_EQ(standing.labs[0].count(Footing::kGraded), 2u);
  EXPECT_EQ(standing.labs[0].count(Footing::kRefused), 1u);
  EXPECT_EQ(standing.labs[0].count(Footing::kNothing), 1u);
  EXPECT_TRUE(standing.is_complete());
  const std::string text = standing_text(course, standing, now, now - 168h);
  EXPECT_HOLDS(text, "05_per_channel   due Mon 12 Oct 23:59, 2 d 14 h ago   2 graded, 1 refused");
  EXPECT_HOLDS(text, "Lovelace, Ada (s1001)        1 d late (says archive): 20 of 100 points");
  EXPECT_HOLDS(text, "refused      O'Hara, Kit (s1002)          kit.zip is damaged");
  EXPECT_HOLDS(text, "Hopper, Zoe (s1003)          has until Sat 17 Oct 23:59");
  EXPECT_HOLDS(text, "since Thu 8 Oct 14:00: 1 graded, 1 of them again");
  EXPECT_HOLDS(text, "60 -> 80 points");
  EXPECT_HOLDS(text, "stranger handed in, and is nobody in people.csv");
  EXPECT_EQ(text.find("packed by it"), std::string::npos) << "nothing says by which handout";
}

TEST_F(CourseTest, NobodyIsBehindBeforeALabOpens) {
  const Course course = read(std::string(kCourse) + "opens = 2026-10-05T08:00:00+02:00\n");
  Class all;
  all.graded = {graded("s1001", true, "2026-10-04T20:00:00Z")};
  settle(course, all);
  const auto text = [&](const char* moment) {
    const text::Moment now = at(moment);
    return standing_text(course, standing_of(course, all, now, now), now, now);
  };
  const std::string before = text("2026-10-05T05:00:00Z");
  EXPECT_HOLDS(before, "05_per_channel   opens Mon 5 Oct 08:00, in 1 h   1 graded\n");
  EXPECT_HOLDS(before, "(s1001)        came 10 h before the lab opens (says archive)\n");
  EXPECT_EQ(before.find("nothing"), std::string::npos) << before;
  const std::string open = text("2026-10-06T06:00:00Z");
  EXPECT_HOLDS(open, "due Mon 12 Oct 23:59, in 6 d 15 h   1 graded, 2 nothing\n");
  EXPECT_EQ(open.find("Hopper"), std::string::npos) << "nobody is behind yet";
  EXPECT_HOLDS(text("2026-10-13T06:00:00Z"), "nothing      Hopper, Zoe (s1003)\n");
}

TEST_F(CourseTest, SomebodyWithTwoFoldersIsNoStranger) {
  const Course course = read(kCourse);
  Class all;
  all.graded = {graded("s1001", true, nullptr), graded("Ada Lovelace", true, nullptr)};
  const text::Moment now = at("2026-10-15T12:00:00Z");
  const std::string text = standing_text(course, standing_of(course, all, now, now), now, now);
  EXPECT_HOLDS(text, "Ada Lovelace is Lovelace, Ada (s1001), whose other files");
  EXPECT_EQ(text.find("is nobody in"), std::string::npos);
}

TEST_F(CourseTest, WithoutARosterWhoeverIsMisspeltIsNamed) {
  std::string without = kCourse;
  without.erase(without.find("roster = "), std::string("roster = \"people.csv\"\n").size());
  const Course course = read(without +
                             "[[extension]]\nwho = \"kim\"\ndays = 3\n"
                             "[[extension]]\nwho = \"adler\"\ndays = 3\n"
                             "[[handed_in]]\nwho = \"kim\"\nlab = \"05\"\n"
                             "at = 2026-10-12T21:00:00Z\n" +
                             override_of("lee", "add = 1\n"));
  Class all;
  all.graded = {graded("adler", true, nullptr)};
  settle(course, all);
  const text::Moment now = at("2026-10-15T12:00:00Z");
  const std::string text = standing_text(course, standing_of(course, all, now, now), now, now);
  EXPECT_HOLDS(text, "  course.toml speaks of kim, lee: nobody of that name has handed in");
  EXPECT_EQ(unmet_text(course, {"adler", "kim", "lee"}), "");
}

TEST_F(CourseTest, ANameOfTwoPeopleIsNobodys) {
  const Course course =
      read(kCourse, "student_id,last_name,first_name\ns1,Twin,Ada\ns2,Twin,Ada\n");
  Class all;
  all.graded = {graded("Ada Twin", true, nullptr)};
  const text::Moment now = at("2026-10-15T12:00:00Z");
  const std::string text = standing_text(course, standing_of(course, all, now, now), now, now);
  EXPECT_HOLDS(text, "  Ada Twin is several in the roster: s1, s2. Rename it");
}

TEST_F(CourseTest, ManyWithoutATimeAreOneLine) {
  const Course course = read(kCourse, "student_id\na\nb\nc\nd\n");
  Class all;
  for (const char* const who : {"a", "b", "c"}) all.graded.push_back(graded(who, true, nullptr));
  const text::Moment now = at("2026-10-15T12:00:00Z");
  const auto text = [&] {
    settle(course, all);
    return standing_text(course, standing_of(course, all, now, now), now, now);
  };
  EXPECT_HOLDS(text(), "graded       c                            nothing says when it came");
  all.graded.push_back(graded("d", true, nullptr));
  EXPECT_HOLDS(text(), "graded       4 people                     nothing says when");
  EXPECT_EQ(text().find("graded       c "), std::string::npos);
}

TEST_F(CourseTest, WhoPackedByAnotherHandoutIsNamed) {
  const Course course = read(kCourse);
  Class all;
  for (const char* const who : {"s1001", "s1002", "s1003"}) {
    all.graded.push_back(graded(who, true, nullptr));
    all.graded.back().handout = "abc123";
  }
  const text::Moment now = at("2026-10-15T12:00:00Z");
  const auto text = [&] {
    return standing_text(course, standing_of(course, all, now, now), now, now);
  };
  EXPECT_EQ(text().find("handout"), std::string::npos) << "all by one";
  all.graded[1].handout = "77";
  EXPECT_HOLDS(text(), "handout abc123: 2 packed by it\nhandout 77: 1 packed by it: s1002\n");
}

// --- As it is typed ------------------------------------------------------------------------------

TEST_F(CourseCommand, InitWritesOnceAndStatusReadsIt) {
  const process::Finished first = teach({"course", "init", "03", "05"});
  EXPECT_EQ(first.exit_status, 0) << first.err;
  EXPECT_HOLDS(first.out, "wrote  course.toml   2 labs");
  EXPECT_EQ(teach({"course", "init"}).exit_status, 2) << "it is there";
  const process::Finished status = teach({"status"});
  EXPECT_EQ(status.exit_status, 0) << status.err;
  EXPECT_HOLDS(status.out, "05_per_channel   no date   0 graded");
  put("course.toml", "version = 7\n");
  const process::Finished refused = teach({"status"});
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_HOLDS(refused.err, "version 7: this kit reads version 1");
}

/// What the section of course.md says that is typed, and the lines that answer.
std::vector<std::pair<std::string, std::string>> typed_on_the_page(const fs::path& source) {
  const std::string page = files::read_file(source / "docs/instructors/course.md");
  const std::size_t section = page.find("### What is refused");
  const std::size_t begin = page.find("```console\n", section) + 11;
  std::istringstream lines(page.substr(begin, page.find("```", begin) - begin));
  std::vector<std::pair<std::string, std::string>> typed;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("$ ")) {
      typed.emplace_back(line.substr(2), "");
    } else if (!typed.empty()) {
      typed.back().second += line + "\n";
    }
  }
  return typed;
}

TEST_F(CourseCommand, ThePageSaysWhatIsRefusedAndNothingIsWritten) {
  const std::string alone = "./nibble teach ";
  int refusals = 0;
  for (const auto& [words, answer] : typed_on_the_page(kit_.source)) {
    if (!words.starts_with(alone)) {  // a good course, spoilt
      put("people.csv", kRoster);
      put("course.toml", std::string(kCourse) +
                             "[[extension]]\nwho = \"Ada Lovelace\"\nlab = \"05\"\n"
                             "due = 2026-10-14T23:59:00+02:00\n");
      put("gradebook.csv",
          "Student,ID,SIS User ID,SIS Login ID,Section,Lab 05 (4711)\n"
          "    Points Possible,,,,,20\n\"Lovelace, Ada\",1,s1001,a,S,\n");
      put("grades/s1001/05_per_channel.json", record::text_of(test::one_result(true, true)));
      put("handed_in/s1001/per_channel.cpp", "int x;\n");
      EXPECT_EQ(teach({"status"}).exit_status, 0);
      const auto good = files_in(here_.path());
      typed(words);
      EXPECT_NE(files_in(here_.path()), good) << words << " changes nothing";
      continue;
    }
    const auto before = files_in(here_.path());
    const process::Finished done =
        typed((kit_.build / "bin" / "nibble-teach").string() + words.substr(alone.size() - 1));
    EXPECT_EQ(done.out + done.err, answer) << words;
    EXPECT_EQ(std::ranges::count(answer, '\n'), 1) << "one line: " << answer;
    EXPECT_EQ(done.exit_status, 2) << words;
    EXPECT_EQ(files_in(here_.path()), before) << words << " wrote something";
    ++refusals;
  }
  EXPECT_EQ(refusals, 11);
}

TEST_F(CourseCommand, BeforeTheFirstBatchEverybodyHasNothing) {
  put("people.csv", kRoster);
  std::string course = kCourse;
  course.erase(course.find("grades = "), std::string("grades = \"grades\"\n").size());
  put("course.toml", course);
  for (const bool is_there : {false, true}) {
    if (is_there) fs::create_directories(here_.path() / "grades" / ".batch");
    const process::Finished status = teach({"status"});
    EXPECT_EQ(status.exit_status, 0) << status.err;
    EXPECT_HOLDS(status.out, "0 graded, 3 nothing\n");
    EXPECT_HOLDS(status.out, "nothing      Hopper, Zoe (s1003)\n");
  }
  EXPECT_EQ(teach({"status", "graeds"}).exit_status, 2) << "what is named has to be there";
  EXPECT_HOLDS(teach({"export", "csv"}).err, "grades holds no results");
}

TEST_F(CourseCommand, ExportsTakeColumnScaleAndRosterFromIt) {
  put("people.csv", kRoster);
  put("course.toml", kCourse);
  put("grades/s1001/05_per_channel.json", record::text_of(test::one_result(true, true)));
  put("grades/s1001/intake.json",
      R"({"files":1,"refusals":[],"handed_in":{"05_per_channel":{"at":"2026-10-13T22:30:00Z",)"
      R"("source":"archive"}}})");
  put("book.csv",
      "Student,ID,SIS User ID,SIS Login ID,Section,Lab 05 (4711)\n    Points Possible,,,,,20\n"
      "\"Lovelace, Ada\",1,s1001,a,S,\n");
  const process::Finished canvas =
      teach({"export", "canvas", "--template", "book.csv", "-o", "out.csv"});
  EXPECT_EQ(canvas.exit_status, 0) << canvas.err;
  EXPECT_HOLDS(files::read_file(here_.path() / "out.csv"), "s1001,a,S,16\n");
  const process::Finished flag =
      teach({"export", "canvas", "--template", "book.csv", "--column", "Nope"});
  EXPECT_EQ(flag.exit_status, 2) << "what is said wins";
  EXPECT_HOLDS(flag.err, "no assignment `Nope`");
  const process::Finished feedback = teach({"export", "feedback", "-o", "back"});
  EXPECT_EQ(feedback.exit_status, 0) << feedback.err;
  EXPECT_HOLDS(files::read_file(here_.path() / "back/s1001/feedback.txt"), "Lovelace, Ada (s1001)");
  EXPECT_TRUE(fs::exists(here_.path() / "back/s1001/feedback.html"));
  put("grades/s1001/intake.json", R"({"files":1,"refusals":[],"user":"moodle 71"})");
  const process::Finished moodle = teach({"export", "feedback", "--moodle", "-o", "back.zip"});
  EXPECT_EQ(moodle.exit_status, 0) << moodle.err;
  EXPECT_TRUE(unpacked("back.zip").contains("s1001_71_assignsubmission_file_/feedback.html"));
  const process::Finished table = teach({"export", "csv"});
  EXPECT_HOLDS(table.err, "s1003 handed in nothing for 05_per_channel");
}

// --- Back to Canvas ------------------------------------------------------------------------------

/// Whose an entry is, by the rule of Canvas's source, typed again: of its words between
/// underscores, LATE aside, the first two that are numbers are the user and the attachment. Empty:
/// passed over.
std::string canvas_reads(const std::string& entry) {
  std::vector<std::string> words, numbers;
  for (std::istringstream in(entry); in;) std::getline(in, words.emplace_back(), '_');
  words.pop_back();
  std::erase(words, "LATE");
  for (const std::string& word : words) {
    const bool is_number = word.find_first_not_of("0123456789") == word.npos;
    if (is_number && !word.empty()) numbers.push_back(word);
  }
  if (numbers.size() < 2 || words.back().starts_with("link")) return "";
  return numbers[0] + " " + numbers[1];
}

TEST_F(CourseCommand, FeedbackGoesBackToCanvasUnderTheNamesThatFilesCameBy) {
  put("people.csv", kRoster);
  put("course.toml", kCourse);
  const auto intake = [](const std::string& entry) {
    return R"({"files":1,"refusals":[],"user":"canvas 71","entries":{"05_per_channel":")" + entry +
           "\"}}";
  };
  for (const char* const who : {"s1001", "s1002", "s1003"}) {
    put(std::string("grades/") + who + "/05_per_channel.json",
        record::text_of(test::one_result(true, true)));
  }
  put("grades/s1001/intake.json", intake("lovelaceada_LATE_71_90210_per_channel-1.cpp"));
  put("grades/s1002/intake.json", intake("oharakit_72_90211_link.zip"));
  const process::Finished done = teach({"export", "feedback", "--canvas", "-o", "back"});
  EXPECT_EQ(done.exit_status, 0) << done.err;
  EXPECT_HOLDS(done.err,
               "did not come from Canvas's download, and are in folders of their own: s1");
  EXPECT_TRUE(fs::exists(here_.path() / "back/s1003/feedback.html"));
  EXPECT_FALSE(fs::exists(here_.path() / "back/s1001")) << "is in the archive";
  std::map<std::string, std::string> pages;
  for (const auto& [entry, page] : unpacked("back/canvas.zip")) pages[canvas_reads(entry)] = page;
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_HOLDS(pages["71 90210"], "Lovelace, Ada (s1001)");
  EXPECT_HOLDS(pages["72 90211"], "O&#39;Hara, Kit (s1002)");
  EXPECT_EQ(teach({"export", "feedback", "--canvas", "--moodle", "-o", "b"}).exit_status, 2);
}

// --- Back to Moodle ------------------------------------------------------------------------------

/// Whose a file is, by the rule of Moodle's source, typed again: of the first part of its path that
/// has four words between underscores and a number as the second, that number, and what is behind.
std::string moodle_reads(const std::string& path) {
  std::string part;
  for (std::istringstream in(path); std::getline(in, part, '/');) {
    std::vector<std::string> words;
    for (std::istringstream split(part); words.size() < 4 && std::getline(split, part, '_');) {
      words.push_back(part);
    }
    if (words.size() < 4 || words[1].find_first_not_of("0123456789") != part.npos) continue;
    return words[1] + " " + words[2] + " " + words[3] + path.substr(path.find('/'));
  }
  return "";
}

TEST_F(CourseCommand, FeedbackGoesBackToMoodleInItsFolders) {
  put("people.csv", kRoster);
  put("course.toml", kCourse);
  const std::string name = "Jos\u00e9 de_la Cruz_72";
  for (const std::string& who : {std::string("Ada Lovelace_71"), name, std::string("s1003")}) {
    put("grades/" + who + "/05_per_channel.json", record::text_of(test::one_result(true, true)));
  }
  put("grades/Ada Lovelace_71/intake.json", R"({"files":1,"refusals":[],"user":"moodle 71"})");
  put("grades/" + name + "/intake.json", R"({"files":1,"refusals":[],"user":"moodle 72"})");
  const process::Finished done = teach({"export", "feedback", "--moodle", "-o", "back"});
  EXPECT_EQ(done.exit_status, 0) << done.err;
  EXPECT_HOLDS(done.err,
               "did not come from Moodle's download, and are in folders of their own: s1");
  EXPECT_TRUE(fs::exists(here_.path() / "back/s1003/feedback.html"));
  std::map<std::string, std::string> files;
  for (const auto& [path, text] : unpacked("back/moodle.zip")) files[moodle_reads(path)] = text;
  ASSERT_EQ(files.size(), 4u) << "a page and a text for each of two";
  EXPECT_HOLDS(files["71 assignsubmission file/feedback.html"], "Lovelace, Ada");
  EXPECT_HOLDS(files["72 assignsubmission file/feedback.txt"], "Jos\u00e9");
  const process::Finished alone = teach({"export", "feedback", "--moodle", "-o", "alone.zip"});
  EXPECT_HOLDS(alone.err, "and are not in the archive: s1003");
  EXPECT_EQ(unpacked("alone.zip").size(), 4u);
  EXPECT_EQ(teach({"export", "feedback", "-o", "all.zip"}).exit_status, 0);
  EXPECT_TRUE(unpacked("all.zip").contains("s1003/feedback.txt")) << "everybody's folders";
}

}  // namespace
}  // namespace nibble::course
