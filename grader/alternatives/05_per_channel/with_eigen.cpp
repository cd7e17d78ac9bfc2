// Whole-array arithmetic with Eigen: a tensor is a stack of matrices [channels, inner], a row of
// groups is a matrix with a remainder, and no loop looks at a single element.
#include <Eigen/Core>

#include "per_channel.hpp"

namespace nibble {
namespace {

using Rows = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Codes = Eigen::Array<std::int8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::Index;

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

/// x[outer, channels, inner]: what any tensor is, seen from one of its axes.
struct Stack {
  Index outer = 1, channels = 1, inner = 1;
};

Stack stack_of(std::span<const std::int32_t> shape, int axis, std::size_t elements) {
  const int rank = static_cast<int>(shape.size());
  require(1 <= rank && rank <= 4, "expected 1 to 4 dimensions");
  require(-rank <= axis && axis < rank, "expected an axis of the tensor");
  const int at = axis < 0 ? axis + rank : axis;
  Stack stack;
  for (int d = 0; d < rank; ++d) {
    const Index size = shape[static_cast<std::size_t>(d)];
    require(size >= 0, "expected sizes that are not negative");
    (d < at ? stack.outer : d == at ? stack.channels : stack.inner) *= size;
  }
  require(stack.outer * stack.channels * stack.inner == static_cast<Index>(elements),
          "expected a shape that fits");
  return stack;
}

IntRange range_of(int num_bits) {
  require(2 <= num_bits && num_bits <= 8, "expected 2 to 8 bits");
  return signed_range(num_bits);
}

/// A range in so many steps -> scale, for a whole column of channels.
template <class Column>
Eigen::ArrayXf scales_of(const Column& width, int steps) {
  const Eigen::ArrayXf scale = (width / static_cast<float>(steps)).max(FLT_MIN);
  return (width > 0.0f).select(scale, 1.0f);
}

/// Row r of x, in steps of scale[r] from zero_point[r], as codes.
template <class Matrix>
Codes codes_of(const Matrix& x, const Eigen::ArrayXf& scale, const Eigen::ArrayXf& zero_point,
               IntRange range) {
  Rows steps = (x.colwise() / scale).rint();
  steps.colwise() += zero_point;
  return steps.max(static_cast<float>(range.qmin))
      .min(static_cast<float>(range.qmax))
      .template cast<std::int8_t>();
}

Eigen::Map<const Rows> rows_at(const float* x, Index rows, Index columns) {
  return {x, rows, columns};
}

}  // namespace

PerChannelTensor quantize_per_channel(std::span<const float> x, std::span<const std::int32_t> shape,
                                      int axis, int num_bits, Symmetry symmetry) {
  const IntRange range = range_of(num_bits);
  const Stack stack = stack_of(shape, axis, x.size());
  expects_finite(x);
  const int rank = static_cast<int>(shape.size());
  const bool shifted = symmetry == Symmetry::kAsymmetric;
  const auto channels = static_cast<std::size_t>(stack.channels);
  PerChannelTensor t{std::vector<std::int8_t>(x.size()),
                     std::vector<float>(channels, 1.0f),
                     std::vector<std::int32_t>(channels, shifted ? range.qmin : 0),
                     {shape.begin(), shape.end()},
                     (axis + rank) % rank};
  if (x.empty()) return t;
  const Index sheet = stack.channels * stack.inner;
  Eigen::ArrayXf lo = Eigen::ArrayXf::Zero(stack.channels), hi = lo;
  for (Index o = 0; o < stack.outer; ++o) {
    const auto rows = rows_at(x.data() + o * sheet, stack.channels, stack.inner);
    lo = lo.min(rows.rowwise().minCoeff());
    hi = hi.max(rows.rowwise().maxCoeff());
  }
  const Eigen::ArrayXf width = shifted ? Eigen::ArrayXf(hi - lo) : Eigen::ArrayXf(hi.max(-lo));
  require(width.isFinite().all(), "expected finite ranges");
  Eigen::Map<Eigen::ArrayXf> scales(t.scales.data(), stack.channels);
  scales = scales_of(width, shifted ? range.qmax - range.qmin : range.qmax);
  Eigen::ArrayXf zero_points = Eigen::ArrayXf::Zero(stack.channels);
  if (shifted) zero_points = static_cast<float>(range.qmin) - (lo / scales).rint();
  for (Index c = 0; c < stack.channels; ++c) {
    t.zero_points[static_cast<std::size_t>(c)] =
        std::clamp(static_cast<std::int32_t>(zero_points[c]), range.qmin, range.qmax);
  }
  for (Index o = 0; o < stack.outer; ++o) {
    const auto rows = rows_at(x.data() + o * sheet, stack.channels, stack.inner);
    Eigen::Map<Codes>(t.q.data() + o * sheet, stack.channels, stack.inner) =
        codes_of(rows, scales, zero_points, range);
  }
  return t;
}

std::vector<float> dequantize_per_channel(const PerChannelTensor& t) {
  require(t.axis >= 0, "expected an axis counted from the front");
  const Stack stack = stack_of(t.shape, t.axis, t.q.size());
  require(static_cast<Index>(t.scales.size()) == stack.channels, "expected a scale per channel");
  const Eigen::Map<const Eigen::ArrayXf> scales(t.scales.data(), stack.channels);
  require((scales >= FLT_MIN).all() && (scales <= FLT_MAX).all(), "expected normal scales");
  require(t.zero_points.size() == t.scales.size(), "expected a zero point per channel");
  const Eigen::Map<const Eigen::ArrayXi> zero_points(t.zero_points.data(), stack.channels);
  require((zero_points >= -128 && zero_points <= 127).all(), "expected zero points of int8");
  std::vector<float> real(t.q.size());
  const Index sheet = stack.channels * stack.inner;
  for (Index o = 0; o < (real.empty() ? 0 : stack.outer); ++o) {
    const Eigen::Map<const Codes> q(t.q.data() + o * sheet, stack.channels, stack.inner);
    Eigen::Map<Rows>(real.data() + o * sheet, stack.channels, stack.inner) =
        (q.cast<float>().colwise() - zero_points.cast<float>()).colwise() * scales;
  }
  return real;
}

namespace {

/// A row: `full` groups of `size`, and one of `rest` behind them, which may be empty.
struct Split {
  Index rows, length, size, full, rest;
  Index groups() const { return full + (rest > 0 ? 1 : 0); }
};

Split split_of(std::size_t elements, std::int32_t row_length, std::int32_t group_size) {
  require(row_length >= 1 && group_size >= 1, "expected sizes of at least 1");
  const auto count = static_cast<Index>(elements);
  require(count % row_length == 0, "expected whole rows");
  return {count / row_length, row_length, group_size, row_length / group_size,
          row_length % group_size};
}

}  // namespace

GroupTensor quantize_per_group(std::span<const float> x, std::int32_t row_length,
                               std::int32_t group_size, int num_bits) {
  const IntRange range = range_of(num_bits);
  const Split split = split_of(x.size(), row_length, group_size);
  expects_finite(x);
  GroupTensor t{std::vector<std::int8_t>(x.size()),
                std::vector<float>(static_cast<std::size_t>(split.rows * split.groups())),
                row_length, group_size};
  // A block of a row, as `rows` groups of `columns`: the full groups at once, then the rest.
  const auto quantize = [&](Index at, Index scale_at, Index rows, Index columns) {
    if (rows * columns == 0) return;
    const auto block = rows_at(x.data() + at, rows, columns);
    Eigen::Map<Eigen::ArrayXf> scales(t.scales.data() + scale_at, rows);
    scales = scales_of(block.abs().rowwise().maxCoeff(), range.qmax);
    Eigen::Map<Codes>(t.q.data() + at, rows, columns) =
        codes_of(block, scales, Eigen::ArrayXf::Zero(rows), range);
  };
  for (Index r = 0; r < split.rows; ++r) {
    const Index at = r * split.length, scale_at = r * split.groups();
    quantize(at, scale_at, split.full, split.size);
    quantize(at + split.full * split.size, scale_at + split.full, 1, split.rest);
  }
  return t;
}

std::vector<float> dequantize_per_group(const GroupTensor& t) {
  const Split split = split_of(t.q.size(), t.row_length, t.group_size);
  require(static_cast<Index>(t.scales.size()) == split.rows * split.groups(),
          "expected a scale per group");
  const Eigen::Map<const Rows> scales(t.scales.data(), split.rows, split.groups());
  require((scales >= FLT_MIN).all() && (scales <= FLT_MAX).all(), "expected normal scales");
  std::vector<float> real(t.q.size());
  const Eigen::Map<const Codes> q(t.q.data(), split.rows, split.length);
  Eigen::Map<Rows> out(real.data(), split.rows, split.length);
  // Group by group, for all rows together: a strip of columns has one scale per row.
  for (Index g = 0; g < split.groups(); ++g) {
    const Index width = g < split.full ? split.size : split.rest;
    const Eigen::ArrayXf scale = scales.col(g);
    out.middleCols(g * split.size, width) =
        q.middleCols(g * split.size, width).cast<float>().colwise() * scale;
  }
  return real;
}

MemorySavings memory_savings(std::int64_t count, int num_bits, std::int64_t elements_per_scale,
                             int scale_bits, int zero_point_bits) {
  constexpr std::int64_t most = 0x1'0000'0000'0000;
  require(count > 0 && count <= most, "expected a count");
  require(elements_per_scale > 0 && elements_per_scale <= most, "expected elements of a scale");
  require(num_bits > 0 && num_bits <= 32, "expected bits of a code");
  require(scale_bits >= 0 && scale_bits <= 64, "expected bits of a scale");
  require(zero_point_bits >= 0 && zero_point_bits <= 64, "expected bits of a zero point");
  std::int64_t bits = num_bits * count;
  bits += scale_bits * ((count - 1) / elements_per_scale + 1);
  bits += zero_point_bits * ((count - 1) / elements_per_scale + 1);
  const double fp32_bits = 32.0 * static_cast<double>(count);
  const double total = static_cast<double>(bits);
  return {bits, total / static_cast<double>(count), total / fp32_bits};
}

namespace {

using Row = Eigen::Map<const Eigen::ArrayXf>;

MethodResult result_of(const Row& x, const Row& x_hat, double bits) {
  const Eigen::VectorXd a = x.cast<double>(), b = x_hat.cast<double>();
  const Eigen::ArrayXd error = (a - b).array().abs();
  const double mse = error.square().mean();
  const double variance = (a.array() - a.mean()).square().mean();
  const auto db = [=](double signal) {
    return mse == 0.0 ? HUGE_VAL : 10.0 * std::log10(signal / mse);
  };
  double cosine = a.dot(b) / (a.norm() * b.norm());
  if (a.isZero(0.0) || b.isZero(0.0)) cosine = a.isZero(0.0) && b.isZero(0.0) ? 1.0 : 0.0;
  return {mse,
          error.mean(),
          error.maxCoeff(),
          mse == 0.0 ? 0.0 : mse / variance,
          db(variance),
          db(a.array().square().mean()),
          cosine,
          bits};
}

}  // namespace

MethodComparison compare_quantization_methods(std::span<const float> x,
                                              std::span<const std::int32_t> shape, int num_bits,
                                              std::int32_t group_size) {
  require(!x.empty() && !shape.empty(), "expected at least one element");
  const auto length = static_cast<Index>(x.size());
  const auto count = static_cast<double>(length);
  const Row row(x.data(), length);
  const std::array<std::int32_t, 1> flat{static_cast<std::int32_t>(length)};
  const std::array<std::int32_t, 2> all_in_one{1, flat[0]};
  const auto way = [&](std::span<const std::int32_t> slices, Symmetry symmetry) {
    const auto tensor = quantize_per_channel(x, slices, 0, num_bits, symmetry);
    const auto real = dequantize_per_channel(tensor);
    const double each = symmetry == Symmetry::kAsymmetric ? 32.0 + num_bits : 32.0;
    return result_of(row, Row(real.data(), length),
                     num_bits + each * static_cast<double>(tensor.scales.size()) / count);
  };
  const auto by_group = quantize_per_group(x, shape.back(), group_size, num_bits);
  const auto group = dequantize_per_group(by_group);
  const std::array<MethodResult, 5> all{
      way(all_in_one, Symmetry::kSymmetric), way(all_in_one, Symmetry::kAsymmetric),
      way(shape, Symmetry::kSymmetric), way(shape, Symmetry::kAsymmetric),
      result_of(row, Row(group.data(), length),
                num_bits + 32.0 * static_cast<double>(by_group.scales.size()) / count)};
  std::int32_t best = 4;
  for (std::int32_t i = 4; i-- > 0;) {  // back to front
    const auto at = static_cast<std::size_t>(i);
    if (all[at].sqnr_db >= all[static_cast<std::size_t>(best)].sqnr_db) best = i;
  }
  return {all[0], all[1], all[2], all[3], all[4], static_cast<Method>(best)};
}

}  // namespace nibble
