// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 33. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 33. The contract is in smoothquant_awq.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 33        (or leave ./nibble watch open)
// NIBBLE-END
#include "smoothquant_awq.hpp"

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

double largest_of_column(std::span<const double> matrix, std::size_t n, std::size_t i) {
  double largest = 0;
  for (std::size_t at = i; at < matrix.size(); at += n) {
    largest = std::max(largest, std::fabs(matrix[at]));
  }
  return largest;
}

/// A row, rounded group by group: real numbers again.
void round_groups(std::span<double> row, std::int32_t num_bits, std::int32_t group_size) {
  const double qmax = signed_range(num_bits).qmax;
  while (!row.empty()) {
    const auto group = row.first(std::min(row.size(), static_cast<std::size_t>(group_size)));
    double amax = 0;
    for (const double v : group) amax = std::max(amax, std::fabs(v));
    const double scale = amax == 0 ? 1 : amax / qmax;
    for (double& v : group) v = scale * std::nearbyint(v / scale);
    row = row.subspan(group.size());
  }
}

/// What the outputs are off by, when the weights are off by `off`: the mean square.
double output_error(std::span<const double> x, std::span<const double> off, std::size_t n) {
  const std::size_t samples = x.size() / n, outputs = off.size() / n;
  double sum = 0;
  for (std::size_t s = 0; s < x.size(); s += n) {
    for (std::size_t o = 0; o < off.size(); o += n) {
      double y = 0;
      for (std::size_t i = 0; i < n; ++i) y += x[s + i] * off[o + i];
      sum += y * y;
    }
  }
  return sum / static_cast<double>(samples * outputs);
}

}  // namespace

// NIBBLE-END
std::vector<double> smoothing_scales(std::span<const double> x, std::span<const double> w,
                                     std::int32_t inputs, double alpha) {
  // NIBBLE-BEGIN-SOLUTION
  rows_of(x, inputs);
  rows_of(w, inputs);
  NIBBLE_EXPECTS(0 <= alpha && alpha <= 1, alpha);
  std::vector<double> scales(static_cast<std::size_t>(inputs), 1.0);
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const double of_x = largest_of_column(x, scales.size(), i);
    const double of_w = largest_of_column(w, scales.size(), i);
    if (of_x == 0 || of_w == 0) continue;  // nothing to move, or nowhere to move it
    scales[i] = std::pow(of_x, alpha) / std::pow(of_w, 1 - alpha);
  }
  return scales;
  // NIBBLE-STUB: // 1. Refuse.  2. Two maxima a column.  3. Which of them has which exponent?
  // NIBBLE-STUB: NIBBLE_TODO("by what to divide each input");
  // NIBBLE-END
}

TwoLayers migrate_scales(const TwoLayers& layers, std::span<const double> scales) {
  // NIBBLE-BEGIN-SOLUTION
  expects_layers(layers);
  const std::size_t middle = layers.bias.size(), inputs = layers.first.size() / middle;
  NIBBLE_EXPECTS(scales.size() == middle, scales.size());
  for (const double scale : scales) NIBBLE_EXPECTS(std::isfinite(scale) && scale > 0, scale);
  TwoLayers moved = layers;
  for (std::size_t at = 0; at < moved.first.size(); ++at) moved.first[at] /= scales[at / inputs];
  for (std::size_t m = 0; m < middle; ++m) moved.bias[m] /= scales[m];
  for (std::size_t at = 0; at < moved.second.size(); ++at) moved.second[at] *= scales[at % middle];
  return moved;
  // NIBBLE-STUB: // 1. Refuse.  2. A channel is a row of the first matrix, and a column of the second.
  // NIBBLE-STUB: NIBBLE_TODO("move the scales from one layer to the next");
  // NIBBLE-END
}

TwoLayers equalize_layers(const TwoLayers& layers) {
  // NIBBLE-BEGIN-SOLUTION
  expects_layers(layers);
  const std::size_t middle = layers.bias.size(), inputs = layers.first.size() / middle;
  std::vector<double> scales(middle, 1.0);
  for (std::size_t m = 0; m < middle; ++m) {
    const auto row = std::span(layers.first).subspan(m * inputs, inputs);
    const double in_front = largest_of_column(row, 1, 0);
    const double behind = largest_of_column(layers.second, middle, m);
    if (in_front != 0 && behind != 0) scales[m] = std::sqrt(in_front / behind);
  }
  return migrate_scales(layers, scales);
  // NIBBLE-STUB: // Find the scales; the rest is written.
  // NIBBLE-STUB: NIBBLE_TODO("make both layers equally large");
  // NIBBLE-END
}

