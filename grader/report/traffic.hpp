// What a kernel asked of the memory, line by line, as the engine counted it: read out of a verdict.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "report/results.hpp"

namespace nibble::report {

/// One access in the learner's file, over one call.
struct Access {
  int line = 0;         ///< of the learner's file; 0: not known
  std::string subject;  ///< "x", "tile"
  bool shared = false;
  std::string use;  ///< "load", "store", "atomic"
  unsigned bytes = 0;
  std::uint64_t requests = 0, lanes = 0, sectors = 0, useful_bytes = 0;
  std::uint64_t wavefronts = 0, ideal_wavefronts = 0;
  std::uint32_t sample_lanes = 0;         ///< bit per lane of the first request
  std::array<std::int64_t, 32> sample{};  ///< its byte offsets into the subject

  double per_request() const;  ///< sectors, or passes over the banks
  double wanted() const;       ///< share of the sectors' bytes that was asked for
  bool is_costly() const;      ///< a quarter more than it has to be, or worse
};

/// The accesses of one exercise, for the check and case that counted them.
struct Traffic {
  std::string exercise, check;
  std::vector<Access> accesses;  ///< by line
  Json totals, published_totals;
};

/// Every check of `verdict` that counted, as `judge --show` tells it;
/// one for each exercise, the last.
std::vector<Traffic> traffic_of(const Json& verdict);

}  // namespace nibble::report
