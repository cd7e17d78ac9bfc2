// Another right solution: the network run by hand from the rounded layer on, gains compared as
// products, the best choice by recursion from the last layer, casts counted value by value.
#include "mixed_precision.hpp"

#include <map>

namespace nibble {
namespace {

void refuse_unless(bool good) {
  if (!good) throw std::invalid_argument("what the contract forbids");
}

std::size_t counted_rows(std::span<const double> matrix, std::int32_t inputs) {
  refuse_unless(inputs > 0 && !matrix.empty() &&
                matrix.size() % static_cast<std::size_t>(inputs) == 0);
  refuse_unless(std::ranges::all_of(matrix, [](double v) { return std::isfinite(v); }));
  return matrix.size() / static_cast<std::size_t>(inputs);
}

double rounded(double v, double amax, double qmax) {
  return amax > 0 ? std::rint(v / (amax / qmax)) * (amax / qmax) : 0.0;
}

double largest(std::span<const double> row) {
  double most = 0;
  for (const double v : row) most = std::fmax(most, std::fabs(v));
  return most;
}

std::int64_t least_bits(const Candidates& all) {
  expects_candidates(all);
  std::int64_t sum = 0;
  for (const std::int32_t count : all.counts) sum += std::int64_t{count} * all.bits.front();
  return sum;
}

struct Best {
  double error;
  std::int64_t bits;
  std::vector<std::int32_t> choice;
  auto operator<=>(const Best&) const = default;
};

/// The best for the layers from l on; none where the budget does not allow it.
std::vector<Best> best_from(const Candidates& all, std::size_t l, std::int64_t budget) {
  if (budget < 0) return {};
  if (l == all.counts.size()) return {{0, 0, {}}};
  std::vector<Best> found;
  for (std::size_t c = 0; c < all.bits.size(); ++c) {
    const std::int64_t cost = std::int64_t{all.counts[l]} * all.bits[c];
    for (Best rest : best_from(all, l + 1, budget - cost)) {
      rest.error += all.errors[l * all.bits.size() + c];
      rest.bits += cost;
      rest.choice.insert(rest.choice.begin(), static_cast<std::int32_t>(c));
      found.push_back(rest);
    }
  }
  if (found.empty()) return found;
  return {*std::ranges::min_element(found)};
}

}  // namespace

std::vector<double> layer_sensitivity(const Network& net, std::span<const double> x,
                                      std::int32_t num_bits) {
  expects_network(net);
  counted_rows(x, net.sizes.front());
  refuse_unless(num_bits >= 2 && num_bits <= 8);
  const double qmax = std::ldexp(1.0, num_bits - 1) - 1;
  std::vector<double> errors;
  for (std::size_t l = 0, first = 0; l + 1 < net.sizes.size(); ++l) {
    const auto n = static_cast<std::size_t>(net.sizes[l]),
               m = static_cast<std::size_t>(net.sizes[l + 1]);
    Network other = net;
    for (std::size_t at = first; at < first + n * m; ++at) {
      const double amax = largest(std::span(net.weights).subspan(first + (at - first) / n * n, n));
      other.weights[at] = rounded(net.weights[at], amax, qmax);
    }
    first += n * m;
    const std::vector<double> a = forward(net, x), b = forward(other, x);
    double mean = 0, count = 0;
    for (std::size_t at = 0; at < a.size(); ++at) {
      mean += ((a[at] - b[at]) * (a[at] - b[at]) - mean) / ++count;
    }
    errors.push_back(mean);
  }
  return errors;
}

std::vector<std::int32_t> choose_bits(const Candidates& all, std::int64_t budget_bits) {
  std::int64_t left = budget_bits - least_bits(all);
  refuse_unless(left >= 0);
  std::vector<std::int32_t> choice(all.counts.size(), 0);
  for (bool moved = true; moved;) {
    moved = false;
    std::map<double, std::size_t, std::greater<>> by_gain;  // of equal gains the first stays
    std::vector<std::int64_t> price(choice.size());
    for (std::size_t l = 0; l < choice.size(); ++l) {
      const auto c = static_cast<std::size_t>(choice[l]);
      if (c + 1 >= all.bits.size()) continue;
      price[l] = std::int64_t{all.counts[l]} * (all.bits[c + 1] - all.bits[c]);
      const double* const error = &all.errors[l * all.bits.size() + c];
      if (price[l] <= left && error[0] > error[1]) {
        by_gain.emplace((error[0] - error[1]) / static_cast<double>(price[l]), l);
      }
    }
    if (by_gain.empty()) break;
    const std::size_t l = by_gain.begin()->second;
    choice[l] += 1;
    left -= price[l];
    moved = true;
  }
  return choice;
}

std::vector<std::int32_t> best_bits(const Candidates& all, std::int64_t budget_bits) {
  refuse_unless(least_bits(all) <= budget_bits);
  refuse_unless(all.counts.size() <= 8 && all.bits.size() <= 4);
  return best_from(all, 0, budget_bits).front().choice;
}

std::vector<std::int32_t> split_outliers(std::span<const double> x, std::int32_t inputs,
                                         double threshold) {
  counted_rows(x, inputs);
  refuse_unless(threshold > 0);
  std::vector<bool> has(static_cast<std::size_t>(inputs));
  for (std::size_t at = 0; at < x.size(); ++at) {
    if (x[at] >= threshold || x[at] <= -threshold) has[at % has.size()] = true;
  }
  std::vector<std::int32_t> all;
  for (std::size_t i = 0; i < has.size(); ++i) {
    if (has[i]) all.push_back(static_cast<std::int32_t>(i));
  }
  return all;
}

std::vector<double> matmul_with_outliers(std::span<const double> x, std::span<const double> w,
                                         std::int32_t inputs, double threshold) {
  const std::size_t samples = counted_rows(x, inputs), outputs = counted_rows(w, inputs);
  const auto n = static_cast<std::size_t>(inputs);
  std::vector<bool> wide(n);
  for (const std::int32_t i : split_outliers(x, inputs, threshold)) {
    wide[static_cast<std::size_t>(i)] = true;
  }
  const auto largest_narrow = [&](std::span<const double> row) {
    double most = 0;
    for (std::size_t i = 0; i < n; ++i) most = wide[i] ? most : std::fmax(most, std::fabs(row[i]));
    return most > 0 ? most / 127 : 1.0;
  };
  std::vector<double> y;
  for (std::size_t s = 0; s < samples; ++s) {
    for (std::size_t o = 0; o < outputs; ++o) {
      const auto a = x.subspan(s * n, n), b = w.subspan(o * n, n);
      const double a_scale = largest_narrow(a), b_scale = largest_narrow(b);
      double exact = 0;
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (wide[i]) {
          exact += a[i] * b[i];
        } else {
          sum += std::llrint(a[i] / a_scale) * std::llrint(b[i] / b_scale);
        }
      }
      y.push_back(exact + a_scale * (b_scale * static_cast<double>(sum)));
    }
  }
  return y;
}

