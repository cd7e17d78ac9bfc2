// A lab as the proofs see it: its files, its solution, its mark scheme.
#pragma once

#include <string>
#include <vector>

#include "lab/cut.hpp"
#include "lab/kit.hpp"
#include "lab/lab_files.hpp"
#include "record/scheme.hpp"

namespace nibble::proofs {

struct ProvenLab {
  lab::LabFiles files;
  std::string solution;  ///< the text, marks included
  std::vector<lab::SolutionPart> regions;
  record::Scheme scheme;

  const std::string& name() const { return files.lab.name; }
  int points_for_values() const;
  int points_for_speed() const;
};

/// Throws std::exception when a file is missing or malformed, or the judge is not built.
ProvenLab open_lab(const lab::Kit& kit, const lab::Lab& which);

}  // namespace nibble::proofs
