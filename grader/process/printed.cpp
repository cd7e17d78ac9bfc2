#include "process/printed.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "process/pipes.hpp"

namespace nibble::process {

Printed::Printed(Descriptor read_end, std::size_t most) : pipe_(std::move(read_end)), most_(most) {
  do_not_wait(pipe_);
}

void Printed::drain() {
  std::array<char, 16384> chunk{};
  for (int reads = 0; reads < 16 && pipe_; ++reads) {
    const ssize_t got = read(pipe_.get(), chunk.data(), chunk.size());
    if (got == 0) pipe_ = {};
    if (got <= 0) return;
    const std::size_t room = most_ - std::min(most_, kept_.size());
    kept_.append(chunk.data(), std::min(room, static_cast<std::size_t>(got)));
  }
}

std::string Printed::take() {
  drain();
  return std::exchange(kept_, {});
}

}  // namespace nibble::process
