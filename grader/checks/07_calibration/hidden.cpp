// Lab 07: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "calibration.hpp"

#include "checks/07_calibration/entropy_clip.hpp"
#include "checks/07_calibration/minmax_observe.hpp"
#include "checks/07_calibration/moving_average_observe.hpp"
#include "checks/07_calibration/mse_clip.hpp"
#include "checks/07_calibration/percentile_clip.hpp"
#include "checks/07_calibration/quantize_dynamic_rows.hpp"
#include "checks/07_calibration/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_07_calibration {
namespace {

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

}  // namespace
}  // namespace nibble::judge::lab_07_calibration
