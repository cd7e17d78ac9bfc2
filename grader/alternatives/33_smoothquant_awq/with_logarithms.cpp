// Another right solution: powers by logarithms, scales as factors both ways, the transform by
// recursion on halves.
#include <optional>

#include "smoothquant_awq.hpp"

namespace nibble {
namespace {

void refuse_unless(bool good) {
  if (!good) throw std::invalid_argument("what the contract forbids");
}

struct Table {
  Table(std::span<const double> numbers, std::size_t width) : at(numbers), columns(width) {
    refuse_unless(width > 0 && !numbers.empty() && numbers.size() % width == 0);
    refuse_unless(std::ranges::all_of(numbers, [](double v) { return std::isfinite(v); }));
  }
  Table(std::span<const double> numbers, std::int32_t width)
      : Table(numbers, static_cast<std::size_t>(std::max(width, 0))) {}

  std::size_t rows() const { return at.size() / columns; }
  double operator()(std::size_t r, std::size_t c) const { return at[r * columns + c]; }

  std::span<const double> at;
  std::size_t columns;
};

/// The logarithm of the largest magnitude; none where all are 0.
std::optional<double> log_of_column(const Table& table, std::size_t c) {
  double most = 0;
  for (std::size_t r = 0; r < table.rows(); ++r) most = std::fmax(most, std::fabs(table(r, c)));
  return most > 0 ? std::optional(std::log(most)) : std::nullopt;
}

std::optional<double> log_of_row(const Table& table, std::size_t r) {
  return log_of_column({table.at.subspan(r * table.columns, table.columns), std::size_t{1}}, 0);
}

std::vector<double> transformed(std::span<const double> x) {
  if (x.size() == 1) return {x[0]};
  const std::size_t half = x.size() / 2;
  const std::vector<double> a = transformed(x.first(half)), b = transformed(x.last(half));
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < half; ++i) {
    y[i] = (a[i] + b[i]) * std::sqrt(0.5);
    y[half + i] = (a[i] - b[i]) * std::sqrt(0.5);
  }
  return y;
}

}  // namespace

std::vector<double> smoothing_scales(std::span<const double> x, std::span<const double> w,
                                     std::int32_t inputs, double alpha) {
  const Table samples(x, inputs), weights(w, inputs);
  refuse_unless(0 <= alpha && alpha <= 1);
  std::vector<double> scales;
  for (std::size_t i = 0; i < samples.columns; ++i) {
    const auto of_x = log_of_column(samples, i), of_w = log_of_column(weights, i);
    scales.push_back(of_x && of_w ? std::exp(alpha * *of_x - (1 - alpha) * *of_w) : 1.0);
  }
  return scales;
}

TwoLayers migrate_scales(const TwoLayers& layers, std::span<const double> scales) {
  expects_layers(layers);
  const std::size_t middle = layers.bias.size(), inputs = layers.first.size() / middle;
  refuse_unless(scales.size() == middle);
  TwoLayers moved{{}, {}, layers.second};
  for (std::size_t m = 0; m < middle; ++m) {
    refuse_unless(scales[m] > 0 && std::isfinite(scales[m]));
    const double factor = 1 / scales[m];
    for (std::size_t i = 0; i < inputs; ++i) {
      moved.first.push_back(layers.first[m * inputs + i] * factor);
    }
    moved.bias.push_back(layers.bias[m] * factor);
    for (std::size_t at = m; at < moved.second.size(); at += middle) moved.second[at] /= factor;
  }
  return moved;
}

TwoLayers equalize_layers(const TwoLayers& layers) {
  expects_layers(layers);
  const std::size_t middle = layers.bias.size();
  const Table first(layers.first, layers.first.size() / middle), second(layers.second, middle);
  std::vector<double> scales(middle);
  for (std::size_t m = 0; m < middle; ++m) {
    const auto in_front = log_of_row(first, m), behind = log_of_column(second, m);
    scales[m] = in_front && behind ? std::exp((*in_front - *behind) / 2) : 1.0;
  }
  return migrate_scales(layers, scales);
}

AwqChoice awq_search(std::span<const double> w, std::span<const double> x, std::int32_t inputs,
                     std::int32_t num_bits, std::int32_t group_size) {
  const Table weights(w, inputs), samples(x, inputs);
  refuse_unless(2 <= num_bits && num_bits <= 8 && 1 <= group_size);
  const std::size_t n = weights.columns, each = static_cast<std::size_t>(group_size);
  const double qmax = std::ldexp(1.0, num_bits - 1) - 1;
  std::vector<double> logs(n);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t s = 0; s < samples.rows(); ++s) sum += std::fabs(samples(s, i));
    logs[i] = std::log(std::fmax(sum / static_cast<double>(samples.rows()), 1e-4));
  }
  const auto [least, most] = std::ranges::minmax_element(logs);
  const double middle = (*least + *most) / 2;

  std::vector<AwqChoice> tried;
  for (std::int32_t k = 0; k < 20; ++k) {
    AwqChoice one{k, std::vector<double>(n), 0};
    for (std::size_t i = 0; i < n; ++i) one.scales[i] = std::exp((logs[i] - middle) * k / 20);
    for (std::size_t o = 0; o < weights.rows(); ++o) {
      std::vector<double> off(n);
      double amax = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (i % each == 0) {
          amax = 0;
          for (std::size_t p = i; p < std::min(n, i + each); ++p) {
            amax = std::fmax(amax, std::fabs(weights(o, p) * one.scales[p]));
          }
        }
        const double step = amax > 0 ? amax / qmax : 1.0;
        off[i] =
            weights(o, i) - std::rint(weights(o, i) * one.scales[i] / step) * step / one.scales[i];
      }
      for (std::size_t s = 0; s < samples.rows(); ++s) {
        const double y = std::inner_product(
            off.begin(), off.end(), samples.at.begin() + static_cast<std::ptrdiff_t>(s * n), 0.0);
        one.error += y * y / static_cast<double>(samples.rows() * weights.rows());
      }
    }
    tried.push_back(one);
  }
  return *std::ranges::min_element(tried, {}, &AwqChoice::error);
}

std::vector<double> hadamard_transform(std::span<const double> x) {
  refuse_unless(!x.empty() && (x.size() & (x.size() - 1)) == 0);
  return transformed(Table(x, x.size()).at);
}

std::vector<double> rotate_rows(std::span<const double> a, std::span<const std::int32_t> signs) {
  const Table rows(a, signs.size());
  std::vector<double> turned(a.begin(), a.end());
  for (std::size_t at = 0; at < a.size(); ++at) {
    const std::int32_t sign = signs[at % signs.size()];
    refuse_unless(sign == 1 || sign == -1);
    turned[at] *= sign;
  }
  std::vector<double> all;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto row = hadamard_transform(std::span(turned).subspan(r * rows.columns, rows.columns));
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

}  // namespace nibble
