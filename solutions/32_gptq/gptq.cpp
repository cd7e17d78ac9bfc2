// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 32. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 32. The contract is in gptq.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 32        (or leave ./nibble watch open)
// NIBBLE-END
#include "gptq.hpp"

namespace nibble {

// NIBBLE-BEGIN-SOLUTION
namespace {

void expects_all_finite(std::span<const double> numbers) {
  for (const double number : numbers) NIBBLE_EXPECTS(std::isfinite(number), number);
}

/// How many rows a matrix has: at least one, of finite numbers.
std::size_t rows_of(std::span<const double> matrix, std::int32_t inputs) {
  NIBBLE_EXPECTS(inputs >= 1, inputs);
  const auto n = static_cast<std::size_t>(inputs);
  NIBBLE_EXPECTS(!matrix.empty() && matrix.size() % n == 0, matrix.size());
  expects_all_finite(matrix);
  return matrix.size() / n;
}

/// The side of a square matrix of finite numbers.
std::size_t side_of(std::span<const double> h, std::int32_t inputs) {
  NIBBLE_EXPECTS(rows_of(h, inputs) == static_cast<std::size_t>(inputs), h.size());
  return static_cast<std::size_t>(inputs);
}

bool is_dead(std::span<const double> x, std::size_t n, std::size_t i) {
  for (std::size_t at = i; at < x.size(); at += n) {
    if (x[at] != 0) return false;
  }
  return true;
}

}  // namespace

// NIBBLE-END
std::vector<double> input_hessian(std::span<const double> x, std::int32_t inputs, double damping) {
  // NIBBLE-BEGIN-SOLUTION
  const std::size_t samples = rows_of(x, inputs), n = static_cast<std::size_t>(inputs);
  NIBBLE_EXPECTS(0 <= damping && damping <= 1, damping);
  std::vector<double> h(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t s = 0; s < samples; ++s) sum += x[s * n + i] * x[s * n + j];
      h[i * n + j] = 2 * sum;
    }
    if (is_dead(x, n, i)) h[i * n + i] = 1;
  }
  double trace = 0;  // before anything is added to it
  for (std::size_t i = 0; i < n; ++i) trace += h[i * n + i];
  for (std::size_t i = 0; i < n; ++i) h[i * n + i] += damping * trace / static_cast<double>(n);
  return h;
  // NIBBLE-STUB: // 1. Refuse.  2. Sums of products over the samples.  3. Dead inputs.  4. The diagonal.
  // NIBBLE-STUB: NIBBLE_TODO("find out what an error costs");
  // NIBBLE-END
}

std::vector<double> inverse_cholesky(std::span<const double> h, std::int32_t inputs) {
  // NIBBLE-BEGIN-SOLUTION
  const std::size_t n = side_of(h, inputs);
  // u' u = 1 / h  is  h = m m'  with m = 1 / u, which is upper as well. Of m, its last column alone
  // is in the last column of h, so that m is found from the last column to the first.
  std::vector<double> m(n * n), u(n * n);
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t i = j + 1; i-- > 0;) {
      double rest = h[i * n + j];
      for (std::size_t k = j + 1; k < n; ++k) rest -= m[i * n + k] * m[j * n + k];
      if (i == j) NIBBLE_EXPECTS(rest > 0, rest);  // or h is not positive definite
      m[i * n + j] = i == j ? std::sqrt(rest) : rest / m[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    u[i * n + i] = 1 / m[i * n + i];
    for (std::size_t j = i + 1; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = i; k < j; ++k) sum += u[i * n + k] * m[k * n + j];
      u[i * n + j] = -sum / m[j * n + j];
    }
  }
  return u;
  // NIBBLE-STUB: // 1. Refuse.  2. There are two ways: invert h and take the factor of that, or take a
  // NIBBLE-STUB: // factor of h and invert that. What is below 0, and must not get a root?
  // NIBBLE-STUB: NIBBLE_TODO("factor the inverse");
  // NIBBLE-END
}

