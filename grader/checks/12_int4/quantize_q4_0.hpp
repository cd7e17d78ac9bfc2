// Lab 12, quantize_q4_0: what is right, and what people write instead.
#pragma once

#include "int4.hpp"

#include "checks/12_int4/blocks.hpp"
#include "checks/12_int4/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_12_int4 {

using Quantizing4 = Exercise<&quantize_q4_0>;

inline int clamped_u(float u) { return static_cast<int>(std::clamp(u, 0.0f, 15.0f)); }

inline const Format kQ4{
    .size = kQ4Bytes,
    .name = "u",
    .d_of = [](Values v) { return extreme_of(v) / -8; },
    .inverse_of = [](Values v) { return -8 / extreme_of(v); },
    .code_of = [](float steps) { return std::min(15, static_cast<int>(steps + 8.5f)); },
    .wrong_ds =
        {{"N-DIV0", [](Values v) { return max_abs(v) == 0 ? 1 : extreme_of(v) / -8; },
          "as if d were 1 for zeros"},
         {"N-ORDER",
          [](Values v) {
            float extreme = 0;
            for (const float value : v) {
              extreme = std::fabs(value) >= std::fabs(extreme) ? value : extreme;
            }
            return extreme / -8;
          },
          "as if the extreme were the last of equal ones"},
         {"N-RANGE", [](Values v) { return extreme_of(v) / 8; }, "as if d were extreme / 8"},
         {"N-RANGE", [](Values v) { return max_abs(v) / 8; }, "as if d were max |v| / 8"},
         {"N-RANGE", [](Values v) { return max_abs(v) / -8; }, "as if d were max |v| / -8"},
         {"N-RANGE", [](Values v) { return max_abs(v) / 7; }, "as if d were max |v| / 7"},
         {"N-RANGE", [](Values v) { return extreme_of(v) / -7; }, "as if d were extreme / -7"},
         {"N-RANGE", [](Values v) { return extreme_of(v) / 7; }, "as if d were extreme / 7"},
         {"N-RANGE", [](Values v) { return *std::ranges::max_element(v) / -8; },
          "as if the extreme were the largest value"},
         {"N-FORMULA", [](Values v) { return cut_to_half(extreme_of(v) / -8); }, kHalfIsCut},
         {"N-ROUND", [](Values v) { return beyond(extreme_of(v) / -8); }, kHalfTiesAway}},
    .wrong_codes = {{"N-TRUNC", [](float steps) { return clamped_u(std::trunc(steps) + 8); },
                     "a fraction is cut off: it is rounded"},
                    {"N-FORMULA",
                     [](float steps) { return std::min(15, static_cast<int>(steps + 8.5)); },
                     "8.5 is added in double: it is a float"},
                    {"N-TRUNC", [](float steps) { return clamped_u(std::floor(steps) + 8); },
                     "as if 8 were added, and not 8.5"},
                    {"N-ROUND", [](float steps) { return clamped_u(std::nearbyint(steps) + 8); },
                     "as if ties went to the even neighbour"},
                    {"N-ROUND", [](float steps) { return clamped_u(std::round(steps) + 8); },
                     "as if ties went away from 0"},
                    {"N-ROUND", [](float steps) { return clamped_u(std::ceil(steps + 7.5f)); },
                     "as if ties went down"},
                    {"N-CLAMP", [](float steps) { return static_cast<int>(steps + 8.5f); },
                     "as if u had no limit of 15"},
                    {"N-CLAMP", [](float steps) { return static_cast<int>(steps + 8.5f) % 16; },
                     "as if u had no limit of 15"}},
    .wrong_signs = {{"N-SIGN", [](int u) { return u ^ 8; },
                     "as if u were the code, and not the code + 8"},
                    {"N-RANGE", [](int u) { return std::max(u, 1); },
                     "as if the least code were -7"}},
    .wrong_orders = {{"N-LAYOUT", [](std::size_t j) { return (j + 16) % 32; },
                      "as if u[j + 16] were the low nibble, and u[j] the high one"},
                     {"N-LAYOUT", [](std::size_t j) { return j % 16 * 2 + j / 16; },
                      "as if a byte held u[2j] and u[2j+1]"},
                     {"N-LAYOUT", [](std::size_t j) { return j % 16 * 2 + 1 - j / 16; },
                      "as if a byte held u[2j+1] and u[2j]"}}};

inline const Quantizing4 quantizing4{
    {"x"}, {"blocks"}, [](Expect& expect, const Arguments& in, const Bytes& right) {
      suspect_blocks(expect, kQ4, in.a, right);
      std::vector<std::uint16_t> halves;
      float extreme = 0;
      for (std::size_t at = 0; at + kBlockValues <= in.a.size(); at += kBlockValues) {
        const float own = extreme_of(Values(in.a).subspan(at, kBlockValues));
        if (std::fabs(own) > std::fabs(extreme)) extreme = own;
        halves.push_back(half_from_float(extreme / -8));
      }
      expect.suspect("N-FORMULA", "half of d", halves,
                     "the extreme is of all blocks so far: each block has its own");
    }};

inline const char* const kMinusZero = "d of zeros is 0 / -8, which is -0";
inline const char* const kHasNoInverse =
    "1 / d is infinite here, and so the inverse is 0, as for d = 0: every code is 8";
inline const char* const kHasAnInverse =
    "d has an inverse here: that is 0 only where d is 0, or 1 / d infinite";

}  // namespace nibble::judge::lab_12_int4
