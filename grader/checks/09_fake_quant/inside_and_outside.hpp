// Lab 09: inside and outside, right and wrong.
#pragma once

#include "fake_quant.hpp"

#include "judge/exercise.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_09_fake_quant {

using Reals = std::vector<float>;
using Codes = std::vector<std::int8_t>;

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

inline constexpr const char* kZeroPointLast = "x / scale is rounded before the zero point is added";

inline constexpr const char* kOneDivision = "x / scale is one float32 division";

inline float to_even(float v) { return std::nearbyint(v); }
inline float away(float v) { return std::round(v); }
inline float half_up(float v) { return std::floor(v + 0.5f); }
inline float cut(float v) { return std::trunc(v); }
/// As CPUs of x86 convert what no int32 holds.
inline float in_an_int(float v) { return std::fabs(v) < 0x1p31f ? to_even(v) : -0x1p31f; }

/// How a code comes about, before it is clamped. What people do differently, and should not, is one
/// of these with another value.
struct Way {
  float (*round)(float) = to_even;
  float (*quotient)(float, float) = [](float x, float scale) { return x / scale; };
  int zero_points = 1;                           ///< how many are added
  bool zero_point_first = false;                 ///< before rounding
  bool unrounded = false;                        ///< the mask is asked of what is not rounded yet
  bool strict_low = false, strict_high = false;  ///< the end itself counts as clamped
};

inline float code_of(float x, const Grid& grid, const Way& way) {
  const float v = way.quotient(x, grid.scale);
  const float zero = static_cast<float>(way.zero_points * grid.zero_point);
  if (way.unrounded) return v + zero;
  return way.zero_point_first ? way.round(v + zero) : way.round(v) + zero;
}

/// -1 below, 0 inside, 1 above.
inline int side_of(float x, const Grid& grid, const Way& way = {}) {
  const float code = code_of(x, grid, way);
  const auto qmin = static_cast<float>(grid.qmin), qmax = static_cast<float>(grid.qmax);
  if (way.strict_low ? code <= qmin : code < qmin) return -1;
  return (way.strict_high ? code >= qmax : code > qmax) ? 1 : 0;
}

inline constexpr const char* kAwayFromEven = "ties do not go to the even neighbour";
inline constexpr const char* kCutOff = "a fraction is cut off: it is rounded";

struct WrongWay {
  const char* code;
  Way way;
  const char* words = "";
};

inline const std::vector<WrongWay>& wrong_ways() {
  static const std::vector<WrongWay> all{
      {"N-MASK",
       {.unrounded = true},
       "what is compared with the ends is not rounded: it is rounded first"},
      {"N-MASK",
       {.strict_low = true, .strict_high = true},
       "codes at both ends are taken for clamped: they are inside"},
      {"N-MASK", {.strict_low = true}, "a code of qmin is taken for clamped: it is inside"},
      {"N-MASK", {.strict_high = true}, "a code of qmax is taken for clamped: it is inside"},
      {"N-MASK",
       {.round = in_an_int},
       "round(x / scale) is put into an int, which does not hold it"},
      {"N-FORMULA", {.zero_point_first = true}, kZeroPointLast},
      {"N-FORMULA", {.zero_points = 0}, "the zero point is not added before the ends are compared"},
      {"N-ZP-SIGN",
       {.zero_points = -1},
       "the zero point is subtracted from the quotient: it is added"},
      {"N-ROUND", {.round = away}, kAwayFromEven},
      {"N-ROUND", {.round = half_up}, kAwayFromEven},
      {"N-TRUNC", {.round = cut}, kCutOff},
      {"N-FORMULA",
       {.quotient = [](float x, float scale) { return x * (1.0f / scale); }},
       kOneDivision},
      {"N-FORMULA",
       {.quotient =
            [](float x, float scale) {
              return static_cast<float>(std::nearbyint(double{x} / scale));
            }},
       kOneDivision},
  };
  return all;
}

/// Simpler values and what came back for them: both lists in step.
template <class Arguments>
void expect_pairs(const Arguments& in) {
  if (in.a.size() != in.b.size()) throw std::invalid_argument("sizes differ");
}

}  // namespace nibble::judge::lab_09_fake_quant
