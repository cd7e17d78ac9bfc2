// Lab 05, quantize_per_channel: what is right, and what people write instead.
#pragma once

#include "per_channel.hpp"

#include "checks/05_per_channel/scale_of_element.hpp"
#include "checks/05_per_channel/values.hpp"
#include "judge/exercise.hpp"
#include "judge/shrink.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_05_per_channel {

/// Half of every size, then simpler values.
inline std::vector<Channels::Arguments> smaller_slices(const Channels::Arguments& in) {
  const auto& [x, shape, axis, num_bits, symmetry] = in;
  std::vector<Channels::Arguments> all;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const Places along = places_along(shape, static_cast<int>(d));
    for (const bool upper : {false, true}) {
      Channels::Arguments part{{}, shape, axis, num_bits, symmetry};
      part.b[d] = (shape[d] + (upper ? 1 : 0)) / 2;
      for (std::size_t i = 0; i < x.size(); ++i) {
        if ((along.of[i] >= along.count / 2) == upper) part.a.push_back(x[i]);
      }
      if (shape[d] > 1) all.push_back(std::move(part));
    }
  }
  for (Reals& simpler : smaller_lists(x)) {
    if (simpler.size() == x.size())
      all.push_back({std::move(simpler), shape, axis, num_bits, symmetry});
  }
  return all;
}

inline void suspect_zero_points(Expect& expect, const Channels::Arguments& in,
                                const PerChannelTensor& right) {
  const Reals& x = in.a;
  const int qmin = signed_range(in.d).qmin, qmax = signed_range(in.d).qmax;
  const Places places = places_of(right);
  Reals too_fine, lo(places.count);
  for (const float scale : right.scales) {
    too_fine.push_back(scale * static_cast<float>(qmax - qmin) / static_cast<float>(2 * qmax + 2));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    lo[places.of[i]] = std::fmin(lo[places.of[i]], x[i]);
  }
  expect.suspect("N-RANGE", "scales", too_fine, "2^num_bits steps: there is one less than codes");
  expect.suspect("N-RANGE", "scales", steps_of(x, places, in.d, Symmetry::kSymmetric).size,
                 "codes are symmetric: these are asymmetric");
  expect.suspect("N-DIV0", "scales", steps_of(x, places, in.d, Symmetry::kAsymmetric).size);
  const auto suspect = [&](const char* code, const char* words, const auto& give) {
    expect.suspect(code, "zero_points",
                   each_of(right.zero_points,
                           [&](int z, std::size_t at) {
                             return static_cast<double>(give(z, lo[at] / right.scales[at]));
                           }),
                   words);
  };
  suspect("N-SIGN", "counted from 0: the first code is qmin",
          [=](int z, float) { return z - qmin; });
  suspect("N-ZP-SIGN", "lo / scale is added to qmin: it is subtracted",
          [=](int z, float) { return 2 * qmin - z; });
  each_wrong_rounding([&](const char* code, const char* words, const auto& round) {
    suspect(code, words, [&](int, float steps) { return qmin - round(steps); });
  });
  suspect("N-AXIS", kFirstZeroPoint, [&](int, float) { return right.zero_points[0]; });
  const auto suspect_codes = [&](const char* code, const char* words, const auto& give) {
    expect.suspect(code, "q",
                   each_of(x,
                           [&](float value, std::size_t i) {
                             const std::size_t at = places.of[i];
                             const float given = give(value / right.scales[at],
                                                      static_cast<float>(right.zero_points[at]));
                             return std::clamp<double>(given, qmin, qmax);
                           }),
                   words);
  };
  suspect_codes("N-ZERO", "as if there were no zero point",
                [](float steps, float) { return std::nearbyint(steps); });
  suspect_codes("N-ROUND", "as if the zero point were added before rounding",
                [](float steps, float zero_point) { return std::nearbyint(steps + zero_point); });
}

inline constexpr const char* kOtherAxis = "as if the other axis kept the scales";

