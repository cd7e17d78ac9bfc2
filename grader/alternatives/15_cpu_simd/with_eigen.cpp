// The same lab with Eigen: packed weights are seen as a matrix of quads, a product is Eigen's
// integer product of that, and everything per column or per element is an array expression. No
// intrinsics: right on every isa, and as slow on all of them.
#include <Eigen/Dense>

#include "cpu_simd.hpp"

namespace nibble {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using Array = Eigen::Array<T, Eigen::Dynamic, 1>;

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("expected ") + what);
}

template <class T>
auto array(std::span<T> values) {
  using Element = std::remove_const_t<T>;
  using Plain = std::conditional_t<std::is_const_v<T>, const Array<Element>, Array<Element>>;
  return Eigen::Map<Plain>(values.data(), static_cast<Eigen::Index>(values.size()));
}

template <class T>
auto matrix(std::span<T> values, int rows, int columns) {
  require(rows >= 0 && columns >= 0 &&
              values.size() == static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns),
          "spans that fit the shape");
  using Element = std::remove_const_t<T>;
  using Plain = std::conditional_t<std::is_const_v<T>, const Matrix<Element>, Matrix<Element>>;
  return Eigen::Map<Plain>(values.data(), rows, columns);
}

void require_isa(Isa isa) {
  for (const Isa known : kKernelIsas) {
    if (known == isa && cpu_has(isa)) return;
  }
  throw std::invalid_argument(std::string(name_of(isa)) + ": no kernel for it can run here");
}

void require_packed(Isa isa, std::span<const std::int8_t> packed, MatmulShape shape) {
  require_isa(isa);
  require(shape.m >= 0 && shape.n >= 0 && shape.k >= 0, "no negative size");
  require(shape.k <= kLongestK, "k <= 131071");
  require(packed.size() == packed_size(isa, shape), "packed_size(isa, shape) bytes");
  require(reinterpret_cast<std::uintptr_t>(packed.data()) % 64 == 0, "64-byte aligned weights");
}

void require_scale(const Array<float>& scales) {
  require((scales >= FLT_MIN).all() && (scales <= FLT_MAX).all(), "normal scales above 0");
}

/// a b_t^T. The panels of packed, one below the other, hold the quads of each column.
Matrix<std::int32_t> sums_of(Isa isa, std::span<const std::int8_t> a,
                             std::span<const std::int8_t> packed, MatmulShape shape) {
  require_packed(isa, packed, shape);
  const int w = panel_width(isa), quads = (shape.k + 3) / 4;
  const int panels = (shape.n + w - 1) / w;
  Matrix<std::int32_t> codes = Matrix<std::int32_t>::Zero(shape.m, 4 * quads);
  codes.leftCols(shape.k) = matrix(a, shape.m, shape.k).cast<std::int32_t>();
  const auto all = matrix(packed.subspan(4 * static_cast<std::size_t>(panels) * w),
                          panels * quads * w, 4);  // one quad a row
  Matrix<std::int32_t> sums = Matrix<std::int32_t>::Zero(shape.m, panels * w);
  for (int panel = 0; panel < panels; ++panel) {
    for (int quad = 0; quad < quads; ++quad) {
      const auto block = all.middleRows((panel * quads + quad) * w, w).cast<std::int32_t>();
      sums.middleCols(panel * w, w) += codes.middleCols(4 * quad, 4).lazyProduct(block.transpose());
    }
  }
  return sums.leftCols(shape.n);
}

}  // namespace

Isa best_isa(std::uint32_t isas, Isa cap) {
  require(isas < 64, "only bits of known instruction sets");
  const int cap_number = static_cast<int>(cap);
  require(0 <= cap_number && cap_number <= 5, "a known cap");
  // Ranks by number: scalar, avx2, avx_vnni, avx512_vnni, amx_int8, neon_dot.
  const Eigen::Array<int, 6, 1> rank(0, 2, 3, 4, 5, 1);
  int best = -1;
  for (const int isa : {0, 5, 1, 2, 3}) {
    if ((isas >> isa & 1) != 0 && rank[isa] <= rank[cap_number]) best = isa;
  }
  require(best >= 0, "a set with a kernel of this lab");
  return static_cast<Isa>(best);
}

std::array<std::uint8_t, 2> saturating_pair(std::int8_t s0, std::int8_t s1) {
  const Eigen::Array2i weights(s0, s1);
  for (const Eigen::Array2i& u :
       {Eigen::Array2i(255, 255), Eigen::Array2i(255, 0), Eigen::Array2i(0, 255)}) {
    const int sum = (u * weights).sum();
    if (sum == static_cast<std::int16_t>(sum)) continue;
    return {static_cast<std::uint8_t>(u[0]), static_cast<std::uint8_t>(u[1])};
  }
  throw std::invalid_argument("expected weights that saturate");
}

