#include "cli/find_program.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace nibble::cli {

namespace fs = std::filesystem;

std::string find_program(const std::string& program, const std::string& folder) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : std::string(path));
  for (std::string one; std::getline(folders, one, ':');) {
    if (access((fs::path(one) / program).c_str(), X_OK) == 0) return fs::path(one) / program;
  }
  const fs::path other = fs::path(folder) / program;
  return !folder.empty() && access(other.c_str(), X_OK) == 0 ? other.string() : "";
}

}  // namespace nibble::cli
