// The same lab with Eigen: whole matrix products on int32 copies, slabs as blocks of mapped
// matrices, zero points as row-wise and column-wise broadcasts. Right, and no faster than it is.
#include <Eigen/Dense>

#include "cpu_int8_gemm.hpp"

namespace nibble {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void expects_legal(MatmulShape shape) {
  const bool legal = std::min({shape.m, shape.n, shape.k}) >= 0 && shape.k <= kLongestK;
  NIBBLE_EXPECTS(legal, shape.k);
}

/// A matrix of that many elements, no more and no fewer.
template <class T>
Eigen::Map<Matrix<std::remove_const_t<T>>, Eigen::Unaligned> matrix(std::span<T> values,
                                                                    std::size_t rows,
                                                                    std::size_t columns) {
  NIBBLE_EXPECTS(values.size() == rows * columns, values.size());
  return {const_cast<std::remove_const_t<T>*>(values.data()), Eigen::Index(rows),
          Eigen::Index(columns)};
}

template <class T>
Matrix<std::int32_t> wide(std::span<const T> values, std::size_t rows, std::size_t columns) {
  return matrix(values, rows, columns).template cast<std::int32_t>();
}

/// What was packed, as [k,n] again.
Matrix<std::int32_t> unpacked(std::span<const std::int16_t> packed, MatmulShape shape) {
  NIBBLE_EXPECTS(packed.size() == packed_size(shape), packed.size());
  const Eigen::Index columns = round_up(shape.n, kPanelColumns), steps = round_up(shape.k, kStep);
  Matrix<std::int32_t> b(steps, columns);
  for (Eigen::Index p = 0; p < steps; p += kSlabDepth) {
    const Eigen::Index depth = std::min<Eigen::Index>(kSlabDepth, steps - p);
    b.middleRows(p, depth) =
        wide(packed.subspan(p * columns, depth * columns), columns, depth).transpose();
  }
  return b.topLeftCorner(shape.k, shape.n);
}

}  // namespace

void multiply_naive(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                    std::span<std::int32_t> c, MatmulShape shape) {
  expects_legal(shape);
  matrix(c, shape.m, shape.n) = wide(a, shape.m, shape.k) * wide(b, shape.k, shape.n);
}

void multiply_rows(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                   std::span<std::int32_t> c, MatmulShape shape) {
  multiply_naive(a, b, c, shape);
}

void multiply_dots(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                   std::span<std::int32_t> c, MatmulShape shape) {
  expects_legal(shape);
  matrix(c, shape.m, shape.n) = wide(a, shape.m, shape.k) * wide(b_t, shape.n, shape.k).transpose();
}

void multiply_tiled(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                    std::span<std::int32_t> c, MatmulShape shape) {
  multiply_dots(a, b_t, c, shape);
}

void pack_b(std::span<const std::int8_t> b_t, std::span<std::int16_t> packed, MatmulShape shape) {
  expects_legal(shape);
  const Eigen::Index columns = round_up(shape.n, kPanelColumns), steps = round_up(shape.k, kStep);
  Matrix<std::int16_t> padded = Matrix<std::int16_t>::Zero(columns, steps);
  padded.topLeftCorner(shape.n, shape.k) = matrix(b_t, shape.n, shape.k).cast<std::int16_t>();
  matrix(packed, columns, steps);
  for (Eigen::Index p = 0; p < steps; p += kSlabDepth) {
    const Eigen::Index depth = std::min<Eigen::Index>(kSlabDepth, steps - p);
    matrix(packed.subspan(p * columns, depth * columns), columns, depth) =
        padded.middleCols(p, depth);
  }
}

void multiply_packed(std::span<const std::int8_t> a, std::span<const std::int16_t> packed,
                     std::span<std::int32_t> c, MatmulShape shape) {
  expects_legal(shape);
  matrix(c, shape.m, shape.n) = wide(a, shape.m, shape.k) * unpacked(packed, shape);
}

void multiply_zero_points(std::span<const std::int8_t> a, std::span<const std::int16_t> packed,
                          std::span<const std::int32_t> column_sums, std::span<std::int32_t> c,
                          ZeroPoints zero_points, MatmulShape shape) {
  expects_legal(shape);
  const auto furthest = [](std::int32_t zero_point) {
    NIBBLE_EXPECTS(std::clamp(zero_point, -128, 127) == zero_point, zero_point);
    return std::max(std::abs(-128 - zero_point), std::abs(127 - zero_point));
  };
  const auto [za, zb] = zero_points;
  const double largest = double(shape.k) * furthest(za) * furthest(zb);
  NIBBLE_EXPECTS(largest < 0x1p31, shape.k);

  const Matrix<std::int32_t> x = wide(a, shape.m, shape.k);
  Matrix<std::int32_t> sums = x * unpacked(packed, shape);
  sums.colwise() -= zb * x.rowwise().sum();
  sums.rowwise() -= za * wide(column_sums, 1, shape.n).row(0);
  matrix(c, shape.m, shape.n) = sums.array() + shape.k * za * zb;
}

}  // namespace nibble
