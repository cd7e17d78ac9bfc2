// What is different here: tensors are Eigen arrays, a level is a segment of one, and the matrix of
// tokens is quantized as a matrix. The histogram grows bin by bin, as an array that is folded.
#include "calibration.hpp"

#include <Eigen/Core>

namespace nibble {
namespace {

using Floats = Eigen::ArrayXf;
using Doubles = Eigen::ArrayXd;
using Eigen::Index;

Eigen::Map<const Floats> as_array(std::span<const float> x) {
  return {x.data(), static_cast<Index>(x.size())};
}

void require(bool good, const char* what) {
  if (!good) throw std::invalid_argument(what);
}

float amax_of(std::span<const float> x) { return x.empty() ? 0 : as_array(x).abs().maxCoeff(); }

Doubles folded(const Doubles& counts) {
  const Eigen::Map<const Eigen::Array2Xd> pairs(counts.data(), 2, counts.size() / 2);
  Doubles all = Doubles::Zero(counts.size());
  all.head(counts.size() / 2) = pairs.colwise().sum();
  return all;
}

/// The counts that 128 levels can still tell apart.
Doubles levelled(const Doubles& p) {
  const Doubles used = (p > 0).cast<double>();
  Doubles q = used;
  const Index k = p.size();
  for (Index level = 0; level < 128; ++level) {
    const Index begin = (level * k + 127) / 128, size = ((level + 1) * k + 127) / 128 - begin;
    if (const double bins = used.segment(begin, size).sum(); bins > 0) {
      q.segment(begin, size) *= p.segment(begin, size).sum() / bins;
    }
  }
  return q;
}

double kullback_leibler(const Doubles& p, const Doubles& q) {
  const Doubles terms = p * (p / q).log();  // infinite where only q is 0
  return (p > 0).select(terms, 0.0).sum();
}

}  // namespace

RangeObserver minmax_observe(const RangeObserver& before, std::span<const float> batch) {
  if (before.frozen) return before;
  require(
      !before.started || (before.lo <= before.hi && before.lo >= -FLT_MAX && before.hi <= FLT_MAX),
      "no range");
  expects_finite(batch);
  if (batch.empty()) return before;
  RangeObserver after{as_array(batch).minCoeff(), as_array(batch).maxCoeff(), true, false};
  if (before.started) {
    after.lo = std::fmin(after.lo, before.lo);
    after.hi = std::fmax(after.hi, before.hi);
  }
  return after;
}

RangeObserver moving_average_observe(const RangeObserver& before, std::span<const float> batch) {
  minmax_observe(before, batch);  // for what it refuses
  if (before.frozen || batch.empty()) return before;
  const RangeObserver seen = minmax_observe({}, batch);
  if (!before.started) return seen;
  const Eigen::Array2f old(before.lo, before.hi), range(seen.lo, seen.hi);
  const Eigen::Array2f moved = old + 0.01f * (range - old);
  require(moved.allFinite(), "the range has no end");
  return {moved[0], moved.maxCoeff(), true, false};
}

float percentile_clip(std::span<const float> x, std::int32_t per_million) {
  require(per_million > 0 && per_million <= 1'000'000, "per_million");
  expects_finite(x);
  if (x.empty()) return 0;
  Floats sorted = as_array(x).abs();
  std::sort(sorted.begin(), sorted.end());
  const Index n = sorted.size();
  const Index millionths = n % 1'000'000 * per_million;  // n / 1'000'000 whole millions beside it
  const Index rank =
      n / 1'000'000 * per_million + millionths / 1'000'000 + (millionths % 1'000'000 == 0 ? 0 : 1);
  return sorted[rank - 1];
}

float mse_clip(std::span<const float> x, int num_bits) {
  require(num_bits >= 2 && num_bits <= 8, "num_bits");
  expects_finite(x);
  const float amax = amax_of(x);
  if (amax == 0) return 0;
  const auto qmax = static_cast<float>(signed_range(num_bits).qmax);
  Doubles errors(100);
  for (Index k = 100; k > 0; --k) {
    const float scale = std::fmax(amax * (static_cast<float>(k) / 100.0f) / qmax, FLT_MIN);
    const Floats q = (as_array(x) / scale).rint().max(-qmax - 1).min(qmax);
    errors[100 - k] = ((scale * q).cast<double>() - as_array(x).cast<double>()).square().sum();
  }
  Index best = 0;
  errors.minCoeff(&best);  // of equals the first, which is the largest clip
  return amax * (static_cast<float>(100 - best) / 100.0f);
}

float entropy_clip(std::span<const float> x, std::int32_t batch_size) {
  require(batch_size >= 1, "batch_size");
  expects_finite(x);
  Doubles counts = Doubles::Zero(2048);
  double width = 0;
  for (std::span<const float> rest = x; !rest.empty();) {
    const auto batch = rest.first(std::min(rest.size(), static_cast<std::size_t>(batch_size)));
    rest = rest.subspan(batch.size());
    const double amax = amax_of(batch);
    if (width == 0) width = amax / 2048;
    for (; amax > 2048 * width; width *= 2) counts = folded(counts);
    for (const float value : batch) {
      const double edge = value == 0 ? 1 : std::ceil(std::fabs(value) / width);
      counts[static_cast<Index>(edge) - 1] += 1;
    }
  }
  if (width == 0) return 0;
  Doubles divergences(121);
  for (Index s = 0; s <= 120; ++s) {
    const Index k = 2048 - 16 * s;
    Doubles p = counts.head(k);
    const Doubles q = levelled(p) / std::max(p.sum(), 1.0);
    p[k - 1] += counts.tail(2048 - k).sum();
    divergences[s] = kullback_leibler(p / p.sum(), q);
  }
  Index best = 0;
  divergences.minCoeff(&best);
  return static_cast<float>(
      std::min<double>(width * static_cast<double>(2048 - 16 * best), amax_of(x)));
}

DynamicRows quantize_dynamic_rows(std::span<const float> x, std::int32_t columns) {
  require(columns > 0 && x.size() % static_cast<std::size_t>(columns) == 0, "columns");
  expects_finite(x);
  const Index rows = static_cast<Index>(x.size()) / columns;
  using Matrix = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Matrix> tokens(x.data(), rows, columns);
  const Floats amax = tokens.abs().rowwise().maxCoeff();
  const Floats scales = (amax == 0).select(1.0f, (amax / 127.0f).max(FLT_MIN));
  DynamicRows result{std::vector<std::int8_t>(x.size()), {scales.begin(), scales.end()}};
  using Codes = Eigen::Array<std::int8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Codes>(result.q.data(), rows, columns) =
      (tokens.colwise() / scales).rint().cast<std::int8_t>();
  return result;
}

}  // namespace nibble
