#include "teach/course_option.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "course/lateness.hpp"
#include "export/pseudonyms.hpp"
#include "text/harmless.hpp"

namespace nibble::teach {

namespace fs = std::filesystem;

void add_course_option(CLI::App& command, std::string& file) {
  command.add_option("--course", file, "the course's file (course.toml here, or above)");
}

std::optional<course::Course> course_for(const lab::Kit& kit, const std::string& file) {
  if (!file.empty()) return course::read_course(kit, file);
  const std::optional<fs::path> found = course::find_course(fs::current_path());
  if (!found) return {};
  return course::read_course(kit, *found);
}

std::string results_of(const std::optional<course::Course>& course, const std::string& named) {
  if (!named.empty()) return named;
  if (course && !course->grades.empty()) return fs::proximate(course->grades).string();
  throw std::invalid_argument(
      "say which folder holds the results, or write `grades` into a course.toml: `./nibble teach "
      "course init` makes one");
}

gradebook::Class class_of(const std::optional<course::Course>& course, const std::string& results) {
  gradebook::Class all = gradebook::read_class(results);
  if (all.graded.empty() && all.ungraded.empty()) {
    throw std::invalid_argument(
        fmt::format("{} holds no results: `nibble teach grade … -o {}` writes them",
                    text::harmless(results), text::harmless(results)));
  }
  if (course) course::settle(*course, all);
  return all;
}

language::Catalog catalog_for(const lab::Kit& kit, const std::optional<course::Course>& course) {
  if (!course || course->language.empty()) return language::catalog_of_reader(kit.catalogs());
  return language::catalog_of(kit.catalogs(), course->language);
}

void add_anonymous_option(CLI::App& command, std::string& key) {
  command.add_option(
      "--anonymous", key,
      "names that mean nothing; whose they are goes into this file, and stays there");
}

gradebook::Class named_by(const std::string& key, gradebook::Class all) {
  if (key.empty()) return all;
  auto names = gradebook::Pseudonyms::read(key);
  all = gradebook::anonymous(std::move(all), names);
  names.write(key);
  return all;
}

}  // namespace nibble::teach
