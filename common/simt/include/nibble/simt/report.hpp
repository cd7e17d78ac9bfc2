// What the engine has to say about a run: findings and counts, as plain data of a fixed size. It
// crosses from the process of the kernel to the judge, which turns code offsets into lines; nothing
// in it is a pointer, and a reader checks every number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace nibble::simt {

/// What went wrong. The order is the order of telling: a cause comes before what it causes.
enum class Kind : std::uint8_t {
  kNone,
  kBadLaunch,            ///< threads, grid or shared bytes beyond what a GPU takes
  kUncheckedError,       ///< a call or a launch failed, and nobody asked
  kGlobalOob,            ///< outside every allocation of device memory
  kSharedOob,            ///< outside every __shared__ variable
  kDeviceOob,            ///< outside a __device__ or __constant__ variable
  kUseAfterFree,         ///< freed device memory
  kBadFree,              ///< given back twice, or never taken
  kMisaligned,           ///< a vector access off its own size
  kHostPointer,          ///< a kernel was given a host pointer, or a wild one
  kRefusedStore,         ///< printf was asked to write to memory
  kUnseenStore,          ///< device memory changed, and no store was seen
  kInputChanged,         ///< a kernel wrote over an input
  kForeignLocal,         ///< another thread's local variable
  kHostDereference,      ///< host code used a device pointer
  kBarrierDivergence,    ///< __syncthreads that not all threads reach
  kWarpDeadlock,         ///< lanes of a mask that never arrive
  kBadMask,              ///< the caller is not in its mask
  kShuffleInactive,      ///< the source lane is not in the mask
  kBudget,               ///< endless loop
  kMissingSyncwarp,      ///< two lanes of one warp, no __syncwarp between
  kSharedRace,           ///< two threads of a block, no __syncthreads between
  kGlobalRace,           ///< two threads of a launch, not both atomic
  kStreamRace,           ///< work of two streams that nothing puts in order
  kSharedUninitialised,  ///< never written in this block
  kGlobalUninitialised,  ///< never written
  kArrayIndex,           ///< outside its dimension, though inside the array
  kFloatCast,            ///< the float does not fit the integer type
  kIntegerOverflow,      ///< int32 sum or product too large
  kNarrowIndex,          ///< a multiple of 2^32 away from an element
  kMissingWait,          ///< an asynchronous copy was read before its wait
  kStillQueued,          ///< host code ended before the work that it had ordered
  kLeak,                 ///< never given back
  kKinds,
};

struct Index3 {
  std::uint32_t x, y, z;
};

/// Who: a thread of a block. Meaningless for findings of host code (EngineFinding::in_kernel is 0).
struct Thread {
  Index3 thread, block;
};

/// A place in the code: a return address, counted from the start of the executable's image (the
/// call is the byte before), and a line where the compiler itself has told it. All 0: not known.
struct Place {
  std::uint64_t offset;
  std::uint32_t line;
  std::uint32_t column;
};

/// std::copy_n into memory is seven functions deep.
inline constexpr std::size_t kCallers = 8;

/// In every byte of a watched thread's stack before anybody sets it: a large number, where the fast
/// build's pattern makes a local less than 0.
inline constexpr unsigned char kStackGarbage = 0x7E;

/// The first occurrence of one kind at one place, and how often it happened.
struct EngineFinding {
  Kind kind;
  std::uint8_t is_write;        ///< of the access that was caught
  std::uint8_t other_is_write;  ///< of the other side, for a race
  std::uint8_t in_kernel;
  std::uint32_t bytes;  ///< of the access
  std::uint64_t times;
  Place place, other;  ///< other: the second side of a race, a barrier or a lifetime
  /// Who called the function at `place`, innermost first; 0: nobody more. Where `place` is a line
  /// of a header (std::min), the first caller in the learner's file is the place to tell.
  std::array<std::uint64_t, kCallers> callers;
  Thread who, other_who;
  std::int64_t offset;  ///< bytes from the start of what `subject` names; may be negative
  std::uint64_t size;   ///< bytes of what `subject` names
  char kernel[32];      ///< its name; cut when longer; always ends in 0
  char subject[48];     ///< "As[9][9]", "x[17]", or "" ; always ends in 0
  char detail[112];     ///< the rest of the sentence, for kinds that need one
};

enum class Space : std::uint8_t { kGlobal, kShared };
enum class Use : std::uint8_t { kLoad, kStore, kAtomic };

/// Counts of one access in the code, over all launches.
/// A request is what one warp asks for at once.
struct Traffic {
  Place place;
  Space space;
  Use use;
  std::uint8_t bytes;  ///< of one lane's access
  std::uint8_t reserved;
  std::uint32_t sample_lanes;  ///< bit per lane that took part in the first request
  std::uint64_t requests, lanes;
  std::uint64_t sectors;       ///< of 32 bytes (global)
  std::uint64_t useful_bytes;  ///< distinct bytes that were asked for (global)
  std::uint64_t wavefronts;    ///< shared memory: passes over the banks
  std::uint64_t ideal_wavefronts;
  char subject[24];                     ///< the buffer or variable, without its index
  std::array<std::int32_t, 32> sample;  ///< the first request: byte offsets into the subject
};

/// Counts of a whole session.
struct SessionTotals {
  std::uint64_t launches, blocks, threads;
  std::uint64_t barriers, warp_collectives, atomics;
  std::uint64_t dp4a, mma, popc;
  std::uint64_t steps, active_lanes;  ///< basic blocks issued by warps, and the lanes in them
};

struct Report {
  static constexpr std::size_t kFindings = 16, kTraffic = 96;
  std::uint32_t magic;                        ///< kMagic as soon as the session has begun
  std::uint32_t findings, traffic;            ///< how many of each are filled in
  std::uint32_t more_findings, more_traffic;  ///< that had no room
  std::uint32_t calls;      ///< of the CUDA runtime by host code that can fail, launches among them
  std::uint32_t elsewhere;  ///< of arrays whose end alone is there: outputs that are others'
  std::uint32_t failed_with;      ///< what the one said that was made to fail; 0: none was
  std::uint32_t busy_streams;     ///< the most that had work waiting at once
  std::uint32_t unpinned_copies;  ///< ordered beside other work, from or to memory not page-locked
  std::uint64_t taken_bytes;      ///< of device memory and of page-locked memory, all in all
  char failed_name[28];           ///< "cudaMemcpy"; of a launch, the kernel; always ends in 0
  char refusal[160];  ///< a sentence: what was asked for and cannot be had, the first time
  Place refused_at;   ///< who asked for it
  Place launched_at;  ///< the last launch
  SessionTotals totals;
  std::array<EngineFinding, kFindings> finding;
  std::array<Traffic, kTraffic> traffics;
  static constexpr std::uint32_t kMagic = 0x53494D54;
};

static_assert(std::is_trivially_copyable_v<Report> && sizeof(Report) <= std::size_t{40} << 10);

}  // namespace nibble::simt
