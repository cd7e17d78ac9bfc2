// Random numbers for data and for training: SplitMix64, the same on every machine and compiler.
#pragma once

#include <cstdint>

namespace nibble {

/// A stream of 64-bit numbers from a seed. Source: Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", 2014.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  /// Uniform in [low, high), in steps of (high - low) * 2^-24.
  float uniform(float low, float high) {
    return low + (high - low) * (static_cast<float>(next() >> 40) * 0x1p-24f);
  }

  /// Uniform in 0 .. count - 1, but for a bias of count / 2^32.
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>(((next() >> 32) * count) >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace nibble
