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

/// suspect(words, lo, hi): both ends, as this mistake has them.
inline auto ends_of(Expect& expect, const char* code = "N-OBSERVER") {
  return [&expect, code](const char* words, float lo, float hi) {
    expect.suspect(code, "lo", lo, words);
    expect.suspect(code, "hi", hi, words);
  };
}

inline const char* const kLearnsFrozen = "a frozen observer goes on learning: it stays as it is";

/// What is neither lo nor hi.
inline void suspect_states(Expect& expect, const RangeObserver& observer, const Reals& batch) {
  if (observer.frozen) {
    expect.suspect("N-OBSERVER", "frozen", 0, "a frozen observer is returned as one that learns");
  } else if (!observer.started && batch.empty()) {
    expect.suspect("N-OBSERVER", "started", 1, "an empty batch starts the observer: it does not");
  } else if (!observer.started) {
    expect.suspect("N-OBSERVER", "started", 0,
                   "the first batch leaves started as it is: it is true afterwards");
  }
}

inline void suspect_ranges(Expect& expect, const MinMax::Arguments& in,
                           const RangeObserver& right) {
  const auto& [observer, batch] = in;
  suspect_states(expect, observer, batch);
  if (batch.empty()) return;
  const auto both = ends_of(expect);
  const float lo = lo_of(batch), hi = hi_of(batch);
  const float low = std::min(observer.lo, lo), high = std::max(observer.hi, hi);
  if (observer.frozen) return both(kLearnsFrozen, low, high);
  const Reals some = but_the_last(batch);
  const auto of_some = ends_of(expect, "N-TAIL");
  const char* const last_is_lost = "the last value of a batch is left out";
  if (!observer.started) {
    of_some(last_is_lost, lo_of(some), hi_of(some));
    both("the first batch is folded into [0, 0]: it has the range all for itself",
         std::min(0.0f, lo), std::max(0.0f, hi));
    return both("the first batch is folded into what lo and hi hold, which means nothing yet", low,
                high);
  }
  of_some(last_is_lost, std::min(observer.lo, lo_of(some)), std::max(observer.hi, hi_of(some)));
  both("the range is that of the last batch: nothing seen is forgotten", lo, hi);
  both("ends are averaged: the range keeps the extremes", (observer.lo + lo) / 2,
       (observer.hi + hi) / 2);
  both("a batch changes nothing once the observer has started", observer.lo, observer.hi);
  both("the range is widened to a 0 that no batch had", std::min(right.lo, 0.0f),
       std::max(right.hi, 0.0f));
  const float amax = std::max(-right.lo, right.hi);
  both("both ends are made equally large: each is an extreme of its own", -amax, amax);
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
