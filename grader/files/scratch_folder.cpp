#include "files/scratch_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace nibble::files {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const fs::path& parent) {
  fs::create_directories(parent);
  std::string name = (fs::absolute(parent) / "nibble-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw fs::filesystem_error("creating", name, {errno, std::generic_category()});
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace nibble::files
