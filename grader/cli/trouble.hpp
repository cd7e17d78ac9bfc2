// Something that is not right in use: one clear line with the remedy, and an exit code.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace nibble::cli {

/// How nibble ends. 0 and 1 belong to verdicts.
enum Exit {
  kPassed = 0,
  kFailed = 1,
  kUsage = 2,
  kNoCompile = 3,
  kStopped = 4,
  kNotHere = 5,
  kKitFault = 6,
  kInterrupted = 130
};

struct Trouble : std::runtime_error {
  Trouble(int exit_code, const std::string& message)
      : std::runtime_error(message), exit_code(exit_code) {}
  int exit_code;
};

inline Trouble usage(const std::string& message) { return {kUsage, message}; }
inline Trouble kit_fault(const std::string& message) { return {kKitFault, message}; }

/// In words that say what to do: a full disk, a folder that cannot be written, …
Trouble file_trouble(const std::filesystem::filesystem_error& error);

}  // namespace nibble::cli
