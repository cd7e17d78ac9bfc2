// Lab 07: the checks.
#include "calibration.hpp"

#include <ranges>
#include <set>

#include "checks/marks/07_calibration.hpp"
#include "judge/exercise.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge {
namespace {

float lo_of(const Reals& x) { return *std::ranges::min_element(x); }
float hi_of(const Reals& x) { return *std::ranges::max_element(x); }

/// Scaled by a power of two: floats stay as exact as they were.
Reals times(Reals x, float factor) {
  for (float& value : x) value *= factor;
  return x;
}

// --- minmax_observe -----------------------------------------------------------------------------

using MinMax = Exercise<&minmax_observe>;

/// All of a batch but its last value, where it has more.
Reals but_the_last(Reals batch) {
  if (batch.size() > 1) batch.pop_back();
  return batch;
}

bool is_observing(const RangeObserver& observer) { return observer.started && !observer.frozen; }

template <class Arguments>
void suspect_observers(Expect& expect, const Arguments& in, const RangeObserver& right) {
  const auto& [observer, batch] = in;
  if (batch.empty()) return;
  const auto each_end = [&](float lo, float hi) {
    expect.suspect("N-OBSERVER", "lo", lo);
    expect.suspect("N-OBSERVER", "hi", hi);
  };
  const float lo = lo_of(batch), hi = hi_of(batch);
  each_end(lo, hi);                                              // the last batch
  each_end((observer.lo + lo) / 2, (observer.hi + hi) / 2);      // the mean of both
  each_end(observer.lo, observer.hi);                            // nothing was folded in
  each_end(std::min(right.lo, 0.0f), std::max(right.hi, 0.0f));  // a 0 that nobody saw
  const float amax = std::max(-right.lo, right.hi);
  each_end(-amax, amax);  // the symmetric range is somebody else's business
}

void suspect_ranges(Expect& expect, const MinMax::Arguments& in, const RangeObserver& right) {
  const auto& [observer, batch] = in;
  if (batch.empty()) return;
  if (is_observing(observer)) {
    const Reals some = but_the_last(batch);
    expect.suspect("N-TAIL", "lo", std::min(observer.lo, lo_of(some)));
    expect.suspect("N-TAIL", "hi", std::max(observer.hi, hi_of(some)));
  }
  suspect_observers(expect, in, right);
}

const MinMax minmax{
    {"lo", "hi", "started", "frozen", "batch"}, {"lo", "hi", "started", "frozen"}, suspect_ranges};

RangeObserver seen(float lo, float hi) { return {lo, hi, true, false}; }
RangeObserver unstarted(float lo, float hi) { return {lo, hi, false, false}; }

TEST(minmax_observe, KeepsTheExtremes) {
  minmax.gives({{"Wider", {seen(-1, 2), {0, -3, 5, 1}}, seen(-3, 5)},
                {"Narrower", {seen(-4, 8), {1, -1, 2, 0}}, seen(-4, 8)},
                {"OneSide", {seen(-4, 8), {-2, 9, 1}}, seen(-4, 9)},
                {"TheOtherSide", {seen(-4, 8), {1, -6, 2}}, seen(-6, 8)},
                {"AboveZero", {seen(1, 2), {3, 4, 3.5f}}, seen(1, 4)},
                {"BelowZero", {seen(-8, -6), {-5, -4, -4.5f}}, seen(-8, -4)},
                {"TheLastValue", {seen(0, 1), {0.5f, 0.25f, -7}}, seen(-7, 1)},
                {"Huge", {seen(-FLT_MAX, 0), {FLT_MAX}}, seen(-FLT_MAX, FLT_MAX)}});
}

/// What holds for every observer.
template <auto F>
std::vector<typename Exercise<F>::Row> first_batches() {
  return {{"FromZero", {RangeObserver{}, {1, 3, 2}}, seen(1, 3)},
          {"BelowZero", {RangeObserver{}, {-3, -1}}, seen(-3, -1)},
          {"WiderBefore", {unstarted(-9, 9), {1, 3}}, seen(1, 3)},
          {"WrongWayRound", {unstarted(kInfinity, -kInfinity), {2}}, seen(2, 2)},
          {"NanBefore", {unstarted(kNan, kNan), {2, -1}}, seen(-1, 2)},
          {"NoFiniteSum", {RangeObserver{}, {3e38f, 3e38f}}, seen(3e38f, 3e38f)},
          {"EmptyFirst", {unstarted(4, 4), {}}, unstarted(4, 4)},
          {"EmptyLater", {seen(-1, 2), {}}, seen(-1, 2)}};
}

template <auto F>
std::vector<typename Exercise<F>::Row> frozen_ones() {
  return {{"Frozen", {RangeObserver{-1, 2, true, true}, {-3, 5}}, {-1, 2, true, true}},
          {"NanComes", {RangeObserver{-1, 2, true, true}, {kNan, 9}}, {-1, 2, true, true}},
          {"NeverStarted", {RangeObserver{0, 1, false, true}, {5}}, {0, 1, false, true}},
          {"NoRange", {RangeObserver{2, -1, true, true}, {5}}, {2, -1, true, true}}};
}

TEST(minmax_observe, FirstBatchInitialises) { minmax.gives(first_batches<&minmax_observe>()); }

// An observer that never learns would pass all of it but the first row.
TEST(minmax_observe, FrozenStaysAsItIs) {
  auto rows = frozen_ones<&minmax_observe>();
  rows.insert(rows.begin(), {"NotFrozen", {seen(-1, 2), {-3, 5}}, seen(-3, 5)});
  minmax.gives(rows, /*if_refused=*/"N-OBSERVER");
}

template <auto F>
std::vector<typename Exercise<F>::Refused> no_ranges() {
  return {{"N-NAN", {seen(-1, 2), {1, kNan}}},      {"N-NAN", {RangeObserver{}, {1, kNan, 2}}},
          {"N-NAN", {seen(-1, 2), {1, kInfinity}}}, {"N-NAN", {RangeObserver{}, {-kInfinity}}},
          {"N-NAN", {seen(kNan, 2), {}}},           {"N-NAN", {seen(-1, kNan), {1}}},
          {"N-NAN", {seen(-kInfinity, 2), {}}},     {"N-NAN", {seen(-1, kInfinity), {1}}},
          {"N-ORDER", {seen(2, -1), {1}}},          {"N-ORDER", {seen(2, -1), {}}}};
}

TEST(minmax_observe, RefusesWhatHasNoRange) {
  minmax.refuses({{"Point", {seen(1, 1), {2}}, seen(1, 2)}}, no_ranges<&minmax_observe>());
}

// --- moving_average_observe ---------------------------------------------------------------------

using Moving = Exercise<&moving_average_observe>;

float moved(float end, float to) {
  const float way = to - end, step = 0.01f * way;
  return end + step;
}

void suspect_averages(Expect& expect, const Moving::Arguments& in, const RangeObserver& right) {
  const auto& [observer, batch] = in;
  if (batch.empty()) return;
  if (is_observing(observer)) {
    const Reals some = but_the_last(batch);
    expect.suspect("N-TAIL", "lo", moved(observer.lo, lo_of(some)));
    expect.suspect("N-TAIL", "hi", moved(observer.hi, hi_of(some)));
  }
  const float lo = lo_of(batch), hi = hi_of(batch);
  const auto both = [&](const char* words, const auto& step) {
    if (!is_observing(observer)) return;
    if (step(observer.lo, lo) != right.lo) {
      expect.suspect("N-FORMULA", "lo", step(observer.lo, lo), words);
    }
    if (step(observer.hi, hi) != right.hi) {
      expect.suspect("N-FORMULA", "hi", step(observer.hi, hi), words);
    }
  };
  both("as if it were 0.99 * old + 0.01 * new", [](float end, float to) {
    const float kept = 0.99f * end, added = 0.01f * to;
    return kept + added;
  });
  both("as if the step were taken in double",
       [](double end, double to) { return static_cast<float>(end + 0.01 * (to - end)); });
  for (const double rate : {0.99, 0.1, 0.001}) {
    expect.suspect("N-OBSERVER", "lo", static_cast<float>(observer.lo + rate * (lo - observer.lo)));
    expect.suspect("N-OBSERVER", "hi", static_cast<float>(observer.hi + rate * (hi - observer.hi)));
  }
  expect.suspect("N-OBSERVER", "lo", std::min(observer.lo, lo));
  expect.suspect("N-OBSERVER", "hi", std::max(observer.hi, hi));
  suspect_observers(expect, in, right);
}

const Moving moving{{"lo", "hi", "started", "frozen", "batch"},
                    {"lo", "hi", "started", "frozen"},
                    suspect_averages};

// 0.01f is not a hundredth, but 100 times it rounds to 1.
TEST(moving_average_observe, OneStepInAHundred) {
  moving.gives({{"Wider", {seen(-100, 100), {0, -200, 300, 1}}, seen(-101, 102)},
                {"Narrower", {seen(-100, 100), {0, 0}}, seen(-99, 99)},
                {"OneSide", {seen(-100, 300), {300, -200}}, seen(-101, 300)},
                {"AboveZero", {seen(100, 200), {200, 300}}, seen(101, 201)},
                {"Huge", {seen(-3e38f, 3e38f), {-3e38f, 3e38f}}, seen(-3e38f, 3e38f)}});
}

std::vector<Moving::Input> ranges(Seed seed_of, std::size_t longest) {
  std::vector<Moving::Input> inputs;
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{31}, longest}) {
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t which = seed_of(count * 16 + static_cast<std::size_t>(i));
      const Reals ends = normal_tensor(2, which);
      inputs.push_back({std::to_string(count) + "." + std::to_string(i),
                        {seen(std::min(ends[0], ends[1]), std::max(ends[0], ends[1])),
                         normal_tensor(count, which + 1, /*stddev=*/3.0f)}});
    }
  }
  return inputs;
}

