// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 35. Written to be read: the formulas, and a word on each trap.
// NIBBLE-STUB: // Lab 35. The contract is in roofline.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 35        (or leave ./nibble watch open)
// NIBBLE-END
#include "roofline.hpp"

namespace nibble {

// NIBBLE-BEGIN-SOLUTION
namespace {

/// Whole bytes: the last may be used in part.
std::int64_t bytes_of(std::int64_t elements, std::int32_t bits) {
  return (elements * bits + 7) / 8;
}

}  // namespace

// NIBBLE-END
Cost product_cost(const Product& product) {
  // NIBBLE-BEGIN-SOLUTION
  expects_product(product);
  const auto [m, n, k, a_bits, b_bits, c_bits, b_cached] = product;
  const std::int64_t operations = 2 * m * n * k;
  const std::int64_t b_bytes = b_cached ? 0 : bytes_of(k * n, b_bits);
  return {operations, bytes_of(m * k, a_bits) + b_bytes + bytes_of(m * n, c_bits)};
  // NIBBLE-STUB: // 1. Refuse.  2. Count operations.  3. Count whole bytes, matrix by matrix.
  // NIBBLE-STUB: NIBBLE_TODO("count the operations and the bytes of a product");
  // NIBBLE-END
}

Roof attainable(const Cost& cost, const Machine& machine) {
  // NIBBLE-BEGIN-SOLUTION
  expects_machine(machine);
  NIBBLE_EXPECTS(cost.operations >= 0, cost.operations);
  NIBBLE_EXPECTS(cost.bytes >= 0, cost.bytes);
  NIBBLE_EXPECTS(cost.operations > 0 || cost.bytes > 0, cost.bytes);
  const auto operations = static_cast<double>(cost.operations);
  const auto bytes = static_cast<double>(cost.bytes);
  const double intensity = operations / bytes;  // infinite without bytes, as it should be
  const double ridge = machine.peak / machine.bandwidth;
  const double rate = std::min(machine.peak, intensity * machine.bandwidth);
  const double seconds = std::max(operations / machine.peak, bytes / machine.bandwidth);
  return {intensity, ridge, rate, seconds, intensity < ridge};
  // NIBBLE-STUB: // 1. Refuse.  2. The two slopes.  3. The lower of two roofs.
  // NIBBLE-STUB: NIBBLE_TODO("find the place below the roof");
  // NIBBLE-END
}

Summary summarize(std::span<const double> seconds, std::int32_t warm_up) {
  // NIBBLE-BEGIN-SOLUTION
  expects_times(seconds);
  NIBBLE_EXPECTS(0 <= warm_up && warm_up < std::ssize(seconds), warm_up);
  const auto warm = seconds.subspan(static_cast<std::size_t>(warm_up));
  std::vector<double> t(warm.begin(), warm.end());
  std::ranges::sort(t);
  const std::size_t n = t.size();
  const double median = (t[(n - 1) / 2] + t[n / 2]) / 2;  // one and the same where n is odd
  const double low = t[(n + 3) / 4 - 1];
  const double high = t[(3 * n + 3) / 4 - 1];
  return {median, low, high, (high - low) / median};
  // NIBBLE-STUB: // 1. Refuse.  2. Cut the warm-up.  3. Sort.  4. A rank counts from 1.
  // NIBBLE-STUB: NIBBLE_TODO("summarize the times");
  // NIBBLE-END
}

Comparison compare_pairs(std::span<const double> ours, std::span<const double> theirs,
                         std::uint64_t seed) {
  // NIBBLE-BEGIN-SOLUTION
  expects_times(ours);
  expects_times(theirs);
  NIBBLE_EXPECTS(ours.size() == theirs.size(), theirs.size());
  const std::size_t n = ours.size();
  std::vector<double> l(n);
  for (std::size_t i = 0; i < n; ++i) l[i] = std::log(ours[i] / theirs[i]);
  const double all = std::accumulate(l.begin(), l.end(), 0.0);

  SplitMix random(seed);
  std::vector<double> draws(kResamples);
  for (double& draw : draws) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += l[random.below(static_cast<std::uint32_t>(n))];
    draw = sum / static_cast<double>(n);
  }
  std::ranges::sort(draws);
  const double low = std::exp(draws[kLeftOut]);
  const double high = std::exp(draws[kResamples - 1 - kLeftOut]);
  const double ratio = std::exp(all / static_cast<double>(n));
  return {ratio, low, high, high < 1 ? -1 : low > 1 ? 1 : 0};
  // NIBBLE-STUB: // 1. Refuse.  2. The logarithm of each quotient.  3. Draw, sort, cut both ends.
  // NIBBLE-STUB: NIBBLE_TODO("compare the pairs");
  // NIBBLE-END
}

double tokens_per_second(const Decoder& decoder, const Machine& machine) {
  // NIBBLE-BEGIN-SOLUTION
  expects_decoder(decoder);
  expects_machine(machine);
  const auto batch = static_cast<double>(decoder.batch);
  const auto parameters = static_cast<double>(decoder.parameters);
  const double weights = parameters * decoder.bits_per_weight / 8;
  const double cache = static_cast<double>(decoder.context) *
                       static_cast<double>(decoder.cache_bytes) * batch;  // each text has its own
  const double waits = (weights + cache) / machine.bandwidth;
  const double computes = 2 * parameters * batch / machine.peak;
  return batch / std::max(waits, computes);
  // NIBBLE-STUB: // 1. Refuse.  2. What does one step read?  3. Which roof is the lower one?
  // NIBBLE-STUB: NIBBLE_TODO("count the tokens of a second");
  // NIBBLE-END
}

}  // namespace nibble
