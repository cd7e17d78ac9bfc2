// Slices first: finds a slice's elements with the library's algorithms and works on it as a whole,
// where the reference walks all elements and asks each for its channel.
#include <ranges>

#include "per_channel.hpp"

namespace nibble {
namespace {

namespace views = std::views;

/// Runs of consecutive elements of one channel: `run` elements, one run every `run * channels`.
struct Runs {
  std::size_t channels, run, count;

  std::size_t begin(std::size_t channel, std::size_t repeat) const {
    return (repeat * channels + channel) * run;
  }
};

Runs runs_along(std::span<const std::int32_t> shape, int axis, std::size_t elements) {
  NIBBLE_EXPECTS(!shape.empty() && shape.size() < 5, shape.size());
  if (!std::ranges::all_of(shape, [](std::int32_t size) { return size >= 0; })) {
    throw std::invalid_argument("a size is negative");
  }
  const auto rank = static_cast<int>(shape.size());
  if (axis >= rank || axis < -rank) throw std::invalid_argument("there is no such axis");
  const auto behind = shape.begin() + (axis + rank) % rank + 1;
  const auto product = [](auto first, auto last) {
    return std::accumulate(first, last, std::size_t{1}, std::multiplies<>());
  };
  if (product(shape.begin(), shape.end()) != elements) {
    throw std::invalid_argument("the shape does not fit the number of elements");
  }
  const Runs runs{static_cast<std::size_t>(*(behind - 1)), product(behind, shape.end()), 0};
  return {runs.channels, runs.run, elements == 0 ? 0 : elements / (runs.run * runs.channels)};
}

float largest(std::span<const float> x) {
  return std::transform_reduce(
      x.begin(), x.end(), 0.0f, [](float a, float b) { return std::max(a, b); },
      [](float value) { return std::abs(value); });
}

float step(float amax, int qmax) {
  return amax > 0 ? std::max(FLT_MIN, amax / static_cast<float>(qmax)) : 1.0f;
}

void encode(std::span<const float> x, float scale, int qmax, std::int8_t* q, int zero_point = 0) {
  std::ranges::transform(x, q, [=](float value) {
    const auto code = std::lrint(std::clamp(value / scale, -1000.0f, 1000.0f)) + zero_point;
    return static_cast<std::int8_t>(std::clamp<long>(code, -qmax - 1, qmax));
  });
}

int qmax_of(int num_bits) {
  if (num_bits < 2 || num_bits > 8) throw std::invalid_argument("num_bits is not in 2..8");
  return signed_range(num_bits).qmax;
}

void all_normal(std::span<const float> scales) {
  if (!std::ranges::all_of(scales, [](float s) { return s > 0 && std::isnormal(s); })) {
    throw std::invalid_argument("a scale is not normal and above 0");
  }
}

std::size_t groups_in(std::int32_t row_length, std::int32_t group_size, std::size_t elements) {
  if (row_length < 1 || group_size < 1) throw std::invalid_argument("a size is below 1");
  if (elements % static_cast<std::size_t>(row_length) != 0) {
    throw std::invalid_argument("the last row is not complete");
  }
  return 1 + static_cast<std::size_t>((row_length - 1) / group_size);
}

}  // namespace

PerChannelTensor quantize_per_channel(std::span<const float> x, std::span<const std::int32_t> shape,
                                      int axis, int num_bits, Symmetry symmetry) {
  const int qmax = qmax_of(num_bits);
  const Runs runs = runs_along(shape, axis, x.size());
  expects_finite(x);
  const auto rank = static_cast<int>(shape.size());
  PerChannelTensor t{std::vector<std::int8_t>(x.size()),
                     {},
                     {},
                     {shape.begin(), shape.end()},
                     axis < 0 ? axis + rank : axis};
  for (const std::size_t channel : views::iota(std::size_t{0}, runs.channels)) {
    std::vector<float> ends{0.0f};
    for (const std::size_t repeat : views::iota(std::size_t{0}, runs.count)) {
      const auto [least, most] =
          std::ranges::minmax(x.subspan(runs.begin(channel, repeat), runs.run));
      ends.insert(ends.end(), {least, most});
    }
    const auto [lo, hi] = std::ranges::minmax(ends);
    if (symmetry == Symmetry::kAsymmetric) {
      if (hi - lo > FLT_MAX) throw std::invalid_argument("a range is not finite");
      t.scales.push_back(step(hi - lo, 2 * qmax + 1));
      const long zero_point = -qmax - 1 - std::lrint(lo / t.scales.back());
      t.zero_points.push_back(static_cast<std::int32_t>(std::clamp<long>(zero_point, ~qmax, qmax)));
    } else {
      t.scales.push_back(step(largest(ends), qmax));
      t.zero_points.push_back(0);
    }
    for (const std::size_t repeat : views::iota(std::size_t{0}, runs.count)) {
      const std::size_t begin = runs.begin(channel, repeat);
      encode(x.subspan(begin, runs.run), t.scales.back(), qmax, t.q.data() + begin,
             t.zero_points.back());
    }
  }
  return t;
}

std::vector<float> dequantize_per_channel(const PerChannelTensor& t) {
  if (t.axis < 0) throw std::invalid_argument("the axis of a tensor counts from the front");
  const Runs runs = runs_along(t.shape, t.axis, t.q.size());
  if (runs.channels != t.scales.size()) throw std::invalid_argument("not one scale per channel");
  all_normal(t.scales);
  if (runs.channels != t.zero_points.size()) throw std::invalid_argument("not a zero point each");
  if (!std::ranges::all_of(t.zero_points, [](int z) { return z == static_cast<std::int8_t>(z); })) {
    throw std::invalid_argument("a zero point is no int8");
  }
  std::vector<float> real;
  for (const std::size_t run : views::iota(std::size_t{0}, runs.count * runs.channels)) {
    const float scale = t.scales[run % runs.channels];
    const std::int32_t zero_point = t.zero_points[run % runs.channels];
    std::ranges::transform(
        std::span(t.q).subspan(run * runs.run, runs.run), std::back_inserter(real),
        [=](std::int32_t q) { return scale * static_cast<float>(q - zero_point); });
  }
  return real;
}

GroupTensor quantize_per_group(std::span<const float> x, std::int32_t row_length,
                               std::int32_t group_size, int num_bits) {
  const int qmax = qmax_of(num_bits);
  groups_in(row_length, group_size, x.size());
  expects_finite(x);
  GroupTensor t{std::vector<std::int8_t>(x.size()), {}, row_length, group_size};
  std::size_t left = 0;  // elements of this row that are in no group yet
  for (std::size_t begin = 0, size = 0; begin < x.size(); begin += size, left -= size) {
    if (left == 0) left = static_cast<std::size_t>(row_length);
    size = std::min(left, static_cast<std::size_t>(group_size));
    t.scales.push_back(step(largest(x.subspan(begin, size)), qmax));
    encode(x.subspan(begin, size), t.scales.back(), qmax, t.q.data() + begin);
  }
  return t;
}

std::vector<float> dequantize_per_group(const GroupTensor& t) {
  const std::size_t per_row = groups_in(t.row_length, t.group_size, t.q.size());
  const std::size_t rows = t.q.size() / static_cast<std::size_t>(t.row_length);
  if (t.scales.size() != per_row * rows) throw std::invalid_argument("not one scale per group");
  all_normal(t.scales);
  std::vector<float> real;
  auto scale = t.scales.begin();
  for (std::int32_t column = 0; const std::int8_t q : t.q) {
    real.push_back(q * *scale);
    const bool row_ends = ++column == t.row_length;
    if (row_ends || column % t.group_size == 0) ++scale;
    if (row_ends) column = 0;
  }
  return real;
}

MemorySavings memory_savings(std::int64_t count, int num_bits, std::int64_t elements_per_scale,
                             int scale_bits, int zero_point_bits) {
  const auto within = [](std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value < low || value > high) throw std::invalid_argument(std::to_string(value));
  };
  within(count, 1, std::int64_t{1} << 48);
  within(elements_per_scale, 1, std::int64_t{1} << 48);
  within(num_bits, 1, 32);
  within(scale_bits, 0, 64);
  within(zero_point_bits, 0, 64);
  const bool short_group = count % elements_per_scale != 0;
  const std::int64_t overhead =
      (count / elements_per_scale + short_group) * (scale_bits + zero_point_bits);
  const double extra = static_cast<double>(overhead) / static_cast<double>(count);
  return {count * num_bits + overhead, num_bits + extra, (num_bits + extra) / 32};
}

