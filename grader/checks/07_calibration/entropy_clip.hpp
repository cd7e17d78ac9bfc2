// Lab 07, entropy_clip: what is right, and what people write instead.
#pragma once

#include "calibration.hpp"

#include "checks/07_calibration/moving_average_observe.hpp"
#include "judge/exercise.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_07_calibration {

using Entropy = Exercise<&entropy_clip>;
using Counts = std::vector<double>;
inline constexpr std::size_t kBins = 2048;

/// What people make of a bin that is empty, and of what was cut.
enum class Slip {
  kNone,
  kClipsIntoLevels,
  kSharesWithAll,
  kSharesTheCut,
  kSkipsEmpty,
  kEmptyIsNan,
  kEmptyIsInfinite
};
inline constexpr std::pair<Slip, const char*> kSlips[] = {
    {Slip::kClipsIntoLevels, "as if q were made of p, with what was cut in its last bin"},
    {Slip::kSharesWithAll, "as if empty bins had a share of their level, too"},
    {Slip::kSharesTheCut, "as if the last bin had a share where all it holds was cut"},
    {Slip::kSkipsEmpty, "as if p > 0 with q = 0 added nothing"},
    {Slip::kEmptyIsNan, "as if p = 0 were no number"}};

/// How wide a bin is in the end: that of the first batch, doubled until the largest value fits.
inline double last_width(const Entropy::Arguments& in) {
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
inline Counts histogram(const Entropy::Arguments& in) {
  const double width = last_width(in);
  Counts counts(kBins);
  for (const float value : in.a) {
    counts[value == 0 ? 0 : static_cast<std::size_t>(std::ceil(std::fabs(value) / width)) - 1] += 1;
  }
  return counts;
}

/// divergence[k], of the contract.
inline double divergence(const Counts& counts, std::size_t k, Slip slip) {
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
      if (p[b] == 0 && slip != Slip::kEmptyIsInfinite) continue;
      if (q == 0 && slip == Slip::kSkipsEmpty) continue;
      if (q == 0) return std::numeric_limits<double>::infinity();
      sum += p[b] / all * std::log(p[b] / all * inside / q);
    }
  }
  return sum;
}

/// The clip of a histogram.
inline float chosen(const Counts& counts, double width, float amax, Slip slip = Slip::kNone,
                    bool larger = true) {
  if (!(width > 0)) return 0;
  std::size_t best = 128;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 128; k <= kBins; k += 16) {
    const double now = divergence(counts, k, slip);
    if (now < least || (larger && now == least)) {
      least = now;
      best = k;
    }
  }
  return static_cast<float>(std::min<double>(static_cast<double>(best) * width, amax));
}

inline float entropy_by_definition(const Entropy::Arguments& in, Slip slip = Slip::kNone,
                                   bool larger = true) {
  const double width = last_width(in);
  if (width == 0) return 0;
  return chosen(histogram(in), width, max_abs(in.a), slip, larger);
}

/// What people do instead when a batch is larger than the histogram.
enum class Growth {
  kClips,
  kDrops,
  kOnce,
  kStretches,
  kKeepsUpper,
  kEveryOther,
  kEmpties,
  kWrongPairs,
  kAtEquality,
  kOfFirstValue,
  kFloatBins,
  kShortCounts
};
struct WrongGrowth {
  Growth growth;
  const char *code, *words;
};
inline constexpr const char* kBeyond =
    "what lies beyond the last bin is lost: the histogram grows before it counts";
inline constexpr WrongGrowth kGrowths[] = {
    {Growth::kClips, "N-REBIN", kBeyond},
    {Growth::kDrops, "N-REBIN", kBeyond},
    {Growth::kOnce, "N-REBIN", "width is doubled once: it is doubled until the batch fits"},
    {Growth::kStretches, "N-REBIN", "width is doubled, and no bins are joined"},
    {Growth::kKeepsUpper, "N-REBIN", "the upper half keeps its counts: it is empty after joining"},
    {Growth::kEveryOther, "N-REBIN", "one bin of a pair is lost: their counts are added"},
    {Growth::kEmpties, "N-REBIN", "the counts are lost when the histogram grows: bins are joined"},
    {Growth::kWrongPairs, "N-REBIN", "bins 2 b - 1 and 2 b are joined: 2 b and 2 b + 1 are"},
    {Growth::kAtEquality, "N-REBIN",
     "the histogram grows where amax is its end: it grows where amax is above"},
    {Growth::kOfFirstValue, "N-FORMULA", "width comes from one value: it is from amax of a batch"},
    {Growth::kFloatBins, "N-FORMULA", "the number of a bin is computed in float32: it is a double"},
    {Growth::kShortCounts, "N-FORMULA", "counts are lost above 65,535"}};

