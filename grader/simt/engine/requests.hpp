// From what lanes did to what their warp asked for.
#pragma once

#include <cstdint>

#include "fiber.hpp"
#include "hot.hpp"

namespace nibble::simt {

/// One access of a warp: the lanes that take part, and the byte of the arena that each wants.
struct WarpRequest {
  std::uint32_t site;
  std::uint32_t lanes = 0;  // bit per lane
  std::uint32_t offset[32];
};

void begin_requests();
void count_request(const WarpRequest& request);
void count_step(unsigned lanes);
/// Writes the counts into the report, in the order of the code.
void report_requests();

/// The logs of a warp's lanes, each with how far it has been counted.
class Lanes {
 public:
  explicit Lanes(unsigned warp);

  /// As hardware does it: of all lanes, those that are deepest in calls, and of these those that
  /// stand lowest in the code, go on, together. So a call has returned in all lanes before the
  /// caller goes on, wherever the linker put it. Right wherever lanes part and meet again. Without
  /// `all` it stops before a lane whose log is spent.
  void replay(bool all);

  /// Quicker: the n-th visit of one place by each lane is one request. Right as long as lanes do
  /// not part.
  void merge();

  /// What was not counted moves to the front of the lane's log.
  void keep_rest();

 private:
  bool spent(unsigned lane) const { return at_[lane] == end_[lane]; }
  bool ended(unsigned lane) const;
  bool release_collectives();
  bool can_come(unsigned mask) const;
  bool anyone_missing() const;
  bool go_together();
  void go_as_one(std::uint32_t lanes);
  void arrive(unsigned lane);
  void merge_visits();

  unsigned first_, count_;
  LogEntry* begin_[32];
  LogEntry* at_[32];
  LogEntry* end_[32];
  // Of replay:
  std::uint64_t turn_[32];     // the lanes with the least go on: the deepest, of these the lowest
  std::uint32_t waiting_ = 0;  // lanes at a collective, a bit each
};

}  // namespace nibble::simt
