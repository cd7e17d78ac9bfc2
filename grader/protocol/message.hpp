// The words that the judge and a runner exchange: fixed-size records on one socket. The values
// themselves travel in shared memory (arena.hpp).
//
//     judge                                  runner (untrusted once the learner's code has run)
//       | -- Request{nonce, function} ------->  |   reads arguments, calls, writes the result
//       | <- Answer{nonce, kReturned} --------  |
//       | -- Request{nonce', kAreYouThere} -->  |   an answer counts when its sender still lives
//       | <- Answer{nonce', kReturned} -------  |
#pragma once

#include <cstddef>
#include <cstdint>

namespace nibble::protocol {

/// The three descriptors a runner is started with.
inline constexpr int kInputsFd = 3, kOutputsFd = 4, kSocketFd = 5;

/// What the judge asks: call the exercise number `function`, or say that you live.
struct Request {
  std::uint64_t nonce;
  std::uint32_t function;  ///< an index into Exercises, or kAreYouThere
  std::uint32_t reserved = 0;
};
inline constexpr std::uint32_t kAreYouThere = 0xFFFF'FFFF;

/// How a call ended, as its own process tells it. It chooses what is shown, never what is earned:
/// an exception that the contract asks for is checked like a value.
enum class Status : std::uint32_t {
  kReturned,         ///< the results are in the outputs
  kNotImplemented,   ///< threw nibble::NotImplemented
  kInvalidArgument,  ///< threw std::invalid_argument
  kOutOfMemory,      ///< threw std::bad_alloc
  kOtherException,   ///< threw anything else
  kResultTooLarge,   ///< returned more than a slot holds
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
