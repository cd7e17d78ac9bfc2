// A lab as the proofs see it: its files, its solution, its mark scheme.
#pragma once

#include <string>
#include <vector>

#include "lab/kit.hpp"
#include "record/scheme.hpp"
#include "teach/cut.hpp"
#include "teach/lab_files.hpp"

namespace nibble::teach {

struct Lab {
  LabFiles files;
  std::string solution;  ///< the text, marks included
  std::vector<Region> regions;
  record::Scheme scheme;

  const std::string& name() const { return files.lab; }
  int points_for_values() const;
  int points_for_speed() const;
};

/// Throws std::exception when a file is missing or malformed, or the judge is not built.
Lab open_lab(const lab::Kit& kit, const std::string& name);

}  // namespace nibble::teach
