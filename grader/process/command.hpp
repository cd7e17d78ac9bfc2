// Runs one program to its end and keeps what it said: bounded in time, memory and output, and
// cancellable. Nothing waits for the end of a pipe.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sandbox/box.hpp"
#include "sandbox/opening.hpp"

namespace nibble::process {

struct Command {
  std::vector<std::string> words;          ///< the program and its arguments; looked up in PATH
  std::filesystem::path directory{};       ///< where it runs; empty: here
  std::string input{};                     ///< its stdin: no more than a pipe holds
  std::vector<std::string> environment{};  ///< NAME=value, added to PATH, HOME, LANG, TMPDIR
  std::chrono::seconds cpu_limit{0};       ///< 0: none
  std::chrono::seconds wall_limit{0};      ///< 0: none
  std::size_t memory_bytes = 0;  ///< of address space, and in a control group together; 0: none
  std::size_t file_bytes = 0;    ///< of any file it writes; 0: no limit
  std::size_t kept_bytes = std::size_t{64} << 10;  ///< of each of stdout and stderr
  std::function<bool()> cancelled{};               ///< asked every 20 ms; true ends the program
  sandbox::ToolBox box{};                          ///< what it is confined to; nothing at kLimits
};

struct Finished {
  int exit_status = 0;  ///< of the program; -1 when it did not exit by itself
  int signal = 0;       ///< that ended it
  bool timed_out = false;
  bool cancelled = false;
  bool out_of_memory = false;  ///< all of its processes together; seen by a control group alone
  std::string out, err;
  double seconds = 0.0;

  bool ok() const { return exit_status == 0 && signal == 0; }
};

/// Throws std::system_error when the program cannot be started at all, sandbox::BoxBroke when its
/// box cannot be made.
Finished run(const Command& command);

}  // namespace nibble::process
