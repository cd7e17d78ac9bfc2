// Lab 05, memory_savings: what is right, and what people write instead.
#pragma once

#include "per_channel.hpp"

#include "checks/05_per_channel/values.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_05_per_channel {

using Saving = Exercise<&memory_savings>;

inline void suspect_savings(Expect& expect, const Saving::Arguments& in,
                            const MemorySavings& right) {
  const auto& [count, num_bits, elements_per_scale, scale_bits, zero_point_bits] = in;
  const std::int64_t total = right.total_bits;
  if (zero_point_bits == 0) {
    const std::int64_t scales = (count + elements_per_scale - 1) / elements_per_scale;
    expect.suspect("N-TAIL", "total_bits", total + scale_bits);
    expect.suspect("N-UNITS", "total_bits", total / 8);
    expect.suspect("N-RANGE", "total_bits", total + count * (8 - num_bits));
    expect.suspect("N-RANGE", "total_bits", total + scales * (32 - scale_bits));
  }
  expect.suspect("N-UNITS", "bits_per_element", right.bits_per_element / 8);
  expect.suspect("N-UNITS", "share_of_fp32", right.share_of_fp32 * 100);
}

inline const Saving saving{
    {"count", "num_bits", "elements_per_scale", "scale_bits", "zero_point_bits"},
    {"total_bits", "bits_per_element", "share_of_fp32"},
    suspect_savings,
    {.tolerance = metric_tolerance()}};

}  // namespace nibble::judge::lab_05_per_channel
