// Another right solution: h one sample at a time, the factor as the paper's code has it, errors
// collected and handed on sixteen columns at a time, and an error of the layer that never
// multiplies x again.
#include "gptq.hpp"

#include <optional>

namespace nibble {
namespace {

struct Square {
  explicit Square(std::size_t side) : n(side), at(side * side) {}
  double& operator()(std::size_t i, std::size_t j) { return at[i * n + j]; }
  double operator()(std::size_t i, std::size_t j) const { return at[i * n + j]; }

  std::size_t n;
  std::vector<double> at;
};

void refuse_unless(bool good) {
  if (!good) throw std::invalid_argument("what the contract forbids");
}

std::size_t counted_rows(std::span<const double> matrix, std::int32_t inputs) {
  refuse_unless(inputs > 0 && !matrix.empty() &&
                matrix.size() % static_cast<std::size_t>(inputs) == 0);
  refuse_unless(std::ranges::all_of(matrix, [](double v) { return std::isfinite(v); }));
  return matrix.size() / static_cast<std::size_t>(inputs);
}

Square square_of(std::span<const double> h, std::int32_t inputs) {
  refuse_unless(counted_rows(h, inputs) == static_cast<std::size_t>(inputs));
  Square square(static_cast<std::size_t>(inputs));
  std::ranges::copy(h, square.at.begin());
  return square;
}

/// The lower factor, l * l' = a; none where a is not positive definite.
std::optional<Square> cholesky(const Square& a) {
  Square l(a.n);
  for (std::size_t i = 0; i < a.n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = a(i, j);
      for (std::size_t k = 0; k < j; ++k) rest -= l(i, k) * l(j, k);
      if (i == j && !(rest > 0)) return std::nullopt;
      l(i, j) = i == j ? std::sqrt(rest) : rest / l(j, j);
    }
  }
  return l;
}

/// From l * l': column by column, forwards and then backwards.
Square inverse_from(const Square& l) {
  Square inverse(l.n);
  std::vector<double> y(l.n);
  for (std::size_t c = 0; c < l.n; ++c) {
    for (std::size_t i = 0; i < l.n; ++i) {
      double rest = i == c ? 1 : 0;
      for (std::size_t k = 0; k < i; ++k) rest -= l(i, k) * y[k];
      y[i] = rest / l(i, i);
    }
    for (std::size_t i = l.n; i-- > 0;) {
      double rest = y[i];
      for (std::size_t k = i + 1; k < l.n; ++k) rest -= l(k, i) * inverse(k, c);
      inverse(i, c) = rest / l(i, i);
    }
  }
  return inverse;
}

Square products_of(std::span<const double> x, std::size_t n) {
  Square all(n);
  for (std::size_t first = 0; first < x.size(); first += n) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) all(i, j) += x[first + i] * x[first + j];
    }
  }
  return all;
}

}  // namespace

std::vector<double> input_hessian(std::span<const double> x, std::int32_t inputs, double damping) {
  counted_rows(x, inputs);
  refuse_unless(0 <= damping && damping <= 1);
  const auto n = static_cast<std::size_t>(inputs);
  Square h = products_of(x, n);
  double mean = 0;
  for (double& value : h.at) value *= 2;
  for (std::size_t i = 0; i < n; ++i) {
    if (h(i, i) == 0) h(i, i) = 1;
    mean += h(i, i) / static_cast<double>(n);
  }
  for (std::size_t i = 0; i < n; ++i) h(i, i) += damping * mean;
  return h.at;
}

std::vector<double> inverse_cholesky(std::span<const double> h, std::int32_t inputs) {
  const std::optional<Square> factor = cholesky(square_of(h, inputs));
  refuse_unless(factor.has_value());
  const std::optional<Square> lower = cholesky(inverse_from(*factor));
  refuse_unless(lower.has_value());
  Square u(lower->n);
  for (std::size_t i = 0; i < u.n; ++i) {
    for (std::size_t j = i; j < u.n; ++j) u(i, j) = (*lower)(j, i);
  }
  return u.at;
}

