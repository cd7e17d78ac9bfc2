// Lab 07, moving_average_observe: what is right, and what people write instead.
#pragma once

#include "calibration.hpp"

#include "checks/07_calibration/minmax_observe.hpp"
#include "checks/07_calibration/values.hpp"
#include "judge/exercise.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_07_calibration {

using Moving = Exercise<&moving_average_observe>;

inline float moved(float end, float to) {
  const float way = to - end, step = 0.01f * way;
  return end + step;
}

/// Each end is rounded by itself: neighbours may pass each other.
inline RangeObserver moved_range(const RangeObserver& from, const Reals& batch) {
  const float lo = moved(from.lo, lo_of(batch)), hi = moved(from.hi, hi_of(batch));
  return seen(lo, std::max(lo, hi));
}

inline void suspect_averages(Expect& expect, const Moving::Arguments& in,
                             const RangeObserver& right) {
  const auto& [observer, batch] = in;
  if (batch.empty()) return;
  if (is_observing(observer) && batch.size() > 1) {
    const Reals some = but_the_last(batch);
    expect.suspect("N-TAIL", "lo", moved(observer.lo, lo_of(some)));
    expect.suspect("N-TAIL", "hi", moved(observer.hi, hi_of(some)));
  }
  const float lo = lo_of(batch), hi = hi_of(batch);
  const auto both = [&, &observer = observer](const char* words, const auto& step) {
    if (!is_observing(observer)) return;
    const float low = step(observer.lo, lo), high = std::max(low, step(observer.hi, hi));
    if (low != right.lo) expect.suspect("N-FORMULA", "lo", low, words);
    if (high != right.hi) expect.suspect("N-FORMULA", "hi", high, words);
  };
  both("as if it were 0.99 * old + 0.01 * new", [](float end, float to) {
    const float kept = 0.99f * end, added = 0.01f * to;
    return kept + added;
  });
  both("product and sum are each rounded to float32, and not once at the end",
       [](double end, double to) { return static_cast<float>(end + 0.01 * (to - end)); });
  if (const float uncrossed = moved(observer.hi, hi);
      is_observing(observer) && uncrossed < right.hi) {
    expect.suspect("N-FORMULA", "hi", uncrossed,
                   "where rounding puts lo' above hi', hi' becomes lo'");
  }
  for (const double rate : {0.99, 0.1, 0.001}) {
    expect.suspect("N-OBSERVER", "lo", static_cast<float>(observer.lo + rate * (lo - observer.lo)));
    expect.suspect("N-OBSERVER", "hi", static_cast<float>(observer.hi + rate * (hi - observer.hi)));
  }
  expect.suspect("N-OBSERVER", "lo", std::min(observer.lo, lo));
  expect.suspect("N-OBSERVER", "hi", std::max(observer.hi, hi));
  suspect_observers(expect, in, right);
}

inline const Moving moving{{"lo", "hi", "started", "frozen", "batch"},
                           {"lo", "hi", "started", "frozen"},
                           suspect_averages};

inline std::vector<Moving::Input> ranges(Seed seed_of, std::size_t longest) {
  std::vector<Moving::Input> inputs;
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{31}, longest}) {
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t which = seed_of(count * 16 + static_cast<std::size_t>(i));
      const Reals ends = normal_tensor(2, which);
      inputs.push_back({std::to_string(count) + "." + std::to_string(i),
                        {seen(std::min(ends[0], ends[1]), std::max(ends[0], ends[1])),
                         normal_tensor(count, which + 1, /*stddev=*/3.0f)}});
    }
  }
  return inputs;
}

}  // namespace nibble::judge::lab_07_calibration
