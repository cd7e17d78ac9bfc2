// The same lab with Eigen: matrices of integers instead of instructions, the same for every isa. A
// panel is unpacked into a matrix, group by group,
// and multiplied by all rows of activations at once.
#include <Eigen/Dense>

#include "cpu_int4_gemv.hpp"

namespace nibble {
namespace {

using Eigen::Index;
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using Array = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void expects(bool good, const char* what) {
  if (!good) throw std::invalid_argument(what);
}

template <class T>
Eigen::Map<const Matrix<T>> matrix(std::span<const T> values, Index rows, Index columns) {
  expects(rows >= 0 && columns >= 0 && Index(values.size()) == rows * columns, "a size is wrong");
  return {values.data(), rows, columns};
}

void expects_usable(std::span<const float> scales) {
  const auto all = matrix(scales, 1, Index(scales.size())).array();
  expects((all >= FLT_MIN && all <= FLT_MAX).all(), "a scale is not normal and > 0");
}

void expects_kernel(Isa isa) {
  constexpr std::array of_this_lab = {Isa::kScalar, Isa::kAvx2, Isa::kAvxVnni, Isa::kAvx512Vnni,
                                      Isa::kNeonDot};
  const bool known = std::ranges::find(of_this_lab, isa) != of_this_lab.end();
  expects(known && cpu_has(isa), "this isa cannot run here");
}

void expects_group(int group_size) {
  expects(group_size >= 32 && group_size <= 1 << 20 && group_size % 32 == 0, "a group is illegal");
}

void expects_legal(Int4Shape shape) {
  expects_group(shape.group_size);
  expects(shape.n >= 0 && shape.k >= 0 && shape.k % shape.group_size == 0, "a shape is illegal");
}

int low_nibble(std::uint8_t byte) { return byte % 16; }
int high_nibble(std::uint8_t byte) { return byte / 16; }

/// Nibbles in order: two columns for every column of bytes.
Matrix<int> nibbles(std::span<const std::uint8_t> q4, Index rows, Index bytes) {
  const auto packed = matrix(q4, rows, bytes);
  Matrix<int> all(rows, 2 * bytes);
  for (Index b = 0; b < bytes; ++b) {
    all.col(2 * b) = packed.col(b).unaryExpr(&low_nibble);
    all.col(2 * b + 1) = packed.col(b).unaryExpr(&high_nibble);
  }
  return all;
}

/// Codes [group_size, 16] of one group of a panel.
Matrix<int> panel_codes(const std::uint8_t* group, Index group_size) {
  Matrix<int> codes(group_size, kPanelRows);
  for (Index p = 0; p < group_size; p += 8) {
    const Eigen::Map<const Matrix<std::uint8_t>> line(group + 64 + 8 * p, kPanelRows, 4);
    codes.middleRows(p, 4) = line.unaryExpr(&low_nibble).transpose();
    codes.middleRows(p + 4, 4) = line.unaryExpr(&high_nibble).transpose();
  }
  return codes.array() - 8;
}

}  // namespace

void unpack_int4(std::span<const std::uint8_t> q4, std::span<std::int8_t> q) {
  expects(q4.size() == (q.size() + 1) / 2, "a byte holds two codes");
  const Matrix<int> codes = nibbles(q4, 1, Index(q4.size()));
  for (std::size_t i = 0; i < q.size(); ++i) {
    const int code = codes(0, Index(i));
    q[i] = static_cast<std::int8_t>(code < 8 ? code : code - 16);
  }
}

void gemv_int8(Isa isa, std::span<const std::int8_t> a, float a_scale,
               std::span<const std::int8_t> w, std::span<const float> w_scales,
               std::span<float> c) {
  expects_kernel(isa);
  expects(a.size() < (1u << 17), "k is too long for int32");
  expects_usable({&a_scale, 1});
  expects_usable(w_scales);
  const Index n = Index(c.size()), k = Index(a.size());
  const Matrix<int> acc = matrix(w, n, k).cast<int>() * matrix(a, k, 1).cast<int>();
  const Array<float> scales = a_scale * matrix(w_scales, n, 1).array();
  Eigen::Map<Array<float>>(c.data(), n, 1) = acc.cast<float>().array() * scales;
}

void pack_int4(std::span<const std::uint8_t> q4, std::span<const float> scales,
               std::span<std::uint8_t> packed, Int4Shape shape) {
  expects_legal(shape);
  expects(packed.size() == packed_int4_size(shape), "the packed size is wrong");
  expects_usable(scales);
  const Index n = shape.n, k = shape.k, size = shape.group_size;
  const auto all_scales = matrix(scales, n, k / size);
  const Index padded = (n + kPanelRows - 1) / kPanelRows * kPanelRows;
  Matrix<int> excess = Matrix<int>::Constant(padded, k, 8);
  excess.topRows(n) = nibbles(q4, n, k / 2).unaryExpr([](int code) { return (code + 8) % 16; });

  std::uint8_t* next = packed.data();
  for (Index j = 0; j < padded; j += kPanelRows) {
    const Index rows = std::min<Index>(kPanelRows, n - j);
    for (Index group = 0; group < k / size; ++group) {
      Eigen::Array<float, kPanelRows, 1> line = Eigen::Array<float, kPanelRows, 1>::Zero();
      line.head(rows) = all_scales.col(group).segment(j, rows);
      std::memcpy(next, line.data(), 64);
      next += 64;
      for (Index p = group * size; p < (group + 1) * size; p += 8, next += 64) {
        const auto codes = excess.middleRows(j, kPanelRows);
        const Matrix<int> bytes = codes.middleCols(p, 4) + 16 * codes.middleCols(p + 4, 4);
        Eigen::Map<Matrix<std::uint8_t>>(next, kPanelRows, 4) = bytes.cast<std::uint8_t>();
      }
    }
  }
}

void gemv_int4(Isa isa, std::span<const std::int8_t> a, float a_scale,
               std::span<const std::uint8_t> packed, std::span<float> c, Int4Shape shape) {
  gemm_int4(isa, a, std::span(&a_scale, 1), packed, c, shape);
}

void gemm_int4(Isa isa, std::span<const std::int8_t> a, std::span<const float> a_scales,
               std::span<const std::uint8_t> packed, std::span<float> c, Int4Shape shape) {
  expects_kernel(isa);
  expects_legal(shape);
  expects_usable(a_scales);
  const Index m = Index(a_scales.size()), n = shape.n, k = shape.k, size = shape.group_size;
  const Matrix<int> codes_a = matrix(a, m, k).cast<int>();
  expects(packed.size() == packed_int4_size(shape), "the packed size is wrong");
  matrix(std::span<const float>(c), m, n);
  Eigen::Map<Array<float>> result(c.data(), m, n);

  const std::uint8_t* next = packed.data();
  for (Index j = 0; j < n; j += kPanelRows) {
    Array<float> y = Array<float>::Zero(m, kPanelRows);
    for (Index group = 0; group < k / size; ++group, next += 64 + 8 * size) {
      Eigen::Array<float, 1, kPanelRows> scales;
      std::memcpy(scales.data(), next, 64);
      const Matrix<int> acc = codes_a.middleCols(group * size, size) * panel_codes(next, size);
      const Array<float> scaled = acc.cast<float>().array().rowwise() * scales;
      y += scaled;
    }
    const Index columns = std::min<Index>(kPanelRows, n - j);
    result.middleCols(j, columns) =
        y.leftCols(columns).colwise() * matrix(a_scales, m, 1).col(0).array();
  }
}

void dequantize_code_book(Isa isa, std::span<const std::uint8_t> q4, const CodeBook& code_book,
                          std::span<const float> scales, std::span<float> x_hat, int group_size) {
  expects_kernel(isa);
  expects_group(group_size);
  expects_finite(code_book);
  expects_usable(scales);
  const std::size_t size = std::size_t(group_size), count = x_hat.size();
  expects(q4.size() == (count + 1) / 2, "a byte holds two codes");
  expects(scales.size() == (count + size - 1) / size, "a group has one scale");
  const Matrix<int> codes = nibbles(q4, 1, Index(q4.size()));
  for (std::size_t i = 0; i < count; ++i) {
    x_hat[i] = code_book[std::size_t(codes(0, Index(i)))] * scales[i / size];
  }
}

}  // namespace nibble
