// Lab 05: the checks.
#include "per_channel.hpp"

#include "checks/marks/05_per_channel.hpp"
#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/shrink.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

// --- Which element belongs where ----------------------------------------------------------------

using Sizes = std::vector<std::int32_t>;
using Places = std::vector<std::size_t>;

std::size_t count_of(const Sizes& shape) {
  std::size_t count = 1;
  for (const std::int32_t size : shape) count *= static_cast<std::size_t>(size);
  return count;
}

/// The index along `axis` of every element, in row-major order: read off an odometer.
Places indices_along(const Sizes& shape, std::size_t axis) {
  Sizes wheels(shape.size(), 0);
  Places all;
  for (std::size_t i = 0; i < count_of(shape); ++i) {
    all.push_back(static_cast<std::size_t>(wheels[axis]));
    for (std::size_t d = shape.size(); d-- > 0 && ++wheels[d] == shape[d];) wheels[d] = 0;
  }
  return all;
}

/// The group of every element: a new one where a row begins, and after every group_size elements.
Places groups_of(std::size_t count, std::size_t row_length, std::size_t group_size) {
  Places all;
  std::size_t begun = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % row_length % group_size == 0) ++begun;
    all.push_back(begun - 1);
  }
  return all;
}

/// amax of every place.
std::vector<float> largest_at(const Places& places, const std::vector<float>& x,
                              std::size_t count) {
  std::vector<float> amax(count, 0.0f);
  for (std::size_t i = 0; i < x.size(); ++i) {
    amax[places[i]] = std::fmax(amax[places[i]], std::fabs(x[i]));
  }
  return amax;
}

/// scales[places[i]] * q[i], the definition of both dequantize functions.
std::vector<float> by_definition(const std::vector<std::int8_t>& q,
                                 const std::vector<float>& scales, const Places& places) {
  std::vector<float> real;
  for (std::size_t i = 0; i < q.size(); ++i) {
    real.push_back(scales[places[i]] * static_cast<float>(q[i]));
  }
  return real;
}

std::string name_of(const Sizes& shape) {
  std::string name;
  for (const std::int32_t size : shape) name += (name.empty() ? "" : "x") + std::to_string(size);
  return name;
}

/// What a loop that stops one element early leaves: the last is 0.
template <class T>
std::vector<T> without_last(std::vector<T> values) {
  if (!values.empty()) values.back() = 0;
  return values;
}

/// Sizes as failures print them: an index reads [row, column].
Shape as_shape(const Sizes& shape) { return {shape.begin(), shape.end()}; }

// --- quantize_per_channel: values worked out by hand --------------------------------------------
//
// Scales are powers of two, so that ties are ties for everyone; one is not, to see that it is
// stored in full. No slice ends in a 0, so that a loop that stops early is seen.

struct SliceCase {
  std::string name;
  Sizes shape;
  int axis;
  int num_bits;
  std::vector<float> x;
  std::vector<float> scales;
  std::vector<std::int8_t> q;
};

std::string show(const SliceCase& c) {
  return "x = " + show_values(c.x, 12) + ", shape = " + show_values(c.shape) +
         ", axis = " + std::to_string(c.axis) + ", num_bits = " + std::to_string(c.num_bits);
}

std::size_t from_front(int axis, const Sizes& shape) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(shape.size()) : axis);
}

void matches(const SliceCase& c, Expect& expect) {
  const PerChannelTensor got = call<&quantize_per_channel>(c.x, c.shape, c.axis, c.num_bits);
  const std::size_t axis = from_front(c.axis, c.shape);
  const std::size_t other = c.shape.size() - 1 - axis;
  const auto qmax = static_cast<float>(signed_range(c.num_bits).qmax);
  if (other != axis) {  // what the scales of the other axis would be
    const auto across = static_cast<std::size_t>(c.shape[other]);
    std::vector<float> swapped = largest_at(indices_along(c.shape, other), c.x, across);
    for (float& value : swapped) value /= qmax;
    expect.suspect("N-AXIS", "scales", swapped);
  }
  expect.suspect("N-TAIL", "q", without_last(c.q));
  expect.near("scales", got.scales, c.scales, one_ulp());
  expect.equal("q", got.q, c.q, as_shape(c.shape));
  expect.equal("shape", got.shape, c.shape);
  expect.equal("axis", got.axis, static_cast<std::int32_t>(axis));
}

TEST(quantize_per_channel, FollowsTheFormula) {
  each_case<SliceCase>({{"Whole", {1, 4}, 0, 8, {1, -1, 127, 5}, {1.0f}, {1, -1, 127, 5}},
                        {"NegativeAmax", {1, 3}, 0, 8, {-63.5f, 31, 0.5f}, {0.5f}, {-127, 62, 1}},
                        {"FourBits", {1, 3}, 0, 4, {7, -7, 3}, {1.0f}, {7, -7, 3}},
                        {"TwoBits", {1, 3}, 0, 2, {-4, 4, 4}, {4.0f}, {-1, 1, 1}},
                        {"NoPowerOfTwo", {1, 3}, 0, 8, {1, -1, 1}, {1.0f / 127}, {127, -127, 127}}},
                       matches);
}

TEST(quantize_per_channel, RoundsToNearest) {
  each_case<SliceCase>({{"UpAndDown", {1, 3}, 0, 8, {1.75f, 1.25f, 127}, {1.0f}, {2, 1, 127}},
                        {"BelowZero", {1, 3}, 0, 8, {-1.75f, -0.75f, 127}, {1.0f}, {-2, -1, 127}}},
                       matches);
}

TEST(quantize_per_channel, TiesGoToEven) {
  each_case<SliceCase>(
      {{"AboveZero", {1, 4}, 0, 8, {0.5f, 1.5f, 2.5f, 127}, {1.0f}, {0, 2, 2, 127}},
       {"BelowZero", {1, 4}, 0, 8, {-0.5f, -1.5f, -2.5f, 127}, {1.0f}, {0, -2, -2, 127}}},
      matches);
}

// One dead channel among live ones is common in trained networks; so is a pruned tensor.
TEST(quantize_per_channel, ScaleIsNeverZero) {
  each_case<SliceCase>(
      {{"OneZeroRow", {3, 2}, 0, 4, {7, 1, 0, -0.0f, 14, 2}, {1, 1, 2}, {7, 1, 0, 0, 7, 1}},
       {"AllZero", {2, 1}, 0, 8, {0, 0}, {1, 1}, {0, 0}},
       {"TinyRow", {2, 2}, 0, 8, {3 * FLT_MIN, -FLT_MIN, 127, 1}, {FLT_MIN, 1}, {3, -1, 127, 1}},
       {"NoRows", {0, 3}, 0, 8, {}, {}, {}},
       {"EmptyColumns", {0, 3}, 1, 8, {}, {1, 1, 1}, {}}},
      matches);
}

// 2x3 tells rows from columns by their number; 2x2 only by their values, so it asks for both.
TEST(quantize_per_channel, ScalesOverRows) {
  each_case<SliceCase>(
      {{"2x2", {2, 2}, 0, 4, {7, 2, 1, 3.5f}, {1, 0.5f}, {7, 2, 2, 7}},
       {"2x3", {2, 3}, 0, 8, {127, -1, 2, 0.5f, -63.5f, 1}, {1, 0.5f}, {127, -1, 2, 1, -127, 2}}},
      matches);
}

