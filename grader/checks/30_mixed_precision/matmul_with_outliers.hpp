// Lab 30, matmul_with_outliers: what is right, and what people write instead.
#pragma once

#include "mixed_precision.hpp"

#include "checks/30_mixed_precision/split_outliers.hpp"
#include "checks/30_mixed_precision/values.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/reals.hpp"
#include "judge/rows.hpp"

namespace nibble::judge::lab_30_mixed_precision {

using Multiplying = Exercise<&matmul_with_outliers>;

/// The slips that have a name.
enum class Slip {
  kNone,
  kTinyForZeros,
  kWideScales,
  kWideScaleOfX,
  kWideScaleOfW,
  kDropped,
  kTwice,
  kTwiceInWideScales,
  kRoundedOutliers,
  kRoundedInputs,
  kExact,
  kExactWeights,
  kOneStepMore,
  kOneScale,
  kOneOfX,
  kScaleOfXAlone,
  kScaleOfWAlone,
  kWideWeights,
  kAway,
  kCut
};
struct NamedSlip {
  Slip slip;
  const char *code, *words;
};
inline constexpr const char *kCountedTwice =
                                "inputs with outliers count twice: as they are, and as codes",
                            *kOutliersRounded =
                                "inputs with outliers are rounded: they stay as they are";
inline constexpr NamedSlip kSlips[] = {
    {Slip::kTinyForZeros, "N-RANGE", kTinyIsNoZero},
    {Slip::kWideScales, "N-RANGE", "scales have room for the outliers, which are not rounded"},
    {Slip::kWideScaleOfX, "N-RANGE",
     "scales of x have room for the outliers, which are not rounded"},
    {Slip::kWideScaleOfW, "N-RANGE",
     "scales of w have room for columns of outliers, which are not rounded"},
    {Slip::kDropped, "N-FORMULA",
     "inputs with outliers are left out: they are multiplied as they are"},
    {Slip::kTwice, "N-FORMULA", kCountedTwice},
    {Slip::kTwiceInWideScales, "N-FORMULA", kCountedTwice},
    {Slip::kRoundedOutliers, "N-FORMULA", kOutliersRounded},
    {Slip::kRoundedInputs, "N-FORMULA", kOutliersRounded},
    {Slip::kExact, "N-FORMULA", "nothing is rounded: the others are multiplied as codes"},
    {Slip::kExactWeights, "N-FORMULA", "weights are not rounded: codes are of x and of w"},
    {Slip::kOneStepMore, "N-FORMULA", "a scale is max / 128: it is max / 127"},
    {Slip::kOneScale, "N-AXIS", "all of w has one scale: each row of it has its own"},
    {Slip::kOneOfX, "N-AXIS", "all of x has one scale: each row of it has its own"},
    {Slip::kScaleOfXAlone, "N-SCALE", "sums of codes are not multiplied by w_scale"},
    {Slip::kScaleOfWAlone, "N-SCALE", "sums of codes are not multiplied by x_scale"},
    {Slip::kWideWeights, "N-FORMULA", "large weights are outliers, too: x alone says who is one"},
    {Slip::kAway, "N-ROUND", "ties go away from zero: they go to the even neighbour"},
    {Slip::kCut, "N-TRUNC", "codes are cut: they are rounded"}};

inline Doubles product_by_definition(const Multiplying::Arguments& in, Slip slip = Slip::kNone) {
  const std::size_t n = std::size_t(in.c), samples = rows_of(in.a, in.c),
                    outputs = rows_of(in.b, in.c);
  Doubles both = in.a;
  if (slip == Slip::kWideWeights) both.insert(both.end(), in.b.begin(), in.b.end());
  const Places wide = outliers_by_definition(both, in.c, in.d);
  const auto is_wide = [&](std::size_t i) {
    return std::ranges::count(wide, static_cast<std::int32_t>(i)) > 0;
  };
  const auto scale_of = [&](const Doubles& a, std::size_t r, bool of_all) {
    const bool of_wide = slip == Slip::kWideScales || slip == Slip::kTwiceInWideScales ||
                         slip == (&a == &in.a ? Slip::kWideScaleOfX : Slip::kWideScaleOfW);
    double most = 0;
    for (std::size_t at = of_all ? 0 : r * n; at < (of_all ? a.size() : (r + 1) * n); ++at) {
      if (of_wide || !is_wide(at % n)) most = std::max(most, std::fabs(a[at]));
    }
    const bool is_zero = most == 0 || (slip == Slip::kTinyForZeros && most < DBL_EPSILON);
    return is_zero ? 1 : most / (slip == Slip::kOneStepMore ? 128 : 127);
  };
  const auto code_of = [&](double v) {
    return slip == Slip::kAway  ? std::round(v)
           : slip == Slip::kCut ? std::trunc(v)
                                : std::nearbyint(v);
  };
  Doubles y;
  for (std::size_t at = 0; at < samples * outputs; ++at) {
    const std::size_t s = at / outputs, o = at % outputs;
    const double a = scale_of(in.a, s, slip == Slip::kOneOfX),
                 b = scale_of(in.b, o, slip == Slip::kOneScale);
    double exact = 0, codes = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = in.a[s * n + i], w = in.b[o * n + i];
      const double code = slip == Slip::kExact          ? x / a * (w / b)
                          : slip == Slip::kExactWeights ? code_of(x / a) * (w / b)
                                                        : code_of(x / a) * code_of(w / b);
      const bool rounds_x = slip == Slip::kRoundedOutliers || slip == Slip::kRoundedInputs;
      const double outlier = (rounds_x ? std::nearbyint(x) : x) *
                             (slip == Slip::kRoundedOutliers ? std::nearbyint(w) : w);
      if (is_wide(i) && slip != Slip::kDropped) exact += outlier;
      const bool is_twice = slip == Slip::kTwice || slip == Slip::kTwiceInWideScales;
      if (!is_wide(i) || is_twice) codes += code;
    }
    y.push_back(exact + (slip == Slip::kScaleOfWAlone ? 1 : a) *
                            (slip == Slip::kScaleOfXAlone ? 1 : b) * codes);
  }
  return y;
}

