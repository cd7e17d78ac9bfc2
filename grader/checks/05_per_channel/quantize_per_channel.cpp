// Lab 05, quantize_per_channel: the checks.
#include "checks/05_per_channel/quantize_per_channel.hpp"

#include "checks/05_per_channel/slices_and_groups.hpp"

namespace nibble::judge::lab_05_per_channel {
namespace {

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
  slices_match({ruled(slices("OneZeroRow", {3, 2}, 0, 4, {7, 1, 0, -0.0f, 14, 2}, {1, 1, 2},
                             {7, 1, 0, 0, 7, 1}),
                      kNoneIsZero),
                ruled(slices("AllZero", {2, 1}, 0, 8, {0, 0}, {1, 1}, {0, 0}), kNoneIsZero),
                ruled(slices("TinyRow", {2, 2}, 0, 8, {3 * FLT_MIN, -FLT_MIN, 127, 1}, {FLT_MIN, 1},
                             {3, -1, 127, 1}),
                      kTinyIsRaised),
                slices("NoRows", {0, 3}, 0, 8, {}, {}, {}),
                ruled(slices("EmptyColumns", {0, 3}, 1, 8, {}, {1, 1, 1}, {}), kNoneIsZero)});
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
  slices_match({ruled(slices("Last", {2, 2}, -1, 4, {7, 1, 2, 3.5f}, {1, 0.5f}, {7, 2, 2, 7}),
                      kFromTheFront),
                ruled(slices("First", {2, 2}, -2, 4, {7, 2, 1, 3.5f}, {1, 0.5f}, {7, 2, 2, 7}),
                      kFromTheFront)},
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
  constexpr const char* kFollows =
      "a slice of zeros has scale 1, and the zero point that follows: qmin, for lo is 0";
  tiny.rule = "(hi - lo) / 15 is below FLT_MIN here, though hi - lo is not: the scale is raised";
  slices_match(
      {shifted("Rows", {2, 3}, 0, 4, x, {1, 8.0f / 15}, {-3, -7}, {-8, 7, -3, 7, -8, 6}),
       shifted("Columns", {2, 2}, 1, 4, {-5, 15, 10, 0}, {1, 1}, {-3, -8}, {-8, 7, 7, -8}),
       ruled(shifted("ZeroRow", {2, 2}, 0, 4, {0, -0.0f, -15, 0}, {1, 1}, {-8, 7}, {-8, -8, -8, 7}),
             kFollows),
       tiny, ruled(shifted("EmptyColumns", {0, 2}, 1, 4, {}, {1, 1}, {-8, -8}, {}), kFollows)});
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

}  // namespace
}  // namespace nibble::judge::lab_05_per_channel
