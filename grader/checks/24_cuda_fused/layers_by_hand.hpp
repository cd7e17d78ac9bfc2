// Lab 24: layers by hand.
#pragma once

#include "cuda_fused.hpp"

#include <cmath>

#include "checks/24_cuda_fused/exercise.hpp"
#include "checks/24_cuda_fused/layer.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/product.hpp"
#include "judge/same_function.hpp"

namespace nibble::judge::lab_24_cuda_fused {

struct HandCase {
  Layer of;
  std::vector<double> want;
};

/// Sums that two int8 codes make, and at most 16 rows: row i of a is 0 but for a 1 at p = i, which
/// picks the sums out of b_t.
inline bool make_product(Layer& c) {
  const auto [m, n, k] = c.shape;
  const auto is_code = [](int sum) { return sum >= -128 && sum <= 127; };
  if (m > 16 || !std::ranges::all_of(c.acc, is_code)) return false;
  c.shape.k = 16;
  c.a.resize(std::size_t(m) * 16);
  c.b_t.resize(std::size_t(n) * 16);
  for (int i = 0; i < m; ++i) {
    c.a[std::size_t(i) * 17] = 1;
    for (int j = 0; j < n; ++j) c.b_t[std::size_t(j) * 16 + i] = std::int8_t(c.acc[i * n + j]);
  }
  return true;
}

/// The columns over and over: words of c where there were none, and none where there were.
inline Layer with_other_columns(const Layer& c) {
  const auto [m, n, k] = c.shape;
  Layer to = c;
  to.name += n % 4 == 0 ? "NoWords" : "Words";
  to.shape.n = n % 4 == 0 ? n + 1 : 4 * n;
  // Element by element of `size` that a column has, row by row.
  const auto again = [&, n = std::size_t(n)](auto& list, std::size_t rows, std::size_t size) {
    const auto from = list;
    list.clear();
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t at = 0; at < std::size_t(to.shape.n) * size; ++at) {
        list.push_back(from[row * n * size + at % (n * size)]);
      }
    }
  };
  again(to.acc, m, 1);
  again(to.b_t, 1, k);
  again(to.scales, 1, 1);
  again(to.integer_bias, 1, 1);
  return to;
}

template <auto F>
void gives_by_hand(const std::vector<HandCase>& table) {
  std::vector<Layer> layers;
  for (auto [one, want] : table) {
    if (kMultiplies<F> && !make_product(one)) continue;
    const auto answer = by_definition<F>(one);
    for (std::size_t i = 0; i < want.size(); ++i) {
      const double value = answer[i];
      Expect::healthy(std::isnan(value) ? std::isnan(want[i]) : value == want[i],
                      one.name + ": the table and the definition differ");
    }
    layers.push_back(std::move(one));
  }
  // Whole words of codes may go another way than what is none.
  if (kMakesCodes<F>) {
    for (std::size_t i = 0, rows = layers.size(); i < rows; ++i) {
      layers.push_back(with_other_columns(layers[i]));
    }
  }
  if constexpr (kMakesCodes<F>) {
    layer<F>.gives(each_of(layers, [](const Layer& one) {
      return typename decltype(layer<F>)::Row{one, codes_of(one)};
    }));
  } else {
    layer<F>.is_right(layers);
  }
}

inline HandCase real_case(const char* name, int m, const Sums& acc, float a_scale,
                          const Reals& b_scales, const Reals& bias,
                          const std::vector<double>& want) {
  return {{name, {m, int(bias.size()), 0}, {}, {}, acc, a_scale, b_scales, bias, {}, 0}, want};
}

inline HandCase code_case(const char* name, int m, const Sums& acc, const Reals& ratios,
                          const Sums& bias, int zero_point, const std::vector<double>& want) {
  return {{name, {m, int(bias.size()), 0}, {}, {}, acc, 1, ratios, {}, bias, zero_point}, want};
}