QuantizedRow gptq_row(std::span<const double> w, std::span<const double> u, std::int32_t num_bits,
                      std::int32_t group_size) {
  // NIBBLE-BEGIN-SOLUTION
  const std::size_t n = w.size();
  NIBBLE_EXPECTS(n >= 1 && u.size() == n * n, u.size());
  NIBBLE_EXPECTS(2 <= num_bits && num_bits <= 8, num_bits);
  NIBBLE_EXPECTS(group_size >= 1, group_size);
  expects_all_finite(w);
  expects_all_finite(u);
  const auto [qmin, qmax] = signed_range(num_bits);
  const auto each = static_cast<std::size_t>(group_size);

  QuantizedRow row{std::vector<std::int8_t>(n), {}};
  std::vector<double> now(w.begin(), w.end());
  for (std::size_t i = 0; i < n; ++i) {
    NIBBLE_EXPECTS(u[i * n + i] > 0, u[i * n + i]);
    if (i % each == 0) {  // not before: errors of the groups in front are in `now`
      double amax = 0;
      for (std::size_t p = i; p < n && p < i + each; ++p) amax = std::max(amax, std::fabs(now[p]));
      row.scales.push_back(amax == 0 ? 1 : std::max(amax / qmax, DBL_MIN));
    }
    const double scale = row.scales.back();
    const double code = std::clamp<double>(std::nearbyint(now[i] / scale), qmin, qmax);
    row.q[i] = static_cast<std::int8_t>(code);
    const double error = (now[i] - scale * code) / u[i * n + i];
    for (std::size_t p = i + 1; p < n; ++p) now[p] -= error * u[i * n + p];
  }
  return row;
  // NIBBLE-STUB: // 1. Refuse.  2. A copy that changes.  3. Weight by weight: a scale where a group begins,
  // NIBBLE-STUB: // a code, an error, and the weights behind.
  // NIBBLE-STUB: NIBBLE_TODO("quantize a row, and hand the errors on");
  // NIBBLE-END
}

std::vector<std::int32_t> activation_order(std::span<const double> h, std::int32_t inputs) {
  // NIBBLE-BEGIN-SOLUTION
  const std::size_t n = side_of(h, inputs);
  std::vector<std::int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  const auto cost = [&](std::int32_t i) { return h[static_cast<std::size_t>(i) * (n + 1)]; };
  std::ranges::stable_sort(order, std::greater{}, cost);  // stable: equal ones stay as they stand
  return order;
  // NIBBLE-STUB: NIBBLE_TODO("the largest first");
  // NIBBLE-END
}

GptqMatrix gptq_quantize(std::span<const double> w, std::span<const double> x, std::int32_t inputs,
                         const GptqOptions& options) {
  // NIBBLE-BEGIN-SOLUTION
  const std::size_t outputs = rows_of(w, inputs), n = static_cast<std::size_t>(inputs);
  const std::vector<double> h = input_hessian(x, inputs, options.damping);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options.by_activation) std::ranges::copy(activation_order(h, inputs), order.begin());

  std::vector<double> moved(n * n), row(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t l = 0; l < n; ++l) moved[k * n + l] = h[order[k] * n + order[l]];
  }
  const std::vector<double> u = inverse_cholesky(moved, inputs);

  GptqMatrix matrix{std::vector<std::int8_t>(w.size()), {}, std::vector<std::int32_t>(n)};
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t k = 0; k < n; ++k) {
      row[k] = is_dead(x, n, order[k]) ? 0 : w[o * n + order[k]];  // it would widen a scale
    }
    const QuantizedRow done = gptq_row(row, u, options.num_bits, options.group_size);
    matrix.scales.insert(matrix.scales.end(), done.scales.begin(), done.scales.end());
    for (std::size_t k = 0; k < n; ++k) matrix.q[o * n + order[k]] = done.q[k];
  }
  for (std::size_t k = 0; k < n; ++k) {
    matrix.group[order[k]] =
        static_cast<std::int32_t>(k / static_cast<std::size_t>(options.group_size));
  }
  return matrix;
  // NIBBLE-STUB: // All pieces are there. Which of them see the columns in another order, and which numbers
  // NIBBLE-STUB: // have to find the way back?
  // NIBBLE-STUB: NIBBLE_TODO("quantize the layer");
  // NIBBLE-END
}

double layer_error(std::span<const double> w, std::span<const double> w_hat,
                   std::span<const double> x, std::int32_t inputs) {
  // NIBBLE-BEGIN-SOLUTION
  const std::size_t outputs = rows_of(w, inputs), samples = rows_of(x, inputs);
  NIBBLE_EXPECTS(rows_of(w_hat, inputs) == outputs, w_hat.size());
  const auto n = static_cast<std::size_t>(inputs);
  double sum = 0;
  for (std::size_t s = 0; s < samples; ++s) {
    for (std::size_t o = 0; o < outputs; ++o) {
      double off = 0;
      for (std::size_t i = 0; i < n; ++i) off += x[s * n + i] * (w[o * n + i] - w_hat[o * n + i]);
      sum += off * off;
    }
  }
  return sum / static_cast<double>(samples * outputs);
  // NIBBLE-STUB: // Which sum is squared, the one over inputs, or each of its terms?
  // NIBBLE-STUB: NIBBLE_TODO("how far the outputs are off");
  // NIBBLE-END
}

}  // namespace nibble
