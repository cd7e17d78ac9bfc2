// Lab 33, hadamard_transform: what is right, and what people write instead.
#pragma once

#include "smoothquant_awq.hpp"

#include "judge/exercise.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {

using Transforming = Exercise<&hadamard_transform>;

/// From the numbers that are not 0: as many steps each as there are places.
inline Doubles transform_by_definition(const Doubles& x) {
  if (!std::has_single_bit(x.size())) throw std::invalid_argument("no power of two");
  Doubles y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; x[i] != 0 && j < x.size(); ++j) {
      y[j] += std::popcount(i & j) % 2 == 0 ? x[i] : -x[i];
    }
  }
  for (double& value : y) value /= std::sqrt(static_cast<double>(x.size()));
  return y;
}

inline const auto kSameTransform = [](Expect& expect, const Transforming::Arguments& in,
                                      const Doubles& got, const Doubles& want) {
  const auto n = static_cast<double>(in.a.size());
  for (const double factor : {std::sqrt(n), 1 / std::sqrt(n)}) {
    if (n == 1) break;
    const Doubles longer = each_of(want, [=](double v) { return v * factor; });
    expect.that(
        !all_near(got, longer, factor_tolerance(largest(longer)).absolute) || largest(want) == 0,
        "the transform changes lengths: it is not divided by sqrt(n)", "N-SCALE");
  }
  expect_reals(expect, "y", got, want);
};

/// y of n numbers where the sign of term i, j is minus if is_minus(i & j, i, j).
template <class IsMinus>
Doubles transformed(const Doubles& x, const IsMinus& is_minus) {
  return each_of(x, [&](double, std::size_t j) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += is_minus(i & j, i, j) ? -x[i] : x[i];
    return sum / std::sqrt(static_cast<double>(x.size()));
  });
}

inline void suspect_transforms(Expect& expect, const Transforming::Arguments& in,
                               const Doubles& right) {
  const std::size_t n = right.size();
  if (n > 1024) return;
  const auto suspect = [&](const char* words, const Doubles& y) {
    expect.suspect("N-FORMULA", "y", y, words);
  };
  const auto is_odd = [](std::size_t bits) { return std::popcount(bits) % 2 != 0; };
  const auto gray = [n](std::size_t j) {  // the row of j changes of sign
    std::size_t bits = j ^ j >> 1, turned = 0;
    for (std::size_t bit = 1; bit < n; bit *= 2, bits /= 2) turned = 2 * turned + bits % 2;
    return turned;
  };
  suspect(
      "a difference is the second less the first: it is the first less the second",
      transformed(in.a, [&](std::size_t, std::size_t i, std::size_t j) { return is_odd(~i & j); }));
  suspect("two sums, and no difference", transformed(in.a, [](auto...) { return false; }));
  suspect("any common one makes a minus: an odd number of them does",
          transformed(in.a, [](std::size_t both, auto, auto) { return both != 0; }));
  suspect("rows are in the order of their changes of sign: they are in that of i & j",
          transformed(in.a, [&](std::size_t, std::size_t i, std::size_t j) {
            return is_odd(i & gray(j));
          }));
  Doubles rounds = in.a, first, all_but_one, late = in.a;
  for (std::size_t bit = 1; bit < n; bit *= 2) {
    all_but_one = rounds;
    for (std::size_t i = 0; i < n; ++i) {
      if ((i & bit) != 0) continue;
      const double a = rounds[i], b = rounds[i | bit];
      rounds[i] = a + b, rounds[i | bit] = a - b;
      late[i] += late[i | bit];
      late[i | bit] = late[i] - late[i | bit];
    }
    if (bit == 1) first = rounds;
  }
  const double root = std::sqrt(static_cast<double>(n));
  const auto divided = [&](const Doubles& y) {
    return each_of(y, [root](double v) { return v / root; });
  };
  suspect("a sum is written before the difference has read its place", divided(late));
  if (n > 2) {
    suspect("neighbours meet, and nobody else: a round for every bit is due", divided(first));
    suspect("the last round is missing: n numbers take log2(n)", divided(all_but_one));
  }
}

inline const Transforming transforming{{"x"}, {"y"}, suspect_transforms};

/// A list of few numbers that are not 0, at places with many bits.
inline Doubles sparse(std::size_t n, std::uint64_t seed) {
  Doubles x(n);
  const auto places = code_tensor<std::int32_t>(5, seed, 0, static_cast<int>(n) - 1);
  for (const std::int32_t place : places) x[static_cast<std::size_t>(place)] += 1 + place % 3;
  x.back() -= 2;
  return x;
}

}  // namespace nibble::judge::lab_33_smoothquant_awq