// Scales are powers of two, so that products and sums are exact however they are rounded. The first
// rows are such that no two mistakes answer the same.
inline const std::vector<HandCase> kReals = {
    real_case("TwoByTwo", 2, {6, -4, 10, 16}, 0.5f, {0.5f, 2}, {1, -2}, {2.5, 0, 3.5, 14}),
    real_case("OneOutput", 1, {3}, 0.5f, {0.25f}, {1}, {1.375}),
    real_case("BiasIsLast", 1, {1, 2}, 1, {0x1p-7f, 0x1p-7f}, {1, 1}, {1.0078125, 1.015625}),
    real_case("ReluIsLast", 1, {-4, -2}, 1, {0.5f, 0.5f}, {3, 3}, {1, 2}),
    real_case("AChannelEach", 3, {1, 1, 2, 2, 3, 3}, 2, {0.5f, 8}, {0.25f, -16},
              {1.25, 0, 2.25, 16, 3.25, 32}),
    real_case("Signs", 2, {4, -4, -4, 4}, 1, {1, 0.5f}, {-4.5f, 1}, {0, 0, 0, 3}),
    real_case("LargeSums", 1, {16777217, kMost, kLeast}, 1, {1, 1, 1}, {0, 0, 0},
              {16777216, 2147483648, 0}),
    // The product of the scales is 1, that of a sum and one of them infinite.
    real_case("LargeScaleOfA", 1, {4}, 0x1p126f, {0x1p-126f}, {1}, {5}),
    real_case("LargeScaleOfB", 1, {4}, 0x1p-126f, {0x1p126f}, {1}, {5}),
};

inline const std::vector<HandCase> kNans = {
    real_case("NanBias", 2, {1, 0, -100, 100}, 1, {1, 2}, {kNan, -1}, {kNan, 0, kNan, 199}),
    real_case("InfiniteBias", 1, {-5, 5, 0}, 1, {1, 1, 1}, {kInfinity, -kInfinity, -0.0f},
              {kInfinity, 0, 0}),
};

inline const std::vector<HandCase> kCodes = {
    code_case("TwoByTwo", 2, {6, -4, 10, 8}, {0.5f, 2}, {2, 6}, -3, {1, 1, 3, 25}),
    code_case("OneOutput", 1, {6}, {0.5f}, {0}, 0, {3}),
    code_case("ZeroPoint", 1, {6}, {0.5f}, {0}, -10, {-7}),
    code_case("BiasIsFirst", 1, {1}, {0.5f}, {3}, 0, {2}),
    code_case("AChannelEach", 3, {2, 2, 4, 4, 6, 6}, {0.5f, 4}, {0, -2}, 1, {2, 1, 3, 9, 4, 17}),
    code_case("TwoWords", 1, {1, 2, 3, 4, 5, 6, 7, 8}, Reals(8, 2), Sums(8, 1), -9,
              {-5, -3, -1, 1, 3, 5, 7, 9}),
};

inline const std::vector<HandCase> kTies = {
    code_case("Ties", 1, {1, 3, 5, 7}, Reals(4, 0.5f), Sums(4), 0, {0, 2, 2, 4}),
    code_case("TiesOddZeroPoint", 1, {1, 3, 5, 7}, Reals(4, 0.5f), Sums(4), 1, {1, 3, 3, 5}),
    code_case("NearTies", 1, {5, 6, 7, 8}, Reals(4, 0.25f), Sums(4), -3, {-2, -1, -1, -1}),
    code_case("TiesInFloat32", 1, {3, 9, 15, 21}, Reals(4, 1 / 6.0f), Sums(4), 0, {0, 2, 2, 4}),
};

// Beyond the ends by little, and by more than a code can be beyond. The last two are a sum that
// overflows when the zero point is added to it, and a product that is infinite.
inline const std::vector<HandCase> kRails = {
    code_case("Below", 1, {-1, -120, -75}, {1, 1, 2}, {0, 0, 0}, -20, {-20, -20, -20}),
    code_case("Above", 1, {117, 118, 70}, {1, 1, 2}, {0, 0, 0}, 10, {127, 127, 127}),
    code_case("WholeRange", 1, {-1, 63, 64, 100}, {4, 4, 4, 4}, {0, 3, 0, 0}, -128,
              {-128, 127, 127, 127}),
    code_case("OneCode", 1, {-7, 0, 7}, {1, 1, 1}, {0, 0, 0}, 127, {127, 127, 127}),
    code_case("Huge", 1, {kMost, kLeast, kMost, 7}, {1, 1, 0x1p-24f, 1}, {0, 0, 0, 0}, 10,
              {127, 10, 127, 17}),
    code_case("Infinite", 1, {kMost, kLeast, 7}, {3e38f, 3e38f, 1}, {0, 0, 0}, -5, {127, -5, 2}),
    code_case("InfiniteOfSmallSums", 1, {2, -2, 7}, {3e38f, 3e38f, 1}, {0, 0, 0}, -5, {127, -5, 2}),
};

