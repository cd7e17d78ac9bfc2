#include "teach/lab.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "build/files.hpp"
#include "build/not_built.hpp"
#include "teach/format_error.hpp"
#include "text/json_text.hpp"

namespace nibble::teach {
namespace {

namespace fs = std::filesystem;

/// The judge holds the checks, the contract and the reference as they were when it was built.
void expect_fresh_judge(const build::Kit& kit, const LabFiles& files) {
  const fs::path judge = kit.judge(files.lab);
  const std::string why = build::why_not_built(kit, files.lab);
  if (!why.empty()) throw std::runtime_error("its checks do not build: " + why);
  for (const fs::path& file : {files.checks, files.marks, files.contract, files.solution}) {
    if (fs::last_write_time(file) <= fs::last_write_time(judge)) continue;
    throw std::runtime_error("the judge is older than " + file.filename().string() +
                             ": build the kit again");
  }
}

void read_scheme(const build::Kit& kit, Lab& lab) {
  const auto scheme = text::json_of(build::read_file(kit.scheme(lab.name())));
  scheme.at("exercises").get_to(lab.exercises);
  for (const auto& check : scheme.at("checks")) {
    lab.checks.push_back({check.at("exercise"), check.at("id"), check.at("diagnosis"),
                          check.at("visibility") == "hidden", check.at("leg") == "speed",
                          check.at("max_points")});
  }
}

}  // namespace

int Lab::points_for_values() const {
  int points = 0;
  for (const Check& check : checks) points += check.speed ? 0 : check.points;
  return points;
}

int Lab::points_for_speed() const {
  int points = 0;
  for (const Check& check : checks) points += check.speed ? check.points : 0;
  return points;
}

Lab open_lab(const build::Kit& kit, const std::string& name) {
  Lab lab;
  lab.files = files_of(kit.source, name);
  for (const fs::path& file :
       {lab.files.solution, lab.files.contract, lab.files.checks, lab.files.marks}) {
    if (fs::exists(file)) continue;
    throw std::runtime_error(fs::relative(file, kit.source).string() + " is missing");
  }
  expect_fresh_judge(kit, lab.files);
  lab.solution = build::read_file(lab.files.solution);
  try {
    lab.regions = solution_regions(lab.solution);
  } catch (const FormatError& error) {
    throw std::runtime_error(lab.files.solution.filename().string() + ", " + error.what());
  }
  read_scheme(kit, lab);
  return lab;
}

}  // namespace nibble::teach
