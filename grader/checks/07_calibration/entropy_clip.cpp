// Lab 07, entropy_clip: the checks.
#include "checks/07_calibration/entropy_clip.hpp"

#include "checks/07_calibration/values.hpp"

namespace nibble::judge::lab_07_calibration {
namespace {

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

constexpr const char* kGrowing = "growing joins bins in pairs: no count is lost, and none moved";

// A first batch of 64 has bins of 1/32, which double five times until 2048 fits. "Overshoot": 4.5
// needs a range of 8, whose end no value reaches. "ManyZeros": more than 16 bits count, and all but
// eight before there is a width. "InDouble": 1.9f times an integer, rounded, is on either side of
// the end of a bin; its quotient in float32 is the integer.
TEST(entropy_clip, GrowsByJoining) {
  entropy.gives({{"InDouble",
                  {times(with_zeros(0), 1.9f), kOneBatch},
                  1.9f * 128,
                  "|x[i]| / width is a double"},
                 {"NarrowBins",
                  {times(joined({{63}, Reals(15, 64), {1024}}), FLT_TRUE_MIN), 17},
                  64 * FLT_TRUE_MIN,
                  "width is a double: these bins are narrower than any float32"},
                 {"OneMore", {{-FLT_TRUE_MIN, 2 * FLT_TRUE_MIN}, 1}, 2 * FLT_TRUE_MIN, kGrowing},
                 {"Overshoot", {{4, 4.5f}, 1}, 4.5f, "the clip is never above amax"},
                 {"ZerosFirst", {{0, 0, -0.0f, 3, 0, 24}, 2}, 24.0f, kGrowing},
                 {"Smaller", {{24, 3, 1}, 1}, 24.0f, "amax is that of all batches"},
                 {"WithZeros", {with_zeros(1000), kOneBatch}, 128.0f, "zeros are in bin 0"},
                 {"WidthAfterZeros",
                  {times(with_zeros(2048), 0.75f), 2048},
                  96.0f,
                  "width comes from the first batch that is not all zeros"},
                 {"ManyZeros",
                  {times(with_zeros(65'544), 0.75f), 65'536},
                  96.0f,
                  "a count may be above 65,535"},
                 {"FirstBatch", growing(1, with_zeros(0), 2048), 128.0f, kGrowing},
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

}  // namespace
}  // namespace nibble::judge::lab_07_calibration