inline const std::vector<HandCase> kSaturation = {
    code_case("JustTooLarge", 1, {kMost - 1, kMost}, {0x1p-26f, 0x1p-26f}, {5, -5}, 0, {32, 32}),
    code_case("TwiceTooLarge", 1, {2000000000}, {0x1p-26f}, {2000000000}, 0, {32}),
    code_case("TooSmall", 1, {kLeast + 1, kLeast}, {0x1p-26f, 0x1p-26f}, {-10, kLeast}, 3, {3, 3}),
    code_case("BiasAtTheEnds", 1, {5, -5}, {0x1p-26f, 0x1p-26f}, {kMost, kLeast}, 0, {32, 0}),
};

/// Rows of k codes: those that are given, and behind them the zero points, which stand for 0.
inline HandCase asymmetric_case(const char* name, MatmulShape few, const Codes& a, const Codes& b_t,
                                float a_scale, int a_zero_point, const Reals& b_scales,
                                const Sums& b_zero_points, const std::vector<double>& want,
                                int k = 16) {
  Layer c{name, {few.m, few.n, k}, {},           {}, {}, a_scale, b_scales, {},
          {},   a_zero_point,      b_zero_points};
  const auto add_row = [k, given = few.k](Codes& to, const Codes& from, int row, int zero_point) {
    const auto first = from.begin() + std::ptrdiff_t{row} * given;
    to.insert(to.end(), first, first + given);
    to.insert(to.end(), std::size_t(k - given), static_cast<std::int8_t>(zero_point));
  };
  for (int i = 0; i < few.m; ++i) add_row(c.a, a, i, a_zero_point);
  for (int j = 0; j < few.n; ++j) add_row(c.b_t, b_t, j, b_zero_points[std::size_t(j)]);
  c.acc = sums_of(c.a, c.b_t, c.shape, std::size_t(k));
  return {c, want};
}

// Real values: (5 - 3) * (7 - 9) = -4, and so on.
inline const std::vector<HandCase> kAsymmetric = {
    // No tile of 32 divides this k, and what is behind it is not as much: each mistake differs.
    asymmetric_case("ThreePieces", {1, 1, 2}, {5, 4}, {7, 11}, 1, 3, {1}, {9}, {-2}, 48),
    asymmetric_case("OneProduct", {1, 1, 1}, {5}, {7}, 0.5f, 3, {0.25f}, {9}, {-0.5}),
    asymmetric_case("ZeroPointOfA", {1, 2, 2}, {4, 6}, {1, 2, 3, -1}, 1, 5, {1, 1}, {0, 0},
                    {1, -4}),
    asymmetric_case("ZeroPointsOfB", {2, 1, 2}, {1, 2, 3, -1}, {4, 6}, 1, 0, {1}, {5}, {1, -4}),
    asymmetric_case("AColumnEach", {2, 3, 1}, {10, -10}, {1, 2, 3}, 2, -2, {0.5f, 1, 2},
                    {4, 0, -128}, {-36, 48, 6288, 24, -32, -4192}),
    asymmetric_case("BothEnds", {2, 2, 1}, {-128, 127}, {-128, 127}, 1, 127, {1, 1}, {127, -128},
                    {65025, -65025, 0, 0})};

inline void check_asymmetric_formula() {
  using Row = decltype(layer<&matmul_asymmetric>)::Row;
  layer<&matmul_asymmetric>.gives(each_of(kAsymmetric, [](const HandCase& one) {
    return Row{one.of, Reals(one.want.begin(), one.want.end())};
  }));
}

/// A row whose sum is none of the column's. Then rows as long as they may be: of codes as far from
/// their zero points as there are; and of terms that are no floats, of which little is left.
inline void check_asymmetric_sums() {
  constexpr int kLongest = 33024;
  const auto sums = [](const char* name, int k, int zero_point, auto code_of_a, auto code_of_b) {
    Layer c{name, {1, 1, k}, {}, {}, {}, 1, {1}, {}, {}, zero_point, {zero_point}};
    for (int p = 0; p < k; ++p) {
      c.a.push_back(static_cast<std::int8_t>(code_of_a(p)));
      c.b_t.push_back(static_cast<std::int8_t>(code_of_b(p)));
    }
    c.acc = sums_of(c.a, c.b_t, c.shape, k);
    return c;
  };
  const auto most = [](int) { return 127; };
  layer<&matmul_asymmetric>.is_right(
      {sums("RowUnlikeColumn", 784, -128, most, [](int p) { return p % 2 == 0 ? 100 : 127; }),
       sums("Longest", kLongest, -128, most, most),
       sums(
           "Cancelling", kLongest, 127, [](int p) { return p % 7 == 0 ? 126 : 127; },
           [](int p) { return p % 5 == 0 ? 125 : 127; })});
}

}  // namespace nibble::judge::lab_24_cuda_fused