namespace {

MethodResult judge(std::span<const float> x, std::span<const float> x_hat, double bits) {
  const std::vector<double> a(x.begin(), x.end()), b(x_hat.begin(), x_hat.end());
  const auto sum = [&](const auto& term) {
    return std::transform_reduce(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(), term);
  };
  const auto n = static_cast<double>(a.size());
  const double mean = sum([](double v, double) { return v; }) / n;
  const double power = sum([](double v, double) { return v * v; });
  const double variance = sum([=](double v, double) { return (v - mean) * (v - mean); });
  const double noise = sum([](double v, double w) { return (v - w) * (v - w); });
  const double power_hat = sum([](double, double w) { return w * w; });
  const double largest = std::transform_reduce(
      a.begin(), a.end(), b.begin(), 0.0, [](double v, double w) { return std::max(v, w); },
      [](double v, double w) { return std::abs(v - w); });
  const auto db = [=](double signal) {
    return noise == 0 ? HUGE_VAL : 10 * (std::log10(signal) - std::log10(noise));
  };
  const double both = std::sqrt(power) * std::sqrt(power_hat);
  const double cosine =
      both > 0 ? sum(std::multiplies<>()) / both : static_cast<double>(power == power_hat);
  return {noise / n,    sum([](double v, double w) { return std::abs(v - w); }) / n,
          largest,      noise == 0 ? 0 : noise / variance,
          db(variance), db(power),
          cosine,       bits};
}

}  // namespace

