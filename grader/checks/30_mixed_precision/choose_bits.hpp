// Lab 30: choose_bits and best_bits.
#pragma once

#include "mixed_precision.hpp"

#include "checks/30_mixed_precision/values.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_30_mixed_precision {

using Choosing = Exercise<&choose_bits>;
using Searching = Exercise<&best_bits>;

inline std::int64_t total_of(const Candidates& from, const Places& choice) {
  std::int64_t bits = 0;
  for (std::size_t l = 0; l < choice.size(); ++l) {
    bits += std::int64_t{from.counts[l]} * from.bits[std::size_t(choice[l])];
  }
  return bits;
}

inline bool is_choice(const Candidates& from, const Places& got) {
  return got.size() == from.counts.size() && std::ranges::all_of(got, [&](std::int32_t place) {
           return 0 <= place && place < std::ssize(from.bits);
         });
}

/// Beyond the budget is told first; then where the choice differs.
template <class Arguments>
void look_at_choice(Expect& expect, const Arguments& in, const Places& got, const Places& want) {
  expect.suspect("N-FORMULA", "choice",
                 each_of(want, [&](std::int32_t place) { return in.a.bits[std::size_t(place)]; }),
                 "bits are told: their places in `bits` are wanted");
  if (is_choice(in.a, got)) {
    const std::int64_t bits = total_of(in.a, got);
    expect.that(bits <= in.b, "the choice takes " + std::to_string(bits) + " bits", "N-RANGE");
  }
  expect.equal("choice", got, want);
}

inline const Choosing choosing{{"bits", "counts", "errors", "budget_bits"}, {"choice"}};
inline const Searching searching{{"bits", "counts", "errors", "budget_bits"}, {"choice"}};

/// Errors that fall with the bits, mostly; no two gains and no two sums are equal.
template <class E>
std::vector<typename E::Input> candidates(Seed seed_of, const std::vector<std::size_t>& layers) {
  return each_of(layers, [&](std::size_t count, std::size_t at) -> typename E::Input {
    const std::size_t choices = 2 + at % 3;
    Candidates from{{2, 4, 8, 16}, code_tensor<std::int32_t>(count, seed_of(at), 1, 50), {}};
    from.bits.resize(choices);
    const Reals errors = uniform_tensor(count * choices, seed_of(at + 50), 0.0f, 25.0f);
    from.errors = each_of(errors, [&](float error, std::size_t i) {
      return double{error} / static_cast<double>(1 + i % choices * 3);
    });
    const std::int64_t least = total_of(from, Places(count)),
                       most = least / from.bits.front() * from.bits.back();
    return {std::to_string(count) + " layers", {from, least + (most - least) * 2 / 5}};
  });
}

}  // namespace nibble::judge::lab_30_mixed_precision
