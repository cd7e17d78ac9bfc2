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

/// x [rows,k] with zeros up to a k that is allowed.
inline Reals widened(const Reals& x, int rows, int k) {
  return matrix<float>(rows, kStep, [&](auto i, auto p) { return p < k ? x[i * k + p] : 0; });
}

inline GemmCase by_hand(std::string name, MatmulShape s, const Reals& a, const Reals& b_t) {
  GemmCase c{std::move(name), {s.m, s.n, kStep}, widened(a, s.m, s.k), widened(b_t, s.n, s.k)};
  c.c = Reals(c.outputs());
  c.a_scales = Reals(std::size_t(s.m), 1);
  c.b_scales = Reals(std::size_t(s.n), 1);
  return c;
}

/// b_t [k,k] is 1 on its diagonal, and d is a: shows which place along k a number was taken from.
inline GemmCase times_one(int m) {
  GemmCase c = by_hand("TimesOne", {m, kStep, 0}, {}, {});
  for (int i = 0; i < m * kStep; ++i) c.a[i] = float(i * 7 % 31 % 17 - 8);
  for (int j = 0; j < kStep; ++j) c.b_t[std::size_t(j) * kStep + j] = 1;
  return c;
}

/// d[i,j] = (i - 3) * (j - 5): shows to which row and column a sum went.
inline GemmCase table_of_products() {
  return by_hand("TableOfProducts", {16, 16, 1},
                 {-3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
                 {-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
}

inline GemmCase scaled(GemmCase c, float alpha, float beta, const Reals& other) {
  c.alpha = alpha;
  c.beta = beta;
  c.c = other;
  c.name += "Scaled";
  return c;
}

/// Integers of the exercise's bits, and powers of two for what they are scaled with; or any
/// numbers of the format, none of them small.
template <class Exercise>
GemmCase random_case(MatmulShape s, std::uint64_t seed, bool exact) {
  GemmCase c{size_text(s), s, {}, {}};
  c.exact = exact;
  constexpr int kMost = (1 << Exercise::kBits) - 1;
  const auto numbers = [&](int rows, std::uint64_t salt) {
    const std::size_t count = std::size_t(rows) * std::size_t(s.k);
    const auto integers = code_tensor<int>(count, seed + salt, -kMost, kMost);
    if (exact) return Reals(integers.begin(), integers.end());
    const Reals any = uniform_tensor(count, seed + salt, 0.25f, 1.0f);
    return each_of(any, [&](float x, std::size_t at) {
      using Format = typename Exercise::Format;
      return simt::decode<Format>(simt::encode<Format>(integers[at] < 0 ? -x : x));
    });
  };
  const auto scales = [&](int count, std::uint64_t salt) {
    if (!exact) return uniform_tensor(std::size_t(count), seed + salt, 0.01f, 0.1f);
    return each_of(code_tensor<int>(std::size_t(count), seed + salt, -3, 1),
                   [](int e) { return std::ldexp(1.0f, e); });
  };
  c.a = numbers(s.m, 0);
  c.b_t = numbers(s.n, 1);
  if (is_fp8<Exercise>) {
    c.a_scales = scales(s.m, 2);
    c.b_scales = scales(s.n, 3);
    return c;
  }
  const auto c_integers = code_tensor<int>(c.outputs(), seed + 4, -1000, 1000);
  c.c = exact ? Reals(c_integers.begin(), c_integers.end())
              : uniform_tensor(c.outputs(), seed + 4, -1, 1);
  c.alpha = exact ? 0.5f : 0.3f;
  c.beta = exact ? -2.0f : 0.7f;
  return c;
}

template <class Exercise>
std::vector<GemmCase> random_products(const std::vector<MatmulShape>& shapes, Seed seeds,
                                      bool exact = true) {
  return each_of(shapes, [&](MatmulShape s, std::uint64_t at) {
    return random_case<Exercise>(s, seeds(16 * at), exact);
  });
}

// By hand, all sizes different; what shows where each number and each sum went.
template <class Exercise>
void check_formula() {
  GemmCase row = by_hand("RowTimesColumns", {1, 2, 3}, {1, 2, 3}, {4, -5, 6, 1, 1, -2});
  GemmCase all =
      by_hand("AllDifferent", {3, 4, 2}, {1, 2, 3, 4, 5, 6}, {1, 10, 2, 20, 3, 30, 4, 40});
  if (is_fp8<Exercise>) {
    GemmCase square = by_hand("SquareOfScales", {2, 2, 1}, {1, 2}, {1, 3});
    square.a_scales = {1, 8};
    square.b_scales = {0.5f, 0.25f};
    all.b_t = widened({1, 8, 2, 16, 3, 24, 4, 32}, 4, 2);
    row.a_scales = {0.5f};
    row.b_scales = {2, 4};
    // The product of the scales is an ordinary number; the sum times one of them need not be.
    GemmCase far = by_hand("ScalesFarApart", {1, 1, 1}, {128}, {128}), near = far;
    near.name = "ScalesFarApartTheOtherWay";
    far.a_scales = near.b_scales = {0x1p-100f};
    far.b_scales = near.a_scales = {0x1p120f};
    multiplying<Exercise>.gives({{square, {0.5f, 0.75f, 8, 12}},
                                 {far, {0x1p34f}},
                                 {near, {0x1p34f}},
                                 {row, {12, -6}},
                                 {all, {17, 34, 51, 68, 35, 70, 105, 140, 53, 106, 159, 212}}});
  } else {
    multiplying<Exercise>.gives({{row, {12, -3}},
                                 {scaled(row, 0.5f, 2, {10, -20}), {26, -41.5f}},
                                 {scaled(row, -1, 1, {100, 200}), {88, 203}},
                                 {all, {21, 42, 63, 84, 43, 86, 129, 172, 65, 130, 195, 260}}});
  }
  multiplying<Exercise>.is_right({table_of_products(), times_one(16)});
}

// 2049 is no half, 65536 is beyond the largest. bfloat16 reaches further than both.
inline void check_float_sums() {
  multiplying<Half>.gives({{by_hand("PastItsSteps", {1, 1, 2}, {64, 1}, {32, 1}), {2049}},
                           {by_hand("PastTheLargest", {1, 1, 2}, {256, 1}, {256, 1}), {65537}}});
  GemmCase ones = by_hand("Ones", {1, 1, 0}, {}, {});
  ones.shape.k = 4096;
  ones.a = ones.b_t = Reals(4096, 1);
  ones.a.back() = 3;
  multiplying<Half>.is_right({ones});
}

inline void check_wide_range() {
  multiplying<Bfloat16>.gives({{by_hand("Wide", {1, 2, 2}, {0x1p60f, 1}, {0x1p40f, 1, 0x1p-70f, 2}),
                                {0x1p100f, 2 + 0x1p-10f}},
                               {by_hand("PastHalves", {1, 1, 2}, {256, 1}, {256, 1}), {65537}}});
}

// Not where it is NaN, and not where it is nothing.
template <class Exercise>
void check_beta_zero() {
  GemmCase c = by_hand("CIsNan", {2, 3, 2}, {1, 2, 3, 4}, {1, 10, 2, 20, 3, 30});
  GemmCase none = c;
  none.name = "NoC";
  none.c = {};
  c.c = Reals(c.outputs(), kNan);
  multiplying<Exercise>.gives({{c, {21, 42, 63, 43, 86, 129}}});
  multiplying<Exercise>.is_right({scaled(c, 2, 0, Reals(c.outputs(), kInfinity))});
  multiplying<Exercise>.runs_clean({none});
}

// No sum at all; one output; one less than, as many as and one more than 8, 16 and 32; tall and
// flat.
inline const std::vector<MatmulShape> kShapes = {
    {2, 3, 0},     {1, 1, 32},   {1, 2, 96},   {2, 40, 32},  {40, 2, 64},
    {7, 9, 32},    {8, 16, 160}, {16, 8, 32},  {17, 15, 64}, {15, 17, 128},
    {33, 31, 288}, {31, 33, 32}, {64, 64, 64}, {3, 129, 32}, {129, 3, 32}};

template <class Exercise>
void check_shapes() {
  multiplying<Exercise>.is_right(random_products<Exercise>(kShapes, seed));
  multiplying<Exercise>.is_right(
      random_products<Exercise>({{3, 5, 32}, {5, 3, 96}, {17, 9, 256}}, seed, false));
}

/// Sums that grow: all products are above 0. Whoever lets tensor cores add up all of them loses
/// more than that at every length here.
inline void check_two_levels() {
  std::vector<GemmCase> cases = random_products<Fp8>({{2, 3, 2048}, {2, 2, 4096}}, seed, false);
  for (GemmCase& c : cases) {
    c.name = "Above0Times" + std::to_string(c.shape.k);
    for (float& x : c.a) x = std::fabs(x);
    for (float& x : c.b_t) x = std::fabs(x);
  }
  multiplying<Fp8>.is_right(cases);
  GemmCase parts = by_hand("LongExact", {1, 1, 0}, {}, {});
  parts.shape.k = 4096;
  parts.a = parts.b_t = Reals(4096, 3);
  parts.a.back() = 1;
  multiplying<Fp8>.is_right({parts});
}

}  // namespace nibble::judge::lab_26_cuda_half_fp8
