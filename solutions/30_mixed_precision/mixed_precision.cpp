// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 30. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 30. The contract is in mixed_precision.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 30        (or leave ./nibble watch open)
// NIBBLE-END
#include "mixed_precision.hpp"

namespace nibble {

// NIBBLE-BEGIN-SOLUTION
namespace {

/// How many rows a matrix has: at least one, of finite numbers.
std::size_t rows_of(std::span<const double> matrix, std::int32_t inputs) {
  NIBBLE_EXPECTS(inputs >= 1, inputs);
  const auto n = static_cast<std::size_t>(inputs);
  NIBBLE_EXPECTS(!matrix.empty() && matrix.size() % n == 0, matrix.size());
  for (const double number : matrix) NIBBLE_EXPECTS(std::isfinite(number), number);
  return matrix.size() / n;
}

/// The step of a symmetric grid on which `row` ends; 1 for zeros.
double step_of(std::span<const double> row, std::int32_t qmax) {
  double amax = 0;
  for (const double value : row) amax = std::max(amax, std::fabs(value));
  return amax == 0 ? 1 : amax / qmax;
}

std::int64_t total_bits(const Candidates& candidates, std::span<const std::int32_t> choice) {
  std::int64_t total = 0;
  for (std::size_t l = 0; l < choice.size(); ++l) {
    const auto place = static_cast<std::size_t>(choice[l]);
    total += std::int64_t{candidates.counts[l]} * candidates.bits[place];
  }
  return total;
}

/// The narrowest of all: the budget has to allow that much.
std::vector<std::int32_t> narrowest(const Candidates& candidates, std::int64_t budget_bits) {
  expects_candidates(candidates);
  std::vector<std::int32_t> choice(candidates.counts.size());
  NIBBLE_EXPECTS(total_bits(candidates, choice) <= budget_bits, budget_bits);
  return choice;
}

}  // namespace

// NIBBLE-END
std::vector<double> layer_sensitivity(const Network& net, std::span<const double> x,
                                      std::int32_t num_bits) {
  // NIBBLE-BEGIN-SOLUTION
  expects_network(net);
  rows_of(x, net.sizes[0]);
  NIBBLE_EXPECTS(2 <= num_bits && num_bits <= 8, num_bits);
  const std::vector<double> right = forward(net, x);
  std::vector<double> errors;
  std::size_t first = 0;  // weight of the layer
  for (std::size_t l = 1; l < net.sizes.size(); ++l) {
    const auto inputs = static_cast<std::size_t>(net.sizes[l - 1]);
    const std::size_t behind = first + inputs * static_cast<std::size_t>(net.sizes[l]);
    Network rounded = net;  // anew for each layer: the others are as they were
    for (; first < behind; first += inputs) {
      const auto row = std::span(rounded.weights).subspan(first, inputs);
      const double step = step_of(row, signed_range(num_bits).qmax);
      for (double& weight : row) weight = step * std::nearbyint(weight / step);
    }
    const std::vector<double> got = forward(rounded, x);
    double sum = 0;
    for (std::size_t at = 0; at < got.size(); ++at)
      sum += (got[at] - right[at]) * (got[at] - right[at]);
    errors.push_back(sum / static_cast<double>(got.size()));
  }
  return errors;
  // NIBBLE-STUB: // 1. Refuse.  2. What the network says.  3. Layer by layer: what does it say when the rows
  // NIBBLE-STUB: // of this one alone are rounded?
  // NIBBLE-STUB: NIBBLE_TODO("find out which layer minds");
  // NIBBLE-END
}

std::vector<std::int32_t> choose_bits(const Candidates& candidates, std::int64_t budget_bits) {
  // NIBBLE-BEGIN-SOLUTION
  std::vector<std::int32_t> choice = narrowest(candidates, budget_bits);
  const auto& [bits, counts, errors] = candidates;
  for (std::int64_t left = budget_bits - total_bits(candidates, choice);;) {
    std::size_t best = counts.size();
    std::int64_t best_cost = 0;
    double best_gain = 0;
    for (std::size_t l = 0; l < counts.size(); ++l) {
      const auto c = static_cast<std::size_t>(choice[l]);
      if (c + 1 == bits.size()) continue;
      const std::int64_t cost = std::int64_t{counts[l]} * (bits[c + 1] - bits[c]);
      const double less = errors[l * bits.size() + c] - errors[l * bits.size() + c + 1];
      const double gain = less / static_cast<double>(cost);
      if (cost > left || gain <= best_gain) continue;
      best = l;
      best_cost = cost;
      best_gain = gain;
    }
    if (best == counts.size()) return choice;
    ++choice[best];
    left -= best_cost;
  }
  // NIBBLE-STUB: // 1. Refuse.  2. As long as somebody gains and fits: who gains most for a bit?
  // NIBBLE-STUB: NIBBLE_TODO("spend the budget, step by step");
  // NIBBLE-END
}

std::vector<std::int32_t> best_bits(const Candidates& candidates, std::int64_t budget_bits) {
  // NIBBLE-BEGIN-SOLUTION
  std::vector<std::int32_t> choice = narrowest(candidates, budget_bits), best = choice;
  const std::size_t choices = candidates.bits.size();
  NIBBLE_EXPECTS(choice.size() <= 8, choice.size());
  NIBBLE_EXPECTS(choices <= 4, choices);
  const auto sum_of_errors = [&] {
    double sum = 0;
    for (std::size_t l = 0; l < choice.size(); ++l) {
      sum += candidates.errors[l * choices + static_cast<std::size_t>(choice[l])];
    }
    return sum;
  };
  std::pair least{sum_of_errors(), total_bits(candidates, choice)};
  for (;;) {  // the next choice, as a counter counts: the last layer first
    std::size_t l = choice.size();
    while (l > 0 && choice[l - 1] + 1 == static_cast<std::int32_t>(choices)) choice[--l] = 0;
    if (l == 0) return best;
    ++choice[l - 1];
    const std::pair now{sum_of_errors(), total_bits(candidates, choice)};
    if (now.second > budget_bits || now >= least) continue;
    least = now;
    best = choice;
  }
  // NIBBLE-STUB: // 1. Refuse.  2. There are 4^8 = 65,536 at most: look at each of them.
  // NIBBLE-STUB: NIBBLE_TODO("find the best of all choices");
  // NIBBLE-END
}

std::vector<std::int32_t> split_outliers(std::span<const double> x, std::int32_t inputs,
                                         double threshold) {
  // NIBBLE-BEGIN-SOLUTION
  rows_of(x, inputs);
  NIBBLE_EXPECTS(threshold > 0, threshold);  // false for a NaN, too
  std::vector<std::int32_t> outliers;
  for (std::int32_t i = 0; i < inputs; ++i) {
    bool is_one = false;
    for (std::size_t at = static_cast<std::size_t>(i); at < x.size();
         at += static_cast<std::size_t>(inputs)) {
      is_one = is_one || std::fabs(x[at]) >= threshold;
    }
    if (is_one) outliers.push_back(i);
  }
  return outliers;
  // NIBBLE-STUB: NIBBLE_TODO("find the columns with outliers");
  // NIBBLE-END
}

std::vector<double> matmul_with_outliers(std::span<const double> x, std::span<const double> w,
                                         std::int32_t inputs, double threshold) {
  // NIBBLE-BEGIN-SOLUTION
  const std::size_t samples = rows_of(x, inputs), outputs = rows_of(w, inputs);
  const auto n = static_cast<std::size_t>(inputs);
  std::vector<double> y(samples * outputs), x_rest(x.begin(), x.end()), w_rest(w.begin(), w.end());
  for (const std::int32_t i : split_outliers(x, inputs, threshold)) {
    const auto column = static_cast<std::size_t>(i);
    for (std::size_t at = 0; at < y.size(); ++at) {
      y[at] += x[at / outputs * n + column] * w[at % outputs * n + column];
    }
    // What is 0 widens no scale, and adds nothing below.
    for (std::size_t at = column; at < x.size(); at += n) x_rest[at] = 0;
    for (std::size_t at = column; at < w.size(); at += n) w_rest[at] = 0;
  }
  for (std::size_t at = 0; at < y.size(); ++at) {
    const auto x_row = std::span(x_rest).subspan(at / outputs * n, n);
    const auto w_row = std::span(w_rest).subspan(at % outputs * n, n);
    const double x_scale = step_of(x_row, 127), w_scale = step_of(w_row, 127);
    double sum = 0;  // of whole numbers: exact
    for (std::size_t i = 0; i < n; ++i) {
      sum += std::nearbyint(x_row[i] / x_scale) * std::nearbyint(w_row[i] / w_scale);
    }
    y[at] += x_scale * w_scale * sum;
  }
  return y;
  // NIBBLE-STUB: // 1. Refuse.  2. The outliers as they are.  3. What is left, in eight bits: of which
  // NIBBLE-STUB: // numbers are the scales made?
  // NIBBLE-STUB: NIBBLE_TODO("multiply in two parts");
  // NIBBLE-END
}

Autocast autocast(const Operations& program) {
  // NIBBLE-BEGIN-SOLUTION
  const auto& [kinds, first, second] = program;
  const auto operations = std::ssize(kinds);
  NIBBLE_EXPECTS(std::ssize(first) == operations, first.size());
  NIBBLE_EXPECTS(std::ssize(second) == operations, second.size());
  Autocast plan{std::vector<std::int32_t>(kinds.size()), 0};
  std::vector<bool> is_cast(kinds.size() + 1);  // the input is the last
  for (std::ptrdiff_t op = 0; op < operations; ++op) {
    const auto at = static_cast<std::size_t>(op);
    NIBBLE_EXPECTS(kProduct <= kinds[at] && kinds[at] <= kElementwise, kinds[at]);
    NIBBLE_EXPECTS(kInput <= first[at] && first[at] < op, first[at]);
    NIBBLE_EXPECTS(kNothing <= second[at] && second[at] < op, second[at]);
    const auto is_half = [&](std::int32_t value) {
      return value != kInput && plan.half[static_cast<std::size_t>(value)] == 1;
    };
    const bool reads_half = is_half(first[at]) && (second[at] == kNothing || is_half(second[at]));
    const bool half = kinds[at] == kProduct || (kinds[at] == kElementwise && reads_half);
    plan.half[at] = half ? 1 : 0;
    for (const std::int32_t value : {first[at], second[at]}) {
      if (value == kNothing || is_half(value) == half) continue;
      const std::size_t place = value == kInput ? kinds.size() : static_cast<std::size_t>(value);
      if (!is_cast[place]) ++plan.casts;  // a value has one other type
      is_cast[place] = true;
    }
  }
  return plan;
  // NIBBLE-STUB: // 1. Refuse.  2. In order: the type of an operation, then what it reads in the other type.
  // NIBBLE-STUB: NIBBLE_TODO("choose types, and count the casts");
  // NIBBLE-END
}

}  // namespace nibble
