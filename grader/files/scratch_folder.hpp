// A folder of one's own for as long as something is being made, under a name that nobody else has.
#pragma once

#include <filesystem>

namespace nibble::files {

class ScratchFolder {
 public:
  /// A new folder in `parent`, which is made where it is missing. Throws
  /// std::filesystem::filesystem_error.
  explicit ScratchFolder(const std::filesystem::path& parent);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace nibble::files
