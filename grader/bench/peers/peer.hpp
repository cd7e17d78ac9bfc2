// A contender: a shared object that exports open_peer.
// One interface for our labs and for libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "problem.hpp"

namespace nibble::peers {

/// Memory that begins where a cache line does, as every contender's operands do here.
template <typename T>
struct LineAllocator {
  using value_type = T;
  LineAllocator() = default;
  template <typename U>
  LineAllocator(const LineAllocator<U>&) {}
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{64}));
  }
  void deallocate(T* memory, std::size_t) { ::operator delete (memory, std::align_val_t{64}); }
  bool operator==(const LineAllocator&) const = default;
};
template <typename T>
using Lines = std::vector<T, LineAllocator<T>>;

using Output = std::variant<std::monostate, std::span<const std::int32_t>, std::span<const float>,
                            std::span<const std::int8_t>>;

class Peer {
 public:
  Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  virtual ~Peer() = default;

  /// Allocates, packs, chooses a kernel. Throws where it cannot do this problem.
  virtual void setup(const Problem& problem) = 0;
  virtual bool can(Operation work) const = 0;
  virtual void run(Operation work) = 0;

  /// What the last run of this kind left, row-major; nothing where a contender only moves bytes.
  virtual Output output(Operation work) = 0;

  /// False where sums are float32 and so rounded.
  virtual bool is_exact() const { return true; }
  /// Version, and the kernel that was chosen for the last problem where a library tells.
  virtual std::string about() const = 0;
};

/// What a plugin exports. `variant` chooses among its contenders. Throws where this machine cannot
/// run it.
extern "C" __attribute__((visibility("default"))) Peer* open_peer(const char* variant);
using OpenPeer = Peer*(const char* variant);

}  // namespace nibble::peers
