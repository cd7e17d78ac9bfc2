// Rounds of all formats at one batch, behind something that fills the caches.
#include "formats/timing.hpp"

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>

#include "formats/product.hpp"
#include "formats/statistics.hpp"

namespace nibble::formats {
namespace {

/// Seconds of CPU time of this thread: what a neighbour takes does not count.
double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Something else that fills the caches.
class Flood {
 public:
  explicit Flood(std::size_t bytes) : words_(bytes / sizeof(std::uint64_t), 1) {}
  void pass() { sink_ = std::accumulate(words_.begin(), words_.end(), std::uint64_t{0}); }

 private:
  std::vector<std::uint64_t> words_;
  volatile std::uint64_t sink_ = 0;
};

/// One format at one batch, ready to run.
class Runner {
 public:
  Runner(Isa isa, const PackedWeights& weights, std::span<const float> x, std::size_t batch)
      : isa_(isa), weights_(weights), x_(activations_for(weights.format, x, batch)) {
    y_.resize(batch * weights.n);
  }

  /// Returns seconds. The result is used, so that no compiler leaves the product out.
  double run() {
    const double start = cpu_seconds();
    multiply(isa_, x_, weights_, workspace_, y_);
    const double taken = cpu_seconds() - start;
    sink_ = std::accumulate(y_.begin(), y_.end(), 0.0f);
    return std::max(taken, 1e-9);
  }

  std::span<const float> result() const { return y_; }
  std::size_t bytes() const {
    return bytes_of(weights_) + bytes_of(x_) + y_.size() * sizeof(float);
  }

 private:
  Isa isa_;
  const PackedWeights& weights_;
  Activations x_;
  Workspace workspace_;
  std::vector<float> y_;
  volatile float sink_ = 0;
};

/// Every format in turn, another one first in each round.
void run_rounds(std::span<Runner> runners, Flood& flood, const RoundPlan& plan,
                std::span<TimedFormat> timed) {
  for (std::size_t round = 0; round < plan.warm_up + plan.rounds; ++round) {
    for (std::size_t i = 0; i < runners.size(); ++i) {
      const std::size_t who = (i + round) % runners.size();
      flood.pass();
      const double seconds = runners[who].run();
      if (round >= plan.warm_up) timed[who].seconds.push_back(seconds);
    }
  }
}

/// All formats at one batch.
std::vector<TimedFormat> time_batch(Isa isa, const RoundPlan& plan, std::size_t batch,
                                    std::span<const PackedWeights> weights, Flood& flood) {
  constexpr std::size_t kMostRows = 32;  // of which the error is looked at
  const std::vector<float> x = some_activations(batch, plan.size.k);
  const std::size_t rows = std::min(batch, kMostRows);
  const std::vector<double> right = right_product(x, rows, plan.size);
  std::vector<Runner> runners;
  for (const PackedWeights& each : weights) runners.emplace_back(isa, each, x, batch);
  std::vector<TimedFormat> timed;
  for (std::size_t i = 0; i < runners.size(); ++i) {
    runners[i].run();
    timed.push_back(
        {weights[i].format, batch, {}, runners[i].bytes(), sqnr_db(right, runners[i].result())});
  }
  run_rounds(runners, flood, plan, timed);
  return timed;
}

}  // namespace

std::vector<TimedFormat> time_formats(Isa isa, const RoundPlan& plan) {
  std::vector<PackedWeights> weights;
  for (const NumberFormat format : kEveryNumberFormat) {
    weights.push_back(packed_weights(format, plan.size));
  }
  Flood flood(plan.flushed_bytes);
  std::vector<TimedFormat> all;
  for (const std::size_t batch : plan.batches) {
    for (TimedFormat& each : time_batch(isa, plan, batch, weights, flood)) {
      all.push_back(std::move(each));
    }
  }
  return all;
}

}  // namespace nibble::formats