TEST(quantize_per_channel, ScalesOverColumns) {
  each_case<SliceCase>({{"2x2", {2, 2}, 1, 4, {7, 1, 2, 3.5f}, {1, 0.5f}, {7, 2, 2, 7}},
                        {"2x3",
                         {2, 3},
                         1,
                         8,
                         {127, -1, 2, 4, -63.5f, 254},
                         {1, 0.5f, 2},
                         {127, -2, 1, 4, -127, 127}}},
                       matches);
}

TEST(quantize_per_channel, NegativeAxesCountFromTheBack) {
  const SliceCase last{"Last", {2, 2}, -1, 4, {7, 1, 2, 3.5f}, {1, 0.5f}, {7, 2, 2, 7}};
  const SliceCase first{"First", {2, 2}, -2, 4, {7, 2, 1, 3.5f}, {1, 0.5f}, {7, 2, 2, 7}};
  each_case<SliceCase>({last, first}, [](const SliceCase& c, Expect& expect) {
    if (!expect.that(!refuses<&quantize_per_channel>(c.x, c.shape, c.axis, c.num_bits),
                     "refused axis = " + std::to_string(c.axis) + " of 2 dimensions")) {
      return;
    }
    matches(c, expect);
  });
}

// --- quantize_per_channel: what holds for any tensor --------------------------------------------

struct RandomCase {
  std::string name;
  Sizes shape;
  int axis;
  int num_bits;
  std::vector<float> x;
};

std::string show(const RandomCase& c) {
  return show(SliceCase{"", c.shape, c.axis, c.num_bits, c.x, {}, {}});
}

RandomCase named(Sizes shape, int axis, int num_bits, std::vector<float> x) {
  const std::string name =
      name_of(shape) + "-axis" + std::to_string(axis) + "-" + std::to_string(num_bits) + "bits";
  return {name, std::move(shape), axis, num_bits, std::move(x)};
}

/// The part of a tensor whose index along `axis` is in [begin, end).
RandomCase cut(const RandomCase& c, std::size_t axis, std::int32_t begin, std::int32_t end) {
  const Places at = indices_along(c.shape, axis);
  std::vector<float> kept;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto index = static_cast<std::int32_t>(at[i]);
    if (begin <= index && index < end) kept.push_back(c.x[i]);
  }
  Sizes shape = c.shape;
  shape[axis] = end - begin;
  return named(shape, c.axis, c.num_bits, kept);
}

std::vector<RandomCase> smaller(const RandomCase& c) {
  std::vector<RandomCase> all;
  for (std::size_t d = 0; d < c.shape.size(); ++d) {
    const std::int32_t size = c.shape[d];
    if (size < 2) continue;
    all.push_back(cut(c, d, 0, size / 2));
    all.push_back(cut(c, d, size / 2, size));
  }
  for (std::vector<float>& x : smaller_lists(c.x)) {
    if (x.size() == c.x.size()) all.push_back(named(c.shape, c.axis, c.num_bits, std::move(x)));
  }
  return all;
}

/// Channels of three magnitudes, 16 times apart: a scale that is shared or taken from elsewhere
/// is then far too coarse for one of them.
RandomCase uneven(const Sizes& shape, int axis, int num_bits,
                  std::uint64_t (*seed_of)(std::uint64_t)) {
  const std::uint64_t salt = count_of(shape) * 64 + static_cast<std::uint64_t>(axis) * 16 +
                             static_cast<std::uint64_t>(num_bits);
  std::vector<float> x = normal_tensor(count_of(shape), seed_of(salt), /*stddev=*/0.02f);
  const Places channel = indices_along(shape, static_cast<std::size_t>(axis));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::ldexp(x[i], -4 * static_cast<int>(channel[i] % 3));
  }
  return named(shape, axis, num_bits, std::move(x));
}

// All sizes of a shape differ and none divides another, so that no two wrong strides agree.
std::vector<RandomCase> every_axis(int num_bits, std::uint64_t (*seed_of)(std::uint64_t)) {
  std::vector<RandomCase> cases;
  for (const Sizes& shape : {Sizes{7}, {3, 5}, {5, 3}, {3, 4, 5}, {5, 2, 3, 7}}) {
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      cases.push_back(uneven(shape, static_cast<int>(axis), num_bits, seed_of));
    }
  }
  return cases;
}

// Rows of one value; of one less than, as many as and one more than 32 bytes of codes; a prime.
std::vector<RandomCase> every_width_and_length(std::uint64_t (*seed_of)(std::uint64_t)) {
  std::vector<RandomCase> cases;
  for (const std::int32_t length : {1, 31, 32, 33, 1031}) {
    for (int num_bits = 2; num_bits <= 8; ++num_bits) {
      cases.push_back(uneven({4, length}, 0, num_bits, seed_of));
    }
  }
  return cases;
}

/// The bound comes from x, never from the answer: a huge scale would forgive everything.
void within_half_a_step(Expect& expect, const std::vector<float>& x,
                        const std::vector<std::int8_t>& q, const std::vector<float>& scales,
                        const Places& places, const std::vector<float>& amax, int num_bits) {
  if (!expect.equal("the number of scales", scales.size(), amax.size())) return;
  if (!expect.equal("the number of codes", q.size(), x.size())) return;
  const int qmax = signed_range(num_bits).qmax;
  const std::vector<float> real = by_definition(q, scales, places);
  expect.every("scale * q", real, x, [&](std::size_t i) {
    const float step = amax[places[i]] / static_cast<float>(qmax);
    return is_near(real[i], x[i], round_trip_tolerance(step, qmax));
  });
  std::vector<std::int32_t> outside;
  for (const std::int8_t code : q) {
    if (code < -qmax || code > qmax) outside.push_back(code);
  }
  expect.that(outside.empty(),
              "codes that " + std::to_string(num_bits) +
                  " bits do not have, or that amax never gives: " + show_values(outside));
}

void every_slice_within_half_a_step(const RandomCase& c, Expect& expect) {
  const auto axis = static_cast<std::size_t>(c.axis);
  const PerChannelTensor got = call<&quantize_per_channel>(c.x, c.shape, c.axis, c.num_bits);
  const Places channel = indices_along(c.shape, axis);
  const auto amax = largest_at(channel, c.x, static_cast<std::size_t>(c.shape[axis]));
  within_half_a_step(expect, c.x, got.q, got.scales, channel, amax, c.num_bits);
}

TEST(quantize_per_channel, OneToFourDimensions) {
  each_case(every_axis(8, seed), every_slice_within_half_a_step);
}

TEST(quantize_per_channel, EveryValueWithinHalfAStep) {
  each_case(every_width_and_length(seed), every_slice_within_half_a_step);
}

