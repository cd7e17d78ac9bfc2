// Memory of the GPU for one parameter of a kernel, with a fence on both sides that holds a random
// pattern. A kernel that writes beyond its buffer changes the fence and is found out.
//
//     | fence 64 KiB |  the elements, from a multiple of 256 bytes  | fence 64 KiB |
//                    ^ address()                                    ^ no gap: one byte more is seen
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/gpu.hpp"

namespace nibble::gpu {

/// Bytes of a fence that are not as they were.
struct Damage {
  std::int64_t offset = 0;  ///< of the nearest one, from the first element; negative: before it
  std::size_t bytes = 0;    ///< how many, on that side
};

class FencedMemory {
 public:
  static constexpr std::size_t kFence = std::size_t{64} << 10;

  /// Without fences a tool that knows every allocation's end sees an access beyond it by itself.
  enum class Fences { kYes, kNo };

  FencedMemory(const Gpu& gpu, std::string name, std::span<const std::byte> host, bool is_output,
               std::uint64_t seed, Fences fences = Fences::kYes);

  Address address() const { return memory_.address() + fence_; }
  const std::string& name() const { return name_; }
  std::size_t bytes() const { return host_.size(); }
  bool is_output() const { return is_output_; }

  void copy_back(std::span<std::byte> into) const { memory_.read(fence_, into); }

  /// After the kernel has ended.
  std::optional<Damage> damage() const;

  /// The first byte of an input that the kernel changed.
  std::optional<std::size_t> changed_byte() const;

 private:
  std::vector<std::byte> pattern(std::uint64_t side) const;
  std::vector<std::byte> read(std::size_t offset, std::size_t bytes) const;

  std::size_t fence_;
  std::string name_;
  std::span<const std::byte> host_;  ///< the judge's, mapped read-only, for as long as the call
  bool is_output_;
  std::uint64_t seed_;
  Memory memory_;
};

}  // namespace nibble::gpu
