// A class's grades for Moodle, as an import and in its own worksheet, and as a plain table.
#include <cctype>
#include <stdexcept>

#include "export/csv.hpp"
#include "samples.hpp"

namespace nibble::gradebook {
namespace {

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

}  // namespace
}  // namespace nibble::gradebook
