// Where the parts of a lab are: the same few files every time, found from its name alone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lab/kit.hpp"

namespace nibble::lab {

struct LabFiles {
  Lab lab;
  std::filesystem::path solution, starter, contract, readme, hints, marks, clauses, mistakes, page;
  std::vector<std::filesystem::path> checks;        ///< but the hidden ones, sorted
  std::filesystem::path hidden;                     ///< the hidden checks; no handout has them
  std::vector<std::filesystem::path> alternatives;  ///< other right solutions, sorted

  /// Those of the one-file parts that are not there.
  std::vector<std::filesystem::path> missing() const;
};

/// `top` is the project's folder.
LabFiles files_of(const std::filesystem::path& top, const Lab& lab);

/// The labs that a person means; when nothing is wanted, all that have a folder in solutions/.
/// Throws std::invalid_argument for a word that means none.
std::vector<Lab> labs_with_solution(const Kit& kit, const std::vector<std::string>& wanted = {});

}  // namespace nibble::lab