/// Codes of a matrix whose elements take the scales of the other axis.
inline void suspect_exchanged(Expect& expect, const Channels::Arguments& in, const Places& other,
                              const PerChannelTensor& right) {
  if (in.e != Symmetry::kSymmetric) return;
  const IntRange range = signed_range(in.d);
  const auto suspect = [&](const Reals& scales) {
    const auto code_of = [&](float value, std::size_t i) {
      const float code = std::nearbyint(value / scales[other.of[i]]);
      return std::clamp<double>(code, range.qmin, range.qmax);
    };
    expect.suspect("N-AXIS", "q", each_of(in.a, code_of), kOtherAxis);
  };
  suspect(steps_of(in.a, other, in.d, in.e).size);
  if (other.count == right.scales.size()) suspect(right.scales);
}

inline void suspect_slices(Expect& expect, const Channels::Arguments& in,
                           const PerChannelTensor& right) {
  const auto& [x, shape, axis, num_bits, symmetry] = in;
  if (shape.size() == 2) {  // what the scales of the other axis would be
    const Places other = places_along(shape, 1 - right.axis);
    expect.suspect("N-AXIS", "scales", steps_of(x, other, num_bits, symmetry).size, kOtherAxis);
    suspect_exchanged(expect, in, other, right);
  }
  const Places one{std::vector<std::size_t>(x.size()), 1};  // one range for everything
  const Reals same(right.scales.size(), steps_of(x, one, num_bits, symmetry).size[0]);
  if (!x.empty()) {
    expect.suspect("N-AXIS", "scales", same, "one range for all of x: each slice has its own");
  }
  if (symmetry == Symmetry::kAsymmetric) suspect_zero_points(expect, in, right);
  expect.suspect("N-TAIL", "q", without_last(right.q), kLastIsLost);
  suspect_rounding(expect, x, num_bits, right);
  expect.suspect("N-LAYOUT", "shape", Sizes(right.shape.rbegin(), right.shape.rend()),
                 "the sizes are back to front");
  expect.suspect("N-AXIS", "axis", right.axis - static_cast<int>(right.shape.size()),
                 kFromTheFront);
}

inline const Channels channels{
    {"x", "shape", "axis", "num_bits", "symmetry"},
    {"q", "scales", "zero_points", "shape", "axis"},
    suspect_slices,
    {.sizes = [](const auto& in) { return as_shape(in.b); }, .smaller = smaller_slices}};

inline Channels::Input random_slices(const Sizes& shape, int axis, int num_bits, Seed seed_of,
                                     Symmetry symmetry = Symmetry::kSymmetric) {
  const Places places = places_along(shape, axis);
  std::string name;
  for (const std::int32_t size : shape) name += (name.empty() ? "" : "x") + std::to_string(size);
  name += "-axis" + std::to_string(axis) + "-" + std::to_string(num_bits) + "bits";
  std::uint64_t salt = places.of.size() * 64 + std::uint64_t(axis) * 16 + num_bits;
  if (symmetry == Symmetry::kAsymmetric) {
    name += "-asymmetric";
    salt += std::uint64_t{1} << 32;
  }
  return {name, {uneven(places, seed_of(salt), symmetry), shape, axis, num_bits, symmetry}};
}

// All sizes of a shape differ and none divides another, so that no two wrong strides agree.
inline std::vector<Channels::Input> every_axis(int num_bits, Seed seed_of) {
  std::vector<Channels::Input> inputs;
  for (const Sizes& shape : {Sizes{7}, {3, 5}, {5, 3}, {3, 4, 5}, {5, 2, 3, 7}}) {
    for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
      for (const Symmetry symmetry : kSymmetries) {
        inputs.push_back(random_slices(shape, axis, num_bits, seed_of, symmetry));
      }
    }
  }
  return inputs;
}

// Rows of one value; of one less than, as many as and one more than 32 bytes of codes; a prime.
inline std::vector<Channels::Input> every_width_and_length(Seed seed_of) {
  std::vector<Channels::Input> inputs;
  for (const std::int32_t length : {1, 31, 32, 33, 1031}) {
    for (const int num_bits : kWidths) {
      for (const Symmetry symmetry : kSymmetries) {
        inputs.push_back(random_slices({4, length}, 0, num_bits, seed_of, symmetry));
      }
    }
  }
  return inputs;
}

}  // namespace nibble::judge::lab_05_per_channel
