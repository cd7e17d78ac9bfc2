// Lab 24: the checks.
#include "cuda_fused.hpp"

#include <cmath>
#include <limits>
#include <string_view>

#include "checks/marks/24_cuda_fused.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/product.hpp"
#include "judge/same_function.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge {
namespace {

constexpr int kMost = std::numeric_limits<std::int32_t>::max();
constexpr int kLeast = std::numeric_limits<std::int32_t>::min();

template <auto F>
inline constexpr bool kHasZeroPoints = same_function<F, &matmul_asymmetric>;
template <auto F>
inline constexpr bool kMultiplies =
    same_function<F, &matmul_fused> || same_function<F, &matmul_requantized> || kHasZeroPoints<F>;
template <auto F>
inline constexpr bool kMakesCodes =
    same_function<F, &requantize> || same_function<F, &matmul_requantized>;

// --- A layer, whichever part of it is asked for --------------------------------------------------

struct Layer {
  std::string name;
  MatmulShape shape;  ///< k = 0: acc is given, or an empty sum
  Codes a, b_t;
  Sums acc;
  float a_scale;
  Reals scales;             ///< b_scales, or ratios
  Reals real_bias;          ///< for real numbers
  Sums integer_bias;        ///< for codes
  int zero_point;           ///< of c; or of a, where b has zero points
  Sums b_zero_points = {};  ///< one a column of c
};

/// Sums that are given have no k.
std::string name_of(MatmulShape s) {
  return s.k > 0 ? size_text(s) : std::to_string(s.m) + "x" + std::to_string(s.n);
}

std::string show_size(const Layer& c) { return "m x n x k = " + name_of(c.shape); }

std::string show(const Layer& c) {
  if (!c.b_zero_points.empty()) {
    return show_size(c) + ", a_scale = " + show_value(c.a_scale) +
           ", a_zero_point = " + std::to_string(c.zero_point) +
           ", b_scales = " + show_values(c.scales, 6) +
           ", b_zero_points = " + show_values(c.b_zero_points, 6) +
           ", a = " + show_values(c.a, 16) + ", b_t = " + show_values(c.b_t, 16);
  }
  const std::string text = show_size(c) + ", sums = " + show_values(c.acc, 12);
  if (c.integer_bias.empty()) {
    return text + ", a_scale = " + show_value(c.a_scale) +
           ", b_scales = " + show_values(c.scales, 6) + ", bias = " + show_values(c.real_bias, 6);
  }
  return text + ", ratios = " + show_values(c.scales, 6) +
         ", bias = " + show_values(c.integer_bias, 6) +
         ", zero_point = " + std::to_string(c.zero_point);
}

/// k is a multiple of 16, or 0, and stays so.
std::vector<Layer> smaller(const Layer& c) {
  std::vector<Layer> all;
  const auto [m, n, k] = c.shape;
  for (MatmulShape to : smaller_shapes({m, n, std::max(k, 1)}, 16)) {
    if (k == 0) to.k = 0;
    Layer& small = all.emplace_back(c);
    small.name = name_of(to);
    small.shape = to;
    small.a = corner(c.a, k, to.m, to.k);
    small.b_t = corner(c.b_t, k, to.n, to.k);
    small.acc = k > 0 ? sums_of(small.a, small.b_t, to, to.k) : corner(c.acc, n, to.m, to.n);
    small.scales.resize(to.n);
    if (!c.real_bias.empty()) small.real_bias.resize(to.n);
    if (!c.integer_bias.empty()) small.integer_bias.resize(to.n);
    if (!c.b_zero_points.empty()) small.b_zero_points.resize(to.n);
  }
  return all;
}

/// One value for each output: rule(acc, i, j).
template <class T, class Rule>
std::vector<T> each_output(const Layer& c, const Rule& rule) {
  std::vector<T> values;
  for (int i = 0; i < c.shape.m; ++i) {
    for (int j = 0; j < c.shape.n; ++j) {
      values.push_back(static_cast<T>(rule(c.acc[values.size()], i, j)));
    }
  }
  return values;
}

float relu(float v) { return v < 0.0f ? 0.0f : v; }

Reals reals_of(const Layer& c) {
  return each_output<float>(c, [&](int acc, int, int j) {
    return relu(static_cast<float>(acc) * (c.a_scale * c.scales[j]) + c.real_bias[j]);
  });
}

std::int32_t saturated(std::int64_t sum) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(sum, kLeast, kMost));
}

