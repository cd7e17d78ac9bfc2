#include "formats/operands.hpp"

#include <algorithm>
#include <cstring>

#include "formats/codes.hpp"
#include "nibble/half.hpp"

namespace nibble::formats {
namespace {

/// Where the code of output j at p lies, in bytes from the beginning.
std::size_t place_of(const PackedWeights& weights, std::size_t j, std::size_t p) {
  const std::size_t panel = j / kPanel, c = j % kPanel;
  if (is_float(weights.format)) {
    return ((panel * weights.k + p) * kPanel + c) * bits_of(weights.format) / 8;
  }
  const std::size_t each = weights.format == NumberFormat::kInt8 ? 4 : 8;  // of k, in a line
  return (panel * weights.k / each + p / each) * 64 + c * 4 + p % 4;
}

void put(PackedWeights& weights, std::size_t j, std::size_t p, std::uint32_t code) {
  auto* const at = start_of<std::uint8_t>(weights.codes) + place_of(weights, j, p);
  if (weights.format == NumberFormat::kInt4) {
    *at = static_cast<std::uint8_t>(*at | (code ^ 8) << p % 8 / 4 * 4);
  } else {
    std::memcpy(at, &code, bits_of(weights.format) / 8);  // the low bytes come first here
  }
}

void pack_row(PackedWeights& weights, std::size_t j, std::span<const float> row) {
  const bool grouped = weights.format == NumberFormat::kInt4;
  const std::size_t group_size = grouped ? kGroup : row.size();
  for (std::size_t first = 0; first < row.size(); first += group_size) {
    const auto group = row.subspan(first, group_size);
    const float scale = scale_for(weights.format, group);
    if (has_row_scales(weights.format)) weights.scales[j] = scale;
    if (grouped) {
      const std::size_t groups = weights.k / kGroup;
      weights.group_scales[(j / kPanel * groups + first / kGroup) * kPanel + j % kPanel] =
          half_from_float(scale);
    }
    for (std::size_t q = 0; q < group.size(); ++q) {
      put(weights, j, first + q, code_of(weights.format, group[q] / scale));
    }
  }
}

}  // namespace

PackedWeights pack(NumberFormat format, std::size_t n, std::size_t k, const RowOf& row_of) {
  PackedWeights weights{format, rounded_up(n, kPanel), rounded_up(k, kGroup), {}, {}, {}};
  weights.codes = lines_for(weights.n * weights.k * bits_of(format) / 8);
  if (has_row_scales(format)) weights.scales.resize(weights.n);
  if (format == NumberFormat::kInt4) weights.group_scales.resize(weights.n * weights.k / kGroup);
  std::vector<float> row(weights.k);
  for (std::size_t j = 0; j < weights.n; ++j) {
    std::ranges::fill(row, 0.0f);
    if (j < n) row_of(j, std::span(row).first(k));
    pack_row(weights, j, row);
  }
  return weights;
}

Activations activations_for(NumberFormat weights, std::span<const float> x, std::size_t rows) {
  const NumberFormat format = activation_format(weights);
  const std::size_t columns = x.size() / rows, bytes = bits_of(format) / 8;
  Activations made{format, rows, rounded_up(columns, kGroup), {}, {}};
  made.codes = lines_for(rows * made.k * bytes);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto row = x.subspan(i * columns, columns);
    const float scale = scale_for(format, row);
    if (has_row_scales(format)) made.scales.push_back(scale);
    auto* at = start_of<std::byte>(made.codes) + i * made.k * bytes;
    for (const float value : row) {
      const std::uint32_t code = code_of(format, value / scale);
      std::memcpy(at, &code, bytes);
      at += bytes;
    }
  }
  return made;
}

std::size_t bytes_of(const PackedWeights& weights) {
  return weights.n * weights.k * bits_of(weights.format) / 8 +
         weights.scales.size() * sizeof(float) +
         weights.group_scales.size() * sizeof(std::uint16_t);
}

std::size_t bytes_of(const Activations& activations) {
  return activations.rows * activations.k * bits_of(activations.format) / 8 +
         activations.scales.size() * sizeof(float);
}

}  // namespace nibble::formats
