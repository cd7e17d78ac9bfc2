// What one check came to: its status and points, and of a failure all that may be told.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/leg.hpp"
#include "record/check_status.hpp"
#include "record/rare.hpp"
#include "record/scheme.hpp"

namespace nibble::record {

struct Location {
  std::string file;  ///< labs/03_symmetric/symmetric.cpp
  int line = 0;

  bool operator==(const Location&) const = default;
};

/// "labs/03_symmetric/symmetric.cpp:27".
inline std::string text_of(const Location& place) {
  return place.file + ":" + std::to_string(place.line);
}

/// In every message of values that show a variable without one (judge/law.cpp, and labs' own).
inline constexpr const char* kNobodyHasSet = "nobody has set";

/// Two tensors that were compared, whole, when they are small enough to be looked at.
struct Compared {
  std::vector<std::size_t> shape;      ///< outermost first; empty: a plain list
  std::vector<std::string> got, want;  ///< as text
  std::vector<std::size_t> wrong;      ///< which of them

  bool operator==(const Compared&) const = default;
};

/// The first that failed, as small as it could be made.
struct FailedCase {
  std::string name;                ///< the original case; a replay names it
  std::string shrunk;              ///< what it shrank to; empty: it did not
  int steps = 0;                   ///< of shrinking
  std::string input;               ///< the (shrunk) input as text
  std::vector<std::size_t> index;  ///< of the first wrong element; empty for a scalar
  std::string got, want;           ///< as text; empty where there is no value
  std::optional<Compared> compared;

  bool operator==(const FailedCase&) const = default;
};

/// Of a check of speed that was measured.
struct Speed {
  double ratio = 0.0;   ///< published / submission; above 1: the submission is faster
  double margin = 0.0;  ///< two standard errors of the ratio
  double low = 0.0, high = 0.0;
  std::string clock;
  int pairs = 0;          ///< rounds that were counted
  int measurements = 1;   ///< more than one: the margin held a step of the points
  bool in_doubt = false;  ///< the margin still holds a step: the higher mark is given
  double zero_at = 0.0, full_at = 0.0;
  double ns = 0.0, published_ns = 0.0;        ///< of one call, lower quartile of CPU time
  double operations = 0.0, bytes = 0.0;       ///< of one call
  double gops = 0.0, published_gops = 0.0;    ///< 10^9 operations a second
  std::string isa;                            ///< whose peak it is; scalar: the machine's best
  double peak_gops = 0.0, read_gbytes = 0.0;  ///< what this machine can do, in the same run

  bool operator==(const Speed&) const = default;
};

/// What a speed row that was not measured here may earn elsewhere.
struct Estimate {
  double ratio = 0.0;
  int points = 0;

  bool operator==(const Estimate&) const = default;
};

/// One access in the learner's kernels, counted over one call.
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

  bool operator==(const Access&) const = default;
};

/// Counts of one call.
struct Totals {
  std::uint64_t launches = 0, blocks = 0, threads = 0, barriers = 0, atomics = 0;
  std::uint64_t dp4a = 0, mma = 0, popc = 0, warp_collectives = 0;
  std::uint64_t steps = 0, active_lanes = 0;

  bool operator==(const Totals&) const = default;
};

/// What `judge --show` tells of a case.
struct ShownCase {
  std::string name, input, outcome;

  bool operator==(const ShownCase&) const = default;
};

struct Check : CheckHead {
  CheckStatus status = CheckStatus::kSkip;
  int points = 0;
  protocol::Leg leg = protocol::Leg::kPlain;
  double seconds = 0.0;
  std::string diagnosis{};  ///< N-…; empty: there is none
  bool sure = true;         ///< false: another diagnosis fits as well
  bool usual = false;       ///< nothing recognised it: it is what this check usually finds
  std::string message{};
  Rare<FailedCase> first{};
  std::string tolerance{};             ///< the formula; empty: exact
  std::optional<Location> location{};  ///< where in the learner's file it went wrong
  std::string replay{};                ///< what to type to see it again
  Rare<Speed> speed{};
  std::optional<Estimate> estimate{};
  std::vector<Access> traffic{};  ///< with --show, of kernels; and their totals
  Rare<Totals> totals{}, published_totals{};
  std::string output{};  ///< what the submission printed meanwhile
  std::vector<ShownCase> shown{};

  bool operator==(const Check&) const = default;
};

/// A row of the speed leg that was not measured yet: its turn comes when the values are right.
inline bool waits_for_speed(const Check& check) {
  return check.leg == protocol::Leg::kSpeed && check.status == CheckStatus::kSkip;
}

/// "looks like " when another diagnosis fits as well; "often " when nothing recognised it, and it
/// is what this check usually finds; nothing when it is sure.
inline std::string hedge_of(const Check& check) {
  if (check.usual) return "often ";
  return check.sure ? "" : "looks like ";
}

/// The first that something is wrong with; null: nothing is.
inline const Check* first_failing(const std::vector<Check>& checks) {
  const auto found =
      std::ranges::find_if(checks, [](const Check& check) { return !is_good(check.status); });
  return found == checks.end() ? nullptr : &*found;
}

}  // namespace nibble::record
