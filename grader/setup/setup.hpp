// nibble teach setup: the files that a course system wants, so that it grades by this kit.
//
// They are written from the templates in setup/SYSTEM. Which of them hold the kit, and which the
// course's secret, the table in setup.cpp says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lab/kit.hpp"
#include "setup/bundle.hpp"

namespace nibble::setup {

struct Setup {
  std::string system;             ///< one of system_names()
  std::vector<std::string> labs;  ///< as people name them
  std::filesystem::path out;      ///< a folder, or an archive: .zip, .tar
  std::string salt;               ///< the course's secret; empty: there is none
  std::string seed;               ///< that public inputs follow from, the same for everybody
};

std::vector<std::string> system_names();

/// The files, before anything is written. Throws std::invalid_argument for labs that the system
/// cannot grade together, and where hidden checks are to be run and there is no secret.
Bundle files_for(const lab::Kit& kit, const Setup& what);

/// The command: writes them, and says what to do next. Returns 0.
int set_up(const lab::Kit& kit, const Setup& what);

}  // namespace nibble::setup