struct Grown {
  Counts counts = Counts(kBins);
  double width = 0;
  void join(Growth growth) {
    width *= 2;
    if (growth == Growth::kStretches) return;
    const Counts before = counts;
    for (std::size_t b = 0; b < kBins / 2; ++b) {
      double other = before[2 * b + 1];
      if (growth == Growth::kEveryOther) other = 0;
      if (growth == Growth::kWrongPairs) other = b == 0 ? 0 : before[2 * b - 1];
      counts[b] = before[2 * b] + other;
    }
    if (growth == Growth::kKeepsUpper) return;
    std::fill(counts.begin() + kBins / 2, counts.end(), 0.0);
  }
  void grow(double amax, bool is_first, Growth growth) {
    if (growth == Growth::kClips || growth == Growth::kDrops) return;
    const auto is_short = [&] {
      const bool counts_its_end = growth == Growth::kAtEquality && !is_first;
      return counts_its_end ? amax >= kBins * width : amax > kBins * width;
    };
    if (growth == Growth::kEmpties && is_short()) *this = {Counts(kBins), amax / kBins};
    while (width > 0 && is_short()) {
      join(growth);
      if (growth == Growth::kOnce) return;
    }
  }
  void add(float value, Growth growth) {
    const double magnitude = std::fabs(value);
    if (magnitude > kBins * width && growth == Growth::kDrops) return;
    double bin = value == 0 ? 1 : std::ceil(magnitude / width);
    if (growth == Growth::kFloatBins && value != 0) {
      bin = std::ceil(static_cast<float>(magnitude) / static_cast<float>(width));
    }
    double& count = counts[static_cast<std::size_t>(std::clamp<double>(bin, 1, kBins)) - 1];
    count += 1;
    if (growth == Growth::kShortCounts && count > 0xffff) count = 0;
  }
};

inline float grown(const Entropy::Arguments& in, Growth growth) {
  const auto& [x, batch_size] = in;
  const auto size = static_cast<std::size_t>(batch_size);
  Grown histogram;
  for (std::size_t at = 0; at < x.size(); at += size) {
    const auto batch = std::span(x).subspan(at, std::min(size, x.size() - at));
    const bool is_first = histogram.width == 0;
    if (is_first) {
      const auto first = std::ranges::find_if(batch, [](float value) { return value != 0; });
      const bool of_first = growth == Growth::kOfFirstValue && first != batch.end();
      histogram.width = (of_first ? std::fabs(*first) : max_abs(batch)) / double{kBins};
    }
    histogram.grow(max_abs(batch), is_first, growth);
    for (const float value : batch) histogram.add(value, growth);
  }
  return chosen(histogram.counts, histogram.width, max_abs(x));
}

inline Tolerance some_bins(const Entropy::Arguments& in) { return few_bins(last_width(in)); }

inline const Entropy entropy{{"x", "batch_size"}, {"clip"}};

/// What went wrong with `got`: a suspect with words, and evidence against those who would have
/// answered something else. amax looks like anything.
inline void suspect_words(Expect& expect, const Entropy::Arguments& in, float got, float want) {
  const bool is_right = is_near(got, want, some_bins(in));
  const auto looks = [&](const char* code, const char* words, float clip) {
    const bool may_be =
        is_right ? is_near(clip, want, some_bins(in)) : is_near(got, clip, one_ulp());
    if (got >= max_abs(in.a) || (is_right && may_be)) return;
    expect.suspect(code, "clip", may_be ? got : std::numeric_limits<float>::quiet_NaN(), words);
  };
  const auto& [x, batch_size] = in;
  const auto whole = std::ssize(x) / batch_size * batch_size;
  looks("N-TAIL", "the last, shorter batch is left out",
        entropy_by_definition({Reals(x.begin(), x.begin() + whole), batch_size}));
  Reals positive = x;
  for (float& value : positive) value = std::max(value, 0.0f);
  looks("N-RANGE", "negative values are counted as 0: their magnitudes are counted",
        entropy_by_definition({positive, batch_size}));
  for (const auto& [growth, code, words] : kGrowths) looks(code, words, grown(in, growth));
  looks("N-FORMULA", "of equal divergences the smallest k is taken: the largest is",
        entropy_by_definition(in, Slip::kNone, /*larger=*/false));
  looks("N-FORMULA", "a bin with p[b] = 0 makes the divergence infinite: it adds 0",
        entropy_by_definition(in, Slip::kEmptyIsInfinite));
}

/// Within a few bins; what it looks like is asked only when it is not, for that takes time. Where
/// all of x in one batch gives the right clip, it is growing that went wrong. A clip beyond amax
/// was not compared with it.
inline void look_at_clip(Expect& expect, const Entropy::Arguments& in, float got, float want) {
  const bool is_right = is_near(got, want, some_bins(in));
  if (is_right && !expect.is_hearing()) return;
  suspect_words(expect, in, got, want);
  if (is_right) {
    expect.near("clip", got, want, some_bins(in));
    return;
  }
  const auto& [x, batch_size] = in;
  const Entropy::Arguments once{x, static_cast<std::int32_t>(x.size())};
  if (batch_size < once.b && got <= max_abs(x) &&
      is_near(entropy(once), entropy_by_definition(once), some_bins(once))) {
    expect.suspect("N-REBIN", "clip", got);
  }
  const char* words = nullptr;
  for (const auto& [slip, its_words] : kSlips) {
    if (!(got > 0) || !is_near(got, entropy_by_definition(in, slip), one_ulp())) continue;
    words = words == nullptr ? its_words : "as if p or q were made of other counts";
  }
  if (words != nullptr && got < max_abs(x)) expect.suspect("N-KL", "clip", got, words);
  expect.near("clip", got, want, some_bins(in));
}

}  // namespace nibble::judge::lab_07_calibration
