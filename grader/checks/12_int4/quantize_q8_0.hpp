// Lab 12, quantize_q8_0: what is right, and what people write instead.
#pragma once

#include "int4.hpp"

#include "checks/12_int4/blocks.hpp"
#include "checks/12_int4/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_12_int4 {

using Quantizing8 = Exercise<&quantize_q8_0>;

inline int rounded(float steps) { return static_cast<int>(std::round(steps)); }

inline const Format kQ8{
    .size = kQ8Bytes,
    .name = "q",
    .d_of = [](Values v) { return max_abs(v) / 127; },
    .inverse_of = [](Values v) { return 127 / max_abs(v); },
    .code_of = rounded,
    .wrong_ds =
        {{"N-DIV0", [](Values v) { return max_abs(v) == 0 ? 1 : max_abs(v) / 127; },
          "as if d were 1 for zeros"},
         {"N-RANGE", [](Values v) { return max_abs(v) / 128; }, "as if d were max |v| / 128"},
         {"N-RANGE", [](Values v) { return extreme_of(v) / -128; }, "as if d were extreme / -128"},
         {"N-RANGE", [](Values v) { return extreme_of(v) / 127; }, "as if d had the sign of v"},
         {"N-RANGE", [](Values v) { return *std::ranges::max_element(v) / 127; },
          "as if d were max v / 127, and not max |v| / 127"},
         {"N-FORMULA", [](Values v) { return cut_to_half(max_abs(v) / 127); }, kHalfIsCut},
         {"N-ROUND", [](Values v) { return beyond(max_abs(v) / 127); }, kHalfTiesAway}},
    .wrong_codes = {{"N-TRUNC", [](float steps) { return static_cast<int>(steps); },
                     "a fraction is cut off: it is rounded"},
                    {"N-FORMULA",
                     [](float steps) {
                       const float whole = std::floor(std::fabs(steps) + 0.5f);
                       return static_cast<int>(std::copysign(whole, steps));
                     },
                     "0.5 is added and the sum cut: what is just below a tie goes up"},
                    {"N-TRUNC", [](float steps) { return rounded(std::floor(steps)); },
                     "as if it were rounded down"},
                    {"N-ROUND", [](float steps) { return rounded(std::nearbyint(steps)); },
                     "as if ties went to the even neighbour"},
                    {"N-ROUND", [](float steps) { return rounded(std::floor(steps + 0.5f)); },
                     "as if ties went up"}},
    .wrong_signs = {{"N-SIGN", [](int q) -> int { return as<std::int8_t>(q + 128); },
                     "as if q were q + 128"},
                    {"N-SIGN", [](int q) { return std::abs(q); }, "as if q had no sign"}},
    .wrong_orders = {{"N-LAYOUT", [](std::size_t j) { return j % 2 * 16 + j / 2; },
                      "as if q[j] and q[j + 16] stood side by side"}}};

inline constexpr const char* kPlusZero = "d of zeros is 0, and not -0";
inline constexpr const char* kCodesAre0 =
    "1 / d is infinite here, and so the inverse is 0, as for d = 0: every code is 0";

inline const Quantizing8 quantizing8{
    {"x"}, {"blocks"}, [](Expect& expect, const Arguments& in, const Bytes& right) {
      suspect_blocks(expect, kQ8, in.a, right);
    }};

}  // namespace nibble::judge::lab_12_int4
