// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 05. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 05. The contract is in per_channel.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 05        (or leave ./nibble watch open)
// NIBBLE-END
#include "per_channel.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

/// Elements of a tensor. Stops counting at 2^32, which no x has: four int32 overflow an int64.
std::int64_t count_of(std::span<const std::int32_t> shape) {
  NIBBLE_EXPECTS(1 <= shape.size() && shape.size() <= 4, shape.size());
  std::int64_t count = 1;
  for (const std::int32_t size : shape) {
    NIBBLE_EXPECTS(size >= 0, size);
    count = std::min(count * size, std::int64_t{1} << 32);
  }
  return count;
}

/// Elements between two neighbours along `axis`: the product of the sizes behind it.
std::size_t stride_of(std::span<const std::int32_t> shape, std::size_t axis) {
  std::size_t stride = 1;
  for (std::size_t d = axis + 1; d < shape.size(); ++d) {
    stride *= static_cast<std::size_t>(shape[d]);
  }
  return stride;
}

float max_abs(std::span<const float> x) {
  float amax = 0.0f;
  for (const float value : x) amax = std::max(amax, std::fabs(value));
  return amax;
}

/// The rule of every scale here: `range` real units in `steps` steps, never 0, never subnormal.
float scale_of(float range, std::int32_t steps) {
  if (range == 0.0f) return 1.0f;
  return std::max(range / static_cast<float>(steps), FLT_MIN);
}

/// A code, clamped as float, because converting what does not fit is undefined.
std::int8_t clamped(float code, IntRange range) {
  return static_cast<std::int8_t>(
      std::clamp(code, static_cast<float>(range.qmin), static_cast<float>(range.qmax)));
}

/// Ties to even (nearbyint), before the zero point, which would turn them around where it is odd.
std::int8_t code_of(float x, float scale, IntRange range, std::int32_t zero_point = 0) {
  return clamped(std::nearbyint(x / scale) + static_cast<float>(zero_point), range);
}

void expects_usable(std::span<const float> scales) {
  for (const float scale : scales) NIBBLE_EXPECTS(std::isnormal(scale) && scale > 0.0f, scale);
}

}  // namespace
// NIBBLE-END

PerChannelTensor quantize_per_channel(std::span<const float> x, std::span<const std::int32_t> shape,
                                      int axis, int num_bits, Symmetry symmetry) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(2 <= num_bits && num_bits <= 8, num_bits);
  const auto count = static_cast<std::int64_t>(x.size());
  NIBBLE_EXPECTS(count == count_of(shape), count);
  const int rank = static_cast<int>(shape.size());
  NIBBLE_EXPECTS(-rank <= axis && axis < rank, axis);
  expects_finite(x);
  if (axis < 0) axis += rank;
  const IntRange range = signed_range(num_bits);

  // Row-major: `stride` elements in a row belong to one channel, then the next channel has its
  // turn, and after the last one it is the first one's again.
  const std::size_t stride = stride_of(shape, static_cast<std::size_t>(axis));
  const auto channels = static_cast<std::size_t>(shape[static_cast<std::size_t>(axis)]);

  // Both start at 0: that widens every range to include it, so that 0 has a code of its own.
  std::vector<float> lo(channels, 0.0f), hi(channels, 0.0f);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t channel = i / stride % channels;
    lo[channel] = std::min(lo[channel], x[i]);
    hi[channel] = std::max(hi[channel], x[i]);
  }
  PerChannelTensor result{
      std::vector<std::int8_t>(x.size()), {}, {}, {shape.begin(), shape.end()}, axis};
  for (std::size_t channel = 0; channel < channels; ++channel) {
    float scale = scale_of(std::max(-lo[channel], hi[channel]), range.qmax);
    std::int32_t zero_point = 0;
    if (symmetry == Symmetry::kAsymmetric) {
      const float width = hi[channel] - lo[channel];
      NIBBLE_EXPECTS(std::isfinite(width), width);
      scale = scale_of(width, range.qmax - range.qmin);
      const float steps = std::nearbyint(lo[channel] / scale);
      zero_point = clamped(static_cast<float>(range.qmin) - steps, range);
    }
    result.scales.push_back(scale);
    result.zero_points.push_back(zero_point);
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t channel = i / stride % channels;
    result.q[i] = code_of(x[i], result.scales[channel], range, result.zero_points[channel]);
  }
  return result;
  // NIBBLE-STUB: // 1. Refuse what the contract refuses. A negative axis: which one is it?
  // NIBBLE-STUB: // 2. Which channel does x[i] belong to? Everything else follows from that.
  // NIBBLE-STUB: // 3. The range of every channel.  4. Scales and zero points.  5. Codes.
  // NIBBLE-STUB: NIBBLE_TODO("quantize every slice along axis");
  // NIBBLE-END
}

