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

/// 0 when the address space is taken, or spent.
std::uintptr_t map(std::uintptr_t wish, std::size_t bytes, int flags) {
  void* const wanted = reinterpret_cast<void*>(wish);
  void* const p = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  if (p == MAP_FAILED) return 0;
  if (wish == 0 || p == wanted) return reinterpret_cast<std::uintptr_t>(p);
  munmap(p, bytes);
  return 0;
}

}  // namespace

void Region::reach(std::size_t bytes) {
  if (bytes <= reached_) return;
  if (bytes > most_) throw std::bad_alloc();
  const std::size_t wanted = std::min(most_, (bytes + kGrain - 1) / kGrain * kGrain);
  const std::uintptr_t at = begin_ != 0 ? begin_ : wish_;
  if (map(at + reached_, wanted - reached_, MAP_FIXED_NOREPLACE) != 0) {
    begin_ = at;
    reached_ = wanted;
  } else if (begin_ == 0) {
    take_all_at_once();
  } else {
    throw std::bad_alloc();
  }
}

void Region::take_all_at_once() {
  begin_ = map(0, most_, 0);
  if (begin_ == 0) throw std::bad_alloc();
  reached_ = most_;
}

void Region::forget(std::size_t begin) {
  if (begin >= reached_) return;
  madvise(reinterpret_cast<void*>(begin_ + begin), reached_ - begin, MADV_DONTNEED);
}

}  // namespace nibble::simt