QuantizedRow gptq_row(std::span<const double> w, std::span<const double> u, std::int32_t num_bits,
                      std::int32_t group_size) {
  constexpr std::size_t kBlock = 16;
  const Square factor = square_of(u, static_cast<std::int32_t>(w.size()));
  counted_rows(w, static_cast<std::int32_t>(w.size()));
  refuse_unless(num_bits >= 2 && num_bits <= 8 && group_size > 0);
  const std::size_t n = w.size(), each = static_cast<std::size_t>(group_size);
  for (std::size_t i = 0; i < n; ++i) refuse_unless(factor(i, i) > 0);
  const double qmax = std::ldexp(1.0, num_bits - 1) - 1;

  QuantizedRow row;
  std::vector<double> errors;  // those that columns have not heard of yet begin at `told`
  std::vector<double> now(w.begin(), w.end());
  std::size_t told = 0;
  const auto tell_all = [&] {
    for (; told < errors.size(); ++told) {
      for (std::size_t p = errors.size(); p < n; ++p) now[p] -= errors[told] * factor(told, p);
    }
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (i % each == 0 || i % kBlock == 0) tell_all();
    if (i % each == 0) {
      double amax = 0;
      for (std::size_t p = i; p < std::min(n, i + each); ++p)
        amax = std::fmax(amax, std::fabs(now[p]));
      row.scales.push_back(amax > 0 ? std::fmax(amax / qmax, DBL_MIN) : 1.0);
    }
    double value = now[i];
    for (std::size_t k = told; k < i; ++k) value -= errors[k] * factor(k, i);
    const double scale = row.scales.back();
    const double code = std::fmin(std::fmax(std::rint(value / scale), -qmax - 1), qmax);
    row.q.push_back(static_cast<std::int8_t>(code));
    errors.push_back((value - code * scale) / factor(i, i));
  }
  return row;
}

std::vector<std::int32_t> activation_order(std::span<const double> h, std::int32_t inputs) {
  const Square costs = square_of(h, inputs);
  std::vector<std::int32_t> order;
  for (std::int32_t i = 0; i < inputs; ++i) {
    const auto costs_less = [&](std::int32_t other) {
      const auto a = static_cast<std::size_t>(other), b = static_cast<std::size_t>(i);
      return costs(a, a) < costs(b, b);
    };
    order.insert(std::ranges::find_if(order, costs_less), i);
  }
  return order;
}

GptqMatrix gptq_quantize(std::span<const double> w, std::span<const double> x, std::int32_t inputs,
                         const GptqOptions& options) {
  const std::size_t rows = counted_rows(w, inputs), n = static_cast<std::size_t>(inputs);
  const std::vector<double> h = input_hessian(x, inputs, options.damping);
  std::vector<std::int32_t> place(n);  // of a column, in the order of work
  for (std::size_t i = 0; i < n; ++i) place[i] = static_cast<std::int32_t>(i);
  if (options.by_activation) {
    const std::vector<std::int32_t> order = activation_order(h, inputs);
    for (std::size_t k = 0; k < n; ++k) {
      place[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
    }
  }
  const auto at = [&](std::size_t i) { return static_cast<std::size_t>(place[i]); };
  const Square costs = products_of(x, n);
  Square moved(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) moved(at(i), at(j)) = h[i * n + j];
  }
  const std::vector<double> u = inverse_cholesky(moved.at, inputs);
  GptqMatrix all{{}, {}, place};
  for (std::size_t o = 0; o < rows; ++o) {
    std::vector<double> now(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (costs(i, i) > 0) now[at(i)] = w[o * n + i];
    }
    const QuantizedRow row = gptq_row(now, u, options.num_bits, options.group_size);
    all.scales.insert(all.scales.end(), row.scales.begin(), row.scales.end());
    for (std::size_t i = 0; i < n; ++i) all.q.push_back(row.q[at(i)]);
  }
  for (std::int32_t& group : all.group) group /= options.group_size;
  return all;
}

double layer_error(std::span<const double> w, std::span<const double> w_hat,
                   std::span<const double> x, std::int32_t inputs) {
  const std::size_t rows = counted_rows(w, inputs), samples = counted_rows(x, inputs);
  refuse_unless(counted_rows(w_hat, inputs) == rows);
  const auto n = static_cast<std::size_t>(inputs);
  const Square products = products_of(x, n);
  double sum = 0;
  for (std::size_t o = 0; o < rows; ++o) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        sum +=
            (w[o * n + i] - w_hat[o * n + i]) * products(i, j) * (w[o * n + j] - w_hat[o * n + j]);
      }
    }
  }
  return sum / static_cast<double>(rows * samples);
}

}  // namespace nibble
