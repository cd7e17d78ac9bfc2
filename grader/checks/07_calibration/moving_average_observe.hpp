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

inline float moved(float end, float to, float share = 0.01f) {
  const float way = to - end, step = share * way;
  return end + step;
}

/// Each end is rounded by itself: neighbours may pass each other.
inline RangeObserver moved_range(const RangeObserver& from, const Reals& batch) {
  const float lo = moved(from.lo, lo_of(batch)), hi = moved(from.hi, hi_of(batch));
  return seen(lo, std::max(lo, hi));
}

/// A step for each value: towards it if it is beyond the end, or an extreme of the batch.
inline RangeObserver moved_by_values(const RangeObserver& from, const Reals& batch) {
  const float least = lo_of(batch), greatest = hi_of(batch);
  RangeObserver to = from;
  for (const float value : batch) {
    to.lo = moved(to.lo, value == least ? value : std::min(value, to.lo));
    to.hi = moved(to.hi, value == greatest ? value : std::max(value, to.hi));
  }
  return to;
}

/// Where the batch is looked at, and rounding goes another way.
inline void suspect_roundings(Expect& expect, const Moving::Arguments& in,
                              const RangeObserver& right) {
  const auto& [observer, batch] = in;
  const float lo = lo_of(batch), hi = hi_of(batch);
  const auto both = [&, &observer = observer](const char* words, const auto& step) {
    const float low = step(observer.lo, lo), high = step(observer.hi, hi);
    if (low != right.lo) expect.suspect("N-FORMULA", "lo", low, words);
    const float beside = std::max(low, high), alone = std::max(right.lo, high);  // lo may be right
    if (beside == right.hi && alone == right.hi) return;
    expect.suspect("N-FORMULA", "hi", beside, words);
    expect.suspect("N-FORMULA", "hi", alone, words);
  };
  if (const float uncrossed = moved(observer.hi, hi); uncrossed < right.hi) {
    expect.suspect("N-FORMULA", "hi", uncrossed,
                   "where rounding puts lo' above hi', hi' becomes lo'");
  }
  both("as if it were 0.99 * old + 0.01 * new", [](float end, float to) {
    const float kept = 0.99f * end, added = 0.01f * to;
    return kept + added;
  });
  both("product and sum are each rounded to float32, and not once at the end",
       [](double end, double to) { return static_cast<float>(end + 0.01 * (to - end)); });
}

inline void suspect_averages(Expect& expect, const Moving::Arguments& in,
                             const RangeObserver& right) {
  const auto& [observer, batch] = in;
  suspect_states(expect, observer, batch);
  if (batch.empty() || (observer.frozen && !observer.started)) return;
  const auto both = ends_of(expect);
  const float lo = lo_of(batch), hi = hi_of(batch);
  const auto to = [&both, &observer = observer](const char* words, float low, float high,
                                                float share = 0.01f) {
    both(words, moved(observer.lo, low, share), moved(observer.hi, high, share));
  };
  if (observer.frozen) return to(kLearnsFrozen, lo, hi);
  if (!observer.started) return to("the first batch moves what is there: it replaces it", lo, hi);
  const Reals some = but_the_last(batch);
  ends_of(expect, "N-TAIL")("the last value of a batch is left out",
                            moved(observer.lo, lo_of(some)), moved(observer.hi, hi_of(some)));
  suspect_roundings(expect, in, right);
  to("the share of the way is 0.99: it is 0.01", lo, hi, 0.99f);
  to("the share of the way is 0.1: it is 0.01", lo, hi, 0.1f);
  to("the share of the way is 0.001: it is 0.01", lo, hi, 0.001f);
  to("lo moves towards the greatest value, and hi towards the least", hi, lo);
  both("ends are extremes: they move by 0.01 of the way", std::min(observer.lo, lo),
       std::max(observer.hi, hi));
  both("the range is that of the last batch: it moves by 0.01 of the way", lo, hi);
  both("this end stays where it is: both move", observer.lo, observer.hi);
  both("ends move outwards only: they move inwards, too", std::min(observer.lo, right.lo),
       std::max(observer.hi, right.hi));
  const RangeObserver by_values = moved_by_values(observer, batch);
  both("each value moves the range: each batch does, once", by_values.lo, by_values.hi);
  both("", observer.lo, observer.hi);  // where others speak against it: of some batches only
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
