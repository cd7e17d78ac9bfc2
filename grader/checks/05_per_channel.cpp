// Lab 05: the checks.
#include "per_channel.hpp"

#include "checks/marks/05_per_channel.hpp"
#include "judge/exercise.hpp"
#include "judge/near_ties.hpp"
#include "judge/shrink.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble {

std::string show(Symmetry symmetry) {
  return symmetry == Symmetry::kSymmetric ? "kSymmetric" : "kAsymmetric";
}

}  // namespace nibble

namespace nibble::judge {
namespace {

using Sizes = std::vector<std::int32_t>;

const std::vector<int> kWidths{2, 3, 4, 5, 6, 7, 8};
constexpr std::array kSymmetries{Symmetry::kSymmetric, Symmetry::kAsymmetric};

using Channels = Exercise<&quantize_per_channel>;  // x, shape, axis, num_bits, symmetry
using FromChannels = Exercise<&dequantize_per_channel>;
using Groups = Exercise<&quantize_per_group>;  // x, row_length, group_size, num_bits
using FromGroups = Exercise<&dequantize_per_group>;

// --- Which scale belongs to which element -------------------------------------------------------

/// The scale that each element takes, by its index, and how many scales there are.
struct Places {
  std::vector<std::size_t> of;
  std::size_t count;
};

/// Channels: the index along `axis` of every element, in row-major order, read off an odometer.
Places places_along(const Sizes& shape, int axis) {
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
Places places_in_rows(std::size_t count, std::size_t row_length, std::size_t group_size) {
  Places places{{}, 0};
  for (std::size_t i = 0; i < count; ++i) {
    if (i % row_length % group_size == 0) ++places.count;
    places.of.push_back(places.count - 1);
  }
  return places;
}

Places places_of(const Channels::Arguments& in) { return places_along(in.b, in.c); }
Places places_of(const PerChannelTensor& t) { return places_along(t.shape, t.axis); }
Places places_of(const Groups::Arguments& in) { return places_in_rows(in.a.size(), in.b, in.c); }
Places places_of(const GroupTensor& t) {
  return places_in_rows(t.q.size(), t.row_length, t.group_size);
}

/// The zero point of each scale. Groups are symmetric.
Sums zero_points_of(const PerChannelTensor& t) { return t.zero_points; }
Sums zero_points_of(const GroupTensor& t) { return Sums(t.scales.size()); }

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

Steps steps_of(const Reals& x, const Places& places, int num_bits, Symmetry symmetry) {
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

Steps steps_of(const Channels::Arguments& in) { return steps_of(in.a, places_of(in), in.d, in.e); }
Steps steps_of(const Groups::Arguments& in) {
  return steps_of(in.a, places_of(in), in.d, Symmetry::kSymmetric);
}

/// Sizes as failures print them: an index reads [row, column].
Shape as_shape(const Sizes& shape) { return {shape.begin(), shape.end()}; }

/// What a loop that stops one element early leaves: the last is 0.
template <class T>
std::vector<T> without_last(std::vector<T> values) {
  if (!values.empty()) values.back() = 0;
  return values;
}

/// Values of three magnitudes, 16 times apart: a scale that is shared or taken from elsewhere is
/// then far too coarse for one of them. Asymmetric ones reach 4 times as far up as down, or down as
/// up.
Reals uneven(const Places& places, std::uint64_t from, Symmetry symmetry) {
  Reals x = normal_tensor(places.of.size(), from, /*stddev=*/0.02f);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool is_long = (x[i] < 0) == (places.of[i] % 2 == 0);
    if (symmetry == Symmetry::kAsymmetric && !is_long) x[i] *= 0.25f;
    x[i] = std::ldexp(x[i], -4 * static_cast<int>(places.of[i] % 3));
  }
  return x;
}

// --- What slices and groups have in common ------------------------------------------------------
//
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

const std::vector<OneScale> kFormula = {
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

const std::vector<OneScale> kNearest = {{"UpAndDown", 0, {1.75f, 1.25f}, 1, {2, 1}},
                                        {"BelowZero", 0, {-1.75f, -0.75f}, 1, {-2, -1}}};

const std::vector<OneScale> kTies = {
    {"AboveZero", 0, {0.5f, 1.5f, 2.5f}, 1, {0, 2, 2}},
    {"BelowZero", 0, {-0.5f, -1.5f, -2.5f}, 1, {0, -2, -2}},
    // 1 / 7.0f is rounded: 45.5f times it lies beyond 6.5.
    {"OneDivision",
     0,
     {45.5f, -45.5f},
     7,
     {6, -6},
     "x / scale is one float32 division, not times 1 / scale"},
    {"BesideTies", 0, {0.50000006f, 1.4999999f, -2.5000002f}, 1, {1, 1, -3}, kNoTies}};

/// These, and the largest code behind them, which makes the scale what it is.
std::vector<OneScale> at_width(int num_bits, std::vector<OneScale> rows) {
  for (OneScale& row : rows) {
    row.num_bits = num_bits;
    row.q.push_back(static_cast<std::int8_t>(signed_range(num_bits).qmax));
    row.x.push_back(row.scale * row.q.back());
  }
  return rows;
}

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

template <class E>
void suspect_reals(Expect& expect, const typename E::Arguments& in, const Reals& right) {
  const auto& tensor = in.a;
  const Places places = places_of(tensor);
  const Sums zero_points = zero_points_of(tensor);
  const auto suspect = [&](const char* code, const auto& steps) {
    expect.suspect(code, "real", each_of(tensor.q, [&](int q, std::size_t i) {
                     const std::size_t at = places.of[i];
                     return tensor.scales[at] * static_cast<float>(steps(q, zero_points[at]));
                   }));
  };
  expect.suspect("N-TAIL", "real", without_last(right));
  suspect("N-SIGN", [](int q, int zero_point) { return (q & 255) - zero_point; });
  suspect("N-ZERO", [](int q, int) { return q; });
  suspect("N-ZP-SIGN", [](int q, int zero_point) { return q + zero_point; });
  suspect("N-OVERFLOW", [](int q, int zero_point) { return std::int8_t(q - zero_point); });
  suspect("N-AXIS", [&](int q, int) { return q - zero_points[0]; });
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

// --- quantize_per_channel -----------------------------------------------------------------------

/// Half of every size, then simpler values.
std::vector<Channels::Arguments> smaller_slices(const Channels::Arguments& in) {
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

void suspect_zero_points(Expect& expect, const Channels::Arguments& in,
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
  expect.suspect("N-RANGE", "scales", too_fine);
  expect.suspect("N-RANGE", "scales", steps_of(x, places, in.d, Symmetry::kSymmetric).size);
  expect.suspect("N-DIV0", "scales", steps_of(x, places, in.d, Symmetry::kAsymmetric).size);
  const auto suspect = [&](const char* code, const auto& give) {
    expect.suspect(code, "zero_points", each_of(right.zero_points, [&](int z, std::size_t at) {
                     return static_cast<double>(give(z, lo[at] / right.scales[at]));
                   }));
  };
  suspect("N-SIGN", [=](int z, float) { return z - qmin; });
  suspect("N-ZP-SIGN", [=](int z, float) { return 2 * qmin - z; });
  each_wrong_rounding([&](const char* code, const auto& round) {
    suspect(code, [&](int, float steps) { return qmin - round(steps); });
  });
  const auto suspect_codes = [&](const char* code, const auto& give) {
    expect.suspect(code, "q", each_of(x, [&](float value, std::size_t i) {
                     const std::size_t at = places.of[i];
                     const float given =
                         give(value / right.scales[at], static_cast<float>(right.zero_points[at]));
                     return std::clamp<double>(given, qmin, qmax);
                   }));
  };
  suspect_codes("N-ZERO", [](float steps, float) { return std::nearbyint(steps); });
  suspect_codes("N-ROUND",
                [](float steps, float zero_point) { return std::nearbyint(steps + zero_point); });
}

void suspect_slices(Expect& expect, const Channels::Arguments& in, const PerChannelTensor& right) {
  const auto& [x, shape, axis, num_bits, symmetry] = in;
  if (shape.size() == 2) {  // what the scales of the other axis would be
    const Places other = places_along(shape, 1 - right.axis);
    expect.suspect("N-AXIS", "scales", steps_of(x, other, num_bits, symmetry).size);
  }
  const Places one{std::vector<std::size_t>(x.size()), 1};  // one range for everything
  const Reals same(right.scales.size(), steps_of(x, one, num_bits, symmetry).size[0]);
  if (!x.empty()) expect.suspect("N-AXIS", "scales", same);
  if (symmetry == Symmetry::kAsymmetric) suspect_zero_points(expect, in, right);
  expect.suspect("N-TAIL", "q", without_last(right.q));
  expect.suspect("N-LAYOUT", "shape", Sizes(right.shape.rbegin(), right.shape.rend()));
}

const Channels channels{
    {"x", "shape", "axis", "num_bits", "symmetry"},
    {"q", "scales", "zero_points", "shape", "axis"},
    suspect_slices,
    {.sizes = [](const auto& in) { return as_shape(in.b); }, .smaller = smaller_slices}};

/// Scales first: where they are wrong, the codes are wrong because of them.
void slices_match(const std::vector<Channels::Row>& rows, const char* if_refused = "") {
  channels.gives(rows, channels.only({"scales", "zero_points", "q", "shape", "axis"}), if_refused);
}

Channels::Row slices(std::string name, const Sizes& shape, int axis, int num_bits, const Reals& x,
                     const Reals& scales, const Codes& q) {
  const int from_front = axis < 0 ? axis + static_cast<int>(shape.size()) : axis;
  return {std::move(name),
          {x, shape, axis, num_bits, Symmetry::kSymmetric},
          {q, scales, Sums(scales.size()), shape, from_front}};
}

/// The same with codes from the least x to the largest.
Channels::Row shifted(std::string name, const Sizes& shape, int axis, int num_bits, const Reals& x,
                      const Reals& scales, const Sums& zero_points, const Codes& q) {
  return {std::move(name),
          {x, shape, axis, num_bits, Symmetry::kAsymmetric},
          {q, scales, zero_points, shape, axis}};
}

Channels::Row ruled(Channels::Row row, const char* rule) {
  row.rule = rule;
  return row;
}

std::vector<Channels::Row> one_slice_each(const std::vector<OneScale>& all) {
  std::vector<Channels::Row> rows;
  for (const auto& [name, num_bits, x, scale, q, rule] : all) {
    const auto count = static_cast<std::int32_t>(x.size());
    rows.push_back(slices(name, {1, count}, 0, num_bits, x, {scale}, q));
    rows.back().rule = rule;
  }
  return rows;
}

TEST(quantize_per_channel, FollowsTheFormula) { slices_match(one_slice_each(kFormula)); }

TEST(quantize_per_channel, RoundsToNearest) { slices_match(one_slice_each(at_width(8, kNearest))); }

TEST(quantize_per_channel, TiesGoToEven) { slices_match(one_slice_each(at_width(8, kTies))); }

// One dead channel among live ones is common in trained networks; so is a pruned tensor.
TEST(quantize_per_channel, ScaleIsNeverZero) {
  slices_match(
      {slices("OneZeroRow", {3, 2}, 0, 4, {7, 1, 0, -0.0f, 14, 2}, {1, 1, 2}, {7, 1, 0, 0, 7, 1}),
       slices("AllZero", {2, 1}, 0, 8, {0, 0}, {1, 1}, {0, 0}),
       slices("TinyRow", {2, 2}, 0, 8, {3 * FLT_MIN, -FLT_MIN, 127, 1}, {FLT_MIN, 1},
              {3, -1, 127, 1}),
       slices("NoRows", {0, 3}, 0, 8, {}, {}, {}),
       slices("EmptyColumns", {0, 3}, 1, 8, {}, {1, 1, 1}, {})});
}

// 2x3 tells rows from columns by their number; 2x2 only by their values, so it asks for both.
TEST(quantize_per_channel, ScalesOverRows) {
  slices_match({slices("2x2", {2, 2}, 0, 4, {7, 2, 1, 3.5f}, {1, 0.5f}, {7, 2, 2, 7}),
                slices("2x3", {2, 3}, 0, 8, {127, -1, 2, 0.5f, -63.5f, 1}, {1, 0.5f},
                       {127, -1, 2, 1, -127, 2})});
}

TEST(quantize_per_channel, ScalesOverColumns) {
  slices_match({slices("2x2", {2, 2}, 1, 4, {7, 1, 2, 3.5f}, {1, 0.5f}, {7, 2, 2, 7}),
                slices("2x3", {2, 3}, 1, 8, {127, -1, 2, 4, -63.5f, 254}, {1, 0.5f, 2},
                       {127, -2, 1, 4, -127, 127})});
}

TEST(quantize_per_channel, NegativeAxesCountFromTheBack) {
  slices_match({slices("Last", {2, 2}, -1, 4, {7, 1, 2, 3.5f}, {1, 0.5f}, {7, 2, 2, 7}),
                slices("First", {2, 2}, -2, 4, {7, 2, 1, 3.5f}, {1, 0.5f}, {7, 2, 2, 7})},
               /*if_refused=*/"N-AXIS");
}

// By hand, with steps that are powers of two but for one. Unless 0 is in the range, a slice of
// positive values, or of negative ones, falls off the grid.
TEST(quantize_per_channel, ReachesFromTheLeastToTheLargest) {
  slices_match(
      {shifted("FourBits", {1, 4}, 0, 4, {-5, 10, 0, 1}, {1}, {-3}, {-8, 7, -3, -2}),
       shifted("EightBits", {1, 4}, 0, 8, {-27.5f, 100, 0, 3}, {0.5f}, {-73},
               {-128, 127, -73, -67}),
       shifted("TwoBits", {1, 3}, 0, 2, {-1, 2, 0}, {1}, {-1}, {-2, 1, -1}),
       ruled(shifted("AllPositive", {1, 4}, 0, 4, {12, 13, 14, 15}, {1}, {-8}, {4, 5, 6, 7}),
             "lo is at most 0, and hi at least 0, whatever the values"),
       shifted("AllNegative", {1, 4}, 0, 4, {-12, -13, -14, -15}, {1}, {7}, {-5, -6, -7, -8}),
       shifted("Ties", {1, 4}, 0, 4, {-5, 10, 0.5f, 1.5f}, {1}, {-3}, {-8, 7, -3, -1}),
       shifted("NearestZeroPoint", {1, 3}, 0, 4, {-4.75f, 10.25f, 1}, {1}, {-3}, {-8, 7, -2}),
       shifted("ATieOfTheZeroPoint", {2, 3}, 0, 4, {-4.5f, 10.5f, 1, -4.25f, 10.75f, 1}, {1, 1},
               {-4, -4}, {-8, 6, -3, -8, 7, -3}),
       shifted("Of15Steps", {1, 2}, 0, 4, {1, 0}, {1.0f / 15}, {-8}, {7, -8}),
       shifted("Large", {1, 2}, 0, 8, {0x1.FEp126f, 0}, {0x1p119f}, {-128}, {127, -128})});
}

TEST(quantize_per_channel, EachSliceHasItsZeroPoint) {
  const Reals x{-5, 10, 0, 7.5f, -0.5f, 7};
  auto tiny = shifted("TinyRow", {2, 2}, 0, 4, {3 * FLT_MIN, -FLT_MIN, 15, 1}, {FLT_MIN, 1},
                      {-7, -8}, {-4, -8, 7, -7});
  tiny.rule = "(hi - lo) / 15 is below FLT_MIN here, though hi - lo is not: the scale is raised";
  slices_match(
      {shifted("Rows", {2, 3}, 0, 4, x, {1, 8.0f / 15}, {-3, -7}, {-8, 7, -3, 7, -8, 6}),
       shifted("Columns", {2, 2}, 1, 4, {-5, 15, 10, 0}, {1, 1}, {-3, -8}, {-8, 7, 7, -8}),
       shifted("ZeroRow", {2, 2}, 0, 4, {0, -0.0f, -15, 0}, {1, 1}, {-8, 7}, {-8, -8, -8, 7}), tiny,
       shifted("EmptyColumns", {0, 2}, 1, 4, {}, {1, 1}, {-8, -8}, {})});
}

Channels::Input random_slices(const Sizes& shape, int axis, int num_bits, Seed seed_of,
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
std::vector<Channels::Input> every_axis(int num_bits, Seed seed_of) {
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
std::vector<Channels::Input> every_width_and_length(Seed seed_of) {
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

TEST(quantize_per_channel, OneToFourDimensions) {
  every_value_within_half_a_step(channels, every_axis(8, seed));
}

TEST(quantize_per_channel, EveryValueWithinHalfAStep) {
  every_value_within_half_a_step(channels, every_width_and_length(seed));
}

TEST(quantize_per_channel, RefusesWhatItCannotQuantize) {
  using enum Symmetry;
  const Reals x{1, 2, 3, 4};
  channels.refuses({slices("TwoBits", {1}, 0, 2, {4}, {4}, {1}),
                    slices("EightBits", {1}, 0, 8, {4}, {4.0f / 127}, {127}),
                    slices("Wide", {1, 2}, 0, 8, {3e38f, -3e38f}, {3e38f / 127}, {127, -127})},
                   {{"N-NAN", {{1, kNan, 2, 3}, {2, 2}, 0, 8, kSymmetric}},
                    {"N-NAN", {{1, 2, 3, -kInfinity}, {2, 2}, 0, 8, kSymmetric}},
                    {"N-RANGE", {x, {2, 2}, 0, 1, kSymmetric}},
                    {"N-RANGE", {x, {2, 2}, 0, 9, kSymmetric}},
                    {"N-AXIS", {x, {2, 2}, 2, 8, kSymmetric}},
                    {"N-AXIS", {x, {2, 2}, -3, 8, kSymmetric}},
                    {"N-SIZE", {x, {2, 3}, 0, 8, kSymmetric}},
                    {"N-SIZE", {{}, {0, -1}, 0, 8, kSymmetric}},
                    {"N-SIZE", {{}, {65536, 65536}, 0, 8, kSymmetric}},  // 2^32
                    {"N-SIZE", {x, {-2, -2}, 0, 8, kSymmetric}},
                    {"N-SIZE", {{1}, {}, 0, 8, kSymmetric}},
                    {"N-SIZE", {x, {1, 1, 2, 1, 2}, 0, 8, kSymmetric}},
                    {"N-OVERFLOW", {{1, 2, 3e38f, -3e38f}, {2, 2}, 0, 8, kAsymmetric}},
                    {"N-NAN", {{1, kNan, 2, 3}, {2, 2}, 0, 8, kAsymmetric}}},
                   channels.only({"q"}));
}

// --- dequantize_per_channel ---------------------------------------------------------------------

const FromChannels from_channels{{"q", "scales", "zero_points", "shape", "axis"},
                                 {"real"},
                                 suspect_reals<FromChannels>,
                                 {.sizes = [](const auto& in) { return as_shape(in.a.shape); }}};

// -128 never comes out of quantize_per_channel, and is legal in a tensor that one is given.
TEST(dequantize_per_channel, MultipliesByTheScale) {
  multiplies(from_channels, {{"OneChannel", {{{-128, -1, 0, 127}, {0.25f}, {0}, {1, 4}, 0}}},
                             {"NoColumns", {{{}, {1, 2}, {0, 0}, {2, 0}, 0}}},
                             {"NoChannels", {{{}, {}, {}, {2, 0}, 1}}}});
}

// The codes below a zero point: a difference in uint8 would wrap, and -255 and 255 leave int8.
TEST(dequantize_per_channel, SubtractsTheZeroPoint) {
  multiplies(from_channels,
             {{"OneChannel", {{{-8, -3, 0, 7}, {0.5f}, {-3}, {1, 4}, 0}}},
              {"Farthest", {{{127, -128, -128, 127}, {1, 1}, {-128, 127}, {2, 2}, 0}}},
              {"Columns", {{{5, 5, 5, 9, 9, 9}, {1, 2, 4}, {5, 6, -7}, {2, 3}, 1}}}});
}

TEST(dequantize_per_channel, TakesTheScaleOfItsChannel) {
  multiplies(from_channels,
             {{"2x2-axis0", {{{1, 2, 3, 4}, {1, 16}, {0, 0}, {2, 2}, 0}}},
              {"2x2-axis1", {{{1, 2, 3, 4}, {1, 16}, {0, 0}, {2, 2}, 1}}},
              {"2x3-axis0", {{{1, 2, 3, 4, 5, 6}, {1, 16}, {0, 0}, {2, 3}, 0}}},
              {"2x3-axis1", {{{1, 2, 3, 4, 5, 6}, {1, 16, 0.5f}, {0, 0, 0}, {2, 3}, 1}}}});
}

std::vector<FromChannels::Input> every_tensor(Seed seed_of) {
  return tensors<FromChannels>(every_axis(8, seed_of), seed_of);
}

TEST(dequantize_per_channel, OneToFourDimensions) { multiplies(from_channels, every_tensor(seed)); }

TEST(dequantize_per_channel, RefusesWhatDoesNotFit) {
  from_channels.refuses({{"Fits", {{{1, 2, 3, 4}, {1, 2}, {0, 0}, {2, 2}, 1}}, {1, 4, 3, 8}}},
                        {{"N-DIV0", {{{1, 2, 3, 4}, {1, 0}, {0, 0}, {2, 2}, 0}}},
                         {"N-DIV0", {{{1, 2, 3, 4}, {1, -1}, {0, 0}, {2, 2}, 0}}},
                         {"N-DIV0", {{{1, 2, 3, 4}, {1, FLT_MIN / 4}, {0, 0}, {2, 2}, 0}}},
                         {"N-DIV0", {{{1, 2, 3, 4}, {1, kInfinity}, {0, 0}, {2, 2}, 0}}},
                         {"N-NAN", {{{1, 2, 3, 4}, {1, kNan}, {0, 0}, {2, 2}, 0}}},
                         {"N-AXIS", {{{1, 2, 3, 4}, {1, 2}, {0, 0}, {2, 2}, 2}}},
                         {"N-AXIS", {{{1, 2, 3, 4}, {1, 2}, {0, 0}, {2, 2}, -1}}},
                         {"N-SIZE", {{{1, 2, 3, 4}, {1, 2, 3}, {0, 0}, {2, 2}, 0}}},
                         {"N-SIZE", {{{1, 2, 3}, {1, 2}, {0, 0}, {2, 2}, 0}}},
                         {"N-SIZE", {{{1, 2, 3, 4}, {1}, {0}, {1, 1, 2, 1, 2}, 0}}},
                         {"N-SIZE", {{{}, {}, {}, {0, -1}, 0}}},
                         {"N-SIZE", {{{1, 2, 3, 4}, {1, 2}, {0}, {2, 2}, 0}}},
                         {"N-SIZE", {{{1, 2, 3, 4}, {1, 2}, {0, 0, 0}, {2, 2}, 0}}},
                         {"N-RANGE", {{{1, 2, 3, 4}, {1, 2}, {0, 128}, {2, 2}, 0}}},
                         {"N-RANGE", {{{1, 2, 3, 4}, {1, 2}, {-129, 0}, {2, 2}, 0}}}});
}

// --- quantize_per_group -------------------------------------------------------------------------

/// The first row and the last; then less of a single one.
std::vector<Groups::Arguments> smaller_rows(const Groups::Arguments& in) {
  const auto& [x, row_length, group_size, num_bits] = in;
  const Reals first(x.begin(), x.begin() + row_length), last(x.end() - row_length, x.end());
  if (x.size() > first.size()) {
    return {{first, row_length, group_size, num_bits}, {last, row_length, group_size, num_bits}};
  }
  std::vector<Groups::Arguments> all;
  for (const Reals& row : smaller_lists(x)) {
    const auto length = static_cast<std::int32_t>(row.size());
    if (length > 0) all.push_back({row, length, group_size, num_bits});
  }
  return all;
}

const Groups groups{{"x", "row_length", "group_size", "num_bits"},
                    {"q", "scales", "row_length", "group_size"},
                    [](auto& expect, const auto&, const GroupTensor& right) {
                      expect.suspect("N-TAIL", "q", without_last(right.q));
                    },
                    {.smaller = smaller_rows}};

void groups_match(const std::vector<Groups::Row>& rows) {
  groups.gives(rows, [](Expect& expect, const auto& in, const auto& got, const auto& want) {
    expect.that(got.scales.size() == want.scales.size(),
                "got " + std::to_string(got.scales.size()) + " scales where there are " +
                    std::to_string(want.scales.size()) + " groups",
                in.c == INT_MAX    ? "N-OVERFLOW"
                : in.b % in.c == 0 ? "N-LAYOUT"
                                   : "N-TAIL");
    groups.only({"scales", "q", "row_length", "group_size"})(expect, in, got, want);
  });
}

Groups::Row rows_of(std::string name, std::int32_t row_length, std::int32_t group_size,
                    int num_bits, const Reals& x, const Reals& scales, const Codes& q) {
  return {
      std::move(name), {x, row_length, group_size, num_bits}, {q, scales, row_length, group_size}};
}

std::vector<Groups::Row> one_group_each(const std::vector<OneScale>& all) {
  std::vector<Groups::Row> rows;
  for (const auto& [name, num_bits, x, scale, q, rule] : all) {
    const auto count = static_cast<std::int32_t>(x.size());
    rows.push_back(rows_of(name, count, count, num_bits, x, {scale}, q));
    rows.back().rule = rule;
  }
  return rows;
}

TEST(quantize_per_group, FollowsTheFormula) { groups_match(one_group_each(kFormula)); }

TEST(quantize_per_group, RoundsToNearest) { groups_match(one_group_each(at_width(4, kNearest))); }

TEST(quantize_per_group, TiesGoToEven) { groups_match(one_group_each(at_width(4, kTies))); }

TEST(quantize_per_group, ScaleIsNeverZero) {
  groups_match(
      {rows_of("OneZeroGroup", 4, 2, 4, {0, -0.0f, 14, 2}, {1, 2}, {0, 0, 7, 1}),
       rows_of("TinyGroup", 4, 2, 4, {3 * FLT_MIN, -FLT_MIN, 7, 1}, {FLT_MIN, 1}, {3, -1, 7, 1}),
       rows_of("Empty", 4, 2, 4, {}, {}, {})});
}

TEST(quantize_per_group, EveryGroupHasItsScale) {
  groups_match({rows_of("TwoGroups", 4, 2, 4, {7, 1, 3.5f, 1}, {1, 0.5f}, {7, 1, 7, 2}),
                rows_of("TwoRows", 4, 2, 4, {7, 1, 3.5f, 1, 14, 2, -1.75f, 1}, {1, 0.5f, 2, 0.25f},
                        {7, 1, 7, 2, 7, 1, -7, 4}),
                rows_of("OfOneElement", 3, 1, 4, {7, -14, 1.75f}, {1, 2, 0.25f}, {7, -7, 7})});
}

constexpr const char* kHugeGroup = "row_length + group_size is more than an int32 holds here";

// One row: a group that runs into the next row is a question of its own, asked next.
TEST(quantize_per_group, LastGroupMayBeShort) {
  groups_match({rows_of("TwoAndOne", 3, 2, 4, {7, 1, 3.5f}, {1, 0.5f}, {7, 1, 7}),
                rows_of("LargerThanTheRow", 2, 128, 4, {7, -1}, {1}, {7, -1}),
                {"HugeGroup", {{7, -1}, 2, INT_MAX, 4}, {{7, -1}, {1}, 2, INT_MAX}, kHugeGroup},
                rows_of("FourAndThree", 7, 4, 4, {7, 1, 2, 3, 1, 1.75f, 0.25f}, {1, 0.25f},
                        {7, 1, 2, 3, 4, 7, 1})});
}

TEST(quantize_per_group, GroupsEndWithTheirRow) {
  groups_match(
      {rows_of("TwoRowsOfThree", 3, 2, 4, {7, 1, 3.5f, 14, 2, 1.75f}, {1, 0.5f, 2, 0.25f},
               {7, 1, 7, 7, 1, 7}),
       rows_of("RowsShorterThanAGroup", 1, 2, 4, {7, 3.5f, 1.75f}, {1, 0.5f, 0.25f}, {7, 7, 7})});
}

using RowAndGroup = std::array<std::int32_t, 2>;

/// Three rows of each size, at each width.
std::vector<Groups::Input> three_rows(const std::vector<RowAndGroup>& sizes,
                                      const std::vector<int>& widths, Seed seed_of) {
  std::vector<Groups::Input> inputs;
  for (const auto& [row, group] : sizes) {
    const Places places = places_in_rows(std::size_t(row) * 3, row, group);
    for (const int num_bits : widths) {
      const std::uint64_t salt = std::uint64_t(row) * 1024 + std::uint64_t(group) * 16 + num_bits;
      inputs.push_back(
          {"3x" + std::to_string(row) + "-group" + std::to_string(group) + "-" +
               std::to_string(num_bits) + "bits",
           {uneven(places, seed_of(salt), Symmetry::kSymmetric), row, group, num_bits}});
    }
  }
  return inputs;
}

// Groups of one, a group as long as the row, several, and the sizes in use.
const std::vector<RowAndGroup> kThatFit{{1, 1}, {5, 1}, {8, 8}, {12, 4}, {96, 32}, {256, 128}};

TEST(quantize_per_group, EveryValueWithinHalfAStep) {
  every_value_within_half_a_step(groups, three_rows(kThatFit, kWidths, seed));
}

TEST(quantize_per_group, RefusesWhatItCannotQuantize) {
  const Reals x{1, 2, 3, 4};
  groups.refuses({rows_of("TwoBits", 1, 1, 2, {4}, {4}, {1}),
                  rows_of("EightBits", 1, 1, 8, {4}, {4.0f / 127}, {127})},
                 {{"N-NAN", {{1, kNan, 2, 3}, 4, 2, 4}},
                  {"N-NAN", {{1, 2, 3, kInfinity}, 4, 2, 4}},
                  {"N-RANGE", {x, 4, 2, 1}},
                  {"N-RANGE", {x, 4, 2, 9}},
                  {"N-SIZE", {x, 3, 2, 4}},
                  {"N-SIZE", {x, 0, 2, 4}},
                  {"N-SIZE", {x, 4, 0, 4}}},
                 groups.only({"q"}));
}

// --- dequantize_per_group -----------------------------------------------------------------------

const FromGroups from_groups{
    {"q", "scales", "row_length", "group_size"}, {"real"}, suspect_reals<FromGroups>};

TEST(dequantize_per_group, MultipliesByTheScale) {
  multiplies(from_groups,
             {{"OneGroup", {{{-128, -1, 0, 127}, {0.25f}, 4, 4}}}, {"NoRows", {{{}, {}, 4, 4}}}});
}

TEST(dequantize_per_group, TakesTheScaleOfItsGroup) {
  multiplies(from_groups, {{"TwoGroups", {{{1, 2, 3, 4}, {1, 16}, 4, 2}}},
                           {"TwoRows", {{{1, 2, 3, 4, 5, 6, 7, 8}, {1, 16, 0.5f, 256}, 4, 2}}}});
}

// One element left; a group longer than the row; two left; one missing; and a size in use.
std::vector<FromGroups::Input> every_grouped(Seed seed_of) {
  return tensors<FromGroups>(three_rows({{3, 2}, {2, 3}, {5, 3}, {9, 5}, {257, 128}}, {8}, seed_of),
                             seed_of);
}

TEST(dequantize_per_group, CountsShortGroups) {
  multiplies(from_groups, every_grouped(seed));
  from_groups.gives(
      {{"HugeGroup", {{{1, 2, 3, 4}, {1, 16}, 2, INT_MAX}}, {1, 2, 48, 64}, kHugeGroup}},
      /*if_refused=*/"N-OVERFLOW");
}

TEST(dequantize_per_group, RefusesWhatDoesNotFit) {
  from_groups.refuses({{"Fits", {{{1, 2, 3, 4}, {1, 2}, 4, 2}}, {1, 2, 6, 8}}},
                      {{"N-DIV0", {{{1, 2, 3, 4}, {1, 0}, 4, 2}}},
                       {"N-DIV0", {{{1, 2, 3, 4}, {1, -1}, 4, 2}}},
                       {"N-DIV0", {{{1, 2, 3, 4}, {1, FLT_MIN / 4}, 4, 2}}},
                       {"N-DIV0", {{{1, 2, 3, 4}, {1, kInfinity}, 4, 2}}},
                       {"N-NAN", {{{1, 2, 3, 4}, {1, kNan}, 4, 2}}},
                       {"N-SIZE", {{{1, 2, 3, 4}, {1, 2, 3}, 4, 2}}},
                       {"N-SIZE", {{{1, 2, 3}, {1, 2}, 2, 2}}},
                       {"N-SIZE", {{{1, 2, 3, 4}, {1, 2}, 0, 2}}},
                       {"N-SIZE", {{{1, 2, 3, 4}, {1}, 4, 0}}}});
}

// --- memory_savings -----------------------------------------------------------------------------

using Saving = Exercise<&memory_savings>;

void suspect_savings(Expect& expect, const Saving::Arguments& in, const MemorySavings& right) {
  const auto& [count, num_bits, elements_per_scale, scale_bits, zero_point_bits] = in;
  const std::int64_t total = right.total_bits;
  if (zero_point_bits == 0) {
    const std::int64_t scales = (count + elements_per_scale - 1) / elements_per_scale;
    expect.suspect("N-TAIL", "total_bits", total + scale_bits);
    expect.suspect("N-UNITS", "total_bits", total / 8);
    expect.suspect("N-RANGE", "total_bits", total + count * (8 - num_bits));
    expect.suspect("N-RANGE", "total_bits", total + scales * (32 - scale_bits));
  }
  expect.suspect("N-UNITS", "bits_per_element", right.bits_per_element / 8);
  expect.suspect("N-UNITS", "share_of_fp32", right.share_of_fp32 * 100);
}

const Saving saving{{"count", "num_bits", "elements_per_scale", "scale_bits", "zero_point_bits"},
                    {"total_bits", "bits_per_element", "share_of_fp32"},
                    suspect_savings,
                    {.tolerance = metric_tolerance()}};

Saving::Row costs(std::string name, const Saving::Arguments& in, std::int64_t total_bits,
                  std::string rule = "") {
  const double bits = static_cast<double>(total_bits) / static_cast<double>(in.a);
  return {std::move(name), in, {total_bits, bits, bits / 32}, std::move(rule)};
}

TEST(memory_savings, CountsCodesAndScales) {
  saving.gives({costs("Int2Group64Fp16", {256, 2, 64, 16, 0}, 512 + 4 * 16),
                costs("Int4Group128Fp16", {4096, 4, 128, 16, 0}, 16384 + 32 * 16),
                costs("Int8PerElement", {256, 8, 1, 32, 0}, 10240),
                costs("Int8PerTensor", {65536, 8, 65536, 32, 0}, 524288 + 32),
                costs("Int4Blocks32Fp8", {1024, 4, 32, 8, 0}, 4096 + 32 * 8),
                costs("NoWholeBytes", {3, 3, 3, 32, 0}, 9 + 32, "nothing is rounded up to bytes")},
               saving.only({"total_bits"}));
}

TEST(memory_savings, CountsZeroPoints) {
  saving.gives({costs("Int4ZeroPoints", {4096, 4, 128, 32, 4}, 16384 + 32 * 36,
                      "each scale has a zero point beside it"),
                costs("Int8ZeroPoint", {100, 8, 100, 32, 8}, 800 + 40)},
               saving.only({"total_bits"}));
}

TEST(memory_savings, RoundsScalesUp) {
  saving.gives({costs("OneLeft", {129, 4, 128, 32, 0}, 516 + 2 * 32,
                      "elements that are left over have a scale, too"),
                costs("OneMissing", {255, 4, 128, 32, 0}, 1020 + 2 * 32),
                costs("LessThanOneGroup", {3, 4, 128, 32, 0}, 12 + 32)},
               saving.only({"total_bits"}));
}

TEST(memory_savings, ComparesWithFp32) {
  saving.gives({costs("Int4Group128Fp16", {4096, 4, 128, 16, 0}, 16896),
                costs("Int8PerElement", {256, 8, 1, 32, 0}, 10240)},
               saving.only({"bits_per_element", "share_of_fp32"}));
}

// A model of 70 billion weights has more bits than an int32 can count, and more than a float can.
TEST(memory_savings, CountsPastTwoBillion) {
  saving.gives(
      {costs("70Billion", {70'000'000'000, 4, 128, 32, 0}, 280'000'000'000 + 546'875'000LL * 32,
             "more bits than an int32 or a float32 counts")},
      saving.only({"total_bits"}));
}

TEST(memory_savings, RefusesWhatIsNoCount) {
  constexpr std::int64_t most = std::int64_t{1} << 48;
  saving.refuses({costs("One", {1, 1, 1, 0, 0}, 1),
                  costs("OneScale", {most, 32, most, 64, 64}, most * 32 + 128),
                  costs("AllScales", {most, 32, 1, 64, 64}, most * 160)},
                 {{"", {0, 8, 1, 32, 0}},
                  {"", {8, 8, 0, 32, 0}},
                  {"", {8, 8, -1, 32, 0}},
                  {"N-RANGE", {most + 1, 8, 1, 32, 0}},
                  {"N-RANGE", {8, 8, most + 1, 32, 0}},
                  {"N-RANGE", {8, 0, 1, 32, 0}},
                  {"N-RANGE", {8, 33, 1, 32, 0}},
                  {"N-RANGE", {8, 8, 1, -1, 0}},
                  {"N-RANGE", {8, 8, 1, 65, 0}},
                  {"N-RANGE", {8, 8, 1, 32, -1}},
                  {"N-RANGE", {8, 8, 1, 32, 65}}},
                 saving.only({"total_bits"}));
}

// --- compare_quantization_methods ---------------------------------------------------------------

using Comparing = Exercise<&compare_quantization_methods>;

// One matrix for most of what follows, at 4 bits, so that every scale below is a power of two.
//
//     row 0      -7     0.5    0.4375   0          scale 1       groups of 2:  1     1/16
//     row 1     -1.75   0.125  0      -0.4375      scale 1/4                   1/4   1/16
//
//     squared errors, times 256       row 0             row 1               sum
//     per tensor, scale 1          0  64  49   0     16   4   0  49         182
//     asymmetric, scale 1/2, 6     0   0   1   0     16   4   0   1          22
//     per channel                  0  64  49   0      0   4   0   1         118
//     asymmetric, 1/2 and 1/8      0   0   1   0      0   0   0   1           2
//     per group of 2               0  64   0   0      0   4   0   0          68
const Reals kHand{-7, 0.5f, 0.4375f, 0, -1.75f, 0.125f, 0, -0.4375f};

void suspect_methods(Expect& expect, const Comparing::Arguments&, const MethodComparison& right) {
  for (const double other :
       {right.per_tensor_asymmetric.mse, right.per_channel_symmetric.mse, right.per_group.mse}) {
    expect.suspect("N-ORDER", "per_tensor_symmetric.mse", other);
  }
  expect.suspect("N-ORDER", "per_tensor_asymmetric.mse", right.per_tensor_symmetric.mse);
  for (const double other : {right.per_channel_asymmetric.mse, right.per_group.mse}) {
    expect.suspect("N-ORDER", "per_channel_symmetric.mse", other);
  }
  expect.suspect("N-ORDER", "per_channel_asymmetric.mse", right.per_channel_symmetric.mse);
}

const Comparing comparing{{"x", "shape", "num_bits", "group_size"},
                          {"per_tensor_symmetric.mse",
                           "per_tensor_symmetric.mae",
                           "per_tensor_symmetric.max_error",
                           "per_tensor_symmetric.relative_error",
                           "per_tensor_symmetric.snr_db",
                           "per_tensor_symmetric.sqnr_db",
                           "per_tensor_symmetric.cosine",
                           "per_tensor_symmetric.bits_per_element",
                           "per_tensor_asymmetric.mse",
                           "per_tensor_asymmetric.mae",
                           "per_tensor_asymmetric.max_error",
                           "per_tensor_asymmetric.relative_error",
                           "per_tensor_asymmetric.snr_db",
                           "per_tensor_asymmetric.sqnr_db",
                           "per_tensor_asymmetric.cosine",
                           "per_tensor_asymmetric.bits_per_element",
                           "per_channel_symmetric.mse",
                           "per_channel_symmetric.mae",
                           "per_channel_symmetric.max_error",
                           "per_channel_symmetric.relative_error",
                           "per_channel_symmetric.snr_db",
                           "per_channel_symmetric.sqnr_db",
                           "per_channel_symmetric.cosine",
                           "per_channel_symmetric.bits_per_element",
                           "per_channel_asymmetric.mse",
                           "per_channel_asymmetric.mae",
                           "per_channel_asymmetric.max_error",
                           "per_channel_asymmetric.relative_error",
                           "per_channel_asymmetric.snr_db",
                           "per_channel_asymmetric.sqnr_db",
                           "per_channel_asymmetric.cosine",
                           "per_channel_asymmetric.bits_per_element",
                           "per_group.mse",
                           "per_group.mae",
                           "per_group.max_error",
                           "per_group.relative_error",
                           "per_group.snr_db",
                           "per_group.sqnr_db",
                           "per_group.cosine",
                           "per_group.bits_per_element",
                           "best"},
                          suspect_methods,
                          {.tolerance = metric_tolerance()}};

/// What a row looks at: the other metrics are asked by a check of their own.
MethodResult lost(double mse, double sqnr_db, double bits = 0) {
  return {mse, 0, 0, 0, 0, sqnr_db, 0, bits};
}

/// A matrix of 2x4, and the sums of the squared errors in the order of the results, times `unit`.
Comparing::Row two_by_four(std::string name, const Reals& x, int num_bits, std::int32_t group_size,
                           const std::array<double, 5>& sums, double unit) {
  double power = 0;
  for (const double value : x) power += value * value;
  const double b = num_bits, groups = group_size < 4 ? 4 : 2;
  const auto method = [&](std::size_t at, double bits) {
    const double sum = sums[at] * unit;
    return lost(sum / 8, sum == 0 ? HUGE_VAL : 10 * std::log10(power / sum), b + bits);
  };
  const auto best = static_cast<Method>(std::ranges::min_element(sums) - sums.begin());
  return {std::move(name),
          {x, {2, 4}, num_bits, group_size},
          {method(0, 32.0 / 8), method(1, (32 + b) / 8), method(2, 2 * 32.0 / 8),
           method(3, 2 * (32 + b) / 8), method(4, groups * 32 / 8), best}};
}

/// A group larger than the row is the row: what a group is over the end of it would be worse.
Comparing::Row hand(std::int32_t group_size) {
  const double of_groups = group_size == 2 ? 68 : group_size == 3 ? 117 : 118;
  return two_by_four("Groups" + std::to_string(group_size), kHand, 4, group_size,
                     {182, 22, 118, 2, of_groups}, 0x1p-8);
}

const Comparing::Row kExact = two_by_four("Exact", {105, 0, 105, 105, 0, 105, 0, 0}, 4, 2, {}, 1);

TEST(compare_quantization_methods, MeasuresPerTensor) {
  comparing.gives({hand(2)}, comparing.only({"per_tensor_symmetric.mse"}));
}

TEST(compare_quantization_methods, MeasuresTheAsymmetricWays) {
  comparing.gives({hand(2)},
                  comparing.only({"per_tensor_asymmetric.mse", "per_channel_asymmetric.mse"}));
}

TEST(compare_quantization_methods, GivesEachRowItsScale) {
  comparing.gives({hand(2)}, comparing.only({"per_channel_symmetric.mse"}));
}

TEST(compare_quantization_methods, GivesEachGroupItsScale) {
  Comparing::Row deep = hand(8);
  deep.in.b = {1, 2, 4};
  deep.rule = "the rows are those of the last axis, however many there are";
  comparing.gives({hand(2), hand(8), hand(INT_MAX), deep}, comparing.only({"per_group.mse"}));
}

// Groups of 3 in a row of 4: two in each row, the second one short.
TEST(compare_quantization_methods, CountsTheirBits) {
  Comparing::Row short_groups = hand(3);
  short_groups.rule = "groups end with their row: each row of 4 has two, the second one short";
  comparing.gives({hand(2), short_groups}, comparing.only({"bits_per_element"}));
}

// What is right at 4 bits alone has forgotten to hand num_bits on: one default is 4, another is 8.
// Made as the matrix above is.
TEST(compare_quantization_methods, WorksAtEveryWidth) {
  comparing.gives(
      {two_by_four("ThreeBits", {-3, 0.5f, 0.375f, 0.1875f, -0.75f, 0.125f, 0, -0.1875f}, 3, 2,
                   {565248, 172032, 466944, 57344, 282624}, 0x1p-20),
       two_by_four("EightBits",
                   {-127, 0.5f, 127 * 0x1p-8f, 0.1875f, -31.75f, 0.125f, 0, -127 * 0x1p-10f}, 8, 2,
                   {655121, 134929, 589585, 36881, 278528}, 0x1p-20)},
      comparing.only({"mse", "bits_per_element"}));
}

TEST(compare_quantization_methods, SqnrIsInDecibels) {
  comparing.gives({hand(2), kExact, two_by_four("Zeros", Reals(8), 4, 2, {}, 1),
                   two_by_four("Tiny", {3 * FLT_MIN, -FLT_MIN, 0, 0, 0, 0, 0, 0}, 4, 2, {}, 1)},
                  comparing.only({"sqnr_db"}));
}

TEST(compare_quantization_methods, BestIsTheHighest) {
  const auto is = [](Method best) { return MethodComparison{{}, {}, {}, {}, {}, best}; };
  comparing.gives(
      {hand(2),
       kExact,
       {"Rows",
        {{7, -7, 0.875f, 0.125f}, {2, 2}, 4, 2},
        is(Method::kPerChannelSymmetric)},  // groups: same
       {"Groups", {{7, -7, 0.875f, 0.125f, 7, -7, 7, -7}, {2, 4}, 4, 2}, is(Method::kPerGroup)}},
      comparing.only({"best"}));
}

// By hand, with a scale of 1: x_hat = {7, 2, -3, 2}, e = {0, 1/2, -1/4, -1/4}, and the mean of x is
// 2. Then nothing lost; and a quarter of the least scale, of which nothing is left.
TEST(compare_quantization_methods, MeasuresAsInLab02) {
  const auto of = [](const MethodResult& right) {
    return MethodComparison{right, {}, {}, {}, {}, {}};
  };
  const double squares = 0.375, variance = 52.875, power = 68.875;
  const MethodResult by_hand{squares / 4,
                             0.25,
                             0.5,
                             squares / variance,
                             10 * std::log10(variance / squares),
                             10 * std::log10(power / squares),
                             67.25 / std::sqrt(power * 66),
                             0};
  const double tiny = FLT_MIN / 4;
  comparing.gives({{"ByHand", {{7, 2.5f, -3.25f, 1.75f}, {1, 4}, 4, 4}, of(by_hand)},
                   {"Constant", {{7, 7}, {1, 2}, 4, 2}, of({0, 0, 0, 0, HUGE_VAL, HUGE_VAL, 1, 0})},
                   {"Zeros", {{0, 0}, {1, 2}, 4, 2}, of({0, 0, 0, 0, HUGE_VAL, HUGE_VAL, 1, 0})},
                   {"NothingLeft",
                    {{FLT_MIN / 4, FLT_MIN / 4}, {1, 2}, 4, 2},
                    of({tiny * tiny, tiny, tiny, HUGE_VAL, -HUGE_VAL, 0, 0, 0})}},
                  comparing.only({"per_tensor_symmetric.mae", "per_tensor_symmetric.max_error",
                                  "per_tensor_symmetric.relative_error",
                                  "per_tensor_symmetric.snr_db", "per_tensor_symmetric.cosine"}));
}

// 8192 errors of 1/2 make a sum of 2048. In float32, 2048 + 2^-14 is 2048: the next 8192 errors, of
// 2^-7, would be lost, one by one; and so would the squares of what is lost.
TEST(compare_quantization_methods, SumsInDouble) {
  Reals x(1 + 8192, 0.5f);
  x.front() = 127;
  x.resize(1 + 2 * 8192, 0x1p-7f);
  const MethodResult right = lost(2048.5 / 16385, 10 * std::log10(18177.5 / 2048.5));
  comparing.gives({{"16385", {x, {1, 16385}, 8, 128}, {right, {}, {}, {}, {}, {}}}},
                  comparing.only({"per_tensor_symmetric.mse", "per_tensor_symmetric.sqnr_db"}));
}

TEST(compare_quantization_methods, RefusesWhatItCannotCompare) {
  comparing.refuses({{"One", {{3}, {1}, 8, 1}, {lost(0, 0, 40), {}, {}, {}, {}, {}}}},
                    {{"N-NAN", {{1, kNan, 2, 3}, {2, 2}, 4, 2}},
                     {"N-OVERFLOW", {{3e38f, -3e38f, 0, 0}, {2, 2}, 4, 2}},
                     {"N-SIZE", {{}, {0, 2}, 4, 2}},
                     {"N-SIZE", {{1, 2, 3, 4}, {2, 3}, 4, 2}},
                     {"N-SIZE", {{1, 2, 3, 4}, {2, 2}, 4, 0}},
                     {"N-RANGE", {{1, 2, 3, 4}, {2, 2}, 9, 2}}},
                    comparing.only({"per_tensor_symmetric.bits_per_element"}));
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

/// Scales and codes are the solution's, but for codes next to a tie; then the `rest`.
template <class E>
void equals_the_reference(const E& quantizing, const std::vector<typename E::Input>& inputs,
                          const typename E::Compare& rest) {
  quantizing.agrees_with(
      quantizing.reference, inputs,
      [&](Expect& expect, const auto& in, const auto& got, const auto& want) {
        const auto few = static_cast<std::size_t>(signed_range(in.d).qmax);
        Expect::healthy(want.q.size() < 300 || distinct(want.q) >= few, "few distinct codes");
        const Places places = places_of(in);
        quantizing.only({"scales"})(expect, in, got, want);
        same_codes(expect, "q", got.q, want.q,
                   [&](std::size_t i) { return is_near_tie(in.a[i], want.scales[places.of[i]]); });
        rest(expect, in, got, want);
      });
}

/// Values that share a scale have the codes they would have without the others. `alone(in, x)`: x
/// of `in`, quantized by itself.
template <class E, class Alone>
void slices_stand_alone(const E& quantizing, const std::vector<typename E::Input>& inputs,
                        const Alone& alone) {
  quantizing.on_each(inputs, [&](Expect& expect, const typename E::Arguments& in) {
    const auto got = quantizing(in);
    const Places places = places_of(in);
    if (!expect.equal("the number of codes", got.q.size(), in.a.size())) return;
    if (!expect.equal("the number of scales", got.scales.size(), places.count)) return;
    // A constant stands alone, too. Where every slice is one value, so is the right answer's.
    expect.that(distinct(got.q) > 1 || distinct(quantizing.reference(in).q) == 1,
                "one code for everything");
    for (std::size_t place = 0; place < places.count && !expect.failure(); ++place) {
      Reals x;
      Codes q;
      for (std::size_t i = 0; i < in.a.size(); ++i) {
        if (places.of[i] != place) continue;
        x.push_back(in.a[i]);
        q.push_back(got.q[i]);
      }
      const auto one = quantizing(alone(in, x));
      expect.equal("scales of a slice by itself", one.scales, Reals{got.scales[place]});
      expect.equal("q of a slice by itself", one.q, q);
    }
  });
}

TEST(quantize_per_channel, EqualsTheReference) {
  std::vector<Channels::Input> inputs = every_width_and_length(hidden_seed);
  for (int num_bits = 2; num_bits <= 8; num_bits += 3) {
    std::ranges::move(every_axis(num_bits, hidden_seed), std::back_inserter(inputs));
  }
  equals_the_reference(channels, inputs, channels.only({"zero_points", "shape", "axis"}));
}

TEST(quantize_per_channel, SlicesStandAlone) {
  slices_stand_alone(channels, every_axis(8, hidden_seed), [](auto in, const Reals& x) {
    in.a = x;
    in.b[in.c] = 1;
    return in;
  });
}

TEST(dequantize_per_channel, EqualsTheReference) {
  from_channels.agrees_with(from_channels.reference, every_tensor(hidden_seed));
}

// As above, and: a group one less and one more than the row; one element left, and one missing.
TEST(quantize_per_group, EqualsTheReference) {
  std::vector<RowAndGroup> sizes = kThatFit;
  sizes.insert(sizes.end(), {{8, 7}, {8, 9}, {13, 4}, {15, 4}, {257, 128}});
  equals_the_reference(groups, three_rows(sizes, kWidths, hidden_seed),
                       groups.only({"row_length", "group_size"}));
}

TEST(quantize_per_group, GroupsStandAlone) {
  slices_stand_alone(groups, three_rows({{8, 4}, {13, 4}}, {8}, hidden_seed),
                     [](const auto& in, const Reals& x) {
                       const auto length = static_cast<std::int32_t>(x.size());
                       return Groups::Arguments{x, length, in.c, in.d};
                     });
}

TEST(dequantize_per_group, EqualsTheReference) {
  from_groups.agrees_with(from_groups.reference, every_grouped(hidden_seed));
}

TEST(memory_savings, EqualsTheReference) {
  std::vector<Saving::Input> inputs;
  for (int i = 0; i < 32; ++i) {
    const auto size = [&](int salt, int bits) {
      return static_cast<std::int64_t>(hidden_seed(i * 8 + salt) >> (64 - bits));
    };
    inputs.push_back({"random" + std::to_string(i),
                      {1 + size(0, 40), 1 + static_cast<int>(size(1, 5)), 1 + size(2, 20),
                       static_cast<int>(size(3, 6)), static_cast<int>(size(4, 6))}});
  }
  saving.agrees_with(saving.reference, inputs);
}

// Two dimensions as weights have them, four as a convolution has them, and one.
TEST(compare_quantization_methods, EqualsTheReference) {
  std::vector<Comparing::Input> inputs;
  for (const Sizes& shape : {Sizes{7}, {3, 5}, {16, 33}, {5, 2, 3, 7}}) {
    for (int num_bits = 2; num_bits <= 8; num_bits += 2) {
      const auto [name, in] = random_slices(shape, 0, num_bits, hidden_seed);
      inputs.push_back({name, {in.a, shape, num_bits, 4}});
    }
  }
  comparing.agrees_with(
      comparing.reference, inputs,
      [](Expect& expect, const auto& in, const MethodComparison& got,
         const MethodComparison& want) {
        comparing.only({"mse", "mae", "max_error", "relative_error", "snr_db", "sqnr_db", "cosine",
                        "bits_per_element"})(expect, in, got, want);
        // Sums in another order may turn a tie around: what counts is that none is better.
        const std::array db{want.per_tensor_symmetric.sqnr_db, want.per_tensor_asymmetric.sqnr_db,
                            want.per_channel_symmetric.sqnr_db, want.per_channel_asymmetric.sqnr_db,
                            want.per_group.sqnr_db};
        const auto chosen = static_cast<std::size_t>(got.best);
        if (!expect.that(chosen < db.size(), "best names no method")) return;
        expect.near("sqnr_db of the best", db[chosen], std::ranges::max(db), metric_tolerance());
      });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
