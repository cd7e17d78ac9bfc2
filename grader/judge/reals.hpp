// Matrices of doubles, as lists: data for checks, and a comparison that says when a float was used.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "judge/expect.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {

using Doubles = std::vector<double>;

inline double largest(const Doubles& numbers) {
  double most = 0;
  for (const double number : numbers) most = std::max(most, std::fabs(number));
  return most;
}

inline bool all_near(const Doubles& got, const Doubles& want, double off) {
  bool near = got.size() == want.size();
  for (std::size_t i = 0; near && i < got.size(); ++i) near = std::fabs(got[i] - want[i]) <= off;
  return near;
}

/// Near the wanted ones; and said aloud where an answer has the digits of a float.
inline void expect_reals(Expect& expect, const char* what, const Doubles& got, const Doubles& want,
                         const Shape& shape = {}) {
  const Tolerance tolerance = factor_tolerance(largest(want));
  if (all_near(got, want, 1e3 * tolerance.absolute) && !all_near(got, want, tolerance.absolute)) {
    expect.that(false, std::string(what) + " is right to the digits of a float, no further",
                "N-FLOAT32");
  }
  expect.near(what, got, want, tolerance, shape);
}

/// How many rows of `inputs` there are. Where sizes do not fit, a case is not made so small.
inline std::size_t rows_of(const Doubles& matrix, std::int32_t inputs) {
  const auto n = static_cast<std::size_t>(inputs);
  if (matrix.empty() || matrix.size() % n != 0) throw std::invalid_argument("no whole rows");
  return matrix.size() / n;
}

/// Sixteenths: sums of products are exact, in whatever order.
inline Doubles sixteenths(std::size_t count, std::uint64_t seed) {
  return each_of(code_tensor<std::int32_t>(count, seed, -64, 64),
                 [](std::int32_t v) { return v / 16.0; });
}

inline Doubles as_doubles(const Reals& x) { return {x.begin(), x.end()}; }

inline Doubles normals(std::size_t count, std::uint64_t seed) {
  return as_doubles(normal_tensor(count, seed));
}

}  // namespace nibble::judge
