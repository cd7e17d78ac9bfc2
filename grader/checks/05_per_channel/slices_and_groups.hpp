// Lab 05: what slices and groups have in common.
#pragma once

#include "per_channel.hpp"

#include "checks/05_per_channel/scale_of_element.hpp"
#include "checks/05_per_channel/values.hpp"
#include "judge/exercise.hpp"
#include "judge/near_ties.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_05_per_channel {

// Scales are powers of two, so that ties are ties for everyone; two are not, to see that a scale is
// stored in full. Nothing ends in a 0, so that a loop that stops early is seen.

/// One scale for all of x.
struct OneScale {
  std::string name;
  int num_bits;
  Reals x;
  float scale;
  Codes q;
  std::string rule{};
};

inline const std::vector<OneScale> kFormula = {
    {"Whole", 8, {1, -1, 127, 5}, 1, {1, -1, 127, 5}},
    {"NegativeAmax", 8, {-63.5f, 31, 0.5f}, 0.5f, {-127, 62, 1}, "amax is a magnitude"},
    {"FourBits", 4, {7, -7, 3}, 1, {7, -7, 3}, "four bits have qmax = 7"},
    {"TwoBits", 2, {-4, 4, 4}, 4, {-1, 1, 1}},
    {"Of127Steps", 8, {1, -1, 1}, 1.0f / 127, {127, -127, 127}, "a scale is a float32"},
    {"Of7Steps",
     4,
     {3, -3, 3},
     3.0f / 7,
     {7, -7, 7},
     "amax / qmax is one float32 division, not times 1 / qmax"},
    {"Large", 8, {0x1.FCp126f, -0x1p120f}, 0x1p120f, {127, -1}}};

inline const std::vector<OneScale> kNearest = {{"UpAndDown", 0, {1.75f, 1.25f}, 1, {2, 1}},
                                               {"BelowZero", 0, {-1.75f, -0.75f}, 1, {-2, -1}}};

inline const std::vector<OneScale> kTies = {
    {"AboveZero", 0, {0.5f, 1.5f, 2.5f}, 1, {0, 2, 2}},
    {"BelowZero", 0, {-0.5f, -1.5f, -2.5f}, 1, {0, -2, -2}},
    // 1 / 7.0f is rounded: 45.5f times it lies beyond 6.5.
    {"OneDivision", 0, {45.5f, -45.5f}, 7, {6, -6}, kOneDivision},
    {"BesideTies", 0, {0.50000006f, 1.4999999f, -2.5000002f}, 1, {1, 1, -3}, kNoTies}};

/// These, and the largest code behind them, which makes the scale what it is.
inline std::vector<OneScale> at_width(int num_bits, std::vector<OneScale> rows) {
  for (OneScale& row : rows) {
    row.num_bits = num_bits;
    row.q.push_back(static_cast<std::int8_t>(signed_range(num_bits).qmax));
    row.x.push_back(row.scale * row.q.back());
  }
  return rows;
}

inline constexpr const char* kNoneIsZero = "a scale is never 0: that of zeros, or of nothing, is 1";
inline constexpr const char* kTinyIsRaised = "a scale below FLT_MIN is raised to FLT_MIN";

/// The bound comes from x, never from the answer: a huge scale would forgive everything.
template <class E>
void every_value_within_half_a_step(const E& quantizing, const std::vector<typename E::Input>& of) {
  quantizing.on_each(of, [&](Expect& expect, const typename E::Arguments& in) {
    const Reals& x = in.a;
    const int num_bits = in.d;
    const auto [qmin, qmax] = signed_range(num_bits);
    const auto got = quantizing(in);
    const Places places = places_of(in);
    const Sums zero_points = zero_points_of(got);
    if (!expect.equal("the number of scales", got.scales.size(), places.count)) return;
    if (!expect.equal("the number of zero points", zero_points.size(), places.count)) return;
    if (!expect.equal("the number of codes", got.q.size(), x.size())) return;
    const Reals real = scaled(got, places);
    const Steps steps = steps_of(in);
    expect.every("scale * (q - zero_point)", real, x, [&](std::size_t i) {
      return is_near(real[i], x[i], round_trip_tolerance(steps.size[places.of[i]], steps.count));
    });
    const int least = steps.count == qmax ? -qmax : qmin;
    Codes outside = got.q;
    std::erase_if(outside, [=, most = qmax](int code) { return least <= code && code <= most; });
    expect.that(outside.empty(), "codes that no range gives at " + std::to_string(num_bits) +
                                     " bits: " + show_values(outside));
  });
}

