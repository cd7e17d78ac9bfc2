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

/// Ties to even (nearbyint); clamped as float, because converting what does not fit is undefined.
std::int8_t code_of(float x, float scale, IntRange range) {
  const float steps = std::nearbyint(x / scale);
  return static_cast<std::int8_t>(
      std::clamp(steps, static_cast<float>(range.qmin), static_cast<float>(range.qmax)));
}

void expects_positive(std::span<const float> scales) {
  for (const float scale : scales) NIBBLE_EXPECTS(scale > 0.0f, scale);
}

}  // namespace
// NIBBLE-END

PerChannelTensor quantize_per_channel(std::span<const float> x, std::span<const std::int32_t> shape,
                                      int axis, int num_bits) {
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

  std::vector<float> amax(channels, 0.0f);
  for (std::size_t i = 0; i < x.size(); ++i) {
    float& largest = amax[i / stride % channels];
    largest = std::max(largest, std::fabs(x[i]));
  }
  PerChannelTensor result{
      std::vector<std::int8_t>(x.size()), {}, {shape.begin(), shape.end()}, axis};
  for (const float largest : amax) result.scales.push_back(scale_of(largest, range.qmax));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t channel = i / stride % channels;
    result.q[i] = code_of(x[i], result.scales[channel], range);
  }
  return result;
  // NIBBLE-STUB: // 1. Refuse what the contract refuses. A negative axis: which one is it?
  // NIBBLE-STUB: // 2. Which channel does x[i] belong to? Everything else follows from that.
  // NIBBLE-STUB: // 3. amax of every channel.  4. Scales.  5. Codes.
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
  expects_positive(tensor.scales);

  const std::size_t inner = stride_of(tensor.shape, axis);
  std::vector<float> real(tensor.q.size());
  for (std::size_t i = 0; i < real.size(); ++i) {
    const float scale = tensor.scales[(i / inner) % channels];
    real[i] = scale * static_cast<float>(tensor.q[i]);
  }
  return real;
  // NIBBLE-STUB: // Refuse what the contract refuses, then multiply: each code by its channel's scale.
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
  expects_positive(tensor.scales);

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

/// x, quantized with one scale and one zero point for all of it, and back.
std::vector<float> round_trip_asymmetric(std::span<const float> x, int num_bits) {
  // Starting at 0 widens the range to include it, so that 0 has a code of its own.
  float lo = 0.0f, hi = 0.0f;
  for (const float value : x) {
    lo = std::min(lo, value);
    hi = std::max(hi, value);
  }
  NIBBLE_EXPECTS(std::isfinite(hi - lo), hi - lo);
  const std::int32_t qmax = unsigned_range(num_bits).qmax;
  const float most = static_cast<float>(qmax);
  const float scale = scale_of(hi - lo, qmax);
  const float zero_point = std::clamp(-std::nearbyint(lo / scale), 0.0f, most);

  std::vector<float> x_hat;
  for (const float value : x) {
    const float q = std::clamp(std::nearbyint(value / scale) + zero_point, 0.0f, most);
    x_hat.push_back(scale * (q - zero_point));  // whole numbers below 256: exact in float
  }
  return x_hat;
}

MethodResult measure(std::span<const float> x, std::span<const float> x_hat, double bits) {
  double power = 0.0, noise = 0.0;  // double: a float sum forgets small errors after large ones
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double error = static_cast<double>(x_hat[i]) - x[i];
    power += static_cast<double>(x[i]) * x[i];
    noise += error * error;
  }
  double sqnr_db = std::numeric_limits<double>::infinity();
  if (noise > 0.0) sqnr_db = 10.0 * std::log10(power / noise);  // the counts cancel
  return {noise / static_cast<double>(x.size()), sqnr_db, bits};
}

/// The highest sqnr_db, and of equals the first: so only a strictly better one takes over.
Method best_of(const std::array<double, 4>& sqnr_db) {
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

  const auto per_channel = dequantize_per_channel(quantize_per_channel(x, shape, 0, num_bits));
  const auto per_group =
      dequantize_per_group(quantize_per_group(x, row_length, group_size, num_bits));
  const std::array<std::int32_t, 2> one_channel{1, count};  // per tensor: one slice of everything
  const auto per_tensor = dequantize_per_channel(quantize_per_channel(x, one_channel, 0, num_bits));
  const auto asymmetric = round_trip_asymmetric(x, num_bits);

  const auto bits = [&](std::int32_t elements, std::int32_t elements_per_scale,
                        int zero_point_bits) {
    return memory_savings(elements, num_bits, elements_per_scale, 32, zero_point_bits)
        .bits_per_element;
  };
  MethodComparison result{
      measure(x, per_tensor, bits(count, count, 0)),
      measure(x, asymmetric, bits(count, count, num_bits)),
      measure(x, per_channel, bits(count, count / shape[0], 0)),
      measure(x, per_group, bits(row_length, group_size, 0)),  // every row costs the same
      Method::kPerTensorSymmetric};
  result.best = best_of({result.per_tensor_symmetric.sqnr_db, result.per_tensor_asymmetric.sqnr_db,
                         result.per_channel.sqnr_db, result.per_group.sqnr_db});
  return result;
  // NIBBLE-STUB: // 1. x_hat, four times: three ways you have already, one is new.
  // NIBBLE-STUB: // 2. mse and sqnr_db of each, summed in double.  3. Bits of each.  4. The best.
  // NIBBLE-STUB: NIBBLE_TODO("compare four ways to quantize x");
  // NIBBLE-END
}

}  // namespace nibble
