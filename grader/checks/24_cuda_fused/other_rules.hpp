// Lab 24: what other rules than the contract's would answer.
#pragma once

#include "cuda_fused.hpp"

#include <cmath>
#include <string_view>

#include "checks/24_cuda_fused/layer.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/product.hpp"
#include "judge/same_function.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_24_cuda_fused {

/// What is clipped everywhere tells nothing.
template <class T>
bool is_clipped(const Layer& c, const std::vector<T>& answer) {
  const T zero = std::is_same_v<T, float> ? T(0) : T(c.zero_point);
  return std::ranges::count(answer, zero) == std::ssize(answer);
}

template <class T>
void suspect_telling(Expect& expect, const Layer& c, const char* code, std::string_view words,
                     const std::vector<T>& answer) {
  if (!is_clipped(c, answer)) expect.suspect(code, "c", answer, words);
}

inline void suspect_reals(const Layer& c, Expect& expect) {
  const auto suspect = [&](const char* code, std::string_view words, const auto& answer) {
    const auto value = [&](float acc, int i, int j) {
      return answer(acc, c.a_scale * c.scales[j], c.real_bias[j], i, j);
    };
    suspect_telling(expect, c, code, words, each_output<float>(c, value));
  };
  const auto rule = [&](const char* code, std::string_view words, const auto& v) {
    suspect(code, words,
            [&](float acc, float s, float b, int i, int j) { return relu(v(acc, s, b, i, j)); });
  };
  const int n = c.shape.n;
  constexpr const char* kScales = "the sum is scaled by a_scale alone, or by b_scales[j] alone";
  constexpr const char* kOneByOne = "the scales are multiplied first, and their product rounded";
  suspect("N-CLAMP", "there is no ReLU: what is below 0 becomes 0",
          [](float acc, float s, float b, int, int) { return acc * s + b; });
  suspect("N-CLAMP", "ReLU the wrong way round: what is below 0 becomes 0",
          [](float acc, float s, float b, int, int) { return std::min(acc * s + b, 0.0f); });
  rule("N-BIAS", "the bias is not added",
       [](float acc, float s, float, int, int) { return acc * s; });
  rule("N-BIAS", "the bias is taken away",
       [](float acc, float s, float b, int, int) { return acc * s - b; });
  rule("N-BIAS", "the bias is added before the scale",
       [](float acc, float s, float b, int, int) { return (acc + b) * s; });
  suspect("N-BIAS", "the bias is added after ReLU",
          [](float acc, float s, float b, int, int) { return relu(acc * s) + b; });
  rule("N-BIAS", "ReLU comes before the bias, and has to come last",
       [](float acc, float s, float b, int, int) { return relu(acc * s) + b; });
  rule("N-AXIS", "the bias is that of column 0, for all columns",
       [&](float acc, float s, float, int, int) { return acc * s + c.real_bias[0]; });
  rule("N-AXIS", "the scale is that of column 0, for all columns",
       [&](float acc, float, float b, int, int) { return acc * (c.a_scale * c.scales[0]) + b; });
  rule("N-AXIS", "the bias is that of the row, and belongs to the column",
       [&](float acc, float s, float, int i, int) { return acc * s + c.real_bias[i % n]; });
  rule("N-AXIS", "the scale is that of the row, and belongs to the column",
       [&](float acc, float, float b, int i, int) {
         return acc * (c.a_scale * c.scales[i % n]) + b;
       });
  rule("N-AXIS", "scale and bias are those of the row, and belong to the column",
       [&](float acc, float, float, int i, int) {
         return acc * (c.a_scale * c.scales[i % n]) + c.real_bias[i % n];
       });
  rule("N-SCALE", kOneByOne,
       [&](float acc, float, float b, int, int j) { return acc * c.a_scale * c.scales[j] + b; });
  rule("N-SCALE", kOneByOne,
       [&](float acc, float, float b, int, int j) { return acc * c.scales[j] * c.a_scale + b; });
  rule("N-SCALE", kScales,
       [&](float acc, float, float b, int, int j) { return acc * c.scales[j] + b; });
  rule("N-SCALE", kScales,
       [&](float acc, float, float b, int, int) { return acc * c.a_scale + b; });
  rule("N-SCALE", "the sum is divided by its scale",
       [](float acc, float s, float b, int, int) { return acc / s + b; });
}

