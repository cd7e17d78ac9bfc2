// What of this machine belongs beside a verdict.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::report {

struct Machine {
  std::string cpu;                   ///< "x86-64, 2 cores"
  std::vector<std::string> isa;      ///< the vector units that labs ask about, sorted
  std::optional<std::string> gpu;    ///< the model; none: no device
  int sandbox = 0;                   ///< what confined the submission: 0 L0, 1 L1, 2 LS, 3 L3
  double load = 0.0;                 ///< runnable processes, one-minute mean, one decimal
  std::string limits = "processes";  ///< what had limits on memory: each process, or "groups"
};

Machine this_machine();

/// The vector units among the flags of /proc/cpuinfo.
std::vector<std::string> vector_units(std::string_view cpuinfo);

/// "2026-10-01T14:02:11Z".
std::string utc_now();

}  // namespace nibble::report
