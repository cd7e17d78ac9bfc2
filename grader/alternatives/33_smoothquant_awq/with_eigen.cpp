// Another right solution: whole matrices with Eigen, and the transform from the largest blocks to
// the smallest.
#include <Eigen/Dense>

#include "smoothquant_awq.hpp"

namespace nibble {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Row = Eigen::RowVectorXd;

void expects(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

Matrix matrix_of(std::span<const double> numbers, Eigen::Index columns) {
  expects(columns >= 1 && !numbers.empty(), "no columns, or no rows");
  const auto size = static_cast<Eigen::Index>(numbers.size());
  expects(size % columns == 0, "rows of different lengths");
  Matrix matrix = Eigen::Map<const Matrix>(numbers.data(), size / columns, columns);
  expects(matrix.allFinite(), "what is not finite");
  return matrix;
}

std::vector<double> list_of(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

Row largest_of_columns(const Matrix& matrix) { return matrix.cwiseAbs().colwise().maxCoeff(); }

/// 1 where one of both is 0.
Row quotient(const Row& above, const Row& below, const Row& of) {
  return (above.array() == 0 || below.array() == 0).select(1, of);
}

Matrix rounded(const Matrix& w, std::int32_t num_bits, Eigen::Index each) {
  const double qmax = (1 << (num_bits - 1)) - 1;
  Matrix all = w;
  for (Eigen::Index first = 0; first < w.cols(); first += each) {
    auto group = all.middleCols(first, std::min(each, w.cols() - first));
    const Eigen::VectorXd amax = group.cwiseAbs().rowwise().maxCoeff();
    const Eigen::VectorXd scale = (amax.array() == 0).select(1, amax / qmax);
    group = (group.array().colwise() / scale.array()).rint().colwise() * scale.array();
  }
  return all;
}

}  // namespace

std::vector<double> smoothing_scales(std::span<const double> x, std::span<const double> w,
                                     std::int32_t inputs, double alpha) {
  expects(alpha >= 0 && alpha <= 1, "alpha");
  const Row of_x = largest_of_columns(matrix_of(x, inputs)),
            of_w = largest_of_columns(matrix_of(w, inputs));
  return list_of(quotient(of_x, of_w, of_x.array().pow(alpha) / of_w.array().pow(1 - alpha)));
}

TwoLayers migrate_scales(const TwoLayers& layers, std::span<const double> scales) {
  expects_layers(layers);
  const auto middle = static_cast<Eigen::Index>(layers.bias.size());
  const Matrix s = matrix_of(scales, middle);
  expects(s.rows() == 1 && s.minCoeff() > 0, "scales");
  const auto inputs = static_cast<Eigen::Index>(layers.first.size()) / middle;
  const Row inverse = s.row(0).cwiseInverse();
  return {list_of(inverse.asDiagonal() * matrix_of(layers.first, inputs)),
          list_of(matrix_of(layers.bias, middle) * inverse.asDiagonal()),
          list_of(matrix_of(layers.second, middle) * s.row(0).asDiagonal())};
}

TwoLayers equalize_layers(const TwoLayers& layers) {
  expects_layers(layers);
  const auto middle = static_cast<Eigen::Index>(layers.bias.size());
  const auto inputs = static_cast<Eigen::Index>(layers.first.size()) / middle;
  const Row in_front = largest_of_columns(matrix_of(layers.first, inputs).transpose()),
            behind = largest_of_columns(matrix_of(layers.second, middle));
  return migrate_scales(
      layers, list_of(quotient(in_front, behind, (in_front.array() / behind.array()).sqrt())));
}

AwqChoice awq_search(std::span<const double> w, std::span<const double> x, std::int32_t inputs,
                     std::int32_t num_bits, std::int32_t group_size) {
  const Matrix weights = matrix_of(w, inputs), samples = matrix_of(x, inputs);
  expects(num_bits >= 2 && num_bits <= 8 && group_size >= 1, "no such form");
  const Row a = samples.cwiseAbs().colwise().mean().cwiseMax(1e-4);
  AwqChoice best{-1, {}, 0};
  for (std::int32_t k = 0; k < 20; ++k) {
    Row s = a.array().pow(k / 20.0);
    s /= std::sqrt(s.maxCoeff() * s.minCoeff());
    const Matrix back =
        rounded(weights * s.asDiagonal(), num_bits, group_size) * s.cwiseInverse().asDiagonal();
    const Matrix off = samples * (weights - back).transpose();
    const double error = off.squaredNorm() / static_cast<double>(off.size());
    if (best.exponent < 0 || error < best.error) best = {k, list_of(s), error};
  }
  return best;
}

std::vector<double> hadamard_transform(std::span<const double> x) {
  std::size_t ones = 0;
  for (std::size_t bit = 1; bit != 0 && bit <= x.size(); bit *= 2) ones += (x.size() & bit) != 0;
  expects(ones == 1, "not a power of two");
  // Rows of two blocks each: their sum and their difference, and again within the blocks.
  Row y = matrix_of(x, static_cast<Eigen::Index>(x.size()));
  for (Eigen::Index half = y.size() / 2; half >= 1; half /= 2) {
    for (Eigen::Index first = 0; first < y.size(); first += 2 * half) {
      const Row sum = y.segment(first, half) + y.segment(first + half, half);
      y.segment(first + half, half) = y.segment(first, half) - y.segment(first + half, half);
      y.segment(first, half) = sum;
    }
  }
  return list_of(y * std::pow(static_cast<double>(x.size()), -0.5));
}

std::vector<double> rotate_rows(std::span<const double> a, std::span<const std::int32_t> signs) {
  const Matrix rows = matrix_of(a, static_cast<Eigen::Index>(signs.size()));
  std::vector<double> all;
  for (Eigen::Index r = 0; r < rows.rows(); ++r) {
    std::vector<double> row = list_of(rows.row(r));
    for (std::size_t i = 0; i < row.size(); ++i) {
      expects(signs[i] * signs[i] == 1, "no sign");
      if (signs[i] < 0) row[i] = -row[i];
    }
    std::ranges::copy(hadamard_transform(row), std::back_inserter(all));
  }
  return all;
}

}  // namespace nibble
