// Lab 26: a product, and what is right of it.
#pragma once

#include "cuda_half_fp8.hpp"

#include <cmath>
#include <string>
#include <tuple>

#include "checks/26_cuda_half_fp8/rows.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_products.hpp"
#include "nibble/float_format.hpp"

namespace nibble::judge::lab_26_cuda_half_fp8 {

struct GemmCase {
  std::string name;
  MatmulShape shape;
  Reals a, b_t;  ///< [m,k], [n,k], each of them a number of the exercise's format
  float alpha = 1, beta = 0;
  Reals c{};                     ///< [m,n], or none
  Reals a_scales{}, b_scales{};  ///< for gemm_fp8
  bool exact = true;             ///< every sum is a float, in whatever order it is made

  std::size_t outputs() const { return std::size_t(shape.m) * std::size_t(shape.n); }
};

inline constexpr int kStep = 32;

inline std::string show_size(const GemmCase& c) { return "m x n x k = " + size_text(c.shape); }
inline std::string show(const GemmCase& c) {
  std::string text = show_size(c);
  if (c.alpha != 1 || c.beta != 0) {
    text += ", alpha = " + show_value(c.alpha) + ", beta = " + show_value(c.beta) +
            ", c = " + show_values(c.c);
  }
  if (distinct(c.a_scales) + distinct(c.b_scales) > 2) {
    text += ", a_scales = " + show_values(c.a_scales) + ", b_scales = " + show_values(c.b_scales);
  }
  return text + ", a = " + show_values(c.a) + ", b_t = " + show_values(c.b_t);
}

inline std::vector<GemmCase> smaller(const GemmCase& c) {
  std::vector<GemmCase> all;
  for (const MatmulShape to : smaller_shapes(c.shape, kStep)) {
    GemmCase less = c;
    less.name = size_text(to);
    less.shape = to;
    less.a = corner(c.a, c.shape.k, to.m, to.k);
    less.b_t = corner(c.b_t, c.shape.k, to.n, to.k);
    if (!c.c.empty()) less.c = corner(c.c, c.shape.n, to.m, to.n);
    if (!c.a_scales.empty()) less.a_scales.resize(std::size_t(to.m));
    if (!c.b_scales.empty()) less.b_scales.resize(std::size_t(to.n));
    all.push_back(std::move(less));
  }
  return all;
}

/// A sum, and the sum of its terms without their signs.
struct Sum {
  double value = 0, magnitude = 0;
};

inline Sum sum_at(const GemmCase& c, std::ptrdiff_t i, std::ptrdiff_t j) {
  Sum sum;
  for (std::ptrdiff_t p = 0; p < c.shape.k; ++p) {
    const double term = double{c.a[i * c.shape.k + p]} * c.b_t[j * c.shape.k + p];
    sum.value += term;
    sum.magnitude += std::fabs(term);
  }
  return sum;
}

struct Half {
  static constexpr auto kCall = &gemm_half;
  using Format = HalfFormat;
  static constexpr int kColumns = 16, kDepth = 16;  ///< of a product of tiles
  static constexpr int kBits = 5;  ///< random numbers are integers of so many: sums are exact
};
struct Bfloat16 {
  static constexpr auto kCall = &gemm_bfloat16;
  using Format = Bfloat16Format;
  static constexpr int kColumns = 8, kDepth = 16, kBits = 7;
};
struct Fp8 {
  static constexpr auto kCall = &gemm_fp8;
  using Format = E4m3Format;
  static constexpr int kColumns = 8, kDepth = 32, kBits = 2;
};
template <class Exercise>
inline constexpr bool is_fp8 = std::is_same_v<Exercise, Fp8>;

template <class Exercise>
auto bits(const Reals& x) {
  using Bits = std::conditional_t<is_fp8<Exercise>, std::uint8_t, std::uint16_t>;
  return each_of(x, [](float value) {
    using Format = typename Exercise::Format;
    const auto code = simt::encode<Format>(value);
    if (simt::decode<Format>(code) != value)
      throw KitError(show_value(value) + " is no such number");
    return static_cast<Bits>(code);
  });
}

template <class Exercise>
auto arguments(const GemmCase& c) {
  const auto a = bits<Exercise>(c.a), b_t = bits<Exercise>(c.b_t);
  if constexpr (is_fp8<Exercise>) {
    return std::tuple(a, b_t, c.a_scales, c.b_scales, out(c.outputs()), std::int64_t{c.shape.k});
  } else {
    return std::tuple(a, b_t, c.c, out(c.outputs()), c.alpha, c.beta, c.shape);
  }
}

/// What becomes of a sum; with other scales, where somebody mistakes them.
template <class Exercise>
Reals finished(const GemmCase& c, const std::vector<double>& sums) {
  return matrix<float>(c.shape.m, c.shape.n, [&](auto i, auto j) {
    const auto at = i * c.shape.n + j;
    if (is_fp8<Exercise>) return double{c.a_scales[i]} * c.b_scales[j] * sums[at];
    return c.alpha * sums[at] + (c.beta == 0 ? 0.0 : double{c.beta} * c.c[at]);
  });
}

inline std::vector<double> sums_of(const GemmCase& c) {
  return matrix<double>(c.shape.m, c.shape.n,
                        [&](auto i, auto j) { return sum_at(c, i, j).value; });
}

template <class Exercise>
Reals right_product(const GemmCase& c) {
  return finished<Exercise>(c, sums_of(c));
}

/// Sums that are rounded by `round` after each product of tiles, of numbers that are read by
/// `read`.
template <class Exercise, class Read, class Round>
std::vector<double> in_steps(const GemmCase& c, const Read& read, const Round& round) {
  return matrix<double>(c.shape.m, c.shape.n, [&](auto i, auto j) {
    double sum = 0;
    for (std::ptrdiff_t first = 0; first < c.shape.k; first += Exercise::kDepth) {
      double products = 0;
      for (std::ptrdiff_t p = first; p < first + Exercise::kDepth; ++p) {
        products += double{read(c.a[i * c.shape.k + p])} * read(c.b_t[j * c.shape.k + p]);
      }
      sum = round(products + sum);
    }
    return sum;
  });
}

inline float as_half(double x) { return simt::decode<HalfFormat>(simt::encode<HalfFormat>(x)); }

inline double as_bfloat16(double x) {
  return simt::decode<Bfloat16Format>(simt::encode<Bfloat16Format>(x));
}

}  // namespace nibble::judge::lab_26_cuda_half_fp8
