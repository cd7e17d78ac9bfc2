#include "teach/course_command.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>

#include "course/course.hpp"
#include "files/files.hpp"
#include "teach/guarded.hpp"

namespace nibble::teach {
namespace {

namespace fs = std::filesystem;

struct CourseInit {
  std::string folder = ".";
  std::vector<std::string> labs;
};

int init_course(const lab::Kit& kit, const CourseInit& what) {
  const fs::path file = (fs::path(what.folder) / "course.toml").lexically_normal();
  if (fs::exists(file)) {
    throw std::invalid_argument(
        fmt::format("{} is there already: edit it, or name another folder", file.string()));
  }
  const std::vector<lab::Lab> labs = kit.choose(what.labs);
  files::write_atomically(file, course::new_course(labs));
  fmt::print(std::cout, "wrote  {}   {} labs, {}\n", file.string(), labs.size(),
             what.labs.empty() ? "all: take out those that the course has not" : "without dates");
  fmt::print(std::cout, "next   write dates and the roster into it, then: ./nibble teach status\n");
  return 0;
}

}  // namespace

void add_course_command(CLI::App& teach, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command = teach.add_subcommand("course", "A file that says what a course is");
  command->require_subcommand(1);
  CLI::App* const init = command->add_subcommand("init", "Write a course.toml with comments");
  const auto options = std::make_shared<CourseInit>();
  init->add_option("LAB", options->labs, "the labs of the course (all)");
  init->add_option("-C", options->folder, "the folder to write it into (this one)");
  init->callback([&kit, &exit_code, options] {
    exit_code = guarded([&] { return init_course(kit, *options); });
  });
}

}  // namespace nibble::teach
