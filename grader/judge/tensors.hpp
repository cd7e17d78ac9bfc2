// Seeded test data. The same seed gives the same tensor on every machine and compiler: no
// std::*_distribution, whose algorithms are implementation-defined.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "judge/lists.hpp"

namespace nibble::judge {

/// Roughly normal(0, stddev) floats: 12 uniforms minus 6 has mean 0 and variance 1.
inline Reals normal_tensor(std::size_t count, std::uint64_t seed, float stddev = 1.0f) {
  std::mt19937_64 bits(seed);
  Reals out(count);
  for (float& value : out) {
    float sum = 0.0f;
    for (int i = 0; i < 12; ++i) sum += static_cast<float>(bits() >> 40) * 0x1p-24f;
    value = (sum - 6.0f) * stddev;
  }
  return out;
}

/// Uniform floats in [low, high).
inline Reals uniform_tensor(std::size_t count, std::uint64_t seed, float low, float high) {
  std::mt19937_64 bits(seed);
  Reals out(count);
  for (float& value : out) {
    value = low + (high - low) * (static_cast<float>(bits() >> 40) * 0x1p-24f);
  }
  return out;
}

/// Uniform integers in [low, high], as codes of type T.
template <class T>
std::vector<T> code_tensor(std::size_t count, std::uint64_t seed, int low, int high) {
  std::mt19937_64 bits(seed);
  std::vector<T> out(count);
  const auto width = static_cast<std::uint64_t>(high - low) + 1;
  for (T& value : out) value = static_cast<T>(low + static_cast<int>((bits() >> 11) % width));
  return out;
}

inline float max_abs(std::span<const float> x) {
  float amax = 0.0f;
  for (const float value : x) amax = std::fmax(amax, std::fabs(value));
  return amax;
}

/// How many different values there are: an input that yields few tests little.
template <class T>
std::size_t distinct(const std::vector<T>& values) {
  return std::set<T>(values.begin(), values.end()).size();
}

/// The share of codes that lie on a rail: a tensor that is mostly saturated hides every rounding.
template <class T>
double saturated_share(const std::vector<T>& codes, int qmin, int qmax) {
  std::size_t railed = 0;
  for (const T code : codes) railed += code == qmin || code == qmax ? 1 : 0;
  return codes.empty() ? 0.0 : static_cast<double>(railed) / static_cast<double>(codes.size());
}

}  // namespace nibble::judge
