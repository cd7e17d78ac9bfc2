// Lab 05: which scale belongs to which element.
#pragma once

#include "per_channel.hpp"

#include "checks/05_per_channel/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_05_per_channel {

/// The scale that each element takes, by its index, and how many scales there are.
struct Places {
  std::vector<std::size_t> of;
  std::size_t count;
};

/// Channels: the index along `axis` of every element, in row-major order, read off an odometer.
inline Places places_along(const Sizes& shape, int axis) {
  NIBBLE_EXPECTS(axis < static_cast<int>(shape.size()), axis);
  Places places{{}, static_cast<std::size_t>(shape[axis])};
  std::size_t count = 1;
  for (const std::int32_t size : shape) count *= static_cast<std::size_t>(size);
  Sizes wheels(shape.size(), 0);
  while (places.of.size() < count) {
    places.of.push_back(static_cast<std::size_t>(wheels[axis]));
    for (std::size_t d = shape.size(); d-- > 0 && ++wheels[d] == shape[d];) wheels[d] = 0;
  }
  return places;
}

/// Groups: a new one where a row begins, and after every group_size elements of a row.
inline Places places_in_rows(std::size_t count, std::size_t row_length, std::size_t group_size) {
  Places places{{}, 0};
  for (std::size_t i = 0; i < count; ++i) {
    if (i % row_length % group_size == 0) ++places.count;
    places.of.push_back(places.count - 1);
  }
  return places;
}

inline Places places_of(const Channels::Arguments& in) { return places_along(in.b, in.c); }
inline Places places_of(const PerChannelTensor& t) { return places_along(t.shape, t.axis); }
inline Places places_of(const Groups::Arguments& in) {
  return places_in_rows(in.a.size(), in.b, in.c);
}
inline Places places_of(const GroupTensor& t) {
  return places_in_rows(t.q.size(), t.row_length, t.group_size);
}

/// The zero point of each scale. Groups are symmetric.
inline Sums zero_points_of(const PerChannelTensor& t) { return t.zero_points; }
inline Sums zero_points_of(const GroupTensor& t) { return Sums(t.scales.size()); }

/// scale * (q[i] - zero point), the definition of both dequantize functions.
template <class Tensor>
Reals scaled(const Tensor& tensor, const Places& places) {
  const auto& [q, scales] = std::tie(tensor.q, tensor.scales);
  const Sums zero_points = zero_points_of(tensor);
  NIBBLE_EXPECTS(q.size() == places.of.size(), q.size());
  NIBBLE_EXPECTS(scales.size() == places.count, scales.size());
  NIBBLE_EXPECTS(zero_points.size() == places.count, zero_points.size());
  Reals real;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const std::size_t place = places.of[i];
    real.push_back(scales[place] * static_cast<float>(q[i] - zero_points[place]));
  }
  return real;
}

/// The range of the elements of every scale, in so many steps.
struct Steps {
  Reals size;
  int count;
};

inline Steps steps_of(const Reals& x, const Places& places, int num_bits, Symmetry symmetry) {
  const IntRange range = signed_range(num_bits);
  const bool shifted = symmetry == Symmetry::kAsymmetric;
  Steps steps{Reals(places.count), shifted ? range.qmax - range.qmin : range.qmax};
  Reals lo(places.count), hi(places.count);
  for (std::size_t i = 0; i < x.size(); ++i) {
    lo[places.of[i]] = std::fmin(lo[places.of[i]], x[i]);
    hi[places.of[i]] = std::fmax(hi[places.of[i]], x[i]);
  }
  for (std::size_t at = 0; at < places.count; ++at) {
    const float width = shifted ? hi[at] - lo[at] : std::fmax(hi[at], -lo[at]);
    steps.size[at] = width / static_cast<float>(steps.count);
  }
  return steps;
}

inline Steps steps_of(const Channels::Arguments& in) {
  return steps_of(in.a, places_of(in), in.d, in.e);
}
inline Steps steps_of(const Groups::Arguments& in) {
  return steps_of(in.a, places_of(in), in.d, Symmetry::kSymmetric);
}

/// Sizes as failures print them: an index reads [row, column].
inline Shape as_shape(const Sizes& shape) { return {shape.begin(), shape.end()}; }

inline constexpr const char* kLastIsLost = "the last element is left out";
inline constexpr const char* kFirstZeroPoint =
    "every slice takes the first zero point: it has its own";
inline constexpr const char* kFromTheFront = "the result's axis counts from the front";

/// What a loop that stops one element early leaves: the last is 0.
template <class T>
std::vector<T> without_last(std::vector<T> values) {
  if (!values.empty()) values.back() = 0;
  return values;
}

inline constexpr const char* kOneDivision =
    "x / scale is one float32 division, not times 1 / scale";

/// Codes whose quotients x / scale are products, cut, or rounded away from a tie.
template <class Tensor>
void suspect_rounding(Expect& expect, const Reals& x, int num_bits, const Tensor& right) {
  const Places places = places_of(right);
  const Sums zero_points = zero_points_of(right);
  const IntRange range = signed_range(num_bits);
  const auto suspect = [&](const char* code, const char* words, const auto& round) {
    expect.suspect(code, "q",
                   each_of(x,
                           [&](float value, std::size_t i) {
                             const std::size_t at = places.of[i];
                             const double steps = round(value, right.scales[at]);
                             return std::clamp<double>(steps + zero_points[at], range.qmin,
                                                       range.qmax);
                           }),
                   words);
  };
  suspect("N-ROUND", kOneDivision,
          [](float value, float scale) { return std::nearbyint(value * (1.0f / scale)); });
  constexpr const char* is_cut = "a quotient is cut: it is rounded";
  suspect("N-TRUNC", is_cut, [](float value, float scale) { return std::trunc(value / scale); });
  suspect("N-TRUNC", is_cut, [](float value, float scale) { return std::floor(value / scale); });
  suspect("N-ROUND", "a tie goes away from 0: it goes to the even neighbour",
          [](float value, float scale) { return std::round(value / scale); });
}

/// Values of three magnitudes, 16 times apart: a scale that is shared or taken from elsewhere is
/// then far too coarse for one of them. Asymmetric ones reach 4 times as far up as down, or down as
/// up.
inline Reals uneven(const Places& places, std::uint64_t from, Symmetry symmetry) {
  Reals x = normal_tensor(places.of.size(), from, /*stddev=*/0.02f);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool is_long = (x[i] < 0) == (places.of[i] % 2 == 0);
    if (symmetry == Symmetry::kAsymmetric && !is_long) x[i] *= 0.25f;
    x[i] = std::ldexp(x[i], -4 * static_cast<int>(places.of[i] % 3));
  }
  return x;
}

}  // namespace nibble::judge::lab_05_per_channel