TEST(quantize_per_channel, RefusesWhatItCannotQuantize) {
  once([](Expect& expect) {
    const std::vector<float> fine{1, 2, 3, 4};
    for (const int num_bits : {2, 8}) {  // refusing counts only where accepting works
      const PerChannelTensor got = call<&quantize_per_channel>(fine, Sizes{2, 2}, 1, num_bits);
      expect.equal("the largest code", got.q.empty() ? 0 : got.q.back(),
                   signed_range(num_bits).qmax);
    }
    const auto refused = [&](const std::vector<float>& x, const Sizes& shape, int axis,
                             int num_bits, std::string_view code) {
      expect.that(refuses<&quantize_per_channel>(x, shape, axis, num_bits),
                  "accepted " + show(SliceCase{"", shape, axis, num_bits, x, {}, {}}), code);
    };
    refused({1, NAN, 2, 3}, {2, 2}, 0, 8, "N-NAN");
    refused({1, 2, 3, -INFINITY}, {2, 2}, 0, 8, "N-NAN");
    refused(fine, {2, 2}, 0, 1, "N-RANGE");
    refused(fine, {2, 2}, 0, 9, "N-RANGE");
    refused(fine, {2, 2}, 2, 8, "N-AXIS");
    refused(fine, {2, 2}, -3, 8, "N-AXIS");
    refused(fine, {2, 3}, 0, 8, "N-SIZE");
    refused(fine, {-2, -2}, 0, 8, "N-SIZE");
    refused({1}, {}, 0, 8, "N-SIZE");
    refused(fine, {1, 1, 2, 1, 2}, 0, 8, "N-SIZE");
  });
}

// --- dequantize_per_channel ---------------------------------------------------------------------

struct ChannelCase {
  std::string name;
  PerChannelTensor tensor;
};

std::string show(const ChannelCase& c) {
  return "q = " + show_values(c.tensor.q, 12) + ", scales = " + show_values(c.tensor.scales) +
         ", shape = " + show_values(c.tensor.shape) + ", axis = " + std::to_string(c.tensor.axis);
}

/// `real` as the definition gives it, and what is known to come out instead.
void is_real(Expect& expect, const std::vector<float>& got, const std::vector<std::int8_t>& q,
             const std::vector<float>& scales, const Places& places, const Shape& shape = {}) {
  const std::vector<float> want = by_definition(q, scales, places);
  std::vector<float> as_unsigned = want;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (q[i] < 0) as_unsigned[i] += scales[places[i]] * 256;
  }
  expect.suspect("N-TAIL", "real", without_last(want));
  if (as_unsigned != want) expect.suspect("N-SIGN", "real", as_unsigned);
  expect.equal("real", got, want, shape);
}

void multiplies(const ChannelCase& c, Expect& expect) {
  const PerChannelTensor& t = c.tensor;
  is_real(expect, call<&dequantize_per_channel>(t), t.q, t.scales,
          indices_along(t.shape, static_cast<std::size_t>(t.axis)), as_shape(t.shape));
}

// -128 never comes out of quantize_per_channel, and is legal in a tensor that one is given.
TEST(dequantize_per_channel, MultipliesByTheScale) {
  each_case<ChannelCase>({{"OneChannel", {{-128, -1, 0, 127}, {0.25f}, {1, 4}, 0}}}, multiplies);
}

TEST(dequantize_per_channel, TakesTheScaleOfItsChannel) {
  each_case<ChannelCase>({{"2x2-axis0", {{1, 2, 3, 4}, {1, 16}, {2, 2}, 0}},
                          {"2x2-axis1", {{1, 2, 3, 4}, {1, 16}, {2, 2}, 1}},
                          {"2x3-axis0", {{1, 2, 3, 4, 5, 6}, {1, 16}, {2, 3}, 0}},
                          {"2x3-axis1", {{1, 2, 3, 4, 5, 6}, {1, 16, 0.5f}, {2, 3}, 1}}},
                         multiplies);
}

/// Random codes, and scales that all differ: a scale of another channel is always seen.
ChannelCase random_tensor(const RandomCase& c, std::uint64_t (*seed_of)(std::uint64_t)) {
  PerChannelTensor t{{}, {}, c.shape, c.axis};
  const std::uint64_t salt = c.x.size() * 8 + static_cast<std::uint64_t>(c.axis);
  t.q = code_tensor<std::int8_t>(c.x.size(), seed_of(salt), 1, 127);
  const auto channels = static_cast<std::size_t>(c.shape[static_cast<std::size_t>(c.axis)]);
  t.scales = uniform_tensor(channels, seed_of(salt + 1), 0.5f, 1.0f);
  for (std::size_t i = 0; i < channels; ++i) t.scales[i] += static_cast<float>(i);
  return {c.name, std::move(t)};
}

std::vector<ChannelCase> every_tensor(std::uint64_t (*seed_of)(std::uint64_t)) {
  std::vector<ChannelCase> cases;
  for (const RandomCase& c : every_axis(8, seed_of)) cases.push_back(random_tensor(c, seed_of));
  return cases;
}

TEST(dequantize_per_channel, OneToFourDimensions) { each_case(every_tensor(seed), multiplies); }

TEST(dequantize_per_channel, RefusesWhatDoesNotFit) {
  once([](Expect& expect) {
    const PerChannelTensor fine{{1, 2, 3, 4}, {1, 2}, {2, 2}, 1};
    expect.equal("real", call<&dequantize_per_channel>(fine), std::vector<float>{1, 4, 3, 8});
    const auto refused = [&](const PerChannelTensor& t, std::string_view code) {
      expect.that(refuses<&dequantize_per_channel>(t), "accepted " + show(ChannelCase{"", t}),
                  code);
    };
    refused({{1, 2, 3, 4}, {1, 0}, {2, 2}, 0}, "N-DIV0");
    refused({{1, 2, 3, 4}, {1, NAN}, {2, 2}, 0}, "N-NAN");
    refused({{1, 2, 3, 4}, {1, 2}, {2, 2}, 2}, "N-AXIS");
    refused({{1, 2, 3, 4}, {1, 2}, {2, 2}, -1}, "N-AXIS");
    refused({{1, 2, 3, 4}, {1, 2, 3}, {2, 2}, 0}, "N-SIZE");
    refused({{1, 2, 3}, {1, 2}, {2, 2}, 0}, "N-SIZE");
  });
}

// --- quantize_per_group -------------------------------------------------------------------------

struct GroupCase {
  std::string name;
  std::int32_t row_length;
  std::int32_t group_size;
  int num_bits;
  std::vector<float> x;
  std::vector<float> scales;
  std::vector<std::int8_t> q;
};

std::string show(const GroupCase& c) {
  return "x = " + show_values(c.x, 12) + ", row_length = " + std::to_string(c.row_length) +
         ", group_size = " + std::to_string(c.group_size) +
         ", num_bits = " + std::to_string(c.num_bits);
}

void groups_match(const GroupCase& c, Expect& expect) {
  const GroupTensor got = call<&quantize_per_group>(c.x, c.row_length, c.group_size, c.num_bits);
  expect.that(got.scales.size() == c.scales.size(),
              "got " + std::to_string(got.scales.size()) + " scales where there are " +
                  std::to_string(c.scales.size()) + " groups",
              c.row_length % c.group_size == 0 ? "N-LAYOUT" : "N-TAIL");
  expect.suspect("N-TAIL", "q", without_last(c.q));
  expect.near("scales", got.scales, c.scales, one_ulp());
  expect.equal("q", got.q, c.q);
  expect.equal("row_length", got.row_length, c.row_length);
  expect.equal("group_size", got.group_size, c.group_size);
}

TEST(quantize_per_group, FollowsTheFormula) {
  each_case<GroupCase>({{"FourBits", 3, 3, 4, {7, -7, 3}, {1.0f}, {7, -7, 3}},
                        {"NegativeAmax", 3, 3, 8, {-63.5f, 31, 0.5f}, {0.5f}, {-127, 62, 1}},
                        {"TwoBits", 3, 3, 2, {-4, 4, 4}, {4.0f}, {-1, 1, 1}},
                        {"NoPowerOfTwo", 3, 3, 4, {3, -3, 3}, {3.0f / 7}, {7, -7, 7}}},
                       groups_match);
}

