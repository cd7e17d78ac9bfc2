// Pages that are drawn: the kit's rooms and the floors they stand on, the course's labs and those
// they come after.
#include <unistd.h>

#include <array>
#include <fstream>
#include <regex>
#include <stdexcept>

#include "complaint.hpp"
#include "lab/kit.hpp"
#include "proofs/course.hpp"
#include "proofs/map.hpp"
#include "proofs/proof.hpp"
#include "proofs/proofs.hpp"

namespace nibble::proofs {
namespace {

TEST(Map, RoomsStandOnFloors) {
  const std::string drawn = draw_rooms(
      "# What all\n# include.\ncommon std\n# A leaf.\ngrader/text std common\n"
      "  grader/text/one.cpp std common docs/examples\n# Shown.\ndocs/examples gtest\n");
  EXPECT_EQ(drawn,
            "```\n 1   text\n 0   common   docs/examples\n```\n\n"
            "No room stands on itself by way of another.\n\n"
            "| room | what it is | stands on |\n| --- | --- | --- |\n"
            "| common | What all include. | nothing |\n"
            "| grader/text | A leaf. | common; `one.cpp` alone: docs/examples |\n"
            "| docs/examples | Shown. | nothing |\n");
  expect_contains(format_error([] { draw_rooms("# One.\n\ncommon std\n"); }),
                  "line 3: no sentence stands above common");
  expect_contains(format_error([] {
                    draw_rooms("# One.\ncommon docs\n# Two.\nlabs common\n# Three.\ndocs labs\n");
                  }),
                  "rooms that stand on each other: common <-> docs <-> labs");
}

TEST(Map, ThePageIsDrawnBetweenItsMarks) {
  const std::string begin = "a\n<!-- rooms: drawn from grader/layers.txt -->\n",
                    end = "<!-- /rooms -->\nb\n", layers = "# One.\ncommon std\n";
  EXPECT_EQ(with_rooms(begin + "old\n" + end, layers), begin + draw_rooms(layers) + end);
  expect_contains(format_error([&] { with_rooms("a\n" + end, layers); }), "marks");
}

TEST(Map, WhatItNamesMustBeThere) {
  const fs::path top = fs::temp_directory_path() / ("map-" + std::to_string(getpid()));
  fs::create_directories(top / "grader/judge");
  std::ofstream(top / "grader/judge/run.cpp") << "void Judge::run(int) {}\n";
  EXPECT_EQ(what_is_not_there("`grader/judge/`: `grader/judge/run.cpp` `run()` `Judge::run()`\n"
                              "`stop()`, `a word`, `labs/NN_name/x.hpp`\n`grader/none.cpp`: `f()`",
                              top),
            (Strings{"line 2: no stop() in grader/judge/run.cpp",
                     "line 3: there is no grader/none.cpp", "line 3: no f() in grader/none.cpp"}));
  fs::remove_all(top);
}

TEST(Map, TheMapShowsTheHouse) {
  const Proof proof = prove_map(lab::this_kit().source);
  EXPECT_TRUE(proof.holds()) << show(proof);
}

TEST(Course, AReadmeNamesTheLabsBeforeIt) {
  EXPECT_EQ(
      known_already("# Lab 19\n| You know already | lab 03, blocks (labs 18 and 03), int32 |\n"),
      (Strings{"03", "18"}));
  expect_contains(format_error([] { known_already("# Lab 19\n"); }), "you know already");
}

TEST(Course, ALineJoinsLabsOfAPartAndAWordThoseOfOthers) {
  const std::string drawn =
      draw_course({{"03_one", "A", {}}, {"04_two", "A", {"03"}}, {"14_three", "D", {"04"}}});
  const std::size_t end_of_line = drawn.find("<circle");
  EXPECT_NE(end_of_line, drawn.npos);
  EXPECT_EQ(drawn.find("<circle", end_of_line + 1), drawn.npos) << drawn;
  expect_contains(drawn, ">04 two<");
  expect_contains(drawn, ">after 04<");
  EXPECT_EQ(drawn.find("after 03"), drawn.npos);
}

/// The numbers that `pattern` catches in each of its places.
std::vector<std::array<double, 4>> shapes_in(const std::string& drawn, const char* pattern) {
  const std::regex shape(pattern);
  std::vector<std::array<double, 4>> found;
  for (std::sregex_iterator at(drawn.begin(), drawn.end(), shape), none; at != none; ++at) {
    found.push_back({std::stod(at->str(1)), std::stod(at->str(2)), std::stod(at->str(3)),
                     std::stod(at->str(4))});
  }
  return found;
}

/// Lines that run behind a box: those between labs begin and end at an edge.
int lines_behind_boxes(const std::string& drawn) {
  const auto lines =
      shapes_in(drawn, R"re(<line x1="(\S+)" y1="(\S+)" x2="(\S+)" y2="(\S+)" stroke="#7a8ba8")re");
  const auto boxes = shapes_in(
      drawn, R"re(<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)" fill="#eef2f8")re");
  EXPECT_FALSE(lines.empty() || boxes.empty()) << drawn;
  int behind = 0;
  for (const auto& [x1, y1, x2, y2] : lines) {
    for (const auto& [left, top, width, height] : boxes) {
      bool is_behind = false;
      for (double along = 0; along <= 1; along += 1.0 / 1024) {
        const double x = x1 + along * (x2 - x1), y = y1 + along * (y2 - y1);
        is_behind |= left < x && x < left + width && top < y && y < top + height;
      }
      behind += is_behind ? 1 : 0;
    }
  }
  return behind;
}

TEST(Course, NoLineRunsBehindABox) {
  EXPECT_EQ(lines_behind_boxes(draw_course({{"18_a", "E", {}},
                                            {"19_b", "E", {}},
                                            {"20_c", "E", {"18"}},
                                            {"21_d", "E", {"18"}},
                                            {"22_e", "E", {"20"}},
                                            {"23_f", "E", {"21"}},
                                            {"24_upwards", "E", {"21", "22"}},
                                            {"25_level", "E", {"19", "22"}},
                                            {"26_downwards", "E", {"20", "23"}},
                                            {"27_far_upwards", "E", {"19", "24"}}})),
            0);
}

TEST(Course, ALabStandsOnOnesBeforeIt) {
  const fs::path top = fs::temp_directory_path() / ("course-" + std::to_string(getpid()));
  for (const char* const lab : {"03_one", "04_two"}) fs::create_directories(top / "labs" / lab);
  std::ofstream(top / "labs/03_one/README.md") << "| You know already | lab 04 |\n";
  std::ofstream(top / "labs/04_two/README.md") << "| You know already | nothing |\n";
  EXPECT_THROW(read_course(top), std::runtime_error);
  fs::remove_all(top);
}

}  // namespace
}  // namespace nibble::proofs
