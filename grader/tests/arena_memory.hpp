// An arena in ordinary memory, for tests that need no second process.
#pragma once

#include <sys/mman.h>

#include <cstddef>

#include "protocol/arena.hpp"

namespace nibble::protocol {

class ArenaMemory {
 public:
  ArenaMemory()
      : data_(static_cast<std::byte*>(mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {}
  ~ArenaMemory() { munmap(data_, kArenaBytes); }
  ArenaMemory(const ArenaMemory&) = delete;
  ArenaMemory& operator=(const ArenaMemory&) = delete;
  std::byte* data() const { return data_; }

 private:
  std::byte* data_;
};

}  // namespace nibble::protocol