std::vector<float> dequantize_per_channel(const PerChannelTensor& tensor) {
  // NIBBLE-BEGIN-SOLUTION
  const auto count = static_cast<std::int64_t>(tensor.q.size());
  NIBBLE_EXPECTS(count == count_of(tensor.shape), count);
  const auto rank = static_cast<std::int32_t>(tensor.shape.size());
  NIBBLE_EXPECTS(0 <= tensor.axis && tensor.axis < rank, tensor.axis);
  const auto axis = static_cast<std::size_t>(tensor.axis);
  const auto channels = static_cast<std::size_t>(tensor.shape[axis]);
  NIBBLE_EXPECTS(tensor.scales.size() == channels, tensor.scales.size());
  expects_usable(tensor.scales);
  NIBBLE_EXPECTS(tensor.zero_points.size() == channels, tensor.zero_points.size());
  for (const std::int32_t zero_point : tensor.zero_points) {
    NIBBLE_EXPECTS(-128 <= zero_point && zero_point <= 127, zero_point);
  }

  const std::size_t inner = stride_of(tensor.shape, axis);
  std::vector<float> real(tensor.q.size());
  for (std::size_t i = 0; i < real.size(); ++i) {
    const std::size_t channel = (i / inner) % channels;
    const std::int32_t steps = tensor.q[i] - tensor.zero_points[channel];
    real[i] = tensor.scales[channel] * static_cast<float>(steps);
  }
  return real;
  // NIBBLE-STUB: // Refuse what the contract refuses, then undo: each code with its channel's scale and zero point.
  // NIBBLE-STUB: NIBBLE_TODO("undo quantize_per_channel");
  // NIBBLE-END
}

GroupTensor quantize_per_group(std::span<const float> x, std::int32_t row_length,
                               std::int32_t group_size, int num_bits) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(num_bits >= 2 && num_bits <= 8, num_bits);
  NIBBLE_EXPECTS(row_length >= 1, row_length);
  NIBBLE_EXPECTS(group_size >= 1, group_size);
  const auto width = static_cast<std::size_t>(row_length);
  NIBBLE_EXPECTS(x.size() % width == 0, x.size());
  expects_finite(x);

  const IntRange range = signed_range(num_bits);
  GroupTensor result{{}, {}, row_length, group_size};
  for (std::size_t row = 0; row < x.size() / width; ++row) {
    // Groups start anew in every row, so the last one of a row may be short.
    for (std::size_t begin = 0; begin < width; begin += static_cast<std::size_t>(group_size)) {
      const std::size_t size = std::min(static_cast<std::size_t>(group_size), width - begin);
      const std::span<const float> group = x.subspan(row * width + begin, size);
      const float scale = scale_of(max_abs(group), range.qmax);
      result.scales.push_back(scale);
      for (const float value : group) result.q.push_back(code_of(value, scale, range));
    }
  }
  return result;
  // NIBBLE-STUB: // Row by row, group by group: where does a group begin, and where does it end?
  // NIBBLE-STUB: NIBBLE_TODO("quantize every group of every row");
  // NIBBLE-END
}

std::vector<float> dequantize_per_group(const GroupTensor& tensor) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(tensor.row_length >= 1, tensor.row_length);
  NIBBLE_EXPECTS(tensor.group_size >= 1, tensor.group_size);
  const auto width = static_cast<std::size_t>(tensor.row_length);
  const auto group_size = static_cast<std::size_t>(tensor.group_size);
  NIBBLE_EXPECTS(tensor.q.size() % width == 0, tensor.q.size());
  const std::size_t rows = tensor.q.size() / width;
  const std::size_t groups = (width + group_size - 1) / group_size;  // of one row, rounded up
  NIBBLE_EXPECTS(tensor.scales.size() == rows * groups, tensor.scales.size());
  expects_usable(tensor.scales);

  std::vector<float> real(tensor.q.size());
  for (std::size_t i = 0; i < real.size(); ++i) {
    const std::size_t row = i / width;
    const std::size_t column = i % width;
    real[i] = tensor.scales[row * groups + column / group_size] * static_cast<float>(tensor.q[i]);
  }
  return real;
  // NIBBLE-STUB: // How many groups has a row? Then: which group holds q[i]?
  // NIBBLE-STUB: NIBBLE_TODO("undo quantize_per_group");
  // NIBBLE-END
}

