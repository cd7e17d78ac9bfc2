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
  kEmptyIsNan
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
      if (p[b] == 0) continue;
      if (q == 0 && slip == Slip::kSkipsEmpty) continue;
      if (q == 0) return std::numeric_limits<double>::infinity();
      sum += p[b] / all * std::log(p[b] / all * inside / q);
    }
  }
  return sum;
}

inline float entropy_by_definition(const Entropy::Arguments& in, Slip slip = Slip::kNone,
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

inline Tolerance some_bins(const Entropy::Arguments& in) { return few_bins(last_width(in)); }

inline const Entropy entropy{{"x", "batch_size"}, {"clip"}};

/// Within a few bins; what it looks like is asked only when it is not, for that takes time. Where
/// all of x in one batch gives the right clip, it is growing that went wrong. amax looks like
/// anything, and a clip beyond it was not compared with it.
inline void look_at_clip(Expect& expect, const Entropy::Arguments& in, float got, float want) {
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

}  // namespace nibble::judge::lab_07_calibration
