// Tells when one of a few files was saved, however the editor does it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace nibble::cli {

/// Why changes have to be looked for twice a second: NIBBLE_POLL=1, WSL, a network or container
/// mount, no inotify. Empty: the system tells of them.
std::string why_polling(const std::filesystem::path& folder);

class FileEvents {
 public:
  virtual ~FileEvents() = default;

  /// The files that were saved since the last call. Never waits.
  virtual std::vector<std::filesystem::path> saved() = 0;

  /// A descriptor that becomes readable when something may have been saved; -1:
  /// ask from time to time.
  virtual int descriptor() const = 0;
};

/// Watches `files`; they need not exist yet, their folders do.
std::unique_ptr<FileEvents> watch_files(const std::vector<std::filesystem::path>& files, bool poll);

}  // namespace nibble::cli
