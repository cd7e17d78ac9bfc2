// The engine as the process that runs kernels uses it: start, give the kernels their memory,
// launch, finish. A .cu file sees none of this.
#pragma once

#include <cstddef>
#include <cstdint>

#include "nibble/simt/report.hpp"

namespace nibble::simt {

/// The order in which blocks, warps and lanes take their turns.
enum class Schedule : std::uint8_t { kForward, kReverse, kShuffled };

struct SessionOptions {
  bool races = true;          ///< needs a build with checks
  bool uninitialised = true;  ///< likewise
  bool counters = false;
  bool lockstep = false;  ///< exact counts for divergent code; a good deal slower
  Schedule schedule = Schedule::kForward;
  std::uint64_t seed = 1;                   ///< of Schedule::kShuffled
  std::uint64_t block_budget = 50'000'000;  ///< basic blocks of all launches together; 0: no end
  std::size_t device_bytes = std::size_t{256} << 20;
  int sm = 80;  ///< whose limits a launch has to keep
  /// The .cu file has host code, which may ask for a launch that is refused: that is its mistake
  /// only when it does not look at the error.
  bool host_code = false;
  /// The number of the CUDA call of host code that is made to fail, from 1; 0: none.
  std::uint32_t failing_call = 0;
  /// Where findings are written as they happen, so that they outlive the process; null: storage
  /// of the engine's own.
  Report* report = nullptr;
};

/// Begins afresh: no memory, no findings, no counts, no errors.
void start(const SessionOptions& options);

/// Ends the session. The report stays as it is until the next start().
const Report& finish();

/// Device memory, 256-byte aligned, fenced on both sides, not initialised, never handed out twice.
/// `name` is what findings call it; they count from `before` bytes in front of it, where a larger
/// array would begin of which this is the end. Throws std::bad_alloc when the arena is full.
void* allocate(std::size_t bytes, const char* name, std::int64_t before = 0);
void release(void* device);

/// Makes the bytes known: reading them is no finding.
void copy_to_device(void* device, const void* host, std::size_t bytes);

/// After a launch: a finding where an input is no longer what was copied.
void check_input(const void* device, const void* host, std::size_t bytes);

/// Notes where not all of the bytes were written, as Report::elsewhere.
void check_written(const void* device, std::size_t bytes);

/// Sets what an unwritten byte looks like, and leaves it unwritten.
void poison(void* device, const void* host, std::size_t bytes);

void copy_to_host(void* host, const void* device, std::size_t bytes);

}  // namespace nibble::simt
