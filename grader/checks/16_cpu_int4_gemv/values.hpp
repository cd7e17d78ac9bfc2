// Lab 16: what more than one of its exercises needs.
#pragma once

#include "cpu_int4_gemv.hpp"

#include "judge/isa_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {

inline std::size_t count_of(int a, int b) { return std::size_t(a) * std::size_t(b); }

/// The first `count` elements.
template <class List>
List first(const List& list, std::size_t count) {
  return {list.begin(), list.begin() + std::ptrdiff_t(count)};
}

/// Of results that are equal, one could be had for the other.
inline void expect_distinct(const Reals& results) {
  Expect::healthy(distinct(results) * 10 >= results.size() * 9, "results that are equal");
}

/// Takes `empty` on each isa, and `good` on none that is not here. What is empty has no value to
/// get wrong: values are for other checks.
template <class Exercise, class Case>
void refuses_other_isas(const Exercise& exercise, const Case& empty, const Case& good) {
  exercise.refuses({empty}, refused_isas(exercise, good));
}

}  // namespace nibble::judge::lab_16_cpu_int4_gemv
