// Lab 23: the exercises: what they are asked, and how an answer is judged.
#pragma once

#include "cuda_int4.hpp"

#include <algorithm>
#include <cmath>

#include "checks/23_cuda_int4/formulas.hpp"
#include "checks/23_cuda_int4/usual_mistakes.hpp"
#include "checks/23_cuda_int4/weights.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_23_cuda_int4 {

/// All that is wrong lies behind k.
template <class T>
bool is_wrong_behind_k(const Int4Case& c, const std::vector<T>& got, const std::vector<T>& right) {
  const std::size_t width = 2 * std::size_t(c.shape.pitch), k = std::size_t(c.shape.k);
  for (std::size_t at = 0; at < got.size(); ++at) {
    if (at % width < k && got[at] != right[at]) return false;
  }
  return got != right;
}

template <class Exercise>
inline const auto asking = kernel_exercise<Exercise::kCall>(
    Exercise::arguments, wanted<Exercise>,
    [](Expect& expect, const Int4Case& c, const auto& got, const auto& right) {
      Expect::healthy(std::min(right.size(), c.w.size()) < 200 || distinct(right) > 12,
                      "few values");
      if constexpr (requires { Exercise::sums(c); }) {
        if (!c.exact) {
          const auto is_right = [&, sums = Exercise::sums(c)](std::size_t i) {
            return is_near(got[i], sums[i].value,
                           sum_tolerance(sums[i].magnitude, Exercise::terms(c)));
          };
          expect.every(Exercise::kWhat, got, right, is_right, Exercise::shape(c));
          return;
        }
      }
      if (expect.asks_for_suspects(got, right)) suspect_the_usual<Exercise>(c, expect);
      expect.equal(Exercise::kWhat, got, right, Exercise::shape(c));
      if constexpr (std::is_same_v<Exercise, Gemv>) {
        const bool has_nan = std::ranges::any_of(got, [](float y) { return std::isnan(y); });
        if (has_nan) expect.recall("x may be NaN behind k, and 0 times NaN is NaN");
      } else if constexpr (!std::is_same_v<Exercise, Matmul>) {
        if (is_wrong_behind_k(c, got, right)) expect.recall("from k on there are zeros");
      }
    });

}  // namespace nibble::judge::lab_23_cuda_int4