// Each of these ends comes out one float higher in double, as 0.99f * end + 0.01f * to, and with a
// product and a sum that are rounded only once.
TEST(moving_average_observe, InFloatInThisOrder) {
  moving.gives({{"NoWay", {seen(-0.7f, 0.3f), {0.3f, -0.7f}}, seen(-0.7f, 0.3f)},
                {"Low", {seen(-0.25f, 0), {-8.5f, 0}}, seen(moved(-0.25f, -8.5f), 0)},
                {"High", {seen(0, 0.5f), {0, 17}}, seen(0, moved(0.5f, 17))}});
  moving.agrees_with(
      [](const auto& in) {
        if (in.b.empty()) return in.a;
        return seen(moved(in.a.lo, lo_of(in.b)), moved(in.a.hi, hi_of(in.b)));
      },
      ranges(seed, 257));
}

TEST(moving_average_observe, BeginsAndEndsAsMinMax) {
  auto rows = first_batches<&moving_average_observe>();
  rows.push_back({"NotFrozen", {seen(-100, 100), {-200, 300}}, seen(-101, 102)});
  std::ranges::copy(frozen_ones<&moving_average_observe>(), std::back_inserter(rows));
  moving.gives(rows);
}

// The way from -3e38 to 3e38 is no float32.
TEST(moving_average_observe, RefusesWhatHasNoRange) {
  auto refused = no_ranges<&moving_average_observe>();
  refused.push_back({"N-NAN", {seen(-3e38f, 0), {3e38f}}});
  refused.push_back({"N-NAN", {seen(0, 3e38f), {-3e38f}}});
  moving.refuses({{"Narrower", {seen(-100, 100), {0}}, seen(-99, 99)},
                  {"Point", {seen(100, 100), {200}}, seen(101, 101)}},
                 refused);
}

// --- percentile_clip ----------------------------------------------------------------------------

using Percentile = Exercise<&percentile_clip>;

void suspect_percentiles(Expect& expect, const Percentile::Arguments& in, float /*right*/) {
  const auto& [x, per_million] = in;
  if (x.empty()) return;
  Reals values = x, magnitudes = x;
  for (float& value : magnitudes) value = std::fabs(value);
  std::ranges::sort(values);
  std::ranges::sort(magnitudes);
  const double share = per_million / 1e6, n = static_cast<double>(x.size());
  const auto at = [&](const Reals& sorted, double rank) {
    return sorted[static_cast<std::size_t>(std::clamp(rank, 1.0, n)) - 1];
  };
  for (const double off : {0.0, 1.0}) {
    expect.suspect("N-FORMULA", "clip", at(magnitudes, std::floor(n * share) + off));
  }
  expect.suspect("N-RANGE", "clip", at(values, std::ceil(n * share)));
  expect.suspect("N-RANGE", "clip", std::fabs(at(values, std::ceil(n * share))));
  const auto narrow = static_cast<std::int32_t>(static_cast<std::uint32_t>(x.size()) *
                                                static_cast<std::uint32_t>(per_million));
  for (const double parts : {0.0 + narrow, 0.0 + static_cast<std::uint32_t>(narrow)}) {
    expect.suspect("N-OVERFLOW", "clip", at(magnitudes, std::ceil(parts / 1e6)));
  }
}

