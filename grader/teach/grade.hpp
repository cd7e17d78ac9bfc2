// nibble teach grade: one verdict for each submission, one after the other.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "build/kit.hpp"

namespace nibble::teach {

struct Grade {
  std::vector<std::filesystem::path> paths;  ///< name.cpp files, or folders that hold one
  std::string lab;                           ///< as a person names it
  bool hidden = false;                       ///< --legs all
  std::filesystem::path out;                 ///< results go to out/<id>/results.json
  std::string salt{};                        ///< of the hidden inputs; empty without them
  std::string seed{};                        ///< of the public inputs; empty: drawn, one for all
};

/// One submission: the only file of it that is read, and the name it is filed under.
struct Entry {
  std::string id;
  std::filesystem::path source;
};

/// A folder gives its name and its name.cpp; a file its own name, or that of its folder when it is
/// called name.cpp. Throws std::invalid_argument for a path without a source, or an id twice.
std::vector<Entry> entries_of(const std::vector<std::filesystem::path>& paths,
                              const std::string& lab);

/// Prints a line for each. Returns 0 when every submission has a verdict, whatever it is, else 6.
int grade(const build::Kit& kit, const Grade& what);

}  // namespace nibble::teach
