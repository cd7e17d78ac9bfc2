// Lab 07, mse_clip: the checks.
#include "checks/07_calibration/mse_clip.hpp"

namespace nibble::judge::lab_07_calibration {
namespace {

float mse_by_definition(const Mse::Arguments& in) {
  const auto& [x, num_bits] = in;
  const auto [qmin, qmax] = signed_range(num_bits);
  return best_clip(fit(x, {qmin, qmax}));
}

Reals ones_and(float outlier, std::size_t ones = 16) {
  Reals x(ones + 1, 1);
  x[7] = outlier;
  return x;
}

// Two bits have the codes -2, -1, 0 and 1, so that scale = clip. In "Cut" 16 (clip - 1)^2 +
// (2 - clip)^2 is least at 18/17; in "LastCode" -2 is twice the clip, and exact; in "FirstClip"
// losing the ones would cost 10'000, and cutting 90 down to 0.9 costs 8039.
TEST(mse_clip, LeastSquaredError) {
  mse.gives({{"Exact", {{4, -4, 4, 4}, 2}, 4.0f},
             {"Cut", {ones_and(2), 2}, 1.06f},
             {"FirstClip",
              {ones_and(90, 10'000), 2},
              0.9f,
              "all hundred clips are tried: the error may rise before it falls"},
             {"LastCode", {{1, -2, 1, 1}, 2}, 1.0f},
             {"Negative", {{-3, -3, -3, -3, -3, -3, -3, -6}, 2}, 3.0f},
             {"EightBits", {{127, 1, -2, 64}, 8}, 127.0f},
             {"Zeros", {{0, -0.0f}, 8}, 0.0f},
             {"Empty", {Reals{}, 8}, 0.0f}});
}

// -4 is the code -1 of clip 4, and the code -2 of clip 2; what lies at 0.5 becomes 0 either way.
TEST(mse_clip, TiesGoToTheLarger) {
  mse.gives({{"BothExact", {{-4}, 2}, 4.0f},
             {"NeitherExact", {{0.5f, -4}, 2}, 4.0f},
             {"WithASign", {{-0.5f, -4, 0.25f}, 2}, 4.0f},
             {"NoTie", {{-4, -2}, 2}, 2.0f}});
}

// Squares of 2^100 and of 2^-100 are no float32: a sum in float has 100 ties. Below FLT_MIN / 2
// each clip has the same scale, the floor: of equal errors the larger clip wins. With three bits -1
// is four quarters and three thirds, and three times 1/3 is 1 in float32 only; three times a third
// of 12582913 is another number there, four quarters are the same. The last five: a value is half
// a step, or next to it, at the best clip; k / 100 is rounded; two clips are as good but for the
// last digits.
TEST(mse_clip, AnyWidthAndSize) {
  mse.gives(
      {{"Huge", {times(ones_and(2), 0x1p100f), 2}, 0x1p100f * 1.06f},
       {"Tiny", {times(ones_and(2), 0x1p-100f), 2}, 0x1p-100f * 1.06f},
       {"BelowTheFloor",
        {times(ones_and(2), 0x1p-130f), 2},
        0x1p-129f,
        "scale[k] is never below FLT_MIN"},
       {"RoundedProduct", {{-1}, 3}, 1.0f, "scale[k] * q[i] is rounded to float32"},
       {"RoundedScale", {{-12582913}, 3}, 9437185.0f},
       {"HalfToEven", {{-0.4375f, -1.875f, -0.6875f, 1.8125f, 0.8125f, -0.5f, 1.5625f}, 7}, 1.875f},
       {"Quotient",
        {{3.74266195f, 0.873287857f, 0.124755405f, 1.07352042f}, 5},
        3.74266195f,
        "x[i] is divided by scale[k], not multiplied by its inverse"},
       {"RoundedShare",
        {ones_and(1.75f), 2},
        0.6f * 1.75f,
        "k / 100 comes first, then the product with amax, both in float32"},
       {"RoundedQuotient",
        {{7.97754908f, 1.86142814f, -0.265918344f, 4.83882666f}, 5},
        0.99f * 7.97754908f,
        "the quotient x[i] / scale[k] is a float32"},
       {"DifferenceInDouble",
        {ones_and(3.36538196f, 7), 2},
        0.39f * 3.36538196f,
        "the difference and what follows is double"}});
  mse.agrees_with(mse_by_definition, tensors(seed, 257));
}

TEST(mse_clip, RefusesWhatHasNoRange) {
  mse.refuses({{"TwoBits", {{4, -4, 4}, 2}, 4.0f}, {"EightBits", {{127, 1}, 8}, 127.0f}},
              {{"N-NAN", {{1, kNan, 2}, 8}},
               {"N-NAN", {{kInfinity, 2}, 8}},
               {"N-NAN", {{1, -kInfinity}, 8}},
               {"N-RANGE", {{1, 2}, 1}},
               {"N-RANGE", {{1, 2}, 9}},
               {"N-RANGE", {Reals{}, 0}}});
}

}  // namespace
}  // namespace nibble::judge::lab_07_calibration