const Percentile percentile{{"x", "per_million"}, {"clip"}, suspect_percentiles};

const Reals one_to_ten{3, -10, 1, 8, -6, 5, 4, 7, -2, -9};

Reals one_to(int n) {
  Reals x;
  for (int i = 1; i <= n; ++i) x.push_back(static_cast<float>(i % 3 == 0 ? -i : i));
  std::ranges::reverse(x);
  return x;
}

// 0.07 * 100 and 0.57 * 100 are above 7 and below 57 in double: a share is a fraction of integers.
// The last three rows: 0.6f is above 0.6, 4.3e9 is no float32, and half a millionth is not nothing.
TEST(percentile_clip, RankIsRoundedUp) {
  percentile.gives({{"Signs", {{1, -9, 2, 3}, 1'000'000}, 9, "magnitudes are sorted, not values"},
                    {"Half", {one_to_ten, 500'000}, 5, "the rank is 5, and sorted[1] the least"},
                    {"JustAboveHalf", {one_to_ten, 500'001}, 6},
                    {"BetweenTwo", {one_to_ten, 550'000}, 6},
                    {"JustBelow", {one_to_ten, 599'999}, 6},
                    {"All", {one_to_ten, 1'000'000}, 10},
                    {"NearlyAll", {one_to_ten, 999'999}, 10},
                    {"Nine", {one_to_ten, 900'000}, 9},
                    {"One", {one_to_ten, 100'000}, 1},
                    {"Least", {one_to_ten, 1}, 1},
                    {"OneValue", {{-4}, 1}, 4},
                    {"Equals", {{5, -5, 5, -5, 1}, 400'000}, 5, "equal magnitudes count one each"},
                    {"SevenOfAHundred", {one_to(100), 70'000}, 7, "the rank is exact, in integers"},
                    {"FiftySeven", {one_to(100), 570'000}, 57},
                    {"Fifteen", {one_to(25), 600'000}, 15},
                    {"FortyThreePercent", {one_to(10'000), 430'000}, 4300},
                    {"JustAboveOneOfTwo",
                     {{1, 2}, 500'001},
                     2,
                     "the rank is rounded up, however little it is above a whole one"}});
}

TEST(percentile_clip, LooksAtMagnitudes) {
  percentile.gives({{"Negative", {{1, -9, 2, 3}, 1'000'000}, 9},
                    {"InTheMiddle", {{1, -9, 2, 3}, 500'000}, 2},
                    {"AllNegative", {{-1, -9, -2, -3}, 750'000}, 3},
                    {"Zeros", {{0, -0.0f, 0}, 999'000}, 0},
                    {"Empty", {Reals{}, 999'900}, 0}});
}

float percentile_by_definition(const Percentile::Arguments& in) {
  const auto& [x, per_million] = in;
  std::multiset<float> ascending;
  for (const float value : x) ascending.insert(std::fabs(value));
  const std::int64_t parts = std::ssize(x) * per_million;
  const std::int64_t rank = parts / 1'000'000 + (parts % 1'000'000 == 0 ? 0 : 1);
  return x.empty() ? 0 : *std::next(ascending.begin(), rank - 1);
}

// 2,148 values times a million are no int32, 4,296 values no uint32.
TEST(percentile_clip, AnyRankOfAnyLength) {
  std::vector<Percentile::Input> inputs;
  for (const std::size_t count : {1, 2, 33, 1000, 2148, 4296}) {
    for (const int per_million : {1, 250'000, 990'000, 999'000, 999'900, 1'000'000}) {
      inputs.push_back({std::to_string(count) + " values, " + std::to_string(per_million),
                        {normal_tensor(count, seed(count)), per_million}});
    }
  }
  percentile.agrees_with(percentile_by_definition, inputs);
}

TEST(percentile_clip, RefusesWhatHasNoOrder) {
  percentile.refuses({{"Least", {{-3, 4}, 1}, 3}, {"All", {{-3, 4}, 1'000'000}, 4}},
                     {{"N-NAN", {{1, kNan, 2}, 999'000}},
                      {"N-NAN", {{kInfinity, 2}, 1}},
                      {"N-NAN", {{1, -kInfinity}, 999'000}},
                      {"N-RANGE", {{1, 2}, 0}},
                      {"N-RANGE", {{1, 2}, 1'000'001}},
                      {"N-RANGE", {{1, 2}, -1}},
                      {"N-RANGE", {Reals{}, 0}}});
}

// --- mse_clip -----------------------------------------------------------------------------------

using Mse = Exercise<&mse_clip>;

struct Fit {
  std::array<float, 101> clips{};
  std::array<double, 101> errors{};
};

float to_even(float steps) { return std::nearbyint(steps); }

/// Every clip that is tried, and its error, to codes from `qmin` on.
Fit fit(const Reals& x, int qmin, int qmax, float (*round)(float) = to_even) {
  Fit all;
  for (int k = 1; k <= 100; ++k) {
    const float clip = max_abs(x) * (static_cast<float>(k) / 100.0f);
    const float scale = std::max(clip / static_cast<float>(qmax), FLT_MIN);
    all.clips[k] = clip;
    for (const float value : x) {
      const auto steps = static_cast<float>(std::clamp<double>(round(value / scale), qmin, qmax));
      const double error = static_cast<double>(scale * steps) - value;
      all.errors[k] += error * error;
    }
  }
  return all;
}

float best_clip(const Fit& all, bool larger = true) {
  std::size_t best = 1;
  for (std::size_t k = 2; k <= 100; ++k) {
    const double error = all.errors[k], least = all.errors[best];
    if (error < least || (larger && error == least)) best = k;
  }
  return all.clips[best];
}

float mse_by_definition(const Mse::Arguments& in) {
  const auto& [x, num_bits] = in;
  const auto [qmin, qmax] = signed_range(num_bits);
  return best_clip(fit(x, qmin, qmax));
}

void suspect_fits(Expect& expect, const Mse::Arguments& in, float right) {
  const auto& [x, num_bits] = in;
  const auto [qmin, qmax] = signed_range(num_bits);
  const auto looks = [&expect, &x = x](const char* code, const Fit& wrong) {
    const float clip = best_clip(wrong);
    if (clip != max_abs(x)) expect.suspect(code, "clip", clip);  // amax looks like anything
  };
  looks("N-RANGE", fit(x, -qmax, qmax));
  looks("N-RANGE", fit(x, -128, 127));
  looks("N-ROUND", fit(x, qmin, qmax, [](float steps) { return std::round(steps); }));
  const float scale = right / static_cast<float>(qmax);
  if (scale >= FLT_MIN) expect.suspect("N-SCALE", "clip", scale);
  const float highest = x.empty() ? 0 : std::max(hi_of(x), 0.0f);
  for (float value : fit(x, qmin, qmax).clips) {  // amax without the sign
    expect.suspect("N-RANGE", "clip", highest == max_abs(x) ? kNan : value / max_abs(x) * highest);
  }
}

const Mse mse{{"x", "num_bits"}, {"clip"}, suspect_fits};

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

std::vector<Mse::Input> tensors(Seed seed_of, std::size_t longest) {
  std::vector<Mse::Input> inputs;
  for (const std::size_t count : {std::size_t{1}, std::size_t{33}, longest}) {
    for (int num_bits = 2; num_bits <= 8; ++num_bits) {
      Reals x = normal_tensor(count, seed_of(count * 16 + static_cast<std::size_t>(num_bits)));
      x[count / 2] *= -3.0f;  // an outlier, so that there is something to cut
      inputs.push_back({std::to_string(count) + " values, " + std::to_string(num_bits) + " bits",
                        {std::move(x), num_bits}});
    }
  }
  return inputs;
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

// --- entropy_clip -------------------------------------------------------------------------------

using Entropy = Exercise<&entropy_clip>;
using Counts = std::vector<double>;
constexpr std::size_t kBins = 2048;

/// What people make of a bin that is empty, and of what was cut.
enum class Slip {
  kNone,
  kClipsIntoLevels,
  kSharesWithAll,
  kSharesTheCut,
  kSkipsEmpty,
  kEmptyIsNan
};
constexpr std::pair<Slip, const char*> kSlips[] = {
    {Slip::kClipsIntoLevels, "as if q were made of p, with what was cut in its last bin"},
    {Slip::kSharesWithAll, "as if empty bins had a share of their level, too"},
    {Slip::kSharesTheCut, "as if the last bin had a share where all it holds was cut"},
    {Slip::kSkipsEmpty, "as if p > 0 with q = 0 added nothing"},
    {Slip::kEmptyIsNan, "as if p = 0 were no number"}};

/// How wide a bin is in the end: that of the first batch, doubled until the largest value fits.
double last_width(const Entropy::Arguments& in) {
  const auto& [x, batch_size] = in;
  const auto at = static_cast<std::size_t>(
      std::ranges::find_if(x, [](float value) { return value != 0; }) - x.begin());
  if (at == x.size()) return 0;
  const std::size_t size = static_cast<std::size_t>(batch_size), first = at / size * size;
  double width =
      max_abs(std::span(x).subspan(first, std::min(size, x.size() - first))) / double{kBins};
  while (max_abs(x) > kBins * width) width *= 2;
  return width;
}

/// What counting all of x at once gives with that width.
Counts histogram(const Entropy::Arguments& in) {
  const double width = last_width(in);
  Counts counts(kBins);
  for (const float value : in.a) {
    counts[value == 0 ? 0 : static_cast<std::size_t>(std::ceil(std::fabs(value) / width)) - 1] += 1;
  }
  return counts;
}

/// divergence[k], of the contract.
double divergence(const Counts& counts, std::size_t k, Slip slip) {
  Counts kept(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(k)), p = kept;
  const double all = std::reduce(counts.begin(), counts.end());
  p.back() += all - std::reduce(kept.begin(), kept.end());
  if (slip == Slip::kClipsIntoLevels) kept = p;
  const double inside = std::reduce(kept.begin(), kept.end());
  const Counts& with_a_share = slip == Slip::kSharesTheCut ? p : kept;
  const auto shares = [&](std::size_t b) {
    return slip == Slip::kSharesWithAll || with_a_share[b] > 0;
  };
  double sum = 0;
  for (std::size_t begin = 0, end = 0; begin < k; begin = end) {
    double level = 0, used = 0;
    for (; end < k && end * 128 / k == begin * 128 / k; ++end) {
      level += kept[end];
      used += shares(end) ? 1 : 0;
    }
    for (std::size_t b = begin; b < end; ++b) {
      const double q = shares(b) ? level / used : 0;
      if (p[b] == 0 && slip == Slip::kEmptyIsNan) return kNan;
      if (p[b] == 0) continue;
      if (q == 0 && slip == Slip::kSkipsEmpty) continue;
      if (q == 0) return std::numeric_limits<double>::infinity();
      sum += p[b] / all * std::log(p[b] / all * inside / q);
    }
  }
  return sum;
}

float entropy_by_definition(const Entropy::Arguments& in, Slip slip = Slip::kNone,
                            bool larger = true) {
  const double width = last_width(in);
  if (width == 0) return 0;
  const Counts counts = histogram(in);
  std::size_t best = 128;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 128; k <= kBins; k += 16) {
    const double now = divergence(counts, k, slip);
    if (now < least || (larger && now == least)) {
      least = now;
      best = k;
    }
  }
  const double clip = static_cast<double>(best) * width;
  return static_cast<float>(std::min<double>(clip, max_abs(in.a)));
}

Tolerance some_bins(const Entropy::Arguments& in) { return few_bins(last_width(in)); }

const Entropy entropy{{"x", "batch_size"}, {"clip"}};

/// Within a few bins; what it looks like is asked only when it is not, for that takes time. Where
/// all of x in one batch gives the right clip, it is growing that went wrong. amax looks like
/// anything, and a clip beyond it was not compared with it.
void look_at_clip(Expect& expect, const Entropy::Arguments& in, float got, float want) {
  if (is_near(got, want, some_bins(in))) return;
  const auto& [x, batch_size] = in;
  const auto looks = [&](const char* code, float clip, const char* words = "") {
    if (!is_near(got, clip, one_ulp()) || got >= max_abs(in.a)) return;
    expect.suspect(code, "clip", got, words);
  };
  const auto whole = std::ssize(x) / batch_size * batch_size;
  looks("N-TAIL", entropy_by_definition({Reals(x.begin(), x.begin() + whole), batch_size}));
  Reals positive = x;
  for (float& value : positive) value = std::max(value, 0.0f);
  looks("N-RANGE", entropy_by_definition({positive, batch_size}));
  const Entropy::Arguments once{x, static_cast<std::int32_t>(x.size())};
  if (batch_size < once.b && got <= max_abs(x) &&
      is_near(entropy(once), entropy_by_definition(once), some_bins(once))) {
    expect.suspect("N-REBIN", "clip", got);
  }
  looks("N-FORMULA", entropy_by_definition(in, Slip::kNone, /*larger=*/false));
  const char* words = nullptr;
  for (const auto& [slip, its_words] : kSlips) {
    if (!(got > 0) || !is_near(got, entropy_by_definition(in, slip), one_ulp())) continue;
    words = words == nullptr ? its_words : "as if p or q were made of other counts";
  }
  if (words != nullptr) looks("N-KL", got, words);
  expect.near("clip", got, want, some_bins(in));
}

/// What lies in bin b of a width of 1 is the value b + 1, as often as count(b) says.
template <class Count>
Reals data_of(const Count& count) {
  Reals x;
  for (int b = 0; b < static_cast<int>(kBins); ++b) {
    x.insert(x.end(), static_cast<std::size_t>(count(b)),
             static_cast<float>(b % 2 == 0 ? b + 1 : -(b + 1)));
  }
  return x;
}

constexpr std::int32_t kOneBatch = 1 << 20;

/// 1 and 15 in turn in the first 128 bins, and outliers: any level of two bins is wrong by much.
Reals spikes(int outliers = 1) {
  return data_of([=](int b) { return b == 2047 ? outliers : b < 128 ? b % 2 * 14 + 1 : 0; });
}
/// Four bins with one value, four with three: levels of four bins tell them apart, longer ones not.
Reals fours() {
  return data_of([](int b) { return b == 2047 ? 2 : b < 512 ? (b / 4 % 2 == 0 ? 1 : 3) : 0; });
}
/// As many everywhere: nothing is lost by levels, and something by each clip.
Reals flat() {
  return data_of([](int) { return 1; });
}
/// Six and one in turn: the sum of a level is no multiple of the number of its bins.
Reals sixes() {
  return data_of([](int b) { return b == 2047 ? 1 : b < 200 ? (b % 2 == 0 ? 6 : 1) : 0; });
}
/// Ten in each of the first bins, one in each up to the middle, one far away.
Reals two_steps() {
  return data_of([](int b) { return b == 2047 ? 1 : b < 128 ? 10 : b < 1024 ? 1 : 0; });
}

/// 1 and 15 in turn: but for bin 127, at whose end a clip is as bad as beyond the others.
Reals gap_at_127() {
  return data_of([](int b) { return b == 2047 ? 1 : b < 144 && b != 127 ? b % 2 * 14 + 1 : 0; });
}
/// Levels of two bins are exact, those of k = 256; but each clip cuts into an empty bin.
Reals gaps_at_the_ends() {
  return data_of([](int b) {
    return b == 2047 ? 1 : b < 256 && b % 16 != 15 ? b / 2 % 2 * 14 + 1 : 0;
  });
}

Reals joined(const std::vector<Reals>& parts) {
  Reals all;
  for (const Reals& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// One value in a bin, 15 in the next, some far away: only levels of one bin tell the two apart.
Reals next_to_each_other(float first, float second, std::size_t far = 1) {
  return joined({{first}, Reals(15, second), Reals(far, 2048)});
}

// In "AllBins" k = 1024 cuts a lot, and any other k below 2048 is infinite; its counts would spoil
// "Again" if they were left. In "UnevenLevels" the bins of the two values are levels by themselves
// where k = 192. In "Ties" k = 1024 loses nothing either: its last bin has both values.
TEST(entropy_clip, LeastDivergence) {
  entropy.gives(
      {{"OneValue", {{-3}, 1}, 3.0f},
       {"FewestBins",
        {next_to_each_other(126.5f, 127.5f), kOneBatch},
        128.0f,
        "k = 128 is tried, where each level is one bin"},
       {"AllBins",
        {joined({{0.5f, 0.5f, 0.5f, 1023.5f, 2048}, Reals(1019, 1200.5f)}), kOneBatch},
        2048.0f,
        "k = 2048 is tried, too, and the least here"},
       {"Again",
        {next_to_each_other(126.5f, 127.5f), kOneBatch},
        128.0f,
        "the histogram is empty when a call begins"},
       {"EndOfABin",
        {next_to_each_other(126.5f, 128), kOneBatch},
        128.0f,
        "bin b ends with (b + 1) * width, which belongs to it"},
       {"OwnSum",
        {next_to_each_other(126.5f, 127.5f, 8), kOneBatch},
        128.0f,
        "Q is q divided by its own sum, not by that of p"},
       {"UnevenLevels",
        {next_to_each_other(190.5f, 191.5f), kOneBatch},
        192.0f,
        "bin b is in level b * 128 / k, a quotient of integers"},
       {"Spikes", {spikes(), kOneBatch}, 128.0f},
       {"ManyBeyond", {spikes(180), kOneBatch}, 128.0f},
       {"OddMultipleOf16", {gap_at_127(), kOneBatch}, 144.0f},
       {"Fours", {fours(), kOneBatch}, 512.0f},
       {"Flat", {flat(), kOneBatch}, 2048.0f},
       {"Sixes", {sixes(), kOneBatch}, 2048.0f, "what a level holds is shared out in fractions"},
       {"Ties", {{1, 2}, 2}, 2.0f},
       {"Tiny", {times(spikes(), 0x1p-130f), kOneBatch}, 0x1p-123f},
       {"Zeros", {{0, -0.0f, 0}, 2}, 0.0f},
       {"Empty", {Reals{}, 2}, 0.0f}},
      look_at_clip);
}

// Few values in 2048 bins: whatever is kept is exact, and the divergence 0 where nothing is cut.
// With k = 256 in "Three", nothing but its last bin is used: 0, too, and the smaller of the equals.
TEST(entropy_clip, EmptyBins) {
  entropy.gives(
      {{"Three", {{0.5f, -4, 1}, 3}, 4.0f},
       {"Gaps",
        {data_of([](int b) { return b == 2047          ? 1
                                    : b < 128 && b % 2 ? 15
                                                       : 0; }), kOneBatch},
        2048.0f},
       {"GapsAtTheEnds", {gaps_at_the_ends(), kOneBatch}, 2048.0f},
       {"TwoSteps", {two_steps(), kOneBatch}, 2048.0f}},
      look_at_clip);
}

/// The data of a histogram, in ascending order of magnitude, behind a first batch of `first`.
Entropy::Arguments growing(float first, Reals x, std::int32_t batch_size) {
  const Reals begin(static_cast<std::size_t>(batch_size), first);
  return {joined({begin, std::move(x)}), batch_size};
}

/// Zeros, and as many in each of the bins from 2 to 127: only zeros make long levels uneven.
Reals with_zeros(std::size_t zeros) {
  return joined({Reals(zeros, 0), data_of([](int b) {
                   return b == 2047 ? 1 : 2 <= b && b < 128 ? 8 : 0;
                 })});
}

// A first batch of 64 has bins of 1/32, which double five times until 2048 fits. "Overshoot": 4.5
// needs a range of 8, whose end no value reaches. "ManyZeros": more than 16 bits count, and all but
// eight before there is a width. "InDouble": 1.9f times an integer, rounded, is on either side of
// the end of a bin; its quotient in float32 is the integer.
TEST(entropy_clip, GrowsByJoining) {
  entropy.gives({{"InDouble", {times(with_zeros(0), 1.9f), kOneBatch}, 1.9f * 128},
                 {"NarrowBins",
                  {times(joined({{63}, Reals(15, 64), {1024}}), FLT_TRUE_MIN), 17},
                  64 * FLT_TRUE_MIN,
                  "width is a double: these bins are narrower than any float32"},
                 {"OneMore", {{-FLT_TRUE_MIN, 2 * FLT_TRUE_MIN}, 1}, 2 * FLT_TRUE_MIN},
                 {"Overshoot", {{4, 4.5f}, 1}, 4.5f, "the clip is never above amax"},
                 {"ZerosFirst", {{0, 0, -0.0f, 3, 0, 24}, 2}, 24.0f},
                 {"Smaller", {{24, 3, 1}, 1}, 24.0f, "amax is that of all batches"},
                 {"WithZeros", {with_zeros(1000), kOneBatch}, 128.0f, "zeros are in bin 0"},
                 {"WidthAfterZeros",
                  {times(with_zeros(2048), 0.75f), 2048},
                  96.0f,
                  "width comes from the first batch that is not all zeros"},
                 {"ManyZeros", {times(with_zeros(65'544), 0.75f), 65'536}, 96.0f},
                 {"FirstBatch", growing(1, with_zeros(0), 2048), 128.0f},
                 {"FirstBatchAlone", growing(80, spikes(), 25), 2048.0f,
                  "width comes from the first batch, and is doubled until a larger one fits"}},
                look_at_clip);
  const auto right = [](const auto& in) { return entropy_by_definition(in); };
  entropy.agrees_with(right,
                      {{"Spikes", growing(64, spikes(), 32)},
                       {"ShortLast", growing(1, fours(), 1000)},
                       {"Overshoot", growing(80, spikes(), 25)},
                       {"ManyBatches", growing(1, two_steps(), 7)}},
                      look_at_clip);
}

TEST(entropy_clip, RefusesWhatHasNoRange) {
  entropy.refuses({{"OneValue", {{-3}, 1}, 3.0f}}, {{"N-NAN", {{1, kNan, 2}, 2}},
                                                    {"N-NAN", {{1, 2, kInfinity}, 2}},
                                                    {"N-NAN", {{-kInfinity, 2}, 2}},
                                                    {"N-SIZE", {{1, 2}, 0}},
                                                    {"N-SIZE", {{1, 2}, -1}},
                                                    {"N-SIZE", {Reals{}, 0}}});
}

// --- quantize_dynamic_rows ----------------------------------------------------------------------

using Dynamic = Exercise<&quantize_dynamic_rows>;

float scale_of(float amax) { return amax == 0 ? 1 : std::max(amax / 127, FLT_MIN); }

/// Row by row, where range_of(r) chooses the amax of row r.
template <class RangeOf, class Round>
DynamicRows rows_with(const Dynamic::Arguments& in, RangeOf range_of, Round round) {
  const auto& [x, columns] = in;
  const auto width = static_cast<std::size_t>(columns);
  DynamicRows rows;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % width == 0) {
      rows.scales.push_back(scale_of(range_of(i / width)));
    }
    rows.q.push_back(
        static_cast<std::int8_t>(std::clamp(round(x[i] / rows.scales.back()), -127.0f, 127.0f)));
  }
  return rows;
}

std::span<const float> row_of(const Dynamic::Arguments& in, std::size_t r) {
  return std::span(in.a).subspan(r * static_cast<std::size_t>(in.b),
                                 static_cast<std::size_t>(in.b));
}

DynamicRows rows_by_definition(const Dynamic::Arguments& in) {
  if (std::ssize(in.a) % in.b != 0) throw std::invalid_argument("no matrix");
  return rows_with(
      in, [&](std::size_t r) { return max_abs(row_of(in, r)); }, to_even);
}

void suspect_rows(Expect& expect, const Dynamic::Arguments& in, const DynamicRows& right) {
  const auto looks = [&](const char* code, const DynamicRows& rows) {
    expect.suspect(code, "scales", rows.scales);
    expect.suspect(code, "q", rows.q);
  };
  const auto own = [&](std::size_t r) { return max_abs(row_of(in, r)); };
  looks("N-OBSERVER", rows_with(
                          in, [&](std::size_t r) { return own(r == 0 ? 0 : r - 1); }, to_even));
  looks("N-OBSERVER", rows_with(
                          in, [&](std::size_t) { return own(0); }, to_even));
  float running = 0;
  looks("N-OBSERVER",
        rows_with(
            in, [&](std::size_t r) { return running = std::max(running, own(r)); }, to_even));
  float kept = 0;
  looks("N-OBSERVER",
        rows_with(
            in, [&](std::size_t r) { return own(r) == 0 ? kept : kept = own(r); }, to_even));
  looks("N-AXIS", rows_with(
                      in, [&](std::size_t) { return max_abs(in.a); }, to_even));
  looks("N-AXIS",
        rows_with(
            in, [&](std::size_t r) { return own(r) == 0 ? max_abs(in.a) : own(r); }, to_even));
  Reals signless, halves, inverses, multiplied, without_last;
  for (std::size_t r = 0; r < right.scales.size(); ++r) {
    const auto row = row_of(in, r);
    without_last.push_back(scale_of(max_abs(row.first(row.size() - (row.size() > 1)))));
    signless.push_back(scale_of(std::max(*std::ranges::max_element(row), 0.0f)));
    halves.push_back(own(r) / 128);
    multiplied.push_back(own(r) == 0 ? 1 : std::max(own(r) * (1 / 127.0f), FLT_MIN));
    inverses.push_back(1 / right.scales[r]);
  }
  expect.suspect("N-SCALE", "scales", inverses);
  expect.suspect("N-FORMULA", "scales", multiplied);
  expect.suspect("N-TAIL", "scales", without_last);
  expect.suspect("N-RANGE", "scales", signless);
  expect.suspect("N-RANGE", "scales", halves);
  Codes products, in_double, by_column;
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    const std::size_t rows = right.scales.size(), columns = in.a.size() / rows;
    by_column.push_back(right.q[i % rows * columns + i / rows]);
    const float scale = right.scales[i / static_cast<std::size_t>(in.b)];
    products.push_back(static_cast<std::int8_t>(to_even(in.a[i] * (1 / scale))));
    in_double.push_back(static_cast<std::int8_t>(std::nearbyint(double{in.a[i]} / scale)));
  }
  expect.suspect("N-FORMULA", "q", products);
  expect.suspect("N-FORMULA", "q", in_double);
  expect.suspect("N-LAYOUT", "q", by_column);
  each_wrong_rounding([&](const char* code, const auto& round) {
    expect.suspect(code, "q", rows_with(in, own, round).q);
  });
}

/// The cause before what follows from it.
void scales_first(Expect& expect, const Dynamic::Arguments&, const DynamicRows& got,
                  const DynamicRows& want) {
  expect.equal("scales", got.scales, want.scales);
  expect.equal("q", got.q, want.q);
}

const Dynamic dynamic{{"x", "columns"}, {"q", "scales"}, suspect_rows};

TEST(quantize_dynamic_rows, ScalePerRow) {
  dynamic.gives(
      {{"OneRow", {{127, 1, -2}, 3}, {{127, 1, -2}, {1}}},
       {"NegativeAmax", {{1, -254, 2}, 3}, {{0, -127, 1}, {2}}},
       {"AmaxAtTheEnd", {{1, -2, -254}, 3}, {{0, -1, -127}, {2}}},
       {"LoudAfterQuiet", {{1, -127, 2, 508, 4, -8}, 3}, {{1, -127, 2, 127, 1, -2}, {1, 4}}},
       {"QuietAfterLoud", {{508, 4, 127, 1}, 2}, {{127, 1, 127, 1}, {4, 1}}},
       {"OneColumn", {{127, -63.5f, 254}, 1}, {{127, -127, 127}, {1, 0.5f, 2}}},
       {"Empty", {Reals{}, 4}, {{}, {}}}},
      scales_first);
}

// In "Quotient" the quotient is a tie in float32, the product with 1 / scale is not.
TEST(quantize_dynamic_rows, RoundsAQuotient) {
  dynamic.gives(
      {{"UpAndDown", {{127, 1.75f, -1.75f, 1.25f}, 4}, {{127, 2, -2, 1}, {1}}},
       {"Ties", {{127, 0.5f, 1.5f, 2.5f, -2.5f, -3.5f}, 6}, {{127, 0, 2, 2, -2, -4}, {1}}},
       {"Quotient",
        {{0.5f, 0.344488174f}, 2},
        {{127, 88}, {0.5f / 127}},
        "x[r,j] is divided by scales[r], a float32"},
       {"QuotientForAScale", {{9}, 1}, {{127}, {9.0f / 127}}}},
      scales_first);
}

TEST(quantize_dynamic_rows, ScaleIsNeverZero) {
  dynamic.gives({{"Zeros", {{0, -0.0f, 127, 1}, 2}, {{0, 0, 127, 1}, {1, 1}}},
                 {"ZerosBehindOthers",
                  {{508, 4, 254, 2, 0, 0, -0.0f, 0, 127, 1}, 2},
                  {{127, 1, 127, 1, 0, 0, 0, 0, 127, 1}, {4, 2, 1, 1, 1}},
                  "a row of zeros has the scale 1, whatever rows it stands among"},
                 {"Tiny", {{3 * FLT_MIN, -FLT_MIN}, 2}, {{3, -1}, {FLT_MIN}}},
                 {"Subnormal", {{FLT_TRUE_MIN, 0, 254, 2}, 2}, {{0, 0, 127, 1}, {FLT_MIN, 2}}},
                 {"Smallest", {{127 * 0x1p-126f, 0}, 2}, {{127, 0}, {0x1p-126f}}}},
                scales_first);
}

/// Rows whose loudness differs by a factor of up to 2^12.
std::vector<Dynamic::Input> matrices(Seed seed_of, std::size_t longest) {
  std::vector<Dynamic::Input> inputs;
  for (const auto& [rows, columns] : std::vector<std::pair<std::size_t, std::size_t>>{
           {1, 1}, {3, 2}, {2, 3}, {5, 31}, {4, 32}, {3, 33}, {33, 5}, {17, longest}}) {
    Reals x = normal_tensor(rows * columns, seed_of(rows * 8192 + columns));
    const Reals loudness = uniform_tensor(rows, seed_of(rows), -6, 6);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= std::exp2(loudness[i / columns]);
    inputs.push_back({std::to_string(rows) + "x" + std::to_string(columns),
                      {std::move(x), static_cast<std::int32_t>(columns)}});
  }
  return inputs;
}

TEST(quantize_dynamic_rows, AnyShape) {
  dynamic.agrees_with(rows_by_definition, matrices(seed, 257), scales_first);
}

TEST(quantize_dynamic_rows, RefusesWhatIsNoMatrix) {
  dynamic.refuses({{"Fits", {{127, 1, 254, 2}, 2}, {{127, 1, 127, 1}, {1, 2}}}},
                  {{"N-SIZE", {{1, 2, 3, 4, 5}, 2}},
                   {"N-SIZE", {{1, 2}, 3}},
                   {"N-SIZE", {{1, 2}, 0}},
                   {"N-SIZE", {Reals{}, 0}},
                   {"N-SIZE", {{1, 2}, -1}},
                   {"N-NAN", {{1, 2, kNan, 3}, 2}},
                   {"N-NAN", {{1, 2, 3, kInfinity}, 2}},
                   {"N-NAN", {{-kInfinity, 2}, 2}}});
}

// --- The picture --------------------------------------------------------------------------------

/// As docs/examples/07_clips.cpp: SplitMix64, roughly normal, Student's t of five degrees.
float next_normal(std::uint64_t& state) {
  float sum = -6.0f;
  for (int i = 0; i < 12; ++i) {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    sum += static_cast<float>((z ^ (z >> 31)) >> 40) * 0x1p-24f;
  }
  return sum;
}

Reals long_tailed(std::size_t count, std::uint64_t state) {
  Reals x(count);
  for (float& value : x) {
    float squares = 0.0f;
    for (int i = 0; i < 5; ++i) {
      const float normal = next_normal(state);
      squares += normal * normal;
    }
    value = next_normal(state) / std::sqrt(squares / 5.0f);
  }
  return x;
}

constexpr std::size_t kDrawnBins = 30, kDrawnValues = 200'000;

std::vector<int> counts_of_magnitudes(const Reals& x, float top) {
  std::vector<int> counts(kDrawnBins);
  const float width = top / kDrawnBins;
  for (const float value : x) {
    const float bin = std::ceil(std::fabs(value) / width) - 1;
    ++counts[static_cast<std::size_t>(std::clamp(bin, 0.0f, kDrawnBins - 1.0f))];
  }
  return counts;
}

void draw_clips(Picture& picture) {
  const Reals x = long_tailed(kDrawnValues, 1);
  const float top = max_abs(x);
  auto& all = picture.clips.emplace();
  all.top = top;
  all.counts = counts_of_magnitudes(x, top);
  const auto draw = [&](const char* name, const auto& ask) {
    draw_answer(picture, name, [&] {
      const float clip = ask();
      if (std::isfinite(clip)) return all.clips.push_back({name, clip});
      picture.notes.push_back(std::string(name) + ": no number came");
    });
  };
  draw("max |x|", [&] { return call<&percentile_clip>(x, 1'000'000); });
  draw("99.99 %", [&] { return call<&percentile_clip>(x, 999'900); });
  draw("99.9 %", [&] { return call<&percentile_clip>(x, 999'000); });
  draw("99 %", [&] { return call<&percentile_clip>(x, 990'000); });
  draw("MSE, 8 bits", [&] { return call<&mse_clip>(x, 8); });
  draw("MSE, 4 bits", [&] { return call<&mse_clip>(x, 4); });
  draw("entropy", [&] { return call<&entropy_clip>(x, static_cast<std::int32_t>(kDrawnValues)); });
}
const bool has_picture =
    register_picture({"percentile_clip", "mse_clip", "entropy_clip"}, draw_clips);

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

TEST(minmax_observe, BatchesAsOne) {
  std::vector<MinMax::Input> inputs;
  for (const std::size_t count : {4, 33, 1009}) {
    inputs.push_back({std::to_string(count), {{}, normal_tensor(count, hidden_seed(count), 5.0f)}});
  }
  minmax.on_each(inputs, [](Expect& expect, const auto& in) {
    const auto& [observer, all] = in;
    if (all.size() < 2 || observer.frozen || observer.started) return;
    RangeObserver by_parts{};
    for (const auto part : {std::span(all).first(all.size() / 2), std::span(all).last(1),
                            std::span(all).subspan(all.size() / 2)}) {
      by_parts = minmax({by_parts, Reals(part.begin(), part.end())});
    }
    expect.equal("lo", by_parts.lo, lo_of(all));
    expect.equal("hi", by_parts.hi, hi_of(all));
  });
}

TEST(moving_average_observe, EqualsTheReference) {
  moving.agrees_with(moving.reference, ranges(hidden_seed, 1021));
}

TEST(percentile_clip, EqualsTheReference) {
  std::vector<Percentile::Input> inputs;
  for (const std::size_t count : {7, 99, 5003}) {
    for (const int per_million : code_tensor<std::int32_t>(8, hidden_seed(count), 1, 1'000'000)) {
      inputs.push_back({std::to_string(count) + " values, " + std::to_string(per_million),
                        {normal_tensor(count, hidden_seed(count + 1)), per_million}});
    }
  }
  percentile.agrees_with(percentile.reference, inputs);
}

TEST(mse_clip, EqualsTheReference) { mse.agrees_with(mse.reference, tensors(hidden_seed, 1021)); }

/// Batches whose first is quiet: the histogram has to grow.
Reals louder_and_louder(std::uint64_t seed, std::size_t batches, std::size_t batch_size) {
  Reals x = normal_tensor(batches * batch_size, seed);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t batch = i / batch_size;
    x[i] *= 1 + 0.5f * static_cast<float>(batch);
  }
  return x;
}

/// The divergence at the answer stands out from those further away, so that summing in another
/// order finds the same.
bool stands_out(const Entropy::Arguments& in, float clip) {
  const Counts counts = histogram(in);
  const double width = last_width(in);
  std::vector<double> near, far;
  for (std::size_t k = 128; k <= kBins; k += 16) {
    const double at = std::min<double>(static_cast<double>(k) * width, max_abs(in.a));
    auto& side = is_near(at, clip, few_bins(width)) ? near : far;
    side.push_back(divergence(counts, k, Slip::kNone));
  }
  return std::ranges::min(near) < std::ranges::min(far) * (1 - metric_tolerance().relative);
}

TEST(entropy_clip, EqualsTheReference) {
  std::vector<Entropy::Input> inputs;
  for (const std::size_t batches : {1, 2, 9}) {
    const Entropy::Arguments in{louder_and_louder(hidden_seed(batches), batches, 500), 500};
    if (!stands_out(in, entropy.reference(in))) continue;
    inputs.push_back({std::to_string(batches) + " batches", in});
  }
  Expect::healthy(!inputs.empty(), "no divergence stands out");
  entropy.agrees_with(entropy.reference, inputs, look_at_clip);
}

TEST(entropy_clip, GrowthForgetsNothing) {
  const Reals x = louder_and_louder(hidden_seed(77), 6, 250);
  entropy.on_each({{"6 batches", {x, 250}}}, [](Expect& expect, const auto& in) {
    const auto& [all, batch_size] = in;
    if (batch_size != 250 || all.size() != 1500) return;
    Reals reversed(all.begin(), all.begin() + 250);
    for (std::size_t batch = 5; batch >= 1; --batch) {
      const auto part = std::span(all).subspan(batch * 250, 250);
      reversed.insert(reversed.end(), part.begin(), part.end());
    }
    look_at_clip(expect, in, entropy(in), entropy.reference(in));
    expect.that(entropy({reversed, 250}) == entropy(in),
                "the batches after the first in another order give another clip", "N-REBIN");
  });
}

TEST(quantize_dynamic_rows, EqualsTheReference) {
  dynamic.agrees_with(dynamic.reference, matrices(hidden_seed, 509), scales_first);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