Autocast autocast(const Operations& program) {
  const auto count = static_cast<std::int32_t>(program.kinds.size());
  refuse_unless(std::ssize(program.first) == count && std::ssize(program.second) == count);
  const auto at = [](const std::vector<std::int32_t>& list, std::int32_t i) {
    return list[static_cast<std::size_t>(i)];
  };
  Autocast plan{std::vector<std::int32_t>(program.kinds.size(), 0), 0};
  const auto type = [&](std::int32_t value) { return value == kInput ? 0 : at(plan.half, value); };
  for (std::int32_t op = 0; op < count; ++op) {
    const std::int32_t kind = at(program.kinds, op), a = at(program.first, op),
                       b = at(program.second, op);
    refuse_unless(kind >= 0 && kind <= 2 && a >= kInput && a < op && b >= kNothing && b < op);
    const std::int32_t both = b == kNothing ? type(a) : type(a) & type(b);
    plan.half[static_cast<std::size_t>(op)] = kind == kProduct ? 1 : kind == kReduction ? 0 : both;
  }
  for (std::int32_t value = kInput; value < count; ++value) {
    bool read_otherwise = false;
    for (std::int32_t op = 0; op < count; ++op) {
      const bool reads = at(program.first, op) == value || at(program.second, op) == value;
      read_otherwise = read_otherwise || (reads && at(plan.half, op) != type(value));
    }
    plan.casts += read_otherwise ? 1 : 0;
  }
  return plan;
}

}  // namespace nibble