TEST(quantize_per_group, RoundsToNearest) {
  each_case<GroupCase>({{"UpAndDown", 3, 3, 4, {1.75f, 1.25f, 7}, {1.0f}, {2, 1, 7}},
                        {"BelowZero", 3, 3, 4, {-1.75f, -0.75f, 7}, {1.0f}, {-2, -1, 7}}},
                       groups_match);
}

TEST(quantize_per_group, TiesGoToEven) {
  each_case<GroupCase>({{"AboveZero", 4, 4, 4, {0.5f, 1.5f, 2.5f, 7}, {1.0f}, {0, 2, 2, 7}},
                        {"BelowZero", 4, 4, 4, {-0.5f, -1.5f, -2.5f, 7}, {1.0f}, {0, -2, -2, 7}}},
                       groups_match);
}

TEST(quantize_per_group, ScaleIsNeverZero) {
  each_case<GroupCase>(
      {{"OneZeroGroup", 4, 2, 4, {0, -0.0f, 14, 2}, {1, 2}, {0, 0, 7, 1}},
       {"TinyGroup", 4, 2, 4, {3 * FLT_MIN, -FLT_MIN, 7, 1}, {FLT_MIN, 1}, {3, -1, 7, 1}},
       {"Empty", 4, 2, 4, {}, {}, {}}},
      groups_match);
}

TEST(quantize_per_group, EveryGroupHasItsScale) {
  each_case<GroupCase>({{"TwoGroups", 4, 2, 4, {7, 1, 3.5f, 1}, {1, 0.5f}, {7, 1, 7, 2}},
                        {"TwoRows",
                         4,
                         2,
                         4,
                         {7, 1, 3.5f, 1, 14, 2, -1.75f, 1},
                         {1, 0.5f, 2, 0.25f},
                         {7, 1, 7, 2, 7, 1, -7, 4}},
                        {"OfOneElement", 3, 1, 4, {7, -14, 1.75f}, {1, 2, 0.25f}, {7, -7, 7}}},
                       groups_match);
}

// One row: a group that runs into the next row is a question of its own, asked next.
TEST(quantize_per_group, LastGroupMayBeShort) {
  each_case<GroupCase>(
      {{"TwoAndOne", 3, 2, 4, {7, 1, 3.5f}, {1, 0.5f}, {7, 1, 7}},
       {"LargerThanTheRow", 2, 128, 4, {7, -1}, {1}, {7, -1}},
       {"FourAndThree", 7, 4, 4, {7, 1, 2, 3, 1, 1.75f, 0.25f}, {1, 0.25f}, {7, 1, 2, 3, 4, 7, 1}}},
      groups_match);
}

TEST(quantize_per_group, GroupsEndWithTheirRow) {
  each_case<GroupCase>(
      {{"TwoRowsOfThree",
        3,
        2,
        4,
        {7, 1, 3.5f, 14, 2, 1.75f},
        {1, 0.5f, 2, 0.25f},
        {7, 1, 7, 7, 1, 7}},
       {"RowsShorterThanAGroup", 1, 2, 4, {7, 3.5f, 1.75f}, {1, 0.5f, 0.25f}, {7, 7, 7}}},
      groups_match);
}

struct RowsCase {
  std::string name;
  std::int32_t row_length;
  std::int32_t group_size;
  int num_bits;
  std::vector<float> x;
};

std::string show(const RowsCase& c) {
  return show(GroupCase{"", c.row_length, c.group_size, c.num_bits, c.x, {}, {}});
}

RowsCase rows_named(std::int32_t row_length, std::int32_t group_size, int num_bits,
                    std::vector<float> x) {
  const std::size_t rows = x.size() / static_cast<std::size_t>(row_length);
  const std::string name = std::to_string(rows) + "x" + std::to_string(row_length) + "-group" +
                           std::to_string(group_size) + "-" + std::to_string(num_bits) + "bits";
  return {name, row_length, group_size, num_bits, std::move(x)};
}

std::vector<RowsCase> smaller(const RowsCase& c) {
  std::vector<RowsCase> all;
  const auto row = static_cast<std::ptrdiff_t>(c.row_length);
  if (c.x.size() > static_cast<std::size_t>(row)) {
    all.push_back(
        rows_named(c.row_length, c.group_size, c.num_bits, {c.x.begin(), c.x.begin() + row}));
    all.push_back(rows_named(c.row_length, c.group_size, c.num_bits, {c.x.end() - row, c.x.end()}));
    return all;
  }
  for (std::vector<float>& x : smaller_lists(c.x)) {
    const auto length = static_cast<std::int32_t>(x.size());
    if (length > 0) all.push_back(rows_named(length, c.group_size, c.num_bits, std::move(x)));
  }
  return all;
}

/// Groups of three magnitudes, 16 times apart.
RowsCase uneven_groups(std::int32_t row_length, std::int32_t group_size, int num_bits,
                       std::uint64_t (*seed_of)(std::uint64_t)) {
  const std::size_t count = static_cast<std::size_t>(row_length) * 3;
  const std::uint64_t salt =
      std::uint64_t(row_length) * 1024 + std::uint64_t(group_size) * 16 + num_bits;
  std::vector<float> x = normal_tensor(count, seed_of(salt), /*stddev=*/0.02f);
  const Places group =
      groups_of(count, static_cast<std::size_t>(row_length), static_cast<std::size_t>(group_size));
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = std::ldexp(x[i], -4 * static_cast<int>(group[i] % 3));
  }
  return rows_named(row_length, group_size, num_bits, std::move(x));
}

using RowAndGroup = std::array<std::int32_t, 2>;

// Three rows each: groups of one, a group as long as the row, several, and the sizes in use.
const std::vector<RowAndGroup> kThatFit{{1, 1}, {5, 1}, {8, 8}, {12, 4}, {96, 32}, {256, 128}};

std::vector<RowsCase> every_width(const std::vector<RowAndGroup>& sizes,
                                  std::uint64_t (*seed_of)(std::uint64_t)) {
  std::vector<RowsCase> cases;
  for (const auto& [row_length, group_size] : sizes) {
    for (int num_bits = 2; num_bits <= 8; ++num_bits) {
      cases.push_back(uneven_groups(row_length, group_size, num_bits, seed_of));
    }
  }
  return cases;
}

TEST(quantize_per_group, EveryValueWithinHalfAStep) {
  each_case(every_width(kThatFit, seed), [](const RowsCase& c, Expect& expect) {
    const GroupTensor got = call<&quantize_per_group>(c.x, c.row_length, c.group_size, c.num_bits);
    const Places group = groups_of(c.x.size(), static_cast<std::size_t>(c.row_length),
                                   static_cast<std::size_t>(c.group_size));
    const std::vector<float> amax = largest_at(group, c.x, group.back() + 1);
    within_half_a_step(expect, c.x, got.q, got.scales, group, amax, c.num_bits);
  });
}

