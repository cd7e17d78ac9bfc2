// Where the parts of a lab are: the same few files every time, found from its name alone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nibble::lab {

struct LabFiles {
  std::string lab;  ///< "03_symmetric"
  std::filesystem::path solution, starter, contract, readme, hints, checks, marks, clauses,
      mistakes, page;
  std::vector<std::filesystem::path> alternatives;  ///< other right solutions, sorted

  /// Those of the one-file parts that are not there.
  std::vector<std::filesystem::path> missing() const;
};

/// `top` is the project's folder.
LabFiles files_of(const std::filesystem::path& top, const std::string& lab);

/// The labs that have a folder in solutions/, sorted.
std::vector<std::string> labs_with_solution(const std::filesystem::path& top);

/// "03_symmetric", "03" and "symmetric" are one lab.
bool is_called(const std::string& lab, const std::string& word);

/// The labs that a person means by "03_symmetric", "03" or "symmetric"; all when nothing is
/// wanted. Throws std::invalid_argument for a word that means none of them.
std::vector<std::string> choose_labs(const std::vector<std::string>& all,
                                     const std::vector<std::string>& wanted);

}  // namespace nibble::lab