MemorySavings memory_savings(std::int64_t count, int num_bits, std::int64_t elements_per_scale,
                             int scale_bits, int zero_point_bits) {
  // NIBBLE-BEGIN-SOLUTION
  constexpr std::int64_t kMost = std::int64_t{1} << 48;  // then no product below overflows
  NIBBLE_EXPECTS(1 <= count && count <= kMost, count);
  NIBBLE_EXPECTS(1 <= elements_per_scale && elements_per_scale <= kMost, elements_per_scale);
  NIBBLE_EXPECTS(1 <= num_bits && num_bits <= 32, num_bits);
  NIBBLE_EXPECTS(0 <= scale_bits && scale_bits <= 64, scale_bits);
  NIBBLE_EXPECTS(0 <= zero_point_bits && zero_point_bits <= 64, zero_point_bits);

  const std::int64_t scales = (count + elements_per_scale - 1) / elements_per_scale;  // rounded up
  const std::int64_t total_bits = count * num_bits + scales * (scale_bits + zero_point_bits);
  const double bits_per_element = static_cast<double>(total_bits) / static_cast<double>(count);
  return {total_bits, bits_per_element, bits_per_element / 32.0};
  // NIBBLE-STUB: // How many scales are there, when the last one serves fewer elements?
  // NIBBLE-STUB: NIBBLE_TODO("count the bits");
  // NIBBLE-END
}
// NIBBLE-BEGIN-SOLUTION

namespace {

/// No noise is the case to mind; log10(0) is -infinity, which is what no signal means.
double decibels(double signal, double noise) {
  return noise > 0.0 ? 10.0 * std::log10(signal / noise) : HUGE_VAL;
}

double mean_of(std::span<const float> x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

/// Lab 02. In double: a float sum forgets small errors after large ones.
MethodResult measure(std::span<const float> x, std::span<const float> x_hat, double bits) {
  const auto n = static_cast<double>(x.size());
  const double mean = mean_of(x);
  double power = 0.0, variance = 0.0, dot = 0.0, power_hat = 0.0;
  double squares = 0.0, sizes = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double value = x[i], back = x_hat[i], error = std::fabs(value - back);
    power += value * value;
    variance += (value - mean) * (value - mean);
    dot += value * back;
    power_hat += back * back;
    squares += error * error;
    sizes += error;
    largest = std::max(largest, error);
  }
  double cosine = power == power_hat ? 1.0 : 0.0;  // where a length is 0
  if (power > 0.0 && power_hat > 0.0) cosine = dot / (std::sqrt(power) * std::sqrt(power_hat));
  return {.mse = squares / n,
          .mae = sizes / n,
          .max_error = largest,
          .relative_error = squares > 0.0 ? squares / variance : 0.0,  // the counts cancel
          .snr_db = decibels(variance, squares),
          .sqnr_db = decibels(power, squares),
          .cosine = cosine,
          .bits_per_element = bits};
}

/// The highest sqnr_db, and of equals the first: so only a strictly better one takes over.
Method best_of(const std::array<double, 5>& sqnr_db) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < sqnr_db.size(); ++i) {
    if (sqnr_db[i] > sqnr_db[best]) best = i;
  }
  return static_cast<Method>(best);
}

}  // namespace
// NIBBLE-END

MethodComparison compare_quantization_methods(std::span<const float> x,
                                              std::span<const std::int32_t> shape, int num_bits,
                                              std::int32_t group_size) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(x.size() >= 1 && x.size() <= INT32_MAX, x.size());
  NIBBLE_EXPECTS(!shape.empty(), shape.size());
  const auto count = static_cast<std::int32_t>(x.size());
  const std::int32_t row_length = shape.back();

  const std::array<std::int32_t, 2> one_channel{1, count};  // per tensor: one slice of everything
  const auto by_slices = [&](std::span<const std::int32_t> slices, Symmetry symmetry) {
    const auto tensor = quantize_per_channel(x, slices, 0, num_bits, symmetry);
    const std::int32_t each = count / slices[0];
    const int zero_point_bits = symmetry == Symmetry::kAsymmetric ? num_bits : 0;
    return measure(x, dequantize_per_channel(tensor),
                   memory_savings(count, num_bits, each, 32, zero_point_bits).bits_per_element);
  };
  const auto groups = quantize_per_group(x, row_length, group_size, num_bits);
  const auto of_row = memory_savings(row_length, num_bits, group_size);  // each row costs the same
  MethodComparison result{by_slices(one_channel, Symmetry::kSymmetric),
                          by_slices(one_channel, Symmetry::kAsymmetric),
                          by_slices(shape, Symmetry::kSymmetric),
                          by_slices(shape, Symmetry::kAsymmetric),
                          measure(x, dequantize_per_group(groups), of_row.bits_per_element),
                          Method::kPerTensorSymmetric};
  result.best = best_of({result.per_tensor_symmetric.sqnr_db, result.per_tensor_asymmetric.sqnr_db,
                         result.per_channel_symmetric.sqnr_db,
                         result.per_channel_asymmetric.sqnr_db, result.per_group.sqnr_db});
  return result;
  // NIBBLE-STUB: // 1. x_hat, five times: you have a function for each.
  // NIBBLE-STUB: // 2. The metrics of each, as in lab 02.  3. Bits of each.  4. The best.
  // NIBBLE-STUB: NIBBLE_TODO("compare five ways to quantize x");
  // NIBBLE-END
}

}  // namespace nibble
