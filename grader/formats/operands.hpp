// Both sides of a product, in one format and in the order in which kernels read them.
//
//     panel       16 outputs of the weights, all of k; panels one after the other
//     fp32 .. 8   w[p][c]               for each p the 16 outputs
//     int8        w[p / 4][c][p % 4]    64 bytes: four p of each output side by side
//     int4        w[p / 8][c][p % 4]    64 bytes: p % 8 < 4 in the low nibble, the others in the high
//                                       one, as code + 8
//
// n is rounded up to whole panels and k to whole groups, with zeros.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "formats/number_format.hpp"

namespace nibble::formats {

inline constexpr std::size_t kPanel = 16;

constexpr std::size_t rounded_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

/// What memory is read in. A vector of them begins where a line does.
struct alignas(64) CacheLine {
  std::array<std::byte, 64> bytes;
};
using Lines = std::vector<CacheLine>;

/// So many lines as hold `bytes`.
inline Lines lines_for(std::size_t bytes) { return Lines(rounded_up(bytes, 64) / 64); }

template <class T>
T* start_of(Lines& lines) {
  return reinterpret_cast<T*>(lines.data());
}
template <class T>
const T* start_of(const Lines& lines) {
  return reinterpret_cast<const T*>(lines.data());
}

/// Weights [n, k].
struct PackedWeights {
  NumberFormat format = NumberFormat::kFp32;
  std::size_t n = 0, k = 0;                 ///< rounded up
  Lines codes;                              ///< panel after panel
  std::vector<float> scales;                ///< [n]: fp8, int8
  std::vector<std::uint16_t> group_scales;  ///< halves, [n / kPanel][k / kGroup][kPanel]: int4
};

/// Writes row j of the weights, as long as the span is.
using RowOf = std::function<void(std::size_t j, std::span<float> row)>;

/// Packs row after row: of the weights in float32 there is never more than one.
PackedWeights pack(NumberFormat format, std::size_t n, std::size_t k, const RowOf& row_of);

/// Activations [rows, k], in what belongs to weights of a format; row after row.
struct Activations {
  NumberFormat format = NumberFormat::kFp32;
  std::size_t rows = 0, k = 0;  ///< k rounded up
  Lines codes;
  std::vector<float> scales;  ///< [rows]: fp8, int8
};

/// `x` is [rows, x.size() / rows].
Activations activations_for(NumberFormat weights, std::span<const float> x, std::size_t rows);

/// What the codes and scales of `weights` take: counted.
std::size_t bytes_of(const PackedWeights& weights);
std::size_t bytes_of(const Activations& activations);

}  // namespace nibble::formats