inline void suspect_codes(const Layer& c, Expect& expect) {
  const auto rule = [&](const char* code, std::string_view words, const auto& answer) {
    const auto value = [&](int acc, int i, int j) {
      const std::int32_t sum = saturated(std::int64_t{acc} + c.integer_bias[j]);
      return static_cast<int>(std::clamp<double>(answer(acc, sum, i, j), -1e9, 1e9));
    };
    suspect_telling(expect, c, code, words, each_output<std::int8_t>(c, value));
  };
  const double z = c.zero_point;
  const auto in_range = [z](double code) { return std::clamp(code, z, 127.0); };
  const auto product = [&](int sum, int j) {
    return double{static_cast<float>(sum) * c.scales[j]};
  };
  const auto rounds = [&](const char* code, std::string_view words, const auto& round) {
    rule(code, words,
         [&](int, int sum, int, int j) { return in_range(round(product(sum, j)) + z); });
  };
  rounds("N-ROUND", "the zero point is added before the rounding",
         [z](double v) { return std::nearbyint(v + z) - z; });
  rule("N-ROUND", "the product is made in double", [&](int, int sum, int, int j) {
    return in_range(std::nearbyint(double{static_cast<float>(sum)} * double{c.scales[j]}) + z);
  });
  rounds("N-ROUND", "ties are rounded away from 0", [](double v) { return std::round(v); });
  rounds("N-ROUND", "ties are rounded up", [](double v) { return std::floor(v + 0.5); });
  rounds("N-TRUNC", "the fraction is cut off", [](double v) { return std::trunc(v); });
  rounds("N-ZERO", "the zero point is not added", [z](double v) { return std::nearbyint(v) - z; });
  rounds("N-ZP-SIGN", "the zero point is taken away",
         [z](double v) { return std::nearbyint(v) - 2 * z; });
  rule("N-OVERFLOW", "the sum of acc and bias wraps around", [&](int acc, int, int, int j) {
    const auto wrapped = std::uint32_t(acc) + std::uint32_t(c.integer_bias[j]);
    return in_range(std::nearbyint(product(std::int32_t(wrapped), j)) + z);
  });
  const auto unsaturated = [&](const auto& sum_of) {
    rule("N-OVERFLOW",
         "acc and bias are added as what holds more than int32: a sum saturates there",
         [&](int acc, int, int, int j) {
           const auto sum = static_cast<float>(sum_of(acc, c.integer_bias[j]));
           return in_range(std::nearbyint(double{sum * c.scales[j]}) + z);
         });
  };
  unsaturated([](int acc, int bias) { return float(acc) + float(bias); });
  unsaturated([](int acc, int bias) { return std::int64_t{acc} + bias; });
  rule("N-BIAS", "the bias is not added",
       [&](int acc, int, int, int j) { return in_range(std::nearbyint(product(acc, j)) + z); });
  rule("N-BIAS", "the bias is added behind the scale, and counts steps of acc",
       [&](int acc, int, int, int j) {
         return in_range(std::nearbyint(product(acc, j) + c.integer_bias[j]) + z);
       });
  rule("N-BIAS", "the bias is taken away", [&](int acc, int, int, int j) {
    const std::int32_t sum = saturated(std::int64_t{acc} - c.integer_bias[j]);
    return in_range(std::nearbyint(product(sum, j)) + z);
  });
  rule("N-SCALE", "the sum is divided by its ratio", [&](int, int sum, int, int j) {
    return in_range(std::nearbyint(double{static_cast<float>(sum) / c.scales[j]}) + z);
  });
  const auto clamps = [&](std::string_view words, double low, double high) {
    rule("N-CLAMP", words, [&, low, high](int, int sum, int, int j) {
      return std::clamp(std::nearbyint(product(sum, j)) + z, low, high);
    });
  };
  constexpr const char* kNoLower = "the lower end of a code is zero_point: that is ReLU";
  clamps(kNoLower, -128, 127);
  clamps(kNoLower, 0, 127);
  clamps(kNoLower, -1e9, 127);
  clamps("the code is not clamped, and wraps around", -1e9, 1e9);
  clamps("the code is not clamped at 127, and wraps around", z, 1e9);
  const auto from_steps = [&](std::string_view words, double low, double high) {
    rule("N-CLAMP", words, [&, low, high](int, int sum, int, int j) {
      return std::clamp(std::nearbyint(product(sum, j)), low, high) + z;
    });
  };
  from_steps("the code is clamped before the zero point is added, and not behind", 0, 127);
  from_steps("the code is clamped before the zero point is added, and not behind", z, 127);
  from_steps("the code is clamped before the zero point is added, and not behind", -128, 127);
  constexpr const char* kFirst = "several columns have one ratio or one bias";
  const char* const row_words =
      c.shape.m > 1 ? "ratio or bias is that of the row, and belongs to the column" : kFirst;
  const auto elsewhere = [&](std::string_view words, const auto& ratio_at, const auto& bias_at) {
    rule("N-AXIS", words, [&](int acc, int, int i, int j) {
      const std::int32_t sum =
          saturated(std::int64_t{acc} + c.integer_bias[std::size_t(bias_at(i, j))]);
      return in_range(std::nearbyint(product(sum, ratio_at(i, j))) + z);
    });
  };
  const auto own = [](int, int j) { return j; };
  const auto row = [n = c.shape.n](int i, int) { return i % n; };
  const auto first = [](int, int j) { return j / 4 * 4; };
  elsewhere(row_words, row, own);
  elsewhere(row_words, own, row);
  elsewhere(row_words, row, row);
  elsewhere(kFirst, first, own);
  elsewhere(kFirst, own, first);
  elsewhere(kFirst, first, first);
  const Codes want = codes_of(c);
  for (std::size_t flip = 1; flip < 4; ++flip) {
    Codes moved = want;
    for (std::size_t i = 0; i < want.size() / 4 * 4; ++i) moved[i] = want[i ^ flip];
    expect.suspect("N-LAYOUT", "c", moved, "the right codes are in the wrong places of a word");
  }
}

