// A lab as the proofs see it: its files, its solution, its mark scheme.
#pragma once

#include <string>
#include <vector>

#include "build/kit.hpp"
#include "teach/cut.hpp"
#include "teach/lab_files.hpp"

namespace nibble::teach {

struct Check {
  std::string exercise, name;
  std::string code;  ///< its diagnosis, or empty
  bool hidden = false;
  bool speed = false;  ///< of the speed leg
  int points = 0;

  std::string id() const { return exercise + "." + name; }
};

struct Lab {
  LabFiles files;
  std::string solution;  ///< the text, marks included
  std::vector<Region> regions;
  std::vector<std::string> exercises;
  std::vector<Check> checks;  ///< in the order of the mark scheme

  const std::string& name() const { return files.lab; }
  int points_for_values() const;
  int points_for_speed() const;
};

/// Throws std::exception when a file is missing or malformed, or the judge is not built.
Lab open_lab(const build::Kit& kit, const std::string& name);

}  // namespace nibble::teach
