// A gradebook of Canvas with our column filled in: every other byte stays, nobody gets another's
// grade, and its importer, typed again, reads it.
#include <map>
#include <random>
#include <stdexcept>

#include "export/composed.hpp"
#include "export/csv.hpp"
#include "samples.hpp"

namespace nibble::gradebook {
namespace {

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

}  // namespace
}  // namespace nibble::gradebook