TEST(quantize_per_group, RefusesWhatItCannotQuantize) {
  once([](Expect& expect) {
    const std::vector<float> fine{1, 2, 3, 4};
    for (const int num_bits : {2, 8}) {
      const GroupTensor got = call<&quantize_per_group>(fine, 4, 4, num_bits);
      expect.equal("the largest code", got.q.empty() ? 0 : got.q.back(),
                   signed_range(num_bits).qmax);
    }
    const auto refused = [&](const std::vector<float>& x, std::int32_t row_length,
                             std::int32_t group_size, int num_bits, std::string_view code) {
      expect.that(refuses<&quantize_per_group>(x, row_length, group_size, num_bits),
                  "accepted " + show(GroupCase{"", row_length, group_size, num_bits, x, {}, {}}),
                  code);
    };
    refused({1, NAN, 2, 3}, 4, 2, 4, "N-NAN");
    refused({1, 2, 3, INFINITY}, 4, 2, 4, "N-NAN");
    refused(fine, 4, 2, 1, "N-RANGE");
    refused(fine, 4, 2, 9, "N-RANGE");
    refused(fine, 3, 2, 4, "N-SIZE");
    refused(fine, 0, 2, 4, "N-SIZE");
    refused(fine, 4, 0, 4, "N-SIZE");
  });
}

// --- dequantize_per_group -----------------------------------------------------------------------

struct GroupedCase {
  std::string name;
  GroupTensor tensor;
};

std::string show(const GroupedCase& c) {
  return "q = " + show_values(c.tensor.q, 12) + ", scales = " + show_values(c.tensor.scales) +
         ", row_length = " + std::to_string(c.tensor.row_length) +
         ", group_size = " + std::to_string(c.tensor.group_size);
}

void multiplies_groups(const GroupedCase& c, Expect& expect) {
  const GroupTensor& t = c.tensor;
  const Places group = groups_of(t.q.size(), static_cast<std::size_t>(t.row_length),
                                 static_cast<std::size_t>(t.group_size));
  is_real(expect, call<&dequantize_per_group>(t), t.q, t.scales, group);
}

TEST(dequantize_per_group, MultipliesByTheScale) {
  each_case<GroupedCase>({{"OneGroup", {{-128, -1, 0, 127}, {0.25f}, 4, 4}}}, multiplies_groups);
}

TEST(dequantize_per_group, TakesTheScaleOfItsGroup) {
  each_case<GroupedCase>({{"TwoGroups", {{1, 2, 3, 4}, {1, 16}, 4, 2}},
                          {"TwoRows", {{1, 2, 3, 4, 5, 6, 7, 8}, {1, 16, 0.5f, 256}, 4, 2}}},
                         multiplies_groups);
}

std::vector<GroupedCase> every_grouped(std::uint64_t (*seed_of)(std::uint64_t)) {
  std::vector<GroupedCase> cases;
  // One element left; a group longer than the row; two left; one missing; and a size in use.
  for (const auto& [row_length, group_size] :
       {RowAndGroup{3, 2}, {2, 3}, {5, 3}, {9, 5}, {257, 128}}) {
    const std::size_t count = static_cast<std::size_t>(row_length) * 3;
    const Places group = groups_of(count, static_cast<std::size_t>(row_length),
                                   static_cast<std::size_t>(group_size));
    const std::uint64_t salt = std::uint64_t(row_length) * 1024 + group_size;
    GroupTensor t{code_tensor<std::int8_t>(count, seed_of(salt), 1, 127),
                  uniform_tensor(group.back() + 1, seed_of(salt + 1), 0.5f, 1.0f), row_length,
                  group_size};
    for (std::size_t i = 0; i < t.scales.size(); ++i) t.scales[i] += static_cast<float>(i);
    cases.push_back({rows_named(row_length, group_size, 8, std::vector<float>(count)).name, t});
  }
  return cases;
}

TEST(dequantize_per_group, CountsShortGroups) { each_case(every_grouped(seed), multiplies_groups); }

TEST(dequantize_per_group, RefusesWhatDoesNotFit) {
  once([](Expect& expect) {
    const GroupTensor fine{{1, 2, 3, 4}, {1, 2}, 4, 2};
    expect.equal("real", call<&dequantize_per_group>(fine), std::vector<float>{1, 2, 6, 8});
    const auto refused = [&](const GroupTensor& t, std::string_view code) {
      expect.that(refuses<&dequantize_per_group>(t), "accepted " + show(GroupedCase{"", t}), code);
    };
    refused({{1, 2, 3, 4}, {1, 0}, 4, 2}, "N-DIV0");
    refused({{1, 2, 3, 4}, {1, NAN}, 4, 2}, "N-NAN");
    refused({{1, 2, 3, 4}, {1, 2, 3}, 4, 2}, "N-SIZE");
    refused({{1, 2, 3}, {1, 2}, 2, 2}, "N-SIZE");
    refused({{1, 2, 3, 4}, {1, 2}, 0, 2}, "N-SIZE");
    refused({{1, 2, 3, 4}, {1, 2}, 4, 0}, "N-SIZE");
  });
}

// --- memory_savings -----------------------------------------------------------------------------

struct BitsCase {
  std::string name;
  std::int64_t count;
  int num_bits;
  std::int64_t elements_per_scale;
  int scale_bits;
  int zero_point_bits;
  std::int64_t total_bits;
};

std::string show(const BitsCase& c) {
  return "count = " + std::to_string(c.count) + ", num_bits = " + std::to_string(c.num_bits) +
         ", elements_per_scale = " + std::to_string(c.elements_per_scale) +
         ", scale_bits = " + std::to_string(c.scale_bits) +
         ", zero_point_bits = " + std::to_string(c.zero_point_bits);
}

MemorySavings savings(const BitsCase& c) {
  return call<&memory_savings>(c.count, c.num_bits, c.elements_per_scale, c.scale_bits,
                               c.zero_point_bits);
}

void counts_bits(const BitsCase& c, Expect& expect) {
  const std::int64_t scales = (c.total_bits - c.count * c.num_bits) / c.scale_bits;
  if (c.zero_point_bits == 0) {
    expect.suspect("N-TAIL", "total_bits", c.total_bits + c.scale_bits);
    expect.suspect("N-UNITS", "total_bits", c.total_bits / 8);
    expect.suspect("N-RANGE", "total_bits", c.total_bits + c.count * (8 - c.num_bits));
    expect.suspect("N-RANGE", "total_bits", c.total_bits + scales * (32 - c.scale_bits));
  }
  expect.equal("total_bits", savings(c).total_bits, c.total_bits);
}

TEST(memory_savings, CountsCodesAndScales) {
  each_case<BitsCase>({{"Int2Group64Fp16", 256, 2, 64, 16, 0, 512 + 4 * 16},
                       {"Int4Group128Fp16", 4096, 4, 128, 16, 0, 16384 + 32 * 16},
                       {"Int8PerElement", 256, 8, 1, 32, 0, std::int64_t{256} * 40},
                       {"Int8PerTensor", 65536, 8, 65536, 32, 0, 524288 + 32},
                       {"Int4Blocks32Fp8", 1024, 4, 32, 8, 0, 4096 + 32 * 8}},
                      counts_bits);
}

TEST(memory_savings, CountsZeroPoints) {
  each_case<BitsCase>({{"Int4ZeroPoints", 4096, 4, 128, 32, 4, 16384 + 32 * 36},
                       {"Int8ZeroPoint", 100, 8, 100, 32, 8, 800 + 40}},
                      counts_bits);
}

TEST(memory_savings, RoundsScalesUp) {
  each_case<BitsCase>({{"OneLeft", 129, 4, 128, 32, 0, 516 + 2 * 32},
                       {"OneMissing", 255, 4, 128, 32, 0, 1020 + 2 * 32},
                       {"LessThanOneGroup", 3, 4, 128, 32, 0, 12 + 32}},
                      counts_bits);
}