AwqChoice awq_search(std::span<const double> w, std::span<const double> x, std::int32_t inputs,
                     std::int32_t num_bits, std::int32_t group_size) {
  // NIBBLE-BEGIN-SOLUTION
  const std::size_t samples = rows_of(x, inputs), n = static_cast<std::size_t>(inputs);
  rows_of(w, inputs);
  NIBBLE_EXPECTS(2 <= num_bits && num_bits <= 8, num_bits);
  NIBBLE_EXPECTS(group_size >= 1, group_size);
  std::vector<double> a(n);
  for (std::size_t at = 0; at < x.size(); ++at) a[at % n] += std::fabs(x[at]);
  for (double& mean : a) mean = std::max(mean / static_cast<double>(samples), 1e-4);

  AwqChoice best{0, {}, std::numeric_limits<double>::infinity()};
  for (std::int32_t k = 0; k < 20; ++k) {
    std::vector<double> s(n), off(w.size());
    std::ranges::transform(a, s.begin(), [&](double mean) { return std::pow(mean, k / 20.0); });
    const auto [least, most] = std::ranges::minmax(s);
    for (double& scale : s) scale /= std::sqrt(most * least);

    for (std::size_t at = 0; at < w.size(); ++at) off[at] = w[at] * s[at % n];
    for (std::size_t o = 0; o < w.size(); o += n) {
      round_groups(std::span(off).subspan(o, n), num_bits, group_size);
    }
    for (std::size_t at = 0; at < w.size(); ++at) off[at] = w[at] - off[at] / s[at % n];
    const double error = output_error(x, off, n);
    if (error < best.error) best = {k, s, error};  // of equal ones the first stays
  }
  return best;
  // NIBBLE-STUB: // 1. Refuse.  2. How large is each input, on average?  3. Try twenty exponents: scales,
  // NIBBLE-STUB: // weights that are larger, rounded, and made smaller again; and what the outputs say.
  // NIBBLE-STUB: NIBBLE_TODO("find the scales with the least error");
  // NIBBLE-END
}

std::vector<double> hadamard_transform(std::span<const double> x) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(std::has_single_bit(x.size()), x.size());
  for (const double number : x) NIBBLE_EXPECTS(std::isfinite(number), number);
  std::vector<double> y(x.begin(), x.end());
  // One round for each bit of an index: its two values meet, and part as sum and difference.
  for (std::size_t bit = 1; bit < y.size(); bit *= 2) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      if ((i & bit) != 0) continue;
      const double without = y[i], with = y[i | bit];
      y[i] = without + with;
      y[i | bit] = without - with;
    }
  }
  const double root = std::sqrt(static_cast<double>(y.size()));
  for (double& value : y) value /= root;
  return y;
  // NIBBLE-STUB: // 1. Refuse.  2. What does the matrix of two numbers do? And that of four, to pairs?
  // NIBBLE-STUB: // 3. How long is the result?
  // NIBBLE-STUB: NIBBLE_TODO("transform x");
  // NIBBLE-END
}

std::vector<double> rotate_rows(std::span<const double> a, std::span<const std::int32_t> signs) {
  // NIBBLE-BEGIN-SOLUTION
  const std::size_t n = signs.size();
  rows_of(a, static_cast<std::int32_t>(n));
  for (const std::int32_t sign : signs) NIBBLE_EXPECTS(sign == 1 || sign == -1, sign);
  std::vector<double> rotated;
  for (std::size_t first = 0; first < a.size(); first += n) {
    std::vector<double> row(n);
    for (std::size_t i = 0; i < n; ++i) row[i] = signs[i] * a[first + i];
    const std::vector<double> turned = hadamard_transform(row);
    rotated.insert(rotated.end(), turned.begin(), turned.end());
  }
  return rotated;
  // NIBBLE-STUB: // Row by row: the signs first.
  // NIBBLE-STUB: NIBBLE_TODO("rotate each row");
  // NIBBLE-END
}

}  // namespace nibble
