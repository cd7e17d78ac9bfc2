// What the benchmark and a contender's process say to each other, through two pipes.
#pragma once

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include "compare.hpp"

namespace nibble::peers {

/// Time of a call.
struct Sample {
  double wall = 0, cpu = 0;  ///< seconds; cpu is that of the whole process
};

enum class Question : std::int32_t { kSetup, kCan, kAbout, kCheck, kTime };

struct PeerRequest {
  Question question = Question::kAbout;
  Operation work = Operation::kMultiply;
  Problem problem{};
  const std::int32_t* sums = nullptr;
  int calls = 0;
};

struct Reply {
  bool yes = false;
  Comparison comparison{};
  Sample sample{};
  std::array<char, 256> text{};  // ends with a zero
};

template <typename T>
bool read_whole(int from, T& value) {
  auto* bytes = reinterpret_cast<char*>(&value);
  for (std::size_t done = 0; done < sizeof value;) {
    const ssize_t count = read(from, bytes + done, sizeof value - done);
    if (count == 0 || (count < 0 && errno != EINTR)) return false;
    if (count > 0) done += std::size_t(count);
  }
  return true;
}

/// Both messages are smaller than PIPE_BUF, so a write is never partial.
template <typename T>
bool write_whole(int to, const T& value) {
  return write(to, &value, sizeof value) == ssize_t{sizeof value};
}

}  // namespace nibble::peers