TEST(memory_savings, ComparesWithFp32) {
  each_case<BitsCase>(
      {{"Int4Group128Fp16", 4096, 4, 128, 16, 0, 16896},
       {"Int8PerElement", 256, 8, 1, 32, 0, std::int64_t{256} * 40}},
      [](const BitsCase& c, Expect& expect) {
        const MemorySavings got = savings(c);
        const double bits = static_cast<double>(c.total_bits) / static_cast<double>(c.count);
        expect.suspect("N-UNITS", "bits_per_element", bits / 8);
        expect.near("bits_per_element", got.bits_per_element, bits, metric_tolerance());
        expect.suspect("N-UNITS", "share_of_fp32", bits / 32 * 100);
        expect.near("share_of_fp32", got.share_of_fp32, bits / 32, metric_tolerance());
      });
}

// A model of 70 billion weights has more bits than an int32 can count, and more than a float can.
TEST(memory_savings, CountsPastTwoBillion) {
  each_case<BitsCase>(
      {{"70Billion", 70'000'000'000, 4, 128, 32, 0, 280'000'000'000 + 546'875'000LL * 32}},
      counts_bits);
}

TEST(memory_savings, RefusesWhatIsNoCount) {
  once([](Expect& expect) {
    expect.equal("total_bits of one", call<&memory_savings>(1, 1, 1, 0, 0).total_bits, 1);
    const auto refused = [&](const BitsCase& c) {
      expect.that(refuses<&memory_savings>(c.count, c.num_bits, c.elements_per_scale, c.scale_bits,
                                           c.zero_point_bits),
                  "accepted " + show(c));
    };
    refused({"", 0, 8, 1, 32, 0, 0});
    refused({"", 8, 8, 0, 32, 0, 0});
    refused({"", 8, 8, -1, 32, 0, 0});
    refused({"", (std::int64_t{1} << 48) + 1, 8, 1, 32, 0, 0});
    refused({"", 8, 0, 1, 32, 0, 0});
    refused({"", 8, 33, 1, 32, 0, 0});
    refused({"", 8, 8, 1, -1, 0, 0});
    refused({"", 8, 8, 1, 32, -1, 0});
  });
}

// --- compare_quantization_methods ---------------------------------------------------------------

struct CompareCase {
  std::string name;
  Sizes shape;
  int num_bits;
  std::int32_t group_size;
  std::vector<float> x;
};

std::string show(const CompareCase& c) {
  return "x = " + show_values(c.x) + ", shape = " + show_values(c.shape) +
         ", num_bits = " + std::to_string(c.num_bits) +
         ", group_size = " + std::to_string(c.group_size);
}

MethodComparison compared(const CompareCase& c) {
  return call<&compare_quantization_methods>(c.x, c.shape, c.num_bits, c.group_size);
}

// One matrix for all that follows, at 4 bits, so that every scale below is a power of two.
//
//     row 0      -7     0.5    0.4375   0          scale 1       groups of 2:  1     1/16
//     row 1     -1.75   0.25   0      -0.4375      scale 1/4                   1/4   1/16
//
//     squared errors, times 256       row 0             row 1               sum
//     per tensor, scale 1          0  64  49   0     16  16   0  49         194
//     asymmetric, scale 1/2, 14    0   0   1   0     16  16   0   1          34
//     per channel                  0  64  49   0      0   0   0   1         114
//     per group of 2               0  64   0   0      0   0   0   0          64
const std::vector<float> kHand{-7, 0.5f, 0.4375f, 0, -1.75f, 0.25f, 0, -0.4375f};
constexpr double kPower = 13506.0 / 256;  ///< the sum of x^2

double hand_mse(int sum) { return sum / 256.0 / 8; }

CompareCase hand(std::int32_t group_size = 2) {
  return {"Groups" + std::to_string(group_size), {2, 4}, 4, group_size, kHand};
}

TEST(compare_quantization_methods, MeasuresPerTensor) {
  each_case<CompareCase>({hand()}, [](const CompareCase& c, Expect& expect) {
    for (const int other : {34, 114, 64}) {
      expect.suspect("N-ORDER", "per_tensor_symmetric.mse", hand_mse(other));
    }
    expect.near("per_tensor_symmetric.mse", compared(c).per_tensor_symmetric.mse, hand_mse(194),
                metric_tolerance());
  });
}

// Unless the range is widened, values that are all positive, or all negative, fall off the grid.
TEST(compare_quantization_methods, WidensTheAsymmetricRange) {
  struct Widened : CompareCase {
    double mse;
  };
  each_case<Widened>({{hand(), hand_mse(34)},
                      {{"AllPositive", {1, 4}, 4, 4, {12, 13.25f, 14.5f, 15}}, 0.3125 / 4},
                      {{"AllNegative", {1, 4}, 4, 4, {-12, -13.25f, -14.5f, -15}}, 0.3125 / 4},
                      {{"OddZeroPoint", {1, 4}, 4, 4, {-5, 10, 0, 0.25f}}, 0.0625 / 4}},
                     [](const Widened& c, Expect& expect) {
                       expect.suspect("N-ORDER", "per_tensor_asymmetric.mse", hand_mse(194));
                       expect.suspect("N-TRUNC", "per_tensor_asymmetric.mse", hand_mse(130));
                       expect.near("per_tensor_asymmetric.mse",
                                   compared(c).per_tensor_asymmetric.mse, c.mse,
                                   metric_tolerance());
                     });
}

TEST(compare_quantization_methods, GivesEachRowItsScale) {
  each_case<CompareCase>({hand()}, [](const CompareCase& c, Expect& expect) {
    expect.suspect("N-ORDER", "per_channel.mse", hand_mse(64));
    expect.near("per_channel.mse", compared(c).per_channel.mse, hand_mse(114), metric_tolerance());
  });
}

TEST(compare_quantization_methods, GivesEachGroupItsScale) {
  each_case<CompareCase>({hand(2), hand(8)}, [](const CompareCase& c, Expect& expect) {
    // A group larger than the row is the row: what a group is over the end of it, would be worse.
    const int sum = c.group_size == 2 ? 64 : 114;
    expect.near("per_group.mse", compared(c).per_group.mse, hand_mse(sum), metric_tolerance());
  });
}

// Groups of 3 in a row of 4: two in each row, the second one short.
TEST(compare_quantization_methods, CountsTheirBits) {
  each_case<CompareCase>({hand(2), hand(3)}, [](const CompareCase& c, Expect& expect) {
    const MethodComparison got = compared(c);
    const std::vector<double> bits{
        got.per_tensor_symmetric.bits_per_element, got.per_tensor_asymmetric.bits_per_element,
        got.per_channel.bits_per_element, got.per_group.bits_per_element};
    expect.near("bits_per_element of the four", bits,
                std::vector<double>{4 + 32.0 / 8, 4 + 36.0 / 8, 4 + 2 * 32.0 / 8, 4 + 4 * 32.0 / 8},
                metric_tolerance());
  });
}

