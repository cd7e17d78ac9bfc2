#include "region.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0  // then the wish is only a hint, and its answer is looked at
#endif

namespace nibble::simt {
namespace {

constexpr std::size_t kGrain = std::size_t{1} << 20;

/// Null when the address space is taken, or spent. A null wish: anywhere.
std::byte* map(void* wish, std::size_t bytes, int flags) {
  void* const p = mmap(wish, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  if (wish == nullptr || p == wish) return static_cast<std::byte*>(p);
  munmap(p, bytes);
  return nullptr;
}

void* address(Wish wish) {
  return reinterpret_cast<void*>(wish);  // NOLINT(performance-no-int-to-ptr): a wish is a number
}

}  // namespace

void Region::reach(std::size_t bytes) {
  if (bytes <= reached_) return;
  if (bytes > most_) throw std::bad_alloc();
  const std::size_t wanted = std::min(most_, (bytes + kGrain - 1) / kGrain * kGrain);
  void* const next = begin_ != nullptr ? begin_ + reached_ : address(wish_);
  if (std::byte* const more = map(next, wanted - reached_, MAP_FIXED_NOREPLACE)) {
    if (begin_ == nullptr) begin_ = more;
    reached_ = wanted;
  } else if (begin_ == nullptr) {
    take_all_at_once();
  } else {
    throw std::bad_alloc();
  }
}

void Region::take_all_at_once() {
  begin_ = map(nullptr, most_, 0);
  if (begin_ == nullptr) throw std::bad_alloc();
  reached_ = most_;
}

void Region::forget() const {
  if (begin_ != nullptr) madvise(begin_, reached_, MADV_DONTNEED);
}

}  // namespace nibble::simt
