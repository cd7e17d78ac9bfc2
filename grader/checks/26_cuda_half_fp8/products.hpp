// Lab 26: products.
#pragma once

#include "cuda_half_fp8.hpp"

#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>

#include "checks/26_cuda_half_fp8/rows.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/slips.hpp"
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

/// Sums of 16 bits, the last step alone; alpha or beta forgotten, exchanged, or applied to all.
inline void suspect_products_of_16_bits(Expect& expect, const GemmCase& c) {
  const auto same = [](float x) { return x; };
  expect.suspect("N-FLOAT32", "d", finished<Half>(c, in_steps<Half>(c, same, as_half)),
                 "sums are halves, and have to be floats");
  GemmCase last = c;
  for (int at = 0; at < c.shape.m * c.shape.k; ++at) {
    if (at % c.shape.k < c.shape.k - Half::kDepth) last.a[std::size_t(at)] = 0;
  }
  expect.suspect("N-TAIL", "d", right_product<Half>(last),
                 "only the last step along k is added, " + std::to_string(Half::kDepth) + " of " +
                     std::to_string(c.shape.k));
  const auto suspect = [&](std::string_view words, float alpha, float beta) {
    GemmCase scaled = c;
    scaled.alpha = alpha;
    scaled.beta = c.beta == 0 ? 0 : beta;
    expect.suspect("N-SCALE", "d", right_product<Half>(scaled), words);
  };
  suspect("the sum is not scaled by alpha", 1, c.beta);
  suspect("c is not scaled by beta", c.alpha, 1);
  suspect("beta * c is not added", c.alpha, 0);
  suspect("alpha scales c, too", c.alpha, c.alpha * c.beta);
  suspect("alpha and beta are exchanged", c.beta, c.alpha);
  suspect("beta * c is taken away", c.alpha, -c.beta);
}

/// A float that nobody has set, as the compiler fills it.
inline const float kUnset = std::bit_cast<float>(0xfefefefeu);

/// Sums that begin with it; for fp8 the whole parts of 128 products alone; of 16 bits the other
/// format's.
template <class Exercise>
std::vector<Slip<Reals>> slips_of_product(const GemmCase& c) {
  const auto unset = each_of(sums_of(c), [](double sum) { return float(kUnset + float(sum)); });
  std::vector<Slip<Reals>> slips{{"N-UNINIT", "the sums begin with what nobody has set",
                                  each_of(finished<Exercise>(c, {unset.begin(), unset.end()}),
                                          [](double x) { return float(x); })}};
  if (is_fp8<Exercise>) {
    GemmCase whole = c;
    for (std::size_t at = 0; at < c.a.size(); ++at) {
      if (int(at) % c.shape.k >= c.shape.k / 128 * 128) whole.a[at] = 0;
    }
    slips.push_back({"N-TAIL", "the last part, of less than 128 products, is not added",
                     right_product<Exercise>(whole)});
    return slips;
  }
  const auto other = [](float x) {
    return std::is_same_v<Exercise, Half>
               ? simt::decode<Bfloat16Format>(simt::encode<HalfFormat>(x))
               : simt::decode<HalfFormat>(simt::encode<Bfloat16Format>(x));
  };
  slips.push_back({"N-FORMULA", "the bits are read as those of the other format of 16 bits",
                   finished<Half>(c, in_steps<Half>(c, other, [](double x) { return float(x); }))});
  return slips;
}

