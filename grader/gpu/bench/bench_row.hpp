// One line of a result file: a JSON object, with what a reader needs to compare it with another
// run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gpu/gpu.hpp"
#include "gpu/timing.hpp"

namespace nibble::gpu {

struct BenchRow {
  std::string section, name;
  Times times;
  double sm_mhz = 0;  ///< that the samples ran at; 0: unknown
  std::vector<std::pair<std::string, double>>
      figures{};      ///< "tops", "gbps", "ops_per_clk_sm", "vs_lt"
  std::string check;  ///< "exact", or FAIL and why: such a row enters nothing
};

/// {"section":"ceilings","name":"dp4a","us":…,"min_us":…,"p90_us":…,"n":…,"sm_mhz":…,…,
///  "check":"exact"}
std::string json_line(const BenchRow& row);

/// What kind of machine it was; the first line of a file.
struct MachineLine {
  std::string date;  ///< 2026-11-21
  Facts facts;
  std::string power_limit;  ///< "700.00 W", or "" when nobody tells
  std::string nvcc;         ///< "13.0"
  std::string kit;          ///< the kit's version
};
std::string json_line(const MachineLine& machine);

/// A section that could not be measured, and why.
std::string json_error_line(const std::string& section, const std::string& why);

}  // namespace nibble::gpu