Codes codes_of(const Layer& c) {
  return each_output<std::int8_t>(c, [&](int acc, int, int j) {
    const float v =
        static_cast<float>(saturated(std::int64_t{acc} + c.integer_bias[j])) * c.scales[j];
    return std::clamp<double>(std::nearbyint(double{v}) + c.zero_point, c.zero_point, 127);
  });
}

/// What a sum of codes becomes where both have zero points.
struct Terms {
  std::int64_t dot = 0, row = 0, column = 0;
};

/// rule(terms, i, j) of every output, as a float, times the scales. times(p): how often the codes
/// at p are counted.
template <class Rule, class Times>
Reals from_terms(const Layer& c, const Rule& rule, const Times& times) {
  const std::size_t k = std::size_t(c.shape.k);
  return each_output<float>(c, [&](int, int i, int j) {
    Terms terms;
    for (std::size_t p = 0; p < k; ++p) {
      const int a = c.a[std::size_t(i) * k + p], b = c.b_t[std::size_t(j) * k + p];
      terms.dot += times(p) * a * b;
      terms.row += times(p) * a;
      terms.column += times(p) * b;
    }
    return static_cast<float>(rule(terms, i, j)) * (c.a_scale * c.scales[std::size_t(j)]);
  });
}
template <class Rule>
Reals from_terms(const Layer& c, const Rule& rule) {
  return from_terms(c, rule, [](std::size_t) { return 1; });
}

/// Multiplied out: integers, so that the order of the terms is nobody's business.
Reals asymmetric_of(const Layer& c) {
  return from_terms(c, [&](const Terms& t, int, int j) {
    const std::int64_t za = c.zero_point, zb = c.b_zero_points[std::size_t(j)];
    return t.dot - za * t.column - zb * t.row + c.shape.k * za * zb;
  });
}

template <auto F>
auto by_definition(const Layer& c) {
  if constexpr (kHasZeroPoints<F>) {
    return asymmetric_of(c);
  } else if constexpr (kMakesCodes<F>) {
    return codes_of(c);
  } else {
    return reals_of(c);
  }
}

// --- What other rules than the contract's would answer -------------------------------------------

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

