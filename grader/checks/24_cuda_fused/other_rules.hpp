// Lab 24: what other rules than the contract's would answer.
#pragma once

#include "cuda_fused.hpp"

#include <cmath>
#include <limits>
#include <string_view>

#include "checks/24_cuda_fused/layer.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/product.hpp"
#include "judge/same_function.hpp"
#include "judge/wrong_products.hpp"
#include "nibble/float_format.hpp"

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
  rule("N-SCALE",
       "the sum times a_scale comes first: the product of the two scales does, and is rounded",
       [&](float acc, float, float b, int, int j) { return acc * c.a_scale * c.scales[j] + b; });
  rule("N-SCALE",
       "the sum times b_scales[j] comes first: the product of the two scales does, and is rounded",
       [&](float acc, float, float b, int, int j) { return acc * c.scales[j] * c.a_scale + b; });
  rule("N-SCALE", kScales,
       [&](float acc, float, float b, int, int j) { return acc * c.scales[j] + b; });
  rule("N-SCALE", kScales,
       [&](float acc, float, float b, int, int) { return acc * c.a_scale + b; });
  rule("N-SCALE", "the sum is divided by its scale",
       [](float acc, float s, float b, int, int) { return acc / s + b; });
  suspect("N-NAN", "infinity ends at the largest float, and has to stay infinity",
          [](float acc, float s, float b, int, int) {
            const float v = relu(acc * s + b);
            return std::isinf(v) ? std::numeric_limits<float>::max() : v;
          });
  suspect("N-FORMULA", "v is rounded to a half on its way, and c is a float",
          [](float acc, float s, float b, int, int) {
            using simt::HalfFormat;
            return simt::decode<HalfFormat>(simt::encode<HalfFormat>(relu(acc * s + b)));
          });
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
  // Away from 0 is up: what is below 0 is clamped.
  rounds("N-ROUND", "ties go up: they go to the even neighbour",
         [](double v) { return std::round(v); });
  rounds("N-CLAMP", "a v that is infinite becomes zero_point, and has to become 127",
         [](double v) { return std::isinf(v) ? 0 : std::nearbyint(v); });
  rounds("N-TRUNC", "a fraction is cut off: it is rounded", [](double v) { return std::trunc(v); });
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
  // Also where that clips all of them.
  const auto clipped = [&](std::string_view words, const auto& most) {
    if (c.shape.k > 32767) return;  // a long k that is lost says as much
    expect.suspect("N-FORMULA", "c",
                   each_output<std::int8_t>(
                       c,
                       [&](int acc, int, int j) {
                         const std::int32_t sum = saturated(std::int64_t{acc} + c.integer_bias[j]);
                         return z +
                                std::max(0.0, std::min(std::nearbyint(product(sum, j)), most()));
                       }),
                   words);
  };
  clipped("127 - zero_point is kept in 8 bits, and reaches to 255",
          [&] { return static_cast<double>(static_cast<std::int8_t>(127 - c.zero_point)); });
  clipped("each code is zero_point, whatever the sum", [] { return 0.0; });
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

/// Sums that are floats after every `step` products.
inline Sums sums_in_floats(const Product& x, std::size_t step) {
  const std::size_t k = std::size_t(x.shape.k);
  std::int32_t products = 0;
  const auto sums = each_sum<float>(x.shape, [&](auto i, auto j, auto p) {
    if (p % step == 0) products = 0;
    products += x.a[i * k + p] * x.b_t[j * k + p];
    return p % step + 1 == step || p + 1 == k ? products : 0;
  });
  return {sums.begin(), sums.end()};
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
  if (k > 0 && static_cast<std::int16_t>(k) < 0) {
    wrong.acc = Sums(c.acc.size());
    expect.suspect("N-OVERFLOW", "c", by_definition<F>(wrong),
                   "k is kept in 16 bits, and is below 0 there: nothing is added");
  }
  for (const std::size_t step : {4, 16, 32}) {
    if (!is_worth_suspecting(of)) break;
    wrong.acc = sums_in_floats(of, step);
    expect.suspect("N-OVERFLOW", "c", by_definition<F>(wrong),
                   "the sum is kept in a float, which counts exactly to 2^24");
  }
  suspect_sums(expect, of, "c", [&](const auto& sums) {
    wrong.acc = Sums(sums.begin(), sums.end());
    auto answer = by_definition<F>(wrong);
    if (is_clipped(c, answer)) answer.clear();
    return answer;
  });
}

}  // namespace nibble::judge::lab_24_cuda_fused
