// The words that the judge and a runner exchange: fixed-size records on one socket. The values
// themselves travel in shared memory (arena.hpp).
//
//     judge                                  runner (untrusted once the learner's code has run)
//       | -- Request{nonce, function} ------->  |   reads arguments, calls, writes the result
//       | <- Answer{nonce, kReturned} --------  |
//       | -- Request{nonce', kAreYouThere} -->  |   an answer counts when its sender still lives
//       | <- Answer{nonce', kReturned} -------  |
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nibble::protocol {

/// The three descriptors a runner is started with.
inline constexpr int kInputsFd = 3, kOutputsFd = 4, kSocketFd = 5;

/// Work of a kernel that lies far behind its beginning: so many outputs come before it that an
/// index needs more than 32 bits. Those are neither stored nor made.
struct Far {
  enum Along : std::uint32_t { kNothing, kRows, kColumns };

  Along along = kNothing;  ///< what there is more of: rows or columns of Work
  std::uint32_t ends = 0;  ///< 1: of each row of blocks the last one alone runs
  /// What one row or column more moves the kernel's arguments by, in their order: elements of an
  /// array, or the number itself.
  std::array<std::int64_t, 12> step{};
};

/// What the judge asks: call the exercise number `function`, or say that you live.
struct Request {
  std::uint64_t nonce;
  std::uint32_t function;  ///< an index into Exercises, or kAreYouThere
  std::uint32_t mode = 0;  ///< of an exercise that is a kernel: a packed KernelMode
  Far far{};               ///< likewise
};
inline constexpr std::uint32_t kAreYouThere = 0xFFFF'FFFF;

/// How the engine is to run the kernels of one call.
struct KernelMode {
  std::uint32_t schedule = 0;      ///< simt::Schedule
  bool counters = false;           ///< count; otherwise look for mistakes
  std::uint32_t seed = 1;          ///< of the shuffled schedule, 16 bits
  std::uint32_t failing_call = 0;  ///< of host code: which CUDA call fails, from 1; 13 bits

  constexpr std::uint32_t pack() const {
    return (schedule & 3) | (counters ? 4u : 0u) | (failing_call & 0x1FFF) << 3 |
           (seed & 0xFFFF) << 16;
  }
  static constexpr KernelMode unpack(std::uint32_t word) {
    return {word & 3, (word & 4) != 0, word >> 16, word >> 3 & 0x1FFF};
  }
};

/// How a call ended, as its own process tells it. It chooses what is shown, never what is earned:
/// an exception that the contract asks for is checked like a value.
enum class Status : std::uint32_t {
  kReturned,         ///< the results are in the outputs
  kNotImplemented,   ///< threw nibble::NotImplemented
  kInvalidArgument,  ///< threw std::invalid_argument
  kOutOfMemory,      ///< threw std::bad_alloc
  kOtherException,   ///< threw anything else
  kResultTooLarge,   ///< returned more than a slot holds
  kLaunchRefused,    ///< a kernel of it cannot be launched as its descriptor asks
};

inline constexpr std::size_t kTextBytes = 240;

struct Answer {
  std::uint64_t nonce;
  Status status;
  std::uint32_t reserved = 0;
  char text[kTextBytes];  ///< what() of an exception; shown, never parsed; need not end in 0
};

/// What a runner's signal handler leaves behind for the message of a crash. Only ever displayed.
struct CrashNote {
  static constexpr std::uint32_t kMagic = 0x4E42'4C45;
  enum Place : std::uint32_t { kElsewhere, kInput, kOutput, kStack };

  std::uint32_t magic;
  std::uint32_t signal;
  Place place;
  std::uint32_t was_write;  ///< 0 read, 1 write, 2 unknown
  std::uint64_t offset;     ///< from the start of the arena, when place is kInput or kOutput
};

}  // namespace nibble::protocol
