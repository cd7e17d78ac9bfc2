// A table of course systems, and what of it becomes files.
#include "setup/setup.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>

#include "export/formats.hpp"
#include "files/files.hpp"
#include "lab/lab_files.hpp"
#include "run/salt.hpp"
#include "setup/kit_copy.hpp"
#include "text/lines.hpp"

namespace nibble::setup {
namespace {

namespace fs = std::filesystem;

/// A template, and the file that is made of it.
struct Template {
  const char *from, *to;
  FileRole role;
};

struct CourseSystem {
  const char* name;
  std::vector<Template> templates;
  bool has_kit;
  const char* secret;  ///< the file that holds it; empty: hidden checks are not run there
  const char* next;    ///< what the instructor does with the files

  bool has_secret() const { return *secret != '\0'; }
};

const std::vector<CourseSystem>& systems() {
  static const std::vector<CourseSystem> all = {
      {"gradescope",
       {{"setup.sh", "setup.sh", FileRole::kProgram},
        {"run_autograder", "run_autograder", FileRole::kProgram}},
       true,
       "salt",
       "upload it under Configure Autograder, with Ubuntu 22.04 or later"},
      {"classroom",
       {{"classroom.yml", ".github/workflows/classroom.yml", FileRole::kPlain}},
       false,
       "",
       "copy .github into the handout, which is the assignment's template repository"},
      {"gitlab",
       {{"gitlab-ci.yml", ".gitlab-ci.yml", FileRole::kPlain}},
       false,
       "",
       "copy .gitlab-ci.yml into the handout, which is the project that students fork"},
      {"container",
       {{"Containerfile", "Containerfile", FileRole::kPlain}},
       true,
       "",
       "podman build -t nibble-LAB there; push it where no student can pull it"},
      {"autolab",
       {{"autograde-Makefile", "autograde-Makefile", FileRole::kPlain},
        {"grade.sh", "autograde.tar/grade.sh", FileRole::kProgram}},
       false,
       "autograde.tar/salt",
       "upload both files as the autograder; its image is that of `teach setup container`"},
      {"prairielearn",
       {{"info.json", "info.json", FileRole::kPlain},
        {"question.html", "question.html", FileRole::kPlain},
        {"grade.sh", "tests/grade.sh", FileRole::kProgram}},
       false,
       "tests/salt",
       "make it a folder of the course's questions/; its image is that of `teach setup container`"},
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

/// Random, version 4.
std::string draw_uuid() {
  const std::string hex = run::draw_salt();
  return fmt::format("{}-{}-4{}-8{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 3),
                     hex.substr(15, 3), hex.substr(18, 12));
}

std::string filled(std::string text, const lab::Lab& lab, const std::string& seed) {
  const std::pair<const char*, std::string> words[] = {
      {"{lab}", lab.name}, {"{file}", lab.file_name()}, {"{seed}", seed}, {"{uuid}", draw_uuid()}};
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
  if (!what.salt.empty()) return run::must_be_long_enough(what.salt);
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
    bundle[one.to] = {filled(files::read_file(templates / one.from), lab, what.seed), one.role};
  }
  if (system.has_kit) add_kit(kit, lab, bundle);
  if (system.has_secret()) {
    must_have_salt(what);
    bundle[system.secret] = {what.salt + "\n", FileRole::kSecret};
  }
  if (what.system == "gradescope") {
    bundle["placeholder.json"] = {gradebook::gradescope_placeholder(), FileRole::kPlain};
  }
  return bundle;
}

int set_up(const lab::Kit& kit, const Setup& what) {
  const Bundle bundle = files_for(kit, what);
  write_bundle(what.out, bundle);
  const CourseSystem& system = system_called(what.system);
  fmt::print(std::cout, "setup        {}   {} files for {}\n", what.out.string(), bundle.size(),
             system.name);
  if (system.has_kit)
    fmt::print(std::cout, "in it        the solution and hidden checks of the lab\n");
  if (system.has_secret()) {
    fmt::print(std::cout, "in it        the course's secret, in {}: for no student's eyes\n",
               system.secret);
  }
  fmt::print(std::cout, "next         {}\n", system.next);
  return 0;
}

}  // namespace nibble::setup
