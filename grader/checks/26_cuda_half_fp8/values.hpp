// Lab 26: the values of products, by hand and at random.
#pragma once

#include "cuda_half_fp8.hpp"

#include "checks/26_cuda_half_fp8/products.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_26_cuda_half_fp8 {

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
  for (int i = 0; i < m * kStep; ++i) c.a[i] = float(i * 11 % 37 % 17 - 8);
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
  multiplying<Exercise>.is_right({times_one(16), table_of_products()});
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
  multiplying<Bfloat16>.gives({{by_hand("AboveHalves", {1, 2, 2}, {0x1p20f, 1}, {1, 3, -2, -5}),
                                {0x1p20f + 3, -0x1p21f - 5}},
                               {by_hand("Wide", {1, 2, 2}, {0x1p60f, 1}, {0x1p40f, 1, 0x1p-70f, 2}),
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
  GemmCase parts = by_hand("LongExact", {1, 1, 0}, {}, {});
  parts.shape.k = 4096;
  parts.a = parts.b_t = Reals(4096, 3);
  parts.a.back() = 1;
  multiplying<Fp8>.is_right({parts});
  std::vector<GemmCase> cases = random_products<Fp8>({{2, 3, 2048}, {2, 2, 4096}}, seed, false);
  for (GemmCase& c : cases) {
    c.name = "Above0Times" + std::to_string(c.shape.k);
    for (float& x : c.a) x = std::fabs(x);
    for (float& x : c.b_t) x = std::fabs(x);
  }
  multiplying<Fp8>.is_right(cases);
}

}  // namespace nibble::judge::lab_26_cuda_half_fp8
