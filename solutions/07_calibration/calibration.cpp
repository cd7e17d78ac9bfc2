// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 07. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 07. The contract is in calibration.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 07        (or leave ./nibble watch open)
// NIBBLE-END
#include "calibration.hpp"

namespace nibble {

// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kBins = 2048, kLevels = 128, kStep = 16;

void check(const RangeObserver& observer, std::span<const float> batch) {
  expects_finite(batch);
  if (!observer.started) return;  // what lo and hi hold means nothing yet
  NIBBLE_EXPECTS(std::isfinite(observer.lo), observer.lo);
  NIBBLE_EXPECTS(std::isfinite(observer.hi), observer.hi);
  NIBBLE_EXPECTS(observer.lo <= observer.hi, observer.lo);
}

float max_magnitude(std::span<const float> x) {
  float amax = 0.0f;
  for (const float value : x) amax = std::max(amax, std::fabs(value));
  return amax;
}

}  // namespace

// NIBBLE-END
RangeObserver minmax_observe(const RangeObserver& observer, std::span<const float> batch) {
  // NIBBLE-BEGIN-SOLUTION
  if (observer.frozen) return observer;
  check(observer, batch);
  if (batch.empty()) return observer;
  const auto [least, greatest] = std::ranges::minmax(batch);
  // The first range is that of its batch: beginning with [0, 0] would add a 0 that nobody saw.
  if (!observer.started) return {least, greatest, true, false};
  return {std::min(observer.lo, least), std::max(observer.hi, greatest), true, false};
  // NIBBLE-STUB: // 1. When is the observer returned as it is?  2. Refuse.
  // NIBBLE-STUB: // 3. The first batch, and the others.
  // NIBBLE-STUB: NIBBLE_TODO("fold the batch into the range");
  // NIBBLE-END
}

RangeObserver moving_average_observe(const RangeObserver& observer, std::span<const float> batch) {
  // NIBBLE-BEGIN-SOLUTION
  // A frozen observer, an empty batch and the first one are the same for both.
  if (observer.frozen || batch.empty() || !observer.started) return minmax_observe(observer, batch);
  check(observer, batch);
  const auto [least, greatest] = std::ranges::minmax(batch);
  const float lo = observer.lo + 0.01f * (least - observer.lo);
  const float hi = observer.hi + 0.01f * (greatest - observer.hi);
  // A difference of huge values can be infinite, and would stay so.
  NIBBLE_EXPECTS(std::isfinite(lo), lo);
  NIBBLE_EXPECTS(std::isfinite(hi), hi);
  // Each end is rounded by itself: neighbours may pass each other.
  return {lo, std::max(lo, hi), true, false};
  // NIBBLE-STUB: // The range of this batch, and then one step in a hundred towards it.
  // NIBBLE-STUB: NIBBLE_TODO("move the range towards that of the batch");
  // NIBBLE-END
}

float percentile_clip(std::span<const float> x, std::int32_t per_million) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(1 <= per_million && per_million <= 1'000'000, per_million);
  expects_finite(x);  // a NaN has no place in an order
  if (x.empty()) return 0.0f;

  std::vector<float> sorted;
  for (const float value : x) sorted.push_back(std::fabs(value));
  std::ranges::sort(sorted);
  // 64 bits: 2,148 values times a million leave 32.
  const std::uint64_t parts = std::uint64_t{x.size()} * static_cast<std::uint64_t>(per_million);
  const std::uint64_t rank = (parts + 999'999) / 1'000'000;  // rounded up
  return sorted[rank - 1];
  // NIBBLE-STUB: // 1. Refuse.  2. Sort what?  3. Which rank, counted from 1, in which type?
  // NIBBLE-STUB: NIBBLE_TODO("find the order statistic");
  // NIBBLE-END
}

// NIBBLE-BEGIN-SOLUTION
namespace {

double squared_error(std::span<const float> x, float clip, int num_bits) {
  const auto [qmin, qmax] = signed_range(num_bits);
  const float scale = std::max(clip / static_cast<float>(qmax), FLT_MIN);
  double error = 0.0;
  for (const float value : x) {
    const float q = std::clamp(std::nearbyint(value / scale), static_cast<float>(qmin),
                               static_cast<float>(qmax));
    const double off = static_cast<double>(scale * q) - static_cast<double>(value);
    error += off * off;
  }
  return error;
}

}  // namespace

// NIBBLE-END
float mse_clip(std::span<const float> x, int num_bits) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(2 <= num_bits && num_bits <= 8, num_bits);
  expects_finite(x);
  const float amax = max_magnitude(x);
  float best = amax;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 100; k >= 1; --k) {  // downwards: of equals the first one seen stays, the larger
    const float clip = amax * (static_cast<float>(k) / 100.0f);
    const double error = squared_error(x, clip, num_bits);
    if (error >= least) continue;
    least = error;
    best = clip;
  }
  return best;
  // NIBBLE-STUB: // A hundred clips, an error for each. In which order do you try them?
  // NIBBLE-STUB: NIBBLE_TODO("find the clip with the least squared error");
  // NIBBLE-END
}

