// Lab 05, memory_savings: what is right, and what people write instead.
#pragma once

#include <cmath>
#include <cstdint>

#include "per_channel.hpp"

#include "checks/05_per_channel/values.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_05_per_channel {

using Saving = Exercise<&memory_savings>;

inline void suspect_savings(Expect& expect, const Saving::Arguments& in,
                            const MemorySavings& right) {
  const auto& [count, num_bits, elements_per_scale, scale_bits, zero_point_bits] = in;
  const std::int64_t codes = count * num_bits, total = right.total_bits;
  const auto suspect = [&](const char* code, const char* words, std::int64_t value) {
    expect.suspect(code, "total_bits", value, words);
  };
  suspect("N-OVERHEAD", "scales are not counted", codes);
  suspect("N-UNITS", "bytes: total_bits is in bits", total / 8);
  if (zero_point_bits == 0) {
    const std::int64_t scales = (count + elements_per_scale - 1) / elements_per_scale;
    suspect("N-TAIL", "a scale too many: there are ceil(count / elements_per_scale)",
            codes + (count / elements_per_scale + 1) * scale_bits);
    suspect("N-RANGE", "a code is counted as 8 bits: it has num_bits",
            total + count * (8 - num_bits));
    suspect("N-RANGE", "a scale is counted as 32 bits: it has scale_bits",
            total + scales * (32 - scale_bits));
    suspect("N-OVERHEAD", "codes are counted twice", total + codes);
    suspect("N-OVERHEAD", "zero points are counted, though zero_point_bits is 0",
            total + scales * num_bits);
  }
  expect.suspect("N-UNITS", "bits_per_element", right.bits_per_element / 8,
                 "bytes: bits_per_element is in bits");
  expect.suspect("N-DENOM", "bits_per_element", std::floor(right.bits_per_element),
                 "a quotient of integers: it is a double");
  expect.suspect("N-UNITS", "share_of_fp32", right.share_of_fp32 * 100,
                 "in percent: it is a share");
  expect.suspect("N-DENOM", "share_of_fp32", 1 / right.share_of_fp32,
                 "fp32 by these: it is these by fp32");
}

inline const Saving saving{
    {"count", "num_bits", "elements_per_scale", "scale_bits", "zero_point_bits"},
    {"total_bits", "bits_per_element", "share_of_fp32"},
    suspect_savings,
    {.tolerance = metric_tolerance()}};

}  // namespace nibble::judge::lab_05_per_channel
