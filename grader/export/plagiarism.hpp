// A folder that JPlag, Dolos or MOSS compare: a folder for each submission, the starter apart, so
// that what everybody was given counts for nobody.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lab/lab.hpp"

namespace nibble::gradebook {

/// One submission's file.
struct Source {
  std::string submission;  ///< the name of its folder
  std::string text;
};

/// Finds NAME.cpp in each folder of `submissions`, or in its folder of the lab, or where `teach
/// grade` keeps what it took; links are not followed.
/// Names of folders without one are added to `without`.
std::vector<Source> read_sources(const std::filesystem::path& submissions, const lab::Lab& lab,
                                 std::vector<std::string>& without);

/// Writes submissions/<submission>/<file> and base/<file> below `out`, and COMMAND.txt, which says
/// what to type there. `tool`: "jplag", "dolos" or "moss". Throws std::invalid_argument when `out`
/// has anything in it.
void write_plagiarism(const std::filesystem::path& out, const std::string& tool,
                      const std::string& file, const std::vector<Source>& sources,
                      const std::string& starter);

}  // namespace nibble::gradebook
