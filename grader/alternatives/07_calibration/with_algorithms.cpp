// What is different here: algorithms and running sums instead of loops over loops. The histogram
// does not grow: its last width is known before anything is counted. The percentile is partitioned,
// not sorted.
#include "calibration.hpp"

#include <numeric>

namespace nibble {
namespace {

bool is_finite(const RangeObserver& observer) {
  return std::isfinite(observer.hi - observer.hi + observer.lo);
}

/// Folds with combine(old, new) for each end; all the rest is the same for every observer.
template <class Combine>
RangeObserver observed(RangeObserver observer, std::span<const float> batch, Combine combine) {
  if (observer.frozen) return observer;
  expects_finite(batch);
  if (observer.started && !(is_finite(observer) && observer.lo <= observer.hi)) {
    throw std::invalid_argument("no range to begin with");
  }
  if (!batch.empty()) {
    const auto [least, greatest] = std::minmax_element(batch.begin(), batch.end());
    if (!std::exchange(observer.started, true)) {
      observer.lo = *least;
      observer.hi = *greatest;
    }
    combine(observer.lo, *least, std::ranges::min);
    combine(observer.hi, *greatest, std::ranges::max);
  }
  if (!observer.started) return observer;
  if (!is_finite(observer)) throw std::invalid_argument("the range has no end");
  observer.hi = std::max(observer.lo, observer.hi);
  return observer;
}

float magnitude(float value) { return value < 0 ? -value : value; }

float largest(std::span<const float> x) {
  const auto larger = [](float a, float b) { return a < b ? b : a; };
  return std::transform_reduce(x.begin(), x.end(), 0.0f, larger, magnitude);
}

double error_of(std::span<const float> x, float scale, IntRange range) {
  return std::transform_reduce(x.begin(), x.end(), 0.0, std::plus{}, [=](float value) {
    const float steps =
        std::fmin(std::fmax(std::rint(value / scale), float(range.qmin)), float(range.qmax));
    return std::pow(double{scale * steps} - double{value}, 2);
  });
}

using Counts = std::vector<std::int64_t>;

/// Between the running sums at `from` and `to`.
std::int64_t between(const Counts& running, std::size_t from, std::size_t to) {
  return running[to] - running[from];
}

Counts running_sums(const Counts& counts) {
  Counts running(counts.size() + 1);
  std::inclusive_scan(counts.begin(), counts.end(), running.begin() + 1);
  return running;
}

double divergence_of(const Counts& counts, const Counts& running, const Counts& used,
                     std::size_t k) {
  const double all = static_cast<double>(running.back());
  const double kept = static_cast<double>(running[k]);
  double sum = 0;
  for (std::size_t level = 0; level < 128; ++level) {
    // The bins b with b * 128 / k == level.
    const std::size_t begin = (level * k + 127) / 128, end = ((level + 1) * k + 127) / 128;
    const double share = static_cast<double>(between(running, begin, end)) /
                         static_cast<double>(std::max<std::int64_t>(between(used, begin, end), 1));
    for (std::size_t b = begin; b < end; ++b) {
      const std::int64_t beyond = b + 1 == k ? running.back() - running[k] : 0;
      const double p = static_cast<double>(counts[b] + beyond) / all;
      if (p > 0 && counts[b] == 0) return std::numeric_limits<double>::infinity();
      if (p > 0) sum += p * (std::log(p) - std::log(share / kept));
    }
  }
  return sum;
}

}  // namespace

RangeObserver minmax_observe(const RangeObserver& observer, std::span<const float> batch) {
  return observed(observer, batch,
                  [](float& end, float seen, auto outer) { end = outer(end, seen); });
}

RangeObserver moving_average_observe(const RangeObserver& observer, std::span<const float> batch) {
  return observed(observer, batch,
                  [](float& end, float seen, auto) { end += (seen - end) * 0.01f; });
}

float percentile_clip(std::span<const float> x, std::int32_t per_million) {
  if (per_million < 1 || per_million > 1'000'000) throw std::invalid_argument("per_million");
  expects_finite(x);
  if (x.empty()) return 0;
  std::vector<float> magnitudes(x.size());
  std::ranges::transform(x, magnitudes.begin(), magnitude);
  // How many values lie above: rounded down, where the rank is rounded up.
  const std::int64_t above = std::ssize(x) * (1'000'000 - per_million) / 1'000'000;
  const auto at = magnitudes.begin() + above;
  std::ranges::nth_element(magnitudes, at, std::greater{});
  return *at;
}

float mse_clip(std::span<const float> x, int num_bits) {
  if (num_bits < 2 || num_bits > 8) throw std::invalid_argument("num_bits");
  expects_finite(x);
  const float amax = largest(x);
  std::vector<std::pair<double, float>> tried;  // error, and minus the clip: the least is the best
  for (int k = 1; k <= 100; ++k) {
    const float clip = amax * (float(k) / 100);
    const IntRange range = signed_range(num_bits);
    tried.emplace_back(error_of(x, std::fmax(clip / float(range.qmax), FLT_MIN), range), -clip);
  }
  return -std::ranges::min(tried).second;
}

float entropy_clip(std::span<const float> x, std::int32_t batch_size) {
  if (batch_size < 1) throw std::invalid_argument("batch_size");
  expects_finite(x);
  const float amax = largest(x);
  if (amax == 0) return 0;
  const auto first = std::ranges::find_if(x, [](float value) { return value != 0; }) - x.begin();
  const std::size_t start = std::size_t(first / batch_size) * std::size_t(batch_size);
  const std::size_t size = std::min<std::size_t>(batch_size, x.size() - start);
  double width = largest(x.subspan(start, size)) / 2048.0;
  while (amax > 2048 * width) width += width;

  Counts counts(2048), used(2048);
  for (const float value : x) {
    const auto bin = static_cast<std::int64_t>(std::ceil(magnitude(value) / width)) - 1;
    ++counts[static_cast<std::size_t>(std::max<std::int64_t>(bin, 0))];
  }
  std::ranges::transform(counts, used.begin(), [](std::int64_t count) { return count > 0; });
  const Counts running = running_sums(counts), used_before = running_sums(used);
  std::size_t best = 128;
  std::vector<double> divergences(2049);
  for (std::size_t k = 128; k <= 2048; k += 16) {
    divergences[k] = divergence_of(counts, running, used_before, k);
    if (divergences[k] <= divergences[best]) best = k;
  }
  return static_cast<float>(std::min<double>(static_cast<double>(best) * width, amax));
}

DynamicRows quantize_dynamic_rows(std::span<const float> x, std::int32_t columns) {
  if (columns < 1 || std::ssize(x) % columns != 0) throw std::invalid_argument("columns");
  expects_finite(x);
  DynamicRows rows{{}, std::vector<float>(x.size() / std::size_t(columns), 1.0f)};
  for (std::size_t r = 0; r < rows.scales.size(); ++r) {
    const float amax = largest(x.subspan(r * std::size_t(columns), std::size_t(columns)));
    if (amax > 0) rows.scales[r] = std::fmax(amax / 127, FLT_MIN);
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    rows.q.push_back(std::int8_t(std::lrint(x[i] / rows.scales[i / std::size_t(columns)])));
  }
  return rows;
}

}  // namespace nibble
