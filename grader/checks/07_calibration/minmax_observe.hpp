// Lab 07, minmax_observe: what is right, and what people write instead.
#pragma once

#include "calibration.hpp"

#include "checks/07_calibration/values.hpp"
#include "judge/exercise.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_07_calibration {

using MinMax = Exercise<&minmax_observe>;

/// All of a batch but its last value, where it has more.
inline Reals but_the_last(Reals batch) {
  if (batch.size() > 1) batch.pop_back();
  return batch;
}

inline bool is_observing(const RangeObserver& observer) {
  return observer.started && !observer.frozen;
}

template <class Arguments>
void suspect_observers(Expect& expect, const Arguments& in, const RangeObserver& right) {
  const auto& [observer, batch] = in;
  if (batch.empty()) return;
  const auto each_end = [&](float lo, float hi) {
    expect.suspect("N-OBSERVER", "lo", lo);
    expect.suspect("N-OBSERVER", "hi", hi);
  };
  const float lo = lo_of(batch), hi = hi_of(batch);
  each_end(lo, hi);                                              // the last batch
  each_end((observer.lo + lo) / 2, (observer.hi + hi) / 2);      // the mean of both
  each_end(observer.lo, observer.hi);                            // nothing was folded in
  each_end(std::min(right.lo, 0.0f), std::max(right.hi, 0.0f));  // a 0 that nobody saw
  const float amax = std::max(-right.lo, right.hi);
  each_end(-amax, amax);  // the symmetric range is somebody else's business
}

inline void suspect_ranges(Expect& expect, const MinMax::Arguments& in,
                           const RangeObserver& right) {
  const auto& [observer, batch] = in;
  if (batch.empty()) return;
  if (is_observing(observer)) {
    const Reals some = but_the_last(batch);
    expect.suspect("N-TAIL", "lo", std::min(observer.lo, lo_of(some)));
    expect.suspect("N-TAIL", "hi", std::max(observer.hi, hi_of(some)));
  }
  suspect_observers(expect, in, right);
}

inline const MinMax minmax{
    {"lo", "hi", "started", "frozen", "batch"}, {"lo", "hi", "started", "frozen"}, suspect_ranges};

inline RangeObserver seen(float lo, float hi) { return {lo, hi, true, false}; }
inline RangeObserver unstarted(float lo, float hi) { return {lo, hi, false, false}; }

/// What holds for every observer.
template <auto F>
std::vector<typename Exercise<F>::Row> first_batches() {
  return {{"FromZero", {RangeObserver{}, {1, 3, 2}}, seen(1, 3)},
          {"BelowZero", {RangeObserver{}, {-3, -1}}, seen(-3, -1)},
          {"WiderBefore", {unstarted(-9, 9), {1, 3}}, seen(1, 3)},
          {"WrongWayRound", {unstarted(kInfinity, -kInfinity), {2}}, seen(2, 2)},
          {"NanBefore", {unstarted(kNan, kNan), {2, -1}}, seen(-1, 2)},
          {"NoFiniteSum", {RangeObserver{}, {3e38f, 3e38f}}, seen(3e38f, 3e38f)},
          {"EmptyFirst", {unstarted(4, 4), {}}, unstarted(4, 4)},
          {"EmptyLater", {seen(-1, 2), {}}, seen(-1, 2)}};
}

template <auto F>
std::vector<typename Exercise<F>::Row> frozen_ones() {
  return {{"Frozen", {RangeObserver{-1, 2, true, true}, {-3, 5}}, {-1, 2, true, true}},
          {"NanComes", {RangeObserver{-1, 2, true, true}, {kNan, 9}}, {-1, 2, true, true}},
          {"NeverStarted", {RangeObserver{0, 1, false, true}, {5}}, {0, 1, false, true}},
          {"NoRange", {RangeObserver{2, -1, true, true}, {5}}, {2, -1, true, true}}};
}

template <auto F>
std::vector<typename Exercise<F>::Refused> no_ranges() {
  return {{"N-NAN", {seen(-1, 2), {1, kNan}}},      {"N-NAN", {RangeObserver{}, {1, kNan, 2}}},
          {"N-NAN", {seen(-1, 2), {1, kInfinity}}}, {"N-NAN", {RangeObserver{}, {-kInfinity}}},
          {"N-NAN", {seen(kNan, 2), {}}},           {"N-NAN", {seen(-1, kNan), {1}}},
          {"N-NAN", {seen(-kInfinity, 2), {}}},     {"N-NAN", {seen(-1, kInfinity), {1}}},
          {"N-ORDER", {seen(2, -1), {1}}},          {"N-ORDER", {seen(2, -1), {}}}};
}

}  // namespace nibble::judge::lab_07_calibration
