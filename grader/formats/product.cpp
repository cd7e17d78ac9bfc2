// Slab by slab and panel by panel: who reads which codes, made what, and which kernel gets them.
#include "formats/product.hpp"

#include <algorithm>
#include <numeric>

#include "formats/float_kernels.hpp"
#include "formats/integer_kernels.hpp"

namespace nibble::formats {
namespace {

/// So much of k at a time: with 16 outputs 16 KiB of float32, which stay in the level-1 cache while
/// all rows pass by.
constexpr std::size_t kSlab = 256;

void make_room(Lines& lines, std::size_t bytes) {
  if (lines.size() * 64 < bytes) lines = lines_for(bytes);
}

/// Activations as float32, slab by slab: in each [rows, depth]. Rows of all of k would be a power
/// of two apart, and share few sets of the cache.
const float* widened(const Activations& x, Widen widen, Workspace& workspace) {
  make_room(workspace.x, x.rows * x.k * sizeof(float));
  auto* const all = start_of<float>(workspace.x);
  const std::size_t bytes = bits_of(x.format) / 8;
  for (std::size_t p0 = 0; p0 < x.k; p0 += kSlab) {
    const std::size_t depth = std::min(kSlab, x.k - p0);
    for (std::size_t i = 0; i < x.rows; ++i) {
      widen(start_of<std::byte>(x.codes) + (i * x.k + p0) * bytes, all + p0 * x.rows + i * depth,
            depth);
    }
  }
  return all;
}

void apply_scales(const Activations& x, const PackedWeights& weights, std::span<float> y) {
  for (std::size_t i = 0; i < x.rows; ++i) {
    const float scale = x.scales[i] * kFp8Factor * kFp8Factor;
    float* const row = y.data() + i * weights.n;
    for (std::size_t j = 0; j < weights.n; ++j) row[j] *= scale * weights.scales[j];
  }
}

/// Where a slab of a panel is to be read: the codes themselves, or what was made float32 of them
/// once for all rows.
struct Slab {
  const std::byte* codes;
  std::size_t depth;
};

void multiply_slab(const Slab& slab, std::span<const MultiplyFloats> kernels, const float* x,
                   std::size_t rows, float* y, std::size_t stride) {
  for (std::size_t i = 0, some = 0; i < rows; i += some) {
    some = std::min(rows - i, kernels.size());
    kernels[some - 1]({x + i * slab.depth, slab.codes, slab.depth, y + i * stride, stride});
  }
}

void multiply_floats(Isa isa, const Activations& x, const PackedWeights& weights,
                     Workspace& workspace, std::span<float> y) {
  const FloatKernels from_codes = float_kernels(isa, weights.format);
  const FloatKernels from_floats = float_kernels(isa, NumberFormat::kFp32);
  const float* const activations = widened(x, from_codes.widen, workspace);
  const bool once = x.rows > from_codes.multiply.size() && weights.format != NumberFormat::kFp32;
  const std::size_t bytes = bits_of(weights.format) / 8, n = weights.n, k = weights.k;
  if (once) make_room(workspace.w, kSlab * kPanel * sizeof(float));
  std::ranges::fill(y, 0.0f);
  for (std::size_t j = 0; j < n; j += kPanel) {
    for (std::size_t p0 = 0; p0 < k; p0 += kSlab) {
      const std::byte* codes = start_of<std::byte>(weights.codes) + (j * k + p0 * kPanel) * bytes;
      const std::size_t depth = std::min(kSlab, k - p0);
      if (once) {
        from_codes.widen(codes, start_of<float>(workspace.w), depth * kPanel);
        codes = start_of<std::byte>(workspace.w);
      }
      multiply_slab({codes, depth}, (once ? from_floats : from_codes).multiply,
                    activations + p0 * x.rows, x.rows, y.data() + j, n);
    }
  }
  if (has_row_scales(weights.format)) apply_scales(x, weights, y);
}

void sum_groups(const Activations& x, std::vector<std::int32_t>& sums) {
  sums.resize(x.rows * x.k / kGroup);
  const auto* codes = start_of<std::int8_t>(x.codes);
  for (std::int32_t& sum : sums) {
    sum = std::accumulate(codes, codes + kGroup, std::int32_t{0});
    codes += kGroup;
  }
}

void multiply_integers(Isa isa, const Activations& x, const PackedWeights& weights,
                       Workspace& workspace, std::span<float> y) {
  const bool is_int4 = weights.format == NumberFormat::kInt4;
  const IntegerKernels kernels = integer_kernels(isa);
  const auto multiply = is_int4 ? kernels.int4 : kernels.int8;
  const std::size_t n = weights.n, k = weights.k, groups = k / kGroup;
  sum_groups(x, workspace.group_sums);
  for (std::size_t j = 0; j < n; j += kPanel) {
    IntegerTile tile{};
    tile.codes = start_of<std::uint8_t>(weights.codes) + j * k * bits_of(weights.format) / 8;
    if (is_int4) tile.group_scales = weights.group_scales.data() + j * groups;
    if (!is_int4) tile.scales = weights.scales.data() + j;
    tile.k = k;
    tile.stride = n;
    for (std::size_t i = 0, rows = 0; i < x.rows; i += rows) {
      rows = std::min(x.rows - i, multiply.size());
      tile.x = start_of<std::int8_t>(x.codes) + i * k;
      tile.group_sums = workspace.group_sums.data() + i * groups;
      tile.x_scales = x.scales.data() + i;
      tile.y = y.data() + i * n + j;
      multiply[rows - 1](tile);
    }
  }
}

#if defined(__x86_64__)
/// Halves to floats, in one instruction: every CPU with AVX2 has it, but for what a virtual machine
/// hides.
bool converts_halves() {
  constexpr int kF16c = 29;
  return detail::has_bit(detail::cpu_id(1, 0).ecx, kF16c);
}
#endif

/// By which instruction codes become what is multiplied; empty: they are that.
std::string loaded_by(NumberFormat format, bool plain) {
  switch (format) {
    case NumberFormat::kFp16:
      return plain ? "a table" : "vcvtph2ps";
    case NumberFormat::kBf16:
      return "a shift";
    case NumberFormat::kFp8:
      return plain ? "a table" : "a shift and vcvtph2ps";
    case NumberFormat::kInt4:
      return "a shift and a mask";
    default:
      return "";
  }
}

}  // namespace

Isa widest_isa() {
#if defined(__x86_64__)
  static const bool wide = cpu_has(Isa::kAvx2) && converts_halves();
  if (wide) return Isa::kAvx2;
#endif
  return Isa::kScalar;
}

std::string arithmetic_of(NumberFormat format, Isa isa) {
  const bool plain = isa == Isa::kScalar;
  const std::string type = is_float(format) ? "float32" : "int8";
  const std::string unit = plain              ? "plain C++"
                           : is_float(format) ? "vfmadd231ps of AVX2"
                                              : "vpmaddubsw of AVX2";
  const std::string how = loaded_by(format, plain);
  return (how.empty() ? type : "made " + type + " as it is loaded (" + how + ")") + ", " + unit;
}

void multiply(Isa isa, const Activations& x, const PackedWeights& weights, Workspace& workspace,
              std::span<float> y) {
  if (is_float(weights.format)) {
    multiply_floats(isa, x, weights, workspace, y);
  } else {
    multiply_integers(isa, x, weights, workspace, y);
  }
}

}  // namespace nibble::formats