inline const auto kSameProduct = [](Expect& expect, const Multiplying::Arguments& in,
                                    const Doubles& got, const Doubles& want) {
  expect_reals(expect, "y", got, want, {rows_of(in.a, in.c), rows_of(in.b, in.c)});
};

inline const Multiplying multiplying{
    {"x", "w", "inputs", "threshold"},
    {"y"},
    [](Expect& expect, const auto& in, const Doubles& want) {
      for (const NamedSlip& one : kSlips) {
        expect.suspect(one.code, "y", product_by_definition(in, one.slip), one.words);
      }
      const std::size_t outputs = rows_of(in.b, in.c), samples = rows_of(in.a, in.c);
      expect.suspect("N-LAYOUT", "y",
                     each_of(want,
                             [&](double, std::size_t at) {
                               return want[at % samples * outputs + at / samples];
                             }),
                     "y is [outputs, samples]: it is [samples, outputs]");
      if (largest(want) < 0x1p31 || largest(want) > 0x1p53) return;
      expect.suspect(
          "N-OVERFLOW", "y", each_of(want, [](double v) {
            return static_cast<double>(static_cast<std::int32_t>(static_cast<std::int64_t>(v)));
          }));
    }};

struct ProductSize {
  std::size_t samples, n, outputs;
};

/// Every fourth input or so has an outlier, in one row.
inline std::vector<Multiplying::Input> products(Seed seed_of,
                                                const std::vector<ProductSize>& sizes) {
  return each_of(sizes, [&](const ProductSize& size, std::size_t at) -> Multiplying::Input {
    Doubles x = normals(size.samples * size.n, seed_of(at));
    for (std::size_t i = 1; i < size.n; i += 4) x[i % size.samples * size.n + i] *= 60;
    return {
        size_text(size.samples, static_cast<int>(size.n)),
        {x, normals(size.outputs * size.n, seed_of(at + 9)), static_cast<std::int32_t>(size.n), 6}};
  });
}

/// Of a net with outliers the second layer is multiplied by the submission, the first one in W8A8.
/// The threshold is far from both kinds of channels: a few units, and a thousand.
inline void tames_nets(const Exam& exam, std::uint64_t seed) {
  keeps_nets(kLessonWithOutliers, exam, seed, [](const LearntNet& one) {
    const Linear& second = one.net.layers[1];
    Reals between = linear_in_int8(one.net.layers[0], one.x);
    relu(between);
    const Doubles y = multiplying({as_doubles(between), as_doubles(second.weight),
                                   static_cast<std::int32_t>(second.inputs), 100});
    return each_of(y, [&](double v, std::size_t at) {
      return static_cast<float>(v) + second.bias[at % second.outputs];
    });
  });
}

}  // namespace nibble::judge::lab_30_mixed_precision