/// suspect(code, words, place) for each usual place of a scale that is not that of element i.
template <class Suspect>
void each_wrong_place(const PerChannelTensor& tensor, const Suspect& suspect) {
  const std::size_t channels = tensor.scales.size(), n = tensor.q.size();
  const auto axis = static_cast<std::size_t>(tensor.axis);
  const std::size_t behind = axis + 1 < tensor.shape.size() ? tensor.shape[axis + 1] : 1;
  suspect("N-AXIS", "every slice takes the first scale: it has its own",
          [](std::size_t) { return 0; });
  suspect("N-AXIS", "scales are taken as those of the last axis",
          [=](std::size_t i) { return i % channels; });
  suspect("N-AXIS", "scales are taken as those of the first axis",
          [=](std::size_t i) { return i * channels / n; });
  suspect("N-LAYOUT", "the stride is the next size alone: it is the product of all behind the axis",
          [=](std::size_t i) { return i / behind % channels; });
}

template <class Suspect>
void each_wrong_place(const GroupTensor& tensor, const Suspect& suspect) {
  const std::size_t width = tensor.row_length, size = tensor.group_size;
  const std::size_t groups = (width + size - 1) / size;  // of a row
  const std::size_t full = std::max<std::size_t>(width / size, 1);
  suspect("N-LAYOUT", "every row takes the scales of the first",
          [=](std::size_t i) { return i % width / size; });
  suspect("N-LAYOUT", "scales take turns: group_size elements beside each other share one",
          [=](std::size_t i) { return i / width * groups + i % width % groups; });
  suspect("N-LAYOUT", "a row takes its first scale alone",
          [=](std::size_t i) { return i / width * groups; });
  suspect("N-TAIL", "groups go on in the next row: the last of a row ends with it",
          [=](std::size_t i) { return i / size; });
  suspect("N-TAIL", "the short group of a row is not counted as one",
          [=](std::size_t i) { return i / width * full + i % width / size; });
}

template <class E>
void suspect_reals(Expect& expect, const typename E::Arguments& in, const Reals& right) {
  const auto& tensor = in.a;
  const Places places = places_of(tensor);
  const Sums zero_points = zero_points_of(tensor);
  const auto suspect = [&](const char* code, const char* words, const auto& steps) {
    expect.suspect(code, "real",
                   each_of(tensor.q,
                           [&](int q, std::size_t i) {
                             const std::size_t at = places.of[i];
                             return tensor.scales[at] *
                                    static_cast<float>(steps(q, zero_points[at]));
                           }),
                   words);
  };
  expect.suspect("N-TAIL", "real", without_last(right), kLastIsLost);
  suspect("N-SIGN", "codes below 0 are read as 256 more",
          [](int q, int zero_point) { return (q & 255) - zero_point; });
  suspect("N-ZERO", "zero points are not subtracted", [](int q, int) { return q; });
  suspect("N-ZP-SIGN", "zero points are added, and should be subtracted",
          [](int q, int zero_point) { return q + zero_point; });
  suspect("N-OVERFLOW", "the difference of a code and its zero point is kept in 8 bits",
          [](int q, int zero_point) { return std::int8_t(q - zero_point); });
  suspect("N-AXIS", kFirstZeroPoint, [&](int q, int) { return q - zero_points[0]; });
  expect.suspect("N-SCALE", "real",
                 each_of(tensor.q,
                         [&](int q, std::size_t i) {
                           const std::size_t at = places.of[i];
                           return static_cast<float>(q - zero_points[at]) / tensor.scales[at];
                         }),
                 "divided by the scale: it is multiplied");
  each_wrong_place(tensor, [&](const char* code, const char* words, const auto& place) {
    expect.suspect(code, "real",
                   each_of(tensor.q,
                           [&](int q, std::size_t i) {
                             const auto steps = static_cast<float>(q - zero_points[place(i)]);
                             return tensor.scales[place(i)] * steps;
                           }),
                   words);
  });
}

/// Codes in the places of `forms`, and scales that all differ: that of another channel or group is
/// always seen. Channels have zero points, too.
template <class E, class Forms>
std::vector<typename E::Input> tensors(const Forms& forms, Seed seed_of) {
  std::vector<typename E::Input> inputs;
  for (const auto& [name, in] : forms) {
    const std::uint64_t salt = in.a.size() * 256 + static_cast<std::uint64_t>(in.c);
    const Codes q = code_tensor<std::int8_t>(in.a.size(), seed_of(salt), 1, 127);
    Reals scales = uniform_tensor(places_of(in).count, seed_of(salt + 128), 0.5f, 1.0f);
    for (std::size_t i = 0; i < scales.size(); ++i) scales[i] += static_cast<float>(i);
    if constexpr (std::is_same_v<E, FromChannels>) {
      const auto zero_points =
          code_tensor<std::int8_t>(scales.size(), seed_of(salt + 192), -128, 127);
      inputs.push_back({name, {{q, scales, {zero_points.begin(), zero_points.end()}, in.b, in.c}}});
    } else {
      inputs.push_back({name, {{q, scales, in.b, in.c}}});
    }
  }
  return inputs;
}

template <class E>
void multiplies(const E& dequantizing, const std::vector<typename E::Input>& inputs) {
  const auto by_definition = [](const auto& in) { return scaled(in.a, places_of(in.a)); };
  dequantizing.agrees_with(by_definition, inputs);
}

}  // namespace nibble::judge::lab_05_per_channel