// NIBBLE-BEGIN-SOLUTION
namespace {

struct Histogram {
  std::vector<double> counts = std::vector<double>(kBins);
  double width = 0.0;  // 0 until something other than 0 was seen: all that came is in bin 0
};

void join_pairs(Histogram& histogram) {
  auto& counts = histogram.counts;
  for (std::size_t b = 0; b < kBins / 2; ++b) counts[b] = counts[2 * b] + counts[2 * b + 1];
  std::fill(counts.begin() + kBins / 2, counts.end(), 0.0);
  histogram.width *= 2.0;
}

void count(Histogram& histogram, std::span<const float> batch) {
  const double amax = max_magnitude(batch);
  if (histogram.width == 0.0) histogram.width = amax / kBins;
  while (amax > kBins * histogram.width) join_pairs(histogram);
  for (const float value : batch) {
    if (value == 0.0f) {
      histogram.counts[0] += 1.0;
      continue;
    }
    const double bins = std::ceil(std::fabs(value) / histogram.width);  // 1 ... 2048
    histogram.counts[static_cast<std::size_t>(bins) - 1] += 1.0;
  }
}

/// What is left of the first k bins when 128 levels have to do: a level keeps its sum, and shares
/// it out among those of its bins that hold anything.
std::vector<double> as_levels(std::span<const double> counts) {
  const std::size_t k = counts.size();
  std::array<double, kLevels> sum{}, used{};
  for (std::size_t b = 0; b < k; ++b) {
    sum[b * kLevels / k] += counts[b];
    used[b * kLevels / k] += counts[b] > 0.0 ? 1.0 : 0.0;
  }
  std::vector<double> q(k);
  for (std::size_t b = 0; b < k; ++b) {
    const std::size_t level = b * kLevels / k;
    if (counts[b] > 0.0) q[b] = sum[level] / used[level];
  }
  return q;
}

double divergence(std::span<const double> counts, std::size_t k) {
  std::vector<double> p(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(k));
  const std::vector<double> q = as_levels(p);  // of the bins alone: nothing was clipped into them
  const double inside = std::accumulate(p.begin(), p.end(), 0.0);
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  p.back() += all - inside;

  double sum = 0.0;
  for (std::size_t b = 0; b < k; ++b) {
    if (p[b] == 0.0) continue;  // 0 ln 0 is 0, and NaN for a computer
    if (q[b] == 0.0) return std::numeric_limits<double>::infinity();
    sum += p[b] / all * std::log((p[b] / all) / (q[b] / inside));
  }
  return sum;
}

}  // namespace

// NIBBLE-END
float entropy_clip(std::span<const float> x, std::int32_t batch_size) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(batch_size >= 1, batch_size);
  expects_finite(x);
  Histogram histogram;
  for (std::size_t at = 0; at < x.size(); at += static_cast<std::size_t>(batch_size)) {
    const std::size_t left = x.size() - at;
    count(histogram, x.subspan(at, std::min(left, static_cast<std::size_t>(batch_size))));
  }
  if (histogram.width == 0.0) return 0.0f;  // nothing but zeros

  std::size_t best = kBins;
  double least = divergence(histogram.counts, kBins);
  for (std::size_t k = kBins - kStep; k >= kLevels; k -= kStep) {
    const double now = divergence(histogram.counts, k);
    if (now >= least) continue;
    least = now;
    best = k;
  }
  const double clip = static_cast<double>(best) * histogram.width;
  return static_cast<float>(std::min(clip, static_cast<double>(max_magnitude(x))));
  // NIBBLE-STUB: // 1. Count batch by batch; helpers of your own go above this function.
  // NIBBLE-STUB: // 2. A divergence for each k: which bins add nothing, which too much?  3. Choose.
  // NIBBLE-STUB: NIBBLE_TODO("find the clip with the least divergence");
  // NIBBLE-END
}

DynamicRows quantize_dynamic_rows(std::span<const float> x, std::int32_t columns) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(columns >= 1, columns);
  const std::size_t width = static_cast<std::size_t>(columns);
  NIBBLE_EXPECTS(x.size() % width == 0, x.size());
  expects_finite(x);

  DynamicRows rows;
  for (std::size_t start = 0; start < x.size(); start += width) {
    const std::span<const float> row = x.subspan(start, width);
    const float amax = max_magnitude(row);
    const float scale = amax == 0.0f ? 1.0f : std::max(amax / 127.0f, FLT_MIN);
    rows.scales.push_back(scale);
    for (const float value : row) {  // no clamp: the range is the row's own
      rows.q.push_back(static_cast<std::int8_t>(std::nearbyint(value / scale)));
    }
  }
  return rows;
  // NIBBLE-STUB: // Row by row: where does one begin, and what of the row before may it see?
  // NIBBLE-STUB: NIBBLE_TODO("quantize each row with a scale of its own");
  // NIBBLE-END
}

}  // namespace nibble
