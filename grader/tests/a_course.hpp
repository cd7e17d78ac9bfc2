// A course of three people and one lab: its file, what is said where it is refused, a result with
// the time of its file, and the commands as they are typed in its folder.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "class_of_fifty.hpp"
#include "course/course.hpp"
#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "holds.hpp"
#include "lab/kit.hpp"
#include "process/command.hpp"

namespace nibble::course {

namespace fs = std::filesystem;
using gradebook::Class;
using gradebook::Graded;

inline constexpr const char* kRoster =
    "student_id,last_name,first_name,email\n"
    "s1001,Lovelace,Ada,ada@example.edu\n"
    "s1002,\"O'Hara\",Kit,kit@example.edu\n"
    "s1003,Hopper,Zoe,\n";

inline constexpr const char* kFolder = "a folder";

inline constexpr const char* kCourse = R"toml(version = 1
course = "Quantization"
roster = "people.csv"
grades = "grades"
[late]
grace = "15 min"
per_day = 10
cap = 30
[[lab]]
lab = "05"
due = 2026-10-12T23:59:00+02:00
closes = 2026-10-19T23:59:00+02:00
weight = 2
scale = 20
column = "Lab 05 (4711)"
)toml";

class CourseTest : public testing::Test {
 protected:
  void put(const std::string& file, const std::string& text) const {
    files::write_atomically(here_.path() / file, text);
  }
  Course read(const std::string& text, const std::string& roster = kRoster) const {
    put("people.csv", roster);
    put("course.toml", text);
    return read_course(kit_, here_.path() / "course.toml");
  }
  /// What the refusal says; empty: there is none.
  std::string refused(const std::string& text, const std::string& roster = kRoster) const {
    try {
      read(text, roster);
    } catch (const std::invalid_argument& error) {
      const std::string what = error.what();
      EXPECT_EQ(what.find('\n'), std::string::npos) << "one line: " << what;
      return what;
    }
    return "";
  }

  const lab::Kit kit_ = lab::open_kit(NIBBLE_TEST_BUILD);
  const files::ScratchFolder here_{fs::temp_directory_path()};
};

inline text::Moment at(const char* stamp) { return *text::moment_of(stamp); }

inline Graded graded(const std::string& who, bool columns, const char* came) {
  Graded one{who, who, test::one_result(columns, true)};
  if (came != nullptr) one.handed_in = {at(came), record::TimeSource::kArchive, false};
  return one;
}

class CourseCommand : public CourseTest {
 protected:
  process::Finished teach(std::vector<std::string> words) const {
    process::Command command;
    command.words = {(kit_.build / "bin" / "nibble-teach").string()};
    command.words.insert(command.words.end(), words.begin(), words.end());
    command.directory = here_.path();
    return process::run(command);
  }
  /// What somebody types here.
  process::Finished typed(const std::string& words) const {
    process::Command command;
    command.words = {"sh", "-c", words};
    command.directory = here_.path();
    return process::run(command);
  }
  /// The files in a folder, by their paths.
  static std::map<std::string, std::string> files_in(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      files[entry.path().lexically_relative(folder).generic_string()] =
          entry.is_regular_file() ? files::read_file(entry.path()) : kFolder;
    }
    return files;
  }
  /// What is in an archive here, by its path.
  std::map<std::string, std::string> unpacked(const std::string& archive) const {
    const files::ScratchFolder folder(here_.path());
    process::Command command;
    command.words = {"cmake", "-E", "tar", "xf", (here_.path() / archive).string()};
    command.directory = folder.path();
    EXPECT_TRUE(process::run(command).ok()) << archive;
    std::map<std::string, std::string> files = files_in(folder.path());
    std::erase_if(files, [](const auto& one) { return one.second == kFolder; });
    return files;
  }
};

}  // namespace nibble::course
