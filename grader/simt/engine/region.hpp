// Address space that grows in place, so that a process with little of it to spend can afford it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nibble::simt {

/// Where each region wishes to begin, 64 GiB apart: even the 39-bit address spaces of some arm64
/// systems have room.
inline constexpr std::size_t kApart = std::size_t{1} << 36;
enum class Wish : std::uintptr_t {
  kArena = 1 * kApart,
  kStates = 2 * kApart,
  kKeys = 3 * kApart,
  kMarks = 4 * kApart,
  kStacks = 5 * kApart,
  kFineMarks = 6 * kApart,
};

class Region {
 public:
  /// Wishes to begin far from where the system puts things, and never exceeds `most`.
  constexpr Region(Wish wish, std::size_t most) : wish_(wish), most_(most) {}

  /// Makes the first `bytes` usable; they start out as zeros. Throws std::bad_alloc.
  void reach(std::size_t bytes);

  /// Back to zeros.
  void forget() const;

  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(begin_);
  }
  std::size_t reached() const { return reached_; }

 private:
  void take_all_at_once();

  Wish wish_;
  std::byte* begin_ = nullptr;
  std::size_t most_, reached_ = 0;
};

}  // namespace nibble::simt
