// Address space that grows in place, so that a process with little of it to spend can afford it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nibble::simt {

class Region {
 public:
  /// Wishes to begin at `wish`, far from where the system puts things, and never exceeds `most`.
  constexpr Region(std::uintptr_t wish, std::size_t most) : wish_(wish), most_(most) {}

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

  std::uintptr_t wish_;
  std::byte* begin_ = nullptr;
  std::size_t most_, reached_ = 0;
};

}  // namespace nibble::simt
