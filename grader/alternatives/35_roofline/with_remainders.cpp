// Another right solution: bytes by remainders, quartiles by counting, the mean of logarithms as a
// running mean.
#include "roofline.hpp"

#include <map>
#include <set>

namespace nibble {
namespace {

std::int64_t whole_bytes(std::int64_t rows, std::int64_t columns, std::int32_t bits) {
  const std::int64_t all = rows * columns * bits;
  return all % 8 == 0 ? all / 8 : all / 8 + 1;
}

/// The time that at least `parts` quarters of `n` runs did not exceed.
double quarter(const std::map<double, std::size_t>& runs, std::size_t n, std::size_t parts) {
  std::size_t seen = 0;
  for (const auto& [time, count] : runs) {
    seen += count;
    if (4 * seen >= parts * n) return time;
  }
  return runs.rbegin()->first;
}

double running_mean(std::span<const double> x) {
  double mean = 0, count = 0;
  for (const double value : x) mean += (value - mean) / ++count;
  return mean;
}

}  // namespace

Cost product_cost(const Product& p) {
  expects_product(p);
  std::int64_t bytes = whole_bytes(p.m, p.k, p.a_bits) + whole_bytes(p.m, p.n, p.c_bits);
  if (!p.b_cached) bytes += whole_bytes(p.n, p.k, p.b_bits);
  return {p.m * p.n * p.k + p.m * p.n * p.k, bytes};
}

Roof attainable(const Cost& cost, const Machine& machine) {
  expects_machine(machine);
  if (cost.operations < 0 || cost.bytes < 0 || (cost.operations | cost.bytes) == 0) {
    throw std::invalid_argument("nothing to do");
  }
  const double computes = static_cast<double>(cost.operations) / machine.peak;
  const double waits = static_cast<double>(cost.bytes) / machine.bandwidth;
  Roof roof{};
  roof.intensity = cost.bytes == 0
                       ? std::numeric_limits<double>::infinity()
                       : static_cast<double>(cost.operations) / static_cast<double>(cost.bytes);
  roof.ridge = machine.peak / machine.bandwidth;
  roof.memory_bound = roof.intensity < roof.ridge;
  roof.seconds = roof.memory_bound ? waits : computes;
  roof.rate = static_cast<double>(cost.operations) / roof.seconds;
  return roof;
}

Summary summarize(std::span<const double> seconds, std::int32_t warm_up) {
  expects_times(seconds);
  if (warm_up < 0 || warm_up >= std::ssize(seconds)) throw std::invalid_argument("warm_up");
  std::map<double, std::size_t> runs;
  for (std::size_t i = static_cast<std::size_t>(warm_up); i < seconds.size(); ++i) {
    ++runs[seconds[i]];
  }
  const std::size_t n = seconds.size() - static_cast<std::size_t>(warm_up);
  Summary all{};
  all.low = quarter(runs, n, 1);
  all.high = quarter(runs, n, 3);
  all.median = quarter(runs, n, 2);
  if (n % 2 == 0) {  // half of them took no longer: the next one is the other middle
    std::size_t seen = 0;
    for (const auto& [time, count] : runs) {
      seen += count;
      if (seen > n / 2) {
        all.median = all.median / 2 + time / 2;
        break;
      }
    }
  }
  all.spread = all.high / all.median - all.low / all.median;
  return all;
}

Comparison compare_pairs(std::span<const double> ours, std::span<const double> theirs,
                         std::uint64_t seed) {
  expects_times(ours);
  expects_times(theirs);
  if (ours.size() != theirs.size()) throw std::invalid_argument("no pairs");
  std::vector<double> l;
  for (std::size_t i = 0; i < ours.size(); ++i)
    l.push_back(std::log(ours[i]) - std::log(theirs[i]));
  std::multiset<double> draws;
  SplitMix random(seed);
  while (draws.size() < kResamples) {
    std::vector<double> drawn;
    for (std::size_t i = 0; i < l.size(); ++i) {
      drawn.push_back(l[random.below(static_cast<std::uint32_t>(l.size()))]);
    }
    draws.insert(running_mean(drawn));
  }
  Comparison all{std::exp(running_mean(l)), std::exp(*std::next(draws.begin(), kLeftOut)),
                 std::exp(*std::next(draws.rbegin(), kLeftOut)), 0};
  if (all.high < 1) all.verdict = -1;
  if (all.low > 1) all.verdict = 1;
  return all;
}

double tokens_per_second(const Decoder& d, const Machine& machine) {
  expects_machine(machine);
  expects_decoder(d);
  const double a_text = static_cast<double>(d.context) * static_cast<double>(d.cache_bytes);
  const double by_memory =
      machine.bandwidth /
      (static_cast<double>(d.parameters) * d.bits_per_weight / 8 / static_cast<double>(d.batch) +
       a_text);
  return std::min(by_memory, machine.peak / 2 / static_cast<double>(d.parameters));
}

}  // namespace nibble
