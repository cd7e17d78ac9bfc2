// Something that is not right in use: one clear line with the remedy, and an exit code.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "record/verdict.hpp"

namespace nibble::cli {

/// How nibble ends.
enum Exit {
  kPassed = record::exit_of(record::End::kPass),
  kFailed = record::exit_of(record::End::kFail),
  kUsage = 2,
  kNoCompile = record::exit_of(record::End::kNoCompile),
  kStopped = record::exit_of(record::End::kStopped),
  kNotHere = 5,
  kKitFault = record::exit_of(record::End::kKitError),
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

/// In a handler of what compiling and judging throw: the same as Trouble. What files throw stays.
[[noreturn]] void rethrow_as_trouble();

/// Carries out what compiles or judges.
template <class Action>
auto told_as_trouble(const Action& action) {
  try {
    return action();
  } catch (...) {
    rethrow_as_trouble();
  }
}

}  // namespace nibble::cli