/// Steps along k that lose products, or add some twice; sums of other places; rows of d for
/// columns; words of a lane that come from elsewhere in the row.
template <class Exercise>
void suspect_places(Expect& expect, const GemmCase& c) {
  const std::size_t m = std::size_t(c.shape.m), n = std::size_t(c.shape.n),
                    k = std::size_t(c.shape.k);
  if (m * n * k == 0 || m * n * k > 100'000) return;
  const auto of_a = [&](const char* code, std::string_view words, const Reals& a) {
    GemmCase other = c;
    other.a = a;
    expect.suspect(code, "d", right_product<Exercise>(other), words);
  };
  each_wrong_step(k, [&](const char* code, std::string_view words, const auto& times) {
    of_a(code, words,
         each_of(c.a, [&](float x, std::size_t at) { return x * float(times(at % k)); }));
  });
  const std::vector<double> sums = sums_of(c);
  const auto moved = [&](std::string_view words, const auto& row, const auto& column) {
    std::vector<double> other;
    for (std::size_t at = 0; at < m * n; ++at) {
      const std::size_t i = row(at / n, at % n), j = column(at / n, at % n);
      other.push_back(i < m && j < n ? sums[i * n + j] : 0);
    }
    expect.suspect("N-LAYOUT", "d", finished<Exercise>(c, other), words);
  };
  each_wrong_place(c.shape, moved);
  moved(
      "d[i,j] is written where d[j,i] belongs", [](std::size_t, std::size_t s) { return s; },
      [](std::size_t r, std::size_t) { return r; });
  if (distinct(c.a) <= 2) return;  // it looks the same from everywhere
  const std::size_t word = is_fp8<Exercise> ? 4 : 2, half = 4 * word;
  const auto from = [&](std::string_view words, const auto& place) {
    of_a("N-LAYOUT", words, each_of(c.a, [&](float, std::size_t at) {
           const std::size_t p = at % k / (2 * half) * (2 * half) + place(at % (2 * half));
           return p < k ? c.a[at / k * k + p] : 0;
         }));
  };
  from("the second word of a row is the first once more", [=](std::size_t p) { return p % half; });
  from("the halves along k are exchanged",
       [=](std::size_t p) { return p < half ? p + half : p - half; });
  from("two neighbours of a row are exchanged", [](std::size_t p) { return p ^ 1; });
}

/// The scales of rows for columns, where there are as many.
inline void suspect_scales(Expect& expect, const GemmCase& c) {
  const auto suspect = [&](const char* code, std::string_view words, const Reals& a_scales,
                           const Reals& b_scales) {
    GemmCase scaled = c;
    scaled.a_scales = a_scales;
    scaled.b_scales = b_scales;
    expect.suspect(code, "d", right_product<Fp8>(scaled), words);
  };
  const Reals ones(c.a_scales.size() + c.b_scales.size(), 1);
  if (c.shape.m == c.shape.n) {
    suspect("N-AXIS", "a_scales belong to rows of d, and b_scales to columns", c.b_scales,
            c.a_scales);
  }
  suspect("N-SCALE", "a_scales[i] is missing", ones, c.b_scales);
  suspect("N-SCALE", "b_scales[j] is missing", c.a_scales, ones);
  suspect("N-SCALE", "the sum is not scaled", ones, ones);
}

template <class Exercise>
void expect_product(Expect& expect, const GemmCase& c, const Reals& got, const Reals& right) {
  const Shape shape{std::size_t(c.shape.m), std::size_t(c.shape.n)};
  if (c.exact) {
    if constexpr (is_fp8<Exercise>) {
      const auto is_huge = [](float one) { return one > 0x1p64f; };
      if (std::ranges::any_of(c.a_scales, is_huge) || std::ranges::any_of(c.b_scales, is_huge)) {
        expect.that(std::ranges::none_of(got, [](float one) { return std::isinf(one); }),
                    "the scales are multiplied first: a sum times one of them is beyond all floats",
                    "N-OVERFLOW");
      }
      if (got != right) suspect_scales(expect, c);
    } else {
      const auto has_nan = [](const Reals& x) {
        return std::any_of(x.begin(), x.end(), [](float one) { return std::isnan(one); });
      };
      expect.that(c.beta != 0 || !has_nan(c.c) || !has_nan(got),
                  "with beta = 0, what c held is in d", "N-NAN");
      if (got != right) suspect_products_of_16_bits(expect, c);
    }
    std::vector<Slip<Reals>> slips;
    if (got != right) {
      suspect_places<Exercise>(expect, c);
      slips = slips_of_product<Exercise>(c);
    }
    expect_no_slip(expect, "d", got, right, shape, slips);
    return;
  }
  const auto is_right = [&](std::size_t at) {
    const std::ptrdiff_t i = std::ptrdiff_t(at) / c.shape.n, j = std::ptrdiff_t(at) % c.shape.n;
    const Sum sum = sum_at(c, i, j);
    if (is_fp8<Exercise>) {
      const double scale = double{c.a_scales[i]} * c.b_scales[j];
      return is_near(got[at], scale * sum.value, short_sum_tolerance(scale * sum.magnitude));
    }
    const double rest = c.beta == 0 ? 0.0 : double{c.beta} * c.c[at];
    return is_near(
        got[at], c.alpha * sum.value + rest,
        tensor_sum_tolerance(std::fabs(c.alpha) * sum.magnitude + std::fabs(rest), c.shape.k));
  };
  expect.every("d", got, right, is_right, shape);
  if (!is_fp8<Exercise>) expect.otherwise("N-FORMULA");
}

template <class Exercise>
inline const auto multiplying = kernel_exercise<Exercise::kCall>(arguments<Exercise>,
                                                                 right_product<Exercise>,
                                                                 expect_product<Exercise>);

}  // namespace nibble::judge::lab_26_cuda_half_fp8