MethodComparison compare_quantization_methods(std::span<const float> x,
                                              std::span<const std::int32_t> shape, int num_bits,
                                              std::int32_t group_size) {
  if (x.empty()) throw std::invalid_argument("nothing to compare");
  const std::array whole{1, static_cast<std::int32_t>(x.size())};
  const auto bits = [&](std::size_t scales, int zero_point_bits) {
    return num_bits +
           static_cast<double>(scales) * (32.0 + zero_point_bits) / static_cast<double>(x.size());
  };
  const auto by = [&](std::span<const std::int32_t> sizes, Symmetry symmetry, int zero_point_bits) {
    const auto t = quantize_per_channel(x, sizes, 0, num_bits, symmetry);
    return judge(x, dequantize_per_channel(t), bits(t.scales.size(), zero_point_bits));
  };
  const auto groups = quantize_per_group(x, shape.back(), group_size, num_bits);
  MethodComparison all{by(whole, Symmetry::kSymmetric, 0),
                       by(whole, Symmetry::kAsymmetric, num_bits),
                       by(shape, Symmetry::kSymmetric, 0),
                       by(shape, Symmetry::kAsymmetric, num_bits),
                       judge(x, dequantize_per_group(groups), bits(groups.scales.size(), 0)),
                       Method::kPerTensorSymmetric};
  const std::array<double, 5> db{
      all.per_tensor_symmetric.sqnr_db, all.per_tensor_asymmetric.sqnr_db,
      all.per_channel_symmetric.sqnr_db, all.per_channel_asymmetric.sqnr_db, all.per_group.sqnr_db};
  all.best = static_cast<Method>(std::ranges::max_element(db) - db.begin());
  return all;
}

}  // namespace nibble
