// A table of course systems, and what of it becomes files.
#include "setup/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "export/formats.hpp"
#include "files/files.hpp"
#include "lab/lab_files.hpp"
#include "setup/kit_copy.hpp"
#include "text/lines.hpp"

namespace nibble::setup {
namespace {

namespace fs = std::filesystem;

/// A template, and the file that is made of it.
struct Template {
  const char *from, *to;
  Access access;
};

struct CourseSystem {
  const char* name;
  std::vector<Template> templates;
  bool has_hidden;   ///< checks: the kit goes along, with the course's secret
  const char* next;  ///< what the instructor does with the files
};

const std::vector<CourseSystem>& systems() {
  static const std::vector<CourseSystem> all = {
      {"gradescope",
       {{"setup.sh", "setup.sh", Access::kRun}, {"run_autograder", "run_autograder", Access::kRun}},
       true,
       "upload it under Configure Autograder, with Ubuntu 22.04 or later"},
  };
  return all;
}

const CourseSystem& system_called(const std::string& name) {
  const auto found = std::ranges::find(systems(), name, &CourseSystem::name);
  if (found == systems().end()) {
    throw std::invalid_argument(fmt::format("no course system is called {}: there are {}", name,
                                            fmt::join(system_names(), ", ")));
  }
  return *found;
}

std::string filled(std::string text, const lab::Lab& lab, const std::string& seed) {
  const std::pair<const char*, std::string> words[] = {
      {"{lab}", lab.name}, {"{file}", lab.file_name()}, {"{seed}", seed}};
  for (const auto& [mark, word] : words) text = text::replaced(text, mark, word);
  return text;
}

lab::Lab the_lab(const lab::Kit& kit, const Setup& what) {
  const std::vector<lab::Lab> labs =
      what.labs.empty() ? std::vector<lab::Lab>() : lab::labs_with_solution(kit, what.labs);
  if (labs.size() == 1) return labs.front();
  throw std::invalid_argument(fmt::format(
      "a result of {} is about one lab: name one, and make files of their own for each other",
      what.system));
}

void add_kit(const lab::Kit& kit, const lab::Lab& lab, Bundle& bundle) {
  for (auto& [file, content] : kit_copy(kit, {lab})) bundle[fs::path("kit") / file] = content;
}

void must_have_salt(const Setup& what) {
  if (!what.salt.empty()) return;
  throw std::invalid_argument(
      "hidden checks need the course's secret: set NIBBLE_SALT, or name a file with --salt-from "
      "(openssl rand -hex 32 draws one)");
}

}  // namespace

std::vector<std::string> system_names() {
  std::vector<std::string> names;
  for (const CourseSystem& one : systems()) names.emplace_back(one.name);
  return names;
}

Bundle files_for(const lab::Kit& kit, const Setup& what) {
  const CourseSystem& system = system_called(what.system);
  const lab::Lab lab = the_lab(kit, what);
  const fs::path templates = kit.source / "grader/setup" / system.name;
  Bundle bundle;
  for (const Template& one : system.templates) {
    bundle[one.to] = {filled(files::read_file(templates / one.from), lab, what.seed), one.access};
  }
  if (system.has_hidden) {
    must_have_salt(what);
    add_kit(kit, lab, bundle);
    bundle["salt"] = {what.salt + "\n", Access::kSecret};
    bundle["placeholder.json"] = {gradebook::gradescope_placeholder(), Access::kRead};
  }
  return bundle;
}

int set_up(const lab::Kit& kit, const Setup& what) {
  const Bundle bundle = files_for(kit, what);
  write_bundle(what.out, bundle);
  const CourseSystem& system = system_called(what.system);
  fmt::print("setup        {}   {} files for {}\n", what.out.string(), bundle.size(), system.name);
  if (system.has_hidden) {
    fmt::print(
        "in it        solutions, hidden checks, the course's secret: for no student's eyes\n");
  }
  fmt::print("next         {}\n", system.next);
  return 0;
}

}  // namespace nibble::setup
