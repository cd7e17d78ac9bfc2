// Memory that was there before the contenders' processes were forked, so all see the same numbers
// at the same addresses.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <span>

namespace nibble::peers {

class InheritedArena {
 public:
  explicit InheritedArena(std::size_t bytes) : bytes_(bytes) {
    memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
  }
  InheritedArena(const InheritedArena&) = delete;
  InheritedArena& operator=(const InheritedArena&) = delete;
  ~InheritedArena() { munmap(memory_, bytes_); }

  /// From the beginning again; what was taken before means nothing any more.
  void clear() { used_ = 0; }

  /// Begins where a cache line does.
  template <typename T>
  std::span<T> take(std::size_t count) {
    const std::size_t bytes = (count * sizeof(T) + 63) / 64 * 64;
    if (bytes > bytes_ - used_) throw std::bad_alloc();
    auto* const begin = static_cast<std::byte*>(memory_) + used_;
    used_ += bytes;
    return {reinterpret_cast<T*>(begin), count};
  }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0, used_ = 0;
};

}  // namespace nibble::peers
