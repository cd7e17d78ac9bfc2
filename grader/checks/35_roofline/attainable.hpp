// Lab 35, attainable: what is right, and what people write instead.
#pragma once

#include "roofline.hpp"

#include "judge/exercise.hpp"

namespace nibble::judge::lab_35_roofline {

using Roofing = Exercise<&attainable>;

inline void suspect_roofs(Expect& expect, const Roofing::Arguments& in, const Roof& right) {
  const auto& [cost, machine] = in;
  if (cost.bytes > 0)
    expect.suspect("N-INVERSE", "intensity", 1 / right.intensity,
                   "bytes by operations: it is operations by bytes");
  expect.suspect("N-INVERSE", "ridge", machine.bandwidth / machine.peak,
                 "bandwidth by peak: it is peak by bandwidth");
  const auto narrow = static_cast<std::int32_t>(cost.bytes);
  if (narrow != cost.bytes) {
    expect.suspect("N-OVERFLOW", "intensity", static_cast<double>(cost.operations) / narrow);
  }
  expect.suspect("N-UNITS", "intensity", right.intensity * 8);
  expect.suspect("N-UNITS", "intensity", right.intensity / 8, "operations a bit: they are a byte");
  if (cost.bytes > 0) {
    expect.suspect("N-TRUNC", "intensity", std::trunc(right.intensity),
                   "a quotient of integers: it is a double");
  }
  // At the ridge itself other mistakes say the contrary, too.
  if (std::fabs(right.intensity - right.ridge) > right.ridge / 16) {
    expect.suspect("N-FORMULA", "memory_bound", !right.memory_bound,
                   "the contrary: what lies left of the ridge waits for memory");
  }
  const double computes = static_cast<double>(cost.operations) / machine.peak,
               waits = static_cast<double>(cost.bytes) / machine.bandwidth;
  expect.suspect("N-FORMULA", "rate", std::max(machine.peak, right.intensity * machine.bandwidth),
                 "the higher of two roofs: it is the lower");
  expect.suspect("N-FORMULA", "rate", right.intensity * machine.bandwidth,
                 "the peak is left out: no rate is above it");
  expect.suspect("N-FORMULA", "rate", machine.peak,
                 "the slope is left out: left of the ridge it is lower");
  expect.suspect("N-FORMULA", "seconds", computes + waits,
                 "one after the other: both happen at the same time, and the longer counts");
  expect.suspect("N-FORMULA", "seconds", std::min(computes, waits),
                 "the shorter of two times: it is the longer");
  expect.suspect("N-FORMULA", "seconds", computes, "bytes take no time");
  expect.suspect("N-FORMULA", "seconds", waits, "operations take no time");
}

inline const Roofing roofing{{"operations", "bytes", "peak", "bandwidth"},
                             {"intensity", "ridge", "rate", "seconds", "memory_bound"},
                             suspect_roofs,
                             {.tolerance = metric_tolerance()}};

}  // namespace nibble::judge::lab_35_roofline