void suspect_reals(const Layer& c, Expect& expect) {
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

void suspect_codes(const Layer& c, Expect& expect) {
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
void suspect_zero_points(const Layer& c, Expect& expect) {
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

// --- The exercise --------------------------------------------------------------------------------

template <auto F>
auto arguments(const Layer& c) {
  const auto target = out(std::size_t(c.shape.m) * std::size_t(c.shape.n));
  const std::int64_t m = c.shape.m;
  if constexpr (kHasZeroPoints<F>) {
    return std::tuple(c.a, c.b_t, c.a_scale, c.zero_point, c.scales, c.b_zero_points, target,
                      c.shape);
  } else if constexpr (!kMultiplies<F> && !kMakesCodes<F>) {
    return std::tuple(c.acc, c.a_scale, c.scales, c.real_bias, target, m);
  } else if constexpr (!kMultiplies<F>) {
    return std::tuple(c.acc, c.scales, c.integer_bias, target, c.zero_point, m);
  } else if constexpr (!kMakesCodes<F>) {
    return std::tuple(c.a, c.b_t, c.a_scale, c.scales, c.real_bias, target, c.shape);
  } else {
    return std::tuple(c.a, c.b_t, c.scales, c.integer_bias, target, c.zero_point, c.shape);
  }
}

Shape as_matrix(const Layer& c) { return {std::size_t(c.shape.m), std::size_t(c.shape.n)}; }

/// `got` is what the formula says, up to an FMA.
template <auto F>
void look(Expect& expect, const Layer& c, const Reals& got, const Reals& right) {
  suspect_reals(c, expect);
  suspect_sums_of<F>(c, expect);
  expect.every(
      "c", got, right,
      [&](std::size_t at) {
        if (std::isnan(right[at])) return std::isnan(got[at]);
        const std::size_t j = at % std::size_t(c.shape.n);
        const double product = static_cast<float>(c.acc[at]) * (c.a_scale * c.scales[j]);
        if (is_non_finite(c.real_bias[j])) return is_near(got[at], right[at], Tolerance{});
        return is_near(got[at], right[at], fused_tolerance(product, c.real_bias[j]));
      },
      as_matrix(c));
  for (std::size_t at = 0; at < right.size(); ++at) {
    const float sum = static_cast<float>(c.acc[at]);
    const float most = std::max(c.a_scale, c.scales[at % std::size_t(c.shape.n)]);
    if (std::isfinite(sum * most) || !std::isfinite(right[at]) || std::isfinite(got[at])) continue;
    return expect.recall(
        "the scales are multiplied first: a sum times one of them may be too large");
  }
}

template <auto F>
void look(Expect& expect, const Layer& c, const Codes& got, const Codes& right) {
  suspect_codes(c, expect);
  suspect_sums_of<F>(c, expect);
  expect.equal("c", got, right, as_matrix(c));
}

template <auto F>
const auto layer =
    kernel_exercise<F>(arguments<F>, by_definition<F>,
                       [](Expect& expect, const Layer& c, const auto& got, const auto& right) {
                         if (right.size() > 100)
                           Expect::healthy(distinct(right) > 15, "few different outputs");
                         if (got == right) return;
                         expect_written<F>(expect, "c", got, right, arguments<F>(c));
                         if constexpr (kHasZeroPoints<F>) {
                           suspect_zero_points(c, expect);
                           expect.equal("c", got, right, as_matrix(c));
                         } else {
                           look<F>(expect, c, got, right);
                         }
                       });

// --- Layers by hand ------------------------------------------------------------------------------

struct HandCase {
  Layer of;
  std::vector<double> want;
};

/// Sums that two int8 codes make, and at most 16 rows: row i of a is 0 but for a 1 at p = i, which
/// picks the sums out of b_t.
bool make_product(Layer& c) {
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
Layer with_other_columns(const Layer& c) {
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
  layer<F>.is_right(layers);
}

HandCase real_case(const char* name, int m, const Sums& acc, float a_scale, const Reals& b_scales,
                   const Reals& bias, const std::vector<double>& want) {
  return {{name, {m, int(bias.size()), 0}, {}, {}, acc, a_scale, b_scales, bias, {}, 0}, want};
}

HandCase code_case(const char* name, int m, const Sums& acc, const Reals& ratios, const Sums& bias,
                   int zero_point, const std::vector<double>& want) {
  return {{name, {m, int(bias.size()), 0}, {}, {}, acc, 1, ratios, {}, bias, zero_point}, want};
}

// Scales are powers of two, so that products and sums are exact however they are rounded. The first
// rows are such that no two mistakes answer the same.
const std::vector<HandCase> kReals = {
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

const std::vector<HandCase> kNans = {
    real_case("NanBias", 2, {1, 0, -100, 100}, 1, {1, 2}, {kNan, -1}, {kNan, 0, kNan, 199}),
    real_case("InfiniteBias", 1, {-5, 5, 0}, 1, {1, 1, 1}, {kInfinity, -kInfinity, -0.0f},
              {kInfinity, 0, 0}),
};

const std::vector<HandCase> kCodes = {
    code_case("TwoByTwo", 2, {6, -4, 10, 8}, {0.5f, 2}, {2, 6}, -3, {1, 1, 3, 25}),
    code_case("OneOutput", 1, {6}, {0.5f}, {0}, 0, {3}),
    code_case("ZeroPoint", 1, {6}, {0.5f}, {0}, -10, {-7}),
    code_case("BiasIsFirst", 1, {1}, {0.5f}, {3}, 0, {2}),
    code_case("AChannelEach", 3, {2, 2, 4, 4, 6, 6}, {0.5f, 4}, {0, -2}, 1, {2, 1, 3, 9, 4, 17}),
    code_case("TwoWords", 1, {1, 2, 3, 4, 5, 6, 7, 8}, Reals(8, 2), Sums(8, 1), -9,
              {-5, -3, -1, 1, 3, 5, 7, 9}),
};

const std::vector<HandCase> kTies = {
    code_case("Ties", 1, {1, 3, 5, 7}, Reals(4, 0.5f), Sums(4), 0, {0, 2, 2, 4}),
    code_case("TiesOddZeroPoint", 1, {1, 3, 5, 7}, Reals(4, 0.5f), Sums(4), 1, {1, 3, 3, 5}),
    code_case("NearTies", 1, {5, 6, 7, 8}, Reals(4, 0.25f), Sums(4), -3, {-2, -1, -1, -1}),
    code_case("TiesInFloat32", 1, {3, 9, 15, 21}, Reals(4, 1 / 6.0f), Sums(4), 0, {0, 2, 2, 4}),
};

// The last two are a sum that overflows when the zero point is added to it, and a product that is
// infinite.
const std::vector<HandCase> kRails = {
    code_case("Below", 1, {-1, -100, 0}, {1, 1, 1}, {0, 0, 0}, -20, {-20, -20, -20}),
    code_case("Above", 1, {117, 118, 127}, {1, 1, 1}, {0, 0, 0}, 10, {127, 127, 127}),
    code_case("WholeRange", 1, {-1, 63, 64, 100}, {4, 4, 4, 4}, {0, 3, 0, 0}, -128,
              {-128, 127, 127, 127}),
    code_case("OneCode", 1, {-7, 0, 7}, {1, 1, 1}, {0, 0, 0}, 127, {127, 127, 127}),
    code_case("Huge", 1, {kMost, kLeast, kMost, 7}, {1, 1, 0x1p-24f, 1}, {0, 0, 0, 0}, 10,
              {127, 10, 127, 17}),
    code_case("Infinite", 1, {kMost, kLeast}, {3e38f, 3e38f}, {0, 0}, -5, {127, -5}),
    code_case("InfiniteOfSmallSums", 1, {2, -2}, {3e38f, 3e38f}, {0, 0}, -5, {127, -5}),
};

const std::vector<HandCase> kSaturation = {
    code_case("JustTooLarge", 1, {kMost - 1, kMost}, {0x1p-26f, 0x1p-26f}, {5, -5}, 0, {32, 32}),
    code_case("TwiceTooLarge", 1, {2000000000}, {0x1p-26f}, {2000000000}, 0, {32}),
    code_case("TooSmall", 1, {kLeast + 1, kLeast}, {0x1p-26f, 0x1p-26f}, {-10, kLeast}, 3, {3, 3}),
    code_case("BiasAtTheEnds", 1, {5, -5}, {0x1p-26f, 0x1p-26f}, {kMost, kLeast}, 0, {32, 0}),
};

/// Rows of 16 codes: those that are given, and behind them the zero points, which stand for 0.
HandCase asymmetric_case(const char* name, MatmulShape few, const Codes& a, const Codes& b_t,
                         float a_scale, int a_zero_point, const Reals& b_scales,
                         const Sums& b_zero_points, const std::vector<double>& want) {
  Layer c{name, {few.m, few.n, 16}, {},           {}, {}, a_scale, b_scales, {},
          {},   a_zero_point,       b_zero_points};
  const auto add_row = [k = few.k](Codes& to, const Codes& from, int row, int zero_point) {
    const auto first = from.begin() + std::ptrdiff_t{row} * k;
    to.insert(to.end(), first, first + k);
    to.insert(to.end(), std::size_t(16 - k), static_cast<std::int8_t>(zero_point));
  };
  for (int i = 0; i < few.m; ++i) add_row(c.a, a, i, a_zero_point);
  for (int j = 0; j < few.n; ++j) add_row(c.b_t, b_t, j, b_zero_points[std::size_t(j)]);
  c.acc = sums_of(c.a, c.b_t, c.shape, 16);
  return {c, want};
}

// Real values: (5 - 3) * (7 - 9) = -4, and so on.
const std::vector<HandCase> kAsymmetric = {
    asymmetric_case("OneProduct", {1, 1, 1}, {5}, {7}, 0.5f, 3, {0.25f}, {9}, {-0.5}),
    asymmetric_case("ZeroPointOfA", {1, 2, 2}, {4, 6}, {1, 2, 3, -1}, 1, 5, {1, 1}, {0, 0},
                    {1, -4}),
    asymmetric_case("ZeroPointsOfB", {2, 1, 2}, {1, 2, 3, -1}, {4, 6}, 1, 0, {1}, {5}, {1, -4}),
    asymmetric_case("AColumnEach", {2, 3, 1}, {10, -10}, {1, 2, 3}, 2, -2, {0.5f, 1, 2},
                    {4, 0, -128}, {-36, 48, 6288, 24, -32, -4192}),
    asymmetric_case("BothEnds", {2, 2, 1}, {-128, 127}, {-128, 127}, 1, 127, {1, 1}, {127, -128},
                    {65025, -65025, 0, 0})};

void check_asymmetric_formula() {
  std::vector<Layer> layers;
  for (const auto& [of, want] : kAsymmetric) {
    Expect::healthy(std::ranges::equal(asymmetric_of(of), want),
                    of.name + ": the table and the definition differ");
    layers.push_back(of);
  }
  layer<&matmul_asymmetric>.is_right(layers);
}

/// A row that is as long as it may be, of codes as far from their zero points as there are; and
/// terms that are no floats, of which little is left.
void check_asymmetric_sums() {
  constexpr int kLongest = 33024;
  const auto sums = [](const char* name, int zero_point, auto code_of_a, auto code_of_b) {
    Layer c{name, {1, 1, kLongest}, {}, {}, {}, 1, {1}, {}, {}, zero_point, {zero_point}};
    for (int p = 0; p < kLongest; ++p) {
      c.a.push_back(static_cast<std::int8_t>(code_of_a(p)));
      c.b_t.push_back(static_cast<std::int8_t>(code_of_b(p)));
    }
    c.acc = sums_of(c.a, c.b_t, c.shape, kLongest);
    return c;
  };
  const auto most = [](int) { return 127; };
  layer<&matmul_asymmetric>.is_right(
      {sums("Longest", -128, most, most),
       sums(
           "Cancelling", 127, [](int p) { return p % 7 == 0 ? 126 : 127; },
           [](int p) { return p % 5 == 0 ? 125 : 127; })});
}

// --- Layers at random ----------------------------------------------------------------------------

/// About half of the outputs are cut by ReLU, and few are too large.
template <auto F>
Layer random_layer(MatmulShape s, std::uint64_t seed) {
  const auto reals = [&](std::size_t count, int salt, float low, float high) {
    return uniform_tensor(count, seed + std::uint64_t(salt), low, high);
  };
  const std::size_t m = std::size_t(s.m), n = std::size_t(s.n), k = std::size_t(s.k);
  const int spread = kMultiplies<F> ? int(5461 * std::sqrt(double(k + 1))) : 20000;
  Layer c{name_of(s), s, {}, {}, {}, reals(1, 2, 0.01f, 0.1f)[0], {}, {}, {}, 0};
  if constexpr (kMultiplies<F>) {
    c.a = code_tensor<std::int8_t>(m * k, seed, -128, 127);
    c.b_t = code_tensor<std::int8_t>(n * k, seed + 1, -128, 127);
    c.acc = sums_of(c.a, c.b_t, s, s.k);
  } else {
    c.acc = code_tensor<std::int32_t>(m * n, seed, -spread, spread);
  }
  const float step = 50.0f / float(spread) / (kMakesCodes<F> ? 1.0f : c.a_scale);
  c.scales = reals(n, 3, 0.5f * step, 1.5f * step);
  if constexpr (kMakesCodes<F>) {
    c.integer_bias = code_tensor<std::int32_t>(n, seed + 4, -spread / 3, spread / 2);
  } else if constexpr (kHasZeroPoints<F>) {
    c.b_zero_points = code_tensor<std::int32_t>(n, seed + 7, -128, 127);
  } else {
    c.real_bias = reals(n, 5, -20, 30);
  }
  c.zero_point = code_tensor<std::int32_t>(1, seed + 6, -128, 20)[0];
  return c;
}

template <auto F>
std::vector<Layer> random_layers(const std::vector<MatmulShape>& shapes,
                                 std::uint64_t (*seeds)(std::uint64_t)) {
  return each_of(
      shapes, [&](MatmulShape s, std::uint64_t at) { return random_layer<F>(s, seeds(8 * at)); });
}

// Nothing; one; every rest of four; one less than, as many as, one more than a warp, four codes
// a lane, a tile of 64; tall and flat; more rows than a thread makes.
const std::vector<MatmulShape> kShapes = {
    {0, 4, 0},   {4, 0, 0},   {1, 1, 0},   {1, 4, 0},    {2, 5, 0},   {3, 6, 0},     {5, 7, 0},
    {9, 8, 0},   {7, 31, 0},  {7, 32, 0},  {7, 33, 0},   {2, 127, 0}, {3, 128, 0},   {3, 132, 0},
    {1, 129, 0}, {130, 3, 0}, {257, 4, 0}, {66, 260, 0}, {600, 1, 0}, {131, 131, 0},
};
// k: nothing, one piece, one more and one less than a tile of 32 or 64 codes.
const std::vector<MatmulShape> kProducts = {
    {0, 4, 16},   {4, 0, 16},   {2, 3, 0},    {1, 1, 16},   {1, 4, 32},    {3, 5, 48},
    {5, 8, 80},   {33, 2, 16},  {2, 33, 64},  {63, 64, 16}, {64, 63, 32},  {64, 64, 112},
    {65, 66, 48}, {129, 3, 32}, {3, 132, 32}, {70, 65, 96}, {128, 128, 16}};

template <auto F>
std::vector<MatmulShape> all_shapes() {
  return kMultiplies<F> ? kProducts : kShapes;
}

// A shape that no tile divides, and whole tiles of every usual size. Rows enough for a thread that
// keeps what belongs to a channel.
template <auto F>
std::vector<MatmulShape> counted_shapes() {
  if (kMultiplies<F>) return {{45, 72, 48}, {64, 64, 64}};
  return {{130, 76, 0}, {128, 128, 0}};
}

template <auto F>
void check_shapes() {
  layer<F>.is_right(random_layers<F>(all_shapes<F>(), seed));
}

// 16 products pass int16. 2064 pass what a float counts exactly, and as many below 0 lead back to
// the one product of 16 that is left: a float has lost some of them on the way, however many it
// adds at once. And a k that int16 does not hold.
template <auto F>
void check_exact_sums() {
  const auto sums = [](const char* name, int up, int down) {
    Layer c{name, {2, 1, up + down + 16}, {}, {}, {}, 1, {1}, {}, {}, -100};
    kMakesCodes<F> ? c.integer_bias.push_back(0) : c.real_bias.push_back(0);
    const auto code = [](int p) { return std::int8_t(p % 7 ? 127 : 126); };
    for (int i = 0; i < 2; ++i) {
      for (int p = 0; p < up; ++p) c.a.push_back(code(p));
      for (int p = 0; p < down; ++p) c.a.push_back(std::int8_t(-code(p)));
      c.a.push_back(16);
      c.a.insert(c.a.end(), 15, 0);
    }
    c.b_t = Codes(std::size_t(up + down), 127);
    c.b_t.insert(c.b_t.end(), 16, 1);
    c.acc = sums_of(c.a, c.b_t, c.shape, c.shape.k);
    return c;
  };
  layer<F>.is_right(
      {sums("PastInt16", 16, 0), sums("PastFloat", 2064, 2064), sums("LongRows", 16400, 16400)});
}

// --- Accesses ------------------------------------------------------------------------------------

// Inside one tile, and over the edge of one in each direction. And the shapes that are counted: who
// does less where it counts is found out here.
template <auto F>
void check_runs_clean() {
  auto shapes = kMultiplies<F> ? std::vector<MatmulShape>{{3, 5, 16}, {5, 67, 48}, {66, 3, 32}}
                               : std::vector<MatmulShape>{{3, 5, 0}, {9, 131, 0}, {140, 3, 0}};
  for (const MatmulShape s : counted_shapes<F>()) shapes.push_back(s);
  layer<F>.runs_clean(random_layers<F>(shapes, seed));
}

std::uint64_t channel_bytes(const simt::Traffic& t) {
  const std::string_view subject(t.subject);
  return subject == "b_scales" || subject == "ratios" || subject == "bias" ? 32 * t.sectors : 0;
}
std::uint64_t stores(const simt::Traffic& t) {
  return t.space == simt::Space::kGlobal && t.use == simt::Use::kStore ? t.requests : 0;
}
const Measure kChannelBytes{"bytes of scales and biases", "N-LOADS", channel_bytes, nullptr};
std::uint64_t result_bytes(const simt::Traffic& t) {
  return std::string_view(t.subject) == "c" ? 32 * t.sectors : 0;
}
const Measure kResultBytes{"bytes of c written and read", "N-LOADS", result_bytes, nullptr};
const Measure kStores{"requests to write", "N-REQUESTS", stores, nullptr};

template <auto F>
void check_counts(const Measure& measure, double factor) {
  layer<F>.at_most(measure, factor, random_layers<F>(counted_shapes<F>(), counted_seed));
}

/// Where 4 does not divide n there are no vectors of four: the lanes are neighbours.
template <auto F>
void check_bytes() {
  check_counts<F>(kGlobalBytes, 1.1);
  layer<F>.at_most(kGlobalBytes, 1.1, random_layers<F>({{130, 75, 0}}, counted_seed));
}

// --- The exercises -------------------------------------------------------------------------------

TEST(scale_bias_relu, FollowsTheFormula) { gives_by_hand<&scale_bias_relu>(kReals); }
TEST(scale_bias_relu, ReluKeepsNan) { gives_by_hand<&scale_bias_relu>(kNans); }
TEST(scale_bias_relu, EveryShape) { check_shapes<&scale_bias_relu>(); }
TEST(scale_bias_relu, RunsClean) { check_runs_clean<&scale_bias_relu>(); }
// Half of the published solution's rows a thread are enough.
TEST(scale_bias_relu, ChannelsAreKept) { check_counts<&scale_bias_relu>(kChannelBytes, 2.0); }
TEST(scale_bias_relu, MovesNoMore) { check_bytes<&scale_bias_relu>(); }

TEST(requantize, FollowsTheFormula) { gives_by_hand<&requantize>(kCodes); }
TEST(requantize, TiesGoToEven) { gives_by_hand<&requantize>(kTies); }
TEST(requantize, ReluIsAClamp) { gives_by_hand<&requantize>(kRails); }
TEST(requantize, BiasSaturates) { gives_by_hand<&requantize>(kSaturation); }
TEST(requantize, EveryShape) { check_shapes<&requantize>(); }
TEST(requantize, RunsClean) { check_runs_clean<&requantize>(); }
TEST(requantize, ChannelsAreKept) { check_counts<&requantize>(kChannelBytes, 2.0); }
TEST(requantize, FourAtOnce) { check_counts<&requantize>(kGlobalRequests, 1.25); }
TEST(requantize, MovesNoMore) { check_bytes<&requantize>(); }

TEST(matmul_fused, FollowsTheFormula) { gives_by_hand<&matmul_fused>(kReals); }
TEST(matmul_fused, SumsAreExact) { check_exact_sums<&matmul_fused>(); }
TEST(matmul_fused, ReluKeepsNan) { gives_by_hand<&matmul_fused>(kNans); }
TEST(matmul_fused, EveryShape) { check_shapes<&matmul_fused>(); }
TEST(matmul_fused, RunsClean) { check_runs_clean<&matmul_fused>(); }
TEST(matmul_fused, WritesOnlyResults) { check_counts<&matmul_fused>(kResultBytes, 1.1); }
TEST(matmul_fused, MovesAtMostTwice) { check_counts<&matmul_fused>(kGlobalBytes, 2.0); }
TEST(matmul_fused, MovesNoMore) { check_counts<&matmul_fused>(kGlobalBytes, 1.1); }

TEST(matmul_requantized, FollowsTheFormula) { gives_by_hand<&matmul_requantized>(kCodes); }
TEST(matmul_requantized, SumsAreExact) {
  check_exact_sums<&matmul_requantized>();
  gives_by_hand<&matmul_requantized>(kSaturation);
}
TEST(matmul_requantized, ReluIsAClamp) {
  std::vector<HandCase> table = kRails;
  table.insert(table.end(), kTies.begin(), kTies.end());
  gives_by_hand<&matmul_requantized>(table);
}
TEST(matmul_requantized, EveryShape) { check_shapes<&matmul_requantized>(); }
TEST(matmul_requantized, RunsClean) { check_runs_clean<&matmul_requantized>(); }
TEST(matmul_requantized, FourCodesAWord) { check_counts<&matmul_requantized>(kStores, 1.1); }
TEST(matmul_requantized, MovesAtMostTwice) { check_counts<&matmul_requantized>(kGlobalBytes, 2.0); }
TEST(matmul_requantized, MovesNoMore) { check_counts<&matmul_requantized>(kGlobalBytes, 1.1); }

TEST(matmul_asymmetric, FollowsTheFormula) { check_asymmetric_formula(); }
TEST(matmul_asymmetric, SumsAreExact) { check_asymmetric_sums(); }
TEST(matmul_asymmetric, EveryShape) { check_shapes<&matmul_asymmetric>(); }
TEST(matmul_asymmetric, RunsClean) { check_runs_clean<&matmul_asymmetric>(); }
TEST(matmul_asymmetric, MovesNoMore) { check_counts<&matmul_asymmetric>(kGlobalBytes, 1.1); }

// NIBBLE-BEGIN-HIDDEN
// Not in a handout: the inputs follow from the course's secret salt.

template <auto F>
void check_unseen() {
  std::vector<MatmulShape> shapes = all_shapes<F>();
  for (const MatmulShape s : counted_shapes<F>()) shapes.push_back(s);
  layer<F>.is_right(random_layers<F>(shapes, hidden_seed));
}

TEST(scale_bias_relu, UnseenData) { check_unseen<&scale_bias_relu>(); }
TEST(requantize, UnseenData) { check_unseen<&requantize>(); }
TEST(matmul_fused, UnseenData) { check_unseen<&matmul_fused>(); }
TEST(matmul_requantized, UnseenData) { check_unseen<&matmul_requantized>(); }
TEST(matmul_asymmetric, UnseenData) { check_unseen<&matmul_asymmetric>(); }
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