// What is right at 4 bits alone has forgotten to hand num_bits on: one default is 4, another is 8.
// Made as the matrix above is; errors by hand, squared, times 2^20.
TEST(compare_quantization_methods, WorksAtEveryWidth) {
  struct Wide : CompareCase {
    std::vector<double> sums;  ///< in the order of the results
  };
  each_case<Wide>(
      {{{"ThreeBits", {2, 4}, 3, 2, {-3, 0.5f, 0.375f, 0.1875f, -0.75f, 0.25f, 0, -0.1875f}},
        {614400, 221184, 450560, 266240}},
       {{"EightBits",
         {2, 4},
         8,
         2,
         {-127, 0.5f, 127 * 0x1p-8f, 0.1875f, -31.75f, 0.25f, 0, -127 * 0x1p-10f}},
        {704273, 184081, 573201, 262144}}},
      [](const Wide& c, Expect& expect) {
        const MethodComparison got = compared(c);
        const std::vector<MethodResult> four{got.per_tensor_symmetric, got.per_tensor_asymmetric,
                                             got.per_channel, got.per_group};
        std::vector<double> mse, want, bits;
        for (const double sum : c.sums) want.push_back(std::ldexp(sum, -20) / 8);
        for (const MethodResult& one : four) {
          mse.push_back(one.mse);
          bits.push_back(one.bits_per_element);
        }
        const double b = c.num_bits;
        expect.near("mse of the four", mse, want, metric_tolerance());
        expect.near("bits_per_element of the four", bits,
                    std::vector<double>{b + 4, b + 4 + b / 8, b + 8, b + 16}, metric_tolerance());
      });
}

TEST(compare_quantization_methods, SqnrIsInDecibels) {
  const CompareCase exact{"Exact", {2, 2}, 4, 2, {7, -7, 7, 1}};
  const CompareCase zeros{"Zeros", {2, 2}, 4, 2, {0, 0, 0, 0}};
  each_case<CompareCase>({hand(), exact, zeros}, [](const CompareCase& c, Expect& expect) {
    const MethodComparison got = compared(c);
    const bool is_hand = c.x.size() == kHand.size();
    const auto near = [&](const char* what, double sqnr_db, int sum) {
      const double want = is_hand ? 10 * std::log10(kPower / (sum / 256.0)) : HUGE_VAL;
      expect.near(what, sqnr_db, want, metric_tolerance());
    };
    near("per_tensor_symmetric.sqnr_db", got.per_tensor_symmetric.sqnr_db, 194);
    if (is_hand) near("per_tensor_asymmetric.sqnr_db", got.per_tensor_asymmetric.sqnr_db, 34);
    near("per_channel.sqnr_db", got.per_channel.sqnr_db, 114);
    near("per_group.sqnr_db", got.per_group.sqnr_db, 64);
  });
}

TEST(compare_quantization_methods, BestIsTheHighest) {
  struct Choice : CompareCase {
    Method best;
  };
  each_case<Choice>(
      {{hand(), Method::kPerTensorAsymmetric},
       {{"AllExact", {2, 2}, 4, 2, {7, -7, 7, 0}}, Method::kPerTensorSymmetric},
       {{"Rows", {2, 2}, 4, 2, {7, -7, 0.875f, 0.125f}}, Method::kPerChannel},  // groups: the same
       {{"Groups", {2, 4}, 4, 2, {7, -7, 0.875f, 0.125f, 7, -7, 7, -7}}, Method::kPerGroup}},
      [](const Choice& c, Expect& expect) {
        expect.equal("best", static_cast<int>(compared(c).best), static_cast<int>(c.best));
      });
}

// 8192 errors of 1/2 make a sum of 2048. In float32, 2048 + 2^-14 is 2048: the next 8192 errors, of
// 2^-7, would be lost, one by one.
TEST(compare_quantization_methods, SumsInDouble) {
  std::vector<float> x(1 + 8192, 0.5f);
  x.front() = 127;
  x.resize(1 + 2 * 8192, 0x1p-7f);
  each_case<CompareCase>({{"16385", {1, 16385}, 8, 128, x}}, [](const auto& c, Expect& expect) {
    expect.near("per_tensor_symmetric.mse", compared(c).per_tensor_symmetric.mse, 2048.5 / 16385,
                metric_tolerance());
  });
}

