// Another right solution: one step of a decoder is a cost below the roof; ranks by nth_element;
// quotients are multiplied, and the root is taken.
#include "roofline.hpp"

namespace nibble {
namespace {

double seconds_of(double operations, double bytes, const Machine& machine) {
  const double computes = operations / machine.peak, waits = bytes / machine.bandwidth;
  return computes > waits ? computes : waits;
}

/// The value of this rank, which counts from 1.
double ranked(std::vector<double>& x, std::size_t rank) {
  const auto at = x.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::ranges::nth_element(x, at);
  return *at;
}

/// The nth root of a product of n factors, one root a factor so that nothing overflows.
double geometric_mean(std::span<const double> factors) {
  double mean = 1;
  for (const double factor : factors)
    mean *= std::pow(factor, 1 / static_cast<double>(factors.size()));
  return mean;
}

}  // namespace

Cost product_cost(const Product& p) {
  expects_product(p);
  const std::int64_t bits[] = {p.m * p.k * p.a_bits, p.b_cached ? 0 : p.k * p.n * p.b_bits,
                               p.m * p.n * p.c_bits};
  Cost cost{p.m * p.n * p.k * 2, 0};
  for (const std::int64_t b : bits) cost.bytes += b / 8 + static_cast<std::int64_t>(b % 8 != 0);
  return cost;
}

Roof attainable(const Cost& cost, const Machine& machine) {
  expects_machine(machine);
  NIBBLE_EXPECTS(std::min(cost.operations, cost.bytes) >= 0, cost.bytes);
  NIBBLE_EXPECTS(std::max(cost.operations, cost.bytes) > 0, cost.bytes);
  const auto operations = static_cast<double>(cost.operations);
  const auto bytes = static_cast<double>(cost.bytes);
  const double ridge = machine.peak / machine.bandwidth;
  const bool waits = operations / bytes < ridge;
  return {operations / bytes, ridge, waits ? operations / bytes * machine.bandwidth : machine.peak,
          seconds_of(operations, bytes, machine), waits};
}

Summary summarize(std::span<const double> seconds, std::int32_t warm_up) {
  expects_times(seconds);
  NIBBLE_EXPECTS(warm_up >= 0, warm_up);
  NIBBLE_EXPECTS(static_cast<std::size_t>(warm_up) < seconds.size(), warm_up);
  std::vector<double> x(seconds.begin() + warm_up, seconds.end());
  const std::size_t n = x.size();
  const double median =
      n % 2 == 1 ? ranked(x, n / 2 + 1) : 0.5 * ranked(x, n / 2) + 0.5 * ranked(x, n / 2 + 1);
  const double low = ranked(x, n / 4 + (n % 4 != 0));
  const double high = ranked(x, n - n / 4);
  return {median, low, high, (high - low) / median};
}

Comparison compare_pairs(std::span<const double> ours, std::span<const double> theirs,
                         std::uint64_t seed) {
  NIBBLE_EXPECTS(ours.size() == theirs.size(), ours.size());
  expects_times(ours);
  expects_times(theirs);
  std::vector<double> ratios(ours.begin(), ours.end());
  for (std::size_t i = 0; i < ratios.size(); ++i) ratios[i] /= theirs[i];
  SplitMix random(seed);
  std::vector<double> draws, drawn(ratios.size());
  for (int r = 0; r < kResamples; ++r) {
    for (double& one : drawn) one = ratios[random.below(static_cast<std::uint32_t>(drawn.size()))];
    draws.push_back(geometric_mean(drawn));
  }
  const double low = ranked(draws, kLeftOut + 1), high = ranked(draws, kResamples - kLeftOut);
  const int verdict = static_cast<int>(low > 1) - static_cast<int>(high < 1);
  return {geometric_mean(ratios), low, high, verdict};
}

double tokens_per_second(const Decoder& decoder, const Machine& machine) {
  expects_decoder(decoder);
  expects_machine(machine);
  const auto [parameters, bits, cache_bytes, context, batch] = decoder;
  const double cache = static_cast<double>(batch) * static_cast<double>(cache_bytes * context);
  const double bytes = static_cast<double>(parameters) / 8 * bits + cache;
  const double operations = 2.0 * static_cast<double>(parameters) * static_cast<double>(batch);
  return static_cast<double>(batch) / seconds_of(operations, bytes, machine);
}

}  // namespace nibble