/// Zero points that are forgotten, exchanged, taken from elsewhere or counted too often.
inline void suspect_zero_points(const Layer& c, Expect& expect) {
  const std::int64_t za = c.zero_point, k = c.shape.k;
  const auto rule = [&](const char* code, std::string_view words, const auto& sum) {
    expect.suspect(code, "c",
                   from_terms(c,
                              [&](const Terms& t, int i, int j) {
                                return sum(t, std::int64_t{c.b_zero_points[std::size_t(j)]}, i);
                              }),
                   words);
  };
  const auto right = [](const Terms& t, std::int64_t a, std::int64_t b, std::int64_t count) {
    return t.dot - a * t.column - b * t.row + count * a * b;
  };
  constexpr const char* kOfA = "a_zero_point is not taken off";
  constexpr const char* kOfB = "the zero points of b are not taken off";
  constexpr const char* kColumn = "a_zero_point * column(j) is not taken off";
  constexpr const char* kRow = "b_zero_points[j] * row(i) is not taken off";
  constexpr const char* kBoth = "k * a_zero_point * b_zero_points[j] is missing, or not times k";
  constexpr const char* kAdded = "a zero point is added that has to be taken off";
  rule("N-ZERO", "no zero point is taken off", [&](const Terms& t, auto, int) { return t.dot; });
  rule("N-ZERO", kOfA, [&](const Terms& t, auto zb, int) { return right(t, 0, zb, k); });
  rule("N-ZERO", kOfB, [&](const Terms& t, auto, int) { return right(t, za, 0, k); });
  rule("N-ZERO", kBoth, [&](const Terms& t, auto zb, int) { return right(t, za, zb, 0); });
  rule("N-ZERO", kBoth, [&](const Terms& t, auto zb, int) { return right(t, za, zb, 1); });
  rule("N-ZERO", kColumn,
       [&](const Terms& t, auto zb, int) { return right(t, za, zb, k) + za * t.column; });
  rule("N-ZERO", kRow,
       [&](const Terms& t, auto zb, int) { return right(t, za, zb, k) + zb * t.row; });
  rule("N-ZERO", "row and column are exchanged: a_zero_point belongs to column(j)",
       [&](const Terms& t, auto zb, int) {
         return t.dot - za * t.row - zb * t.column + k * za * zb;
       });
  rule("N-ZERO", "row(i) is taken for column(j)",
       [&](const Terms& t, auto zb, int) { return t.dot - za * t.row - zb * t.row + k * za * zb; });
  rule("N-ZERO", "column(j) is taken for row(i)", [&](const Terms& t, auto zb, int) {
    return t.dot - za * t.column - zb * t.column + k * za * zb;
  });
  rule("N-ZP-SIGN", kAdded, [&](const Terms& t, auto zb, int) { return right(t, -za, -zb, k); });
  rule("N-ZP-SIGN", kAdded,
       [&](const Terms& t, auto zb, int) { return right(t, za, zb, k) + 2 * za * t.column; });
  rule("N-ZP-SIGN", kAdded,
       [&](const Terms& t, auto zb, int) { return right(t, za, zb, k) + 2 * zb * t.row; });
  rule("N-ZP-SIGN", "k * a_zero_point * b_zero_points[j] is added, and here it is taken off",
       [&](const Terms& t, auto zb, int) { return right(t, za, zb, -k); });
  constexpr const char* kFloats = "the terms are added as floats: they are integers, and exact";
  const auto without_columns = [za](const Terms& t) {
    return static_cast<float>(t.dot) - static_cast<float>(za * t.column);
  };
  rule("N-OVERFLOW", kFloats, [&](const Terms& t, auto zb, int) {
    return without_columns(t) - static_cast<float>(zb * t.row) + static_cast<float>(k * za * zb);
  });
  rule("N-OVERFLOW", kFloats, [&](const Terms& t, auto zb, int) {
    return without_columns(t) - static_cast<float>(zb * (t.row - k * za));
  });
  for (const std::int64_t step : {32, 64, 128}) {
    rule("N-TAIL", "the last term counts whole tiles, and has to count k",
         [&](const Terms& t, auto zb, int) {
           return right(t, za, zb, (k + step - 1) / step * step);
         });
  }
  rule("N-AXIS", "the zero point of column 0 is taken for all columns",
       [&](const Terms& t, auto, int) { return right(t, za, c.b_zero_points.front(), k); });
  rule("N-AXIS", "the zero point of b is that of the row, and belongs to the column",
       [&](const Terms& t, auto, int i) {
         return right(t, za, c.b_zero_points[std::size_t(i % c.shape.n)], k);
       });
  if (std::int64_t{c.shape.m} * c.shape.n * k <= 100'000) {
    each_wrong_step(std::size_t(k),
                    [&](const char* code, std::string_view words, const auto& times) {
                      const auto sum = [&](const Terms& t, int, int j) {
                        return right(t, za, c.b_zero_points[std::size_t(j)], k);
                      };
                      expect.suspect(code, "c", from_terms(c, sum, times), words);
                    });
  }
  Layer scaled = c;
  scaled.scales = Reals(c.scales.size(), c.scales.front());
  expect.suspect("N-AXIS", "c", asymmetric_of(scaled),
                 "the scale is that of column 0, for all columns");
  scaled.scales = Reals(c.scales.size(), 1);
  expect.suspect("N-SCALE", "c", asymmetric_of(scaled), "the sum is not scaled by b_scales[j]");
}

/// What becomes of sums that are wrong themselves, or another's.
template <auto F>
void suspect_sums_of(const Layer& c, Expect& expect) {
  const auto [m, n, k] = c.shape;
  const Product of{c.name, c.shape, c.a, c.b_t};
  Layer wrong = c;
  if (!kMultiplies<F>) {
    for (std::size_t at = 0; at < c.acc.size(); ++at) {
      wrong.acc[at] = c.acc[at % std::size_t(n) * std::size_t(m) + at / std::size_t(n)];
    }
    expect.suspect("N-LAYOUT", "c", by_definition<F>(wrong),
                   "acc is read at j * m + i, and lies at i * n + j");
  }
  suspect_sums(expect, of, "c", [&](const auto& sums) {
    wrong.acc = Sums(sums.begin(), sums.end());
    auto answer = by_definition<F>(wrong);
    if (is_clipped(c, answer)) answer.clear();
    return answer;
  });
}

}  // namespace nibble::judge::lab_24_cuda_fused