TEST(compare_quantization_methods, RefusesWhatItCannotCompare) {
  once([](Expect& expect) {
    expect.equal("bits_per_element of one value",
                 compared({"", {1}, 8, 1, {3}}).per_tensor_symmetric.bits_per_element, 40.0);
    const auto refused = [&](const CompareCase& c, std::string_view code) {
      expect.that(refuses<&compare_quantization_methods>(c.x, c.shape, c.num_bits, c.group_size),
                  "accepted " + show(c), code);
    };
    refused({"", {2, 2}, 4, 2, {1, NAN, 2, 3}}, "N-NAN");
    refused({"", {2, 2}, 4, 2, {3e38f, -3e38f, 0, 0}}, "N-OVERFLOW");
    refused({"", {0, 2}, 4, 2, {}}, "N-SIZE");
    refused({"", {2, 3}, 4, 2, {1, 2, 3, 4}}, "N-SIZE");
    refused({"", {2, 2}, 4, 0, {1, 2, 3, 4}}, "N-SIZE");
    refused({"", {2, 2}, 9, 2, {1, 2, 3, 4}}, "N-RANGE");
  });
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. A contract function called plainly is the reference, linked in for its values;
// the inputs follow from the course's secret salt.

std::vector<RandomCase> unseen() {
  std::vector<RandomCase> cases = every_width_and_length(hidden_seed);
  for (int num_bits = 2; num_bits <= 8; num_bits += 3) {
    std::ranges::move(every_axis(num_bits, hidden_seed), std::back_inserter(cases));
  }
  return cases;
}

/// Codes may differ by one where x/scale is as good as halfway.
void same_codes(Expect& expect, const std::vector<std::int8_t>& got,
                const std::vector<std::int8_t>& want, const std::vector<float>& x,
                const std::vector<float>& scales, const Places& places) {
  expect.every("q", got, want, [&](std::size_t i) {
    return got[i] == want[i] ||
           (std::abs(got[i] - want[i]) == 1 && is_near_tie(x[i], scales[places[i]]));
  });
}

void is_varied(const std::vector<std::int8_t>& q, int num_bits) {
  if (q.size() < 300) return;  // agreeing on an input with few different codes would mean little
  Expect::healthy(distinct(q) >= static_cast<std::size_t>(signed_range(num_bits).qmax),
                  "few distinct codes");
}

TEST(quantize_per_channel, EqualsTheReference) {
  each_case(unseen(), [](const RandomCase& c, Expect& expect) {
    const PerChannelTensor want = quantize_per_channel(c.x, c.shape, c.axis, c.num_bits);
    is_varied(want.q, c.num_bits);
    const PerChannelTensor got = call<&quantize_per_channel>(c.x, c.shape, c.axis, c.num_bits);
    expect.near("scales", got.scales, want.scales, one_ulp());
    same_codes(expect, got.q, want.q, c.x, want.scales,
               indices_along(c.shape, static_cast<std::size_t>(c.axis)));
    expect.equal("shape", got.shape, want.shape);
    expect.equal("axis", got.axis, want.axis);
  });
}

TEST(quantize_per_channel, SlicesStandAlone) {
  each_case(every_axis(8, hidden_seed), [](const RandomCase& c, Expect& expect) {
    const auto axis = static_cast<std::size_t>(c.axis);
    const PerChannelTensor got = call<&quantize_per_channel>(c.x, c.shape, c.axis, c.num_bits);
    if (!expect.equal("the number of codes", got.q.size(), c.x.size())) return;
    expect.equal("the number of scales", got.scales.size(),
                 static_cast<std::size_t>(c.shape[axis]));
    // A constant stands alone, too. Where every slice is one value, so is the right answer's.
    const PerChannelTensor want = quantize_per_channel(c.x, c.shape, c.axis, c.num_bits);
    expect.that(distinct(got.q) > 1 || distinct(want.q) == 1, "one code for everything");
    const Places channel = indices_along(c.shape, axis);
    for (std::int32_t s = 0; s < c.shape[axis] && !expect.failure(); ++s) {
      const RandomCase slice = cut(c, axis, s, s + 1);
      std::vector<std::int8_t> q;
      for (std::size_t i = 0; i < channel.size(); ++i) {
        if (channel[i] == static_cast<std::size_t>(s)) q.push_back(got.q[i]);
      }
      const PerChannelTensor alone =
          call<&quantize_per_channel>(slice.x, slice.shape, slice.axis, slice.num_bits);
      expect.equal("scales of one slice", alone.scales,
                   std::vector<float>{got.scales[static_cast<std::size_t>(s)]});
      expect.equal("q of one slice", alone.q, q);
    }
  });
}

TEST(dequantize_per_channel, EqualsTheReference) {
  each_case(every_tensor(hidden_seed), [](const ChannelCase& c, Expect& expect) {
    expect.equal("real", call<&dequantize_per_channel>(c.tensor), dequantize_per_channel(c.tensor),
                 as_shape(c.tensor.shape));
  });
}

// As above, and: a group one less and one more than the row; one element left, and one missing.
TEST(quantize_per_group, EqualsTheReference) {
  std::vector<RowAndGroup> sizes = kThatFit;
  sizes.insert(sizes.end(), {{8, 7}, {8, 9}, {13, 4}, {15, 4}, {257, 128}});
  each_case(every_width(sizes, hidden_seed), [](const RowsCase& c, Expect& expect) {
    const GroupTensor want = quantize_per_group(c.x, c.row_length, c.group_size, c.num_bits);
    is_varied(want.q, c.num_bits);
    const GroupTensor got = call<&quantize_per_group>(c.x, c.row_length, c.group_size, c.num_bits);
    expect.near("scales", got.scales, want.scales, one_ulp());
    same_codes(expect, got.q, want.q, c.x, want.scales,
               groups_of(c.x.size(), static_cast<std::size_t>(c.row_length),
                         static_cast<std::size_t>(c.group_size)));
    expect.equal("row_length", got.row_length, want.row_length);
    expect.equal("group_size", got.group_size, want.group_size);
  });
}

TEST(quantize_per_group, GroupsStandAlone) {
  std::vector<RowsCase> cases;
  for (const std::int32_t row_length : {8, 13}) {
    cases.push_back(uneven_groups(row_length, 4, 8, hidden_seed));
  }
  each_case(cases, [](const RowsCase& c, Expect& expect) {
    const GroupTensor got = call<&quantize_per_group>(c.x, c.row_length, c.group_size, c.num_bits);
    const Places group = groups_of(c.x.size(), static_cast<std::size_t>(c.row_length),
                                   static_cast<std::size_t>(c.group_size));
    if (!expect.equal("the number of codes", got.q.size(), c.x.size())) return;
    if (!expect.equal("the number of scales", got.scales.size(), group.back() + 1)) return;
    const GroupTensor want = quantize_per_group(c.x, c.row_length, c.group_size, c.num_bits);
    expect.that(distinct(got.q) > 1 || distinct(want.q) == 1, "one code for everything");
    for (std::size_t g = 0; g <= group.back() && !expect.failure(); ++g) {
      std::vector<float> x;
      std::vector<std::int8_t> q;
      for (std::size_t i = 0; i < group.size(); ++i) {
        if (group[i] != g) continue;
        x.push_back(c.x[i]);
        q.push_back(got.q[i]);
      }
      const GroupTensor alone = call<&quantize_per_group>(x, static_cast<std::int32_t>(x.size()),
                                                          c.group_size, c.num_bits);
      expect.equal("scales of one group", alone.scales, std::vector<float>{got.scales[g]});
      expect.equal("q of one group", alone.q, q);
    }
  });
}

TEST(dequantize_per_group, EqualsTheReference) {
  each_case(every_grouped(hidden_seed), [](const GroupedCase& c, Expect& expect) {
    expect.equal("real", call<&dequantize_per_group>(c.tensor), dequantize_per_group(c.tensor));
  });
}

TEST(memory_savings, EqualsTheReference) {
  std::vector<BitsCase> cases;
  for (int i = 0; i < 32; ++i) {
    const auto size = [&](int salt, int bits) {
      return static_cast<std::int64_t>(hidden_seed(i * 8 + salt) >> (64 - bits));
    };
    BitsCase c{"random" + std::to_string(i),
               1 + size(0, 40),
               1 + static_cast<int>(size(1, 5)),
               1 + size(2, 20),
               static_cast<int>(size(3, 6)),
               static_cast<int>(size(4, 6)),
               0};
    cases.push_back(c);
  }
  each_case(cases, [](const BitsCase& c, Expect& expect) {
    const MemorySavings got = savings(c);
    const MemorySavings want =
        memory_savings(c.count, c.num_bits, c.elements_per_scale, c.scale_bits, c.zero_point_bits);
    expect.equal("total_bits", got.total_bits, want.total_bits);
    expect.near("bits_per_element", got.bits_per_element, want.bits_per_element,
                metric_tolerance());
    expect.near("share_of_fp32", got.share_of_fp32, want.share_of_fp32, metric_tolerance());
  });
}

// Two dimensions as weights have them, four as a convolution has them, and one.
TEST(compare_quantization_methods, EqualsTheReference) {
  std::vector<CompareCase> cases;
  for (const Sizes& shape : {Sizes{7}, {3, 5}, {16, 33}, {5, 2, 3, 7}}) {
    for (int num_bits = 2; num_bits <= 8; num_bits += 2) {
      RandomCase c = uneven(shape, 0, num_bits, hidden_seed);
      cases.push_back({c.name, c.shape, num_bits, 4, std::move(c.x)});
    }
  }
  each_case(cases, [](const CompareCase& c, Expect& expect) {
    const MethodComparison got = compared(c);
    const MethodComparison want =
        compare_quantization_methods(c.x, c.shape, c.num_bits, c.group_size);
    const auto in_order = [](const MethodComparison& all) {
      return std::array{all.per_tensor_symmetric, all.per_tensor_asymmetric, all.per_channel,
                        all.per_group};
    };
    std::vector<double> got_mse, want_mse, got_db, want_db, got_bits, want_bits;
    for (const MethodResult& one : in_order(got)) {
      got_mse.push_back(one.mse);
      got_db.push_back(one.sqnr_db);
      got_bits.push_back(one.bits_per_element);
    }
    for (const MethodResult& one : in_order(want)) {
      want_mse.push_back(one.mse);
      want_db.push_back(one.sqnr_db);
      want_bits.push_back(one.bits_per_element);
    }
    expect.near("mse of the four", got_mse, want_mse, metric_tolerance());
    expect.near("sqnr_db of the four", got_db, want_db, metric_tolerance());
    expect.near("bits_per_element of the four", got_bits, want_bits, metric_tolerance());
    // Sums in another order may turn a tie around: what counts is that none is better.
    const auto chosen = static_cast<std::size_t>(got.best);
    if (!expect.that(chosen < want_db.size(), "best names no method")) return;
    expect.near("sqnr_db of the best", want_db[chosen], std::ranges::max(want_db),
                metric_tolerance());
  });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