std::int32_t dot(Isa isa, std::span<const std::int8_t> a, std::span<const std::int8_t> b) {
  require_isa(isa);
  require(a.size() == b.size() && a.size() <= std::size_t{kLongestK}, "equally many codes");
  return (array(a).cast<std::int32_t>() * array(b).cast<std::int32_t>()).sum();
}

void pack_b(Isa isa, std::span<const std::int8_t> b_t, std::span<std::int8_t> packed,
            MatmulShape shape) {
  require_packed(isa, packed, {0, shape.n, shape.k});
  const int w = panel_width(isa), quads = (shape.k + 3) / 4;
  const int panels = (shape.n + w - 1) / w;
  Matrix<std::int8_t> padded = Matrix<std::int8_t>::Zero(panels * w, 4 * quads);
  padded.topLeftCorner(shape.n, shape.k) = matrix(b_t, shape.n, shape.k);
  const Array<std::int32_t> sums = padded.cast<std::int32_t>().rowwise().sum().array();
  if (sums.size() > 0) std::memcpy(packed.data(), sums.data(), 4 * std::size_t(sums.size()));
  auto all = matrix(packed.subspan(4 * std::size_t(sums.size())), panels * quads * w, 4);
  for (int panel = 0; panel < panels; ++panel) {
    for (int quad = 0; quad < quads; ++quad) {
      all.middleRows((panel * quads + quad) * w, w) = padded.block(panel * w, 4 * quad, w, 4);
    }
  }
}

void multiply_packed(Isa isa, std::span<const std::int8_t> a, std::span<const std::int8_t> packed,
                     std::span<std::int32_t> c, MatmulShape shape) {
  matrix(c, shape.m, shape.n) = sums_of(isa, a, packed, shape);
}

void multiply_packed_fused(Isa isa, std::span<const std::int8_t> a,
                           std::span<const std::int8_t> packed, std::span<const float> scale,
                           std::span<const float> bias, std::span<float> c, MatmulShape shape) {
  auto real = matrix(c, shape.m, shape.n);
  const auto scales = matrix(scale, 1, shape.n), biases = matrix(bias, 1, shape.n);
  require(scales.array().isFinite().all() && biases.array().isFinite().all(),
          "finite scales and biases");
  Matrix<float> v = sums_of(isa, a, packed, shape).cast<float>();
  v.array().rowwise() *= scales.row(0).array();
  v.array().rowwise() += biases.row(0).array();
  real = (v.array() > 0.0f).select(v, 0.0f);
}

void quantize(std::span<const float> x, float scale, std::span<std::int8_t> q) {
  require(x.size() == q.size(), "as many codes as values");
  require_scale(Array<float>::Constant(1, scale));
  const auto values = array(x);
  const Array<float> codes = (values / scale).rint().min(127.0f).max(-128.0f);
  array(q) = values.isNaN().select(0.0f, codes).cast<std::int8_t>();
}

void dequantize(std::span<const std::int8_t> q, float scale, std::span<float> x) {
  require(x.size() == q.size(), "as many values as codes");
  require_scale(Array<float>::Constant(1, scale));
  array(x) = scale * array(q).cast<float>();
}

void requantize(std::span<const std::int32_t> acc, std::span<const float> multiplier,
                std::int32_t zero_point, std::span<std::int8_t> q) {
  const int n = static_cast<int>(multiplier.size());
  const int m = n == 0 ? 0 : static_cast<int>(acc.size()) / n;
  const auto sums = matrix(acc, m, n);
  auto codes = matrix(q, m, n);
  require(-128 <= zero_point && zero_point <= 127, "a zero point that is a code");
  require_scale(array(multiplier));
  Matrix<float> v = sums.cast<float>();
  v.array().rowwise() *= array(multiplier).transpose();
  const auto shift = static_cast<float>(zero_point);
  codes = (v.array().rint() + shift).min(127.0f).max(-128.0f).cast<std::int8_t>().matrix();
}

void sigmoid(std::span<const std::int8_t> x, float scale, std::span<std::int8_t> y) {
  require(x.size() == y.size(), "as many results as codes");
  require_scale(Array<float>::Constant(1, scale));
  const Array<double> codes = Array<double>::LinSpaced(256, -128.0, 127.0).round();
  const Array<double> s =
      1.0 / (1.0 + (-double{scale} * codes).unaryExpr([](double v) { return std::exp(v); }));
  const Array<std::int8_t> table = ((256.0 * s).rint() - 128.0).min(127.0).cast<std::int8_t>();
  array(y) = array(x).unaryExpr([&](std::int8_t code) { return table[code + 128]; });
}

}  // namespace nibble
