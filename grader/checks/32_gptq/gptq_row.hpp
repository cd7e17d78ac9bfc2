// Lab 32, gptq_row: what is right, and what people write instead.
#pragma once

#include "gptq.hpp"

#include "checks/32_gptq/input_hessian.hpp"
#include "checks/32_gptq/inverse_cholesky.hpp"
#include "checks/32_gptq/values.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"
#include "judge/rows.hpp"

namespace nibble::judge::lab_32_gptq {

using Rowing = Exercise<&gptq_row>;

/// The slips that have a name.
enum class Slip {
  kNone,
  kAway,
  kCut,
  kNoClamp,
  kNoOne,
  kNoLeast,
  kOldScales,
  kStays,
  kNoEnd,
  kOneStepMore,
  kSigned,
  kRange,
  kKept,
  kAdded,
  kColumn,
  kBothSides
};
struct NamedSlip {
  Slip slip;
  const char *code, *words;
};
inline constexpr NamedSlip kSlips[] = {
    {Slip::kOldScales, "N-RANGE",
     "a scale is made of w: it is made of what the weights have become by then"},
    {Slip::kStays, "N-RANGE", "errors stay in their group: they go to all weights behind"},
    {Slip::kNoEnd, "N-RANGE", "the scale of a group is that of all weights behind, too"},
    {Slip::kOneStepMore, "N-FORMULA", "qmax is 2^(num_bits-1): it is one less"},
    {Slip::kSigned, "N-FORMULA",
     "the scale is of the largest weight: it is of the largest |weight|"},
    {Slip::kRange, "N-FORMULA",
     "the scale is of the range from least to largest: it is max |weight| / qmax"},
    {Slip::kKept, "N-FORMULA", "no error is handed on: codes are those of w"},
    {Slip::kAdded, "N-FORMULA", "errors are added: they are subtracted"},
    {Slip::kColumn, "N-FORMULA", "errors go by column i of u: row i says where they go"},
    {Slip::kBothSides, "N-FORMULA",
     "errors go by row and column of u: what is below changes nothing"}};

/// Each weight as what the errors before it have made of it.
inline QuantizedRow row_by_definition(const Doubles& w, const Doubles& u, int num_bits,
                                      int group_size, Slip slip = Slip::kNone) {
  const std::size_t n = w.size(), each = static_cast<std::size_t>(group_size);
  if (n == 0 || u.size() != n * n) throw std::invalid_argument("sizes");
  const double qmax = signed_range(num_bits).qmax;
  QuantizedRow row;
  Doubles errors;
  const auto now = [&](std::size_t p) {
    double value = w[p];
    for (std::size_t k = 0; k < errors.size(); ++k) {
      const double right = u[k * n + p], below = u[p * n + k];
      const bool is_far = k / each != p / each;
      value -= errors[k] * (slip == Slip::kKept || (slip == Slip::kStays && is_far) ? 0
                            : slip == Slip::kAdded                                  ? -right
                            : slip == Slip::kColumn                                 ? below
                            : slip == Slip::kBothSides                              ? right + below
                                                                                    : right);
    }
    return value;
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (i % each == 0) {
      double low = 0, high = 0;
      for (std::size_t p = i; p < (slip == Slip::kNoEnd ? n : std::min(n, i + each)); ++p) {
        const double weight = slip == Slip::kOldScales ? w[p] : now(p);
        low = std::min(low, weight), high = std::max(high, weight);
      }
      const double amax = slip == Slip::kSigned  ? high
                          : slip == Slip::kRange ? (high - low) * qmax / (2 * qmax + 1)
                                                 : std::max(-low, high);
      const double steps = slip == Slip::kOneStepMore ? qmax + 1 : qmax;
      const double least = slip == Slip::kNoLeast ? 0 : DBL_MIN;
      const bool is_one = amax == 0 && slip != Slip::kNoOne;
      row.scales.push_back(is_one ? 1 : std::max(amax / steps, least));
    }
    const double scale = row.scales.back(), steps = now(i) / scale;
    const double whole = slip == Slip::kAway  ? std::round(steps)
                         : slip == Slip::kCut ? std::trunc(steps)
                                              : std::nearbyint(steps);
    const double code = slip == Slip::kNoClamp ? std::clamp(whole, -128.0, 127.0)
                        : std::isnan(whole)    ? 0
                                               : std::clamp(whole, -qmax - 1, qmax);
    row.q.push_back(static_cast<std::int8_t>(code));
    errors.push_back((now(i) - scale * code) / u[i * n + i]);
  }
  return row;
}

/// u of n weights whose errors stay where they are, but for `handed`: {i, p, u[i,p]} each.
struct Handed {
  std::size_t i, p;
  double u;
};
inline Doubles factor(std::size_t n, const std::vector<Handed>& handed = {}) {
  Doubles u(n * n);
  for (std::size_t i = 0; i < n; ++i) u[i * n + i] = 1;
  for (const Handed& one : handed) u[one.i * n + one.p] = one.u;
  return u;
}

inline void suspect_rows(Expect& expect, const Rowing::Arguments& in, const QuantizedRow&) {
  const auto with = [&](Slip slip) { return row_by_definition(in.a, in.b, in.c, in.d, slip); };
  if (in.b == factor(in.a.size())) {  // or an error that was kept looks like one that was cut
    expect.suspect("N-ROUND", "q", with(Slip::kAway).q,
                   "ties go away from zero: they go to the even neighbour");
    expect.suspect("N-TRUNC", "q", with(Slip::kCut).q, "a fraction is cut off: it is rounded");
  }
  expect.suspect("N-CLAMP", "q", with(Slip::kNoClamp).q, "codes are not clamped to [qmin, qmax]");
  expect.suspect("N-DIV0", "scales", with(Slip::kNoOne).scales,
                 "a group of zeros has the least scale there is: it has 1");
  expect.suspect("N-DIV0", "scales", with(Slip::kNoLeast).scales,
                 "a scale is below DBL_MIN: it is raised to that");
}

inline bool are_alike(const QuantizedRow& a, const QuantizedRow& b) {
  return a.q == b.q && all_near(a.scales, b.scales, factor_tolerance(largest(b.scales)).absolute);
}

inline const auto kSameRow = [](Expect& expect, const Rowing::Arguments&, const QuantizedRow& got,
                                const QuantizedRow& want) {
  expect_reals(expect, "scales", got.scales, want.scales, {});
  expect.equal("q", got.q, want.q);
};

/// A part of a row, with the part of u that belongs to it.
inline std::vector<Rowing::Arguments> shorter_rows(const Rowing::Arguments& in) {
  std::vector<Rowing::Arguments> all;
  for (std::size_t to = 1; to < in.a.size(); to *= 2) {
    all.push_back({{in.a.begin(), in.a.begin() + static_cast<std::ptrdiff_t>(to)}, {}, in.c, in.d});
    for (std::size_t i = 0; i < to; ++i) {
      const auto row = in.b.begin() + static_cast<std::ptrdiff_t>(i * in.a.size());
      all.back().b.insert(all.back().b.end(), row, row + static_cast<std::ptrdiff_t>(to));
    }
  }
  return all;
}

inline const Rowing rowing{
    {"w", "u", "num_bits", "group_size"}, {"q", "scales"}, suspect_rows, {.smaller = shorter_rows}};

inline std::vector<Rowing::Input> rows(Seed seed_of, const std::vector<std::size_t>& sizes) {
  std::vector<Rowing::Input> inputs;
  for (const std::size_t n : sizes) {
    const auto side = static_cast<std::int32_t>(n);
    const Doubles h = hessian_by_definition(correlated(2 * n, n, seed_of(n)), side, 0.0625);
    const Doubles u = factor_by_definition(h, side);
    for (const auto& [num_bits, group_size] : {std::pair{2, 5}, {3, 1000}, {4, 16}, {8, 1}}) {
      inputs.push_back({std::to_string(n) + " weights, " + std::to_string(num_bits) + " bits",
                        {normals(n, seed_of(n + 1)), u, num_bits, group_size}});
    }
  }
  return inputs;
}

}  // namespace nibble::judge::lab_32_gptq
