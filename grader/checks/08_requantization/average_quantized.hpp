// Lab 08, average_quantized: what is right, and what people write instead.
#pragma once

#include "requantization.hpp"

#include "checks/08_requantization/add_quantized.hpp"
#include "checks/08_requantization/multiply_by_quantized_multiplier.hpp"
#include "checks/08_requantization/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_08_requantization {

using Averaging = Exercise<&average_quantized>;

/// What is to be averaged: a channel in a window.
struct Window {
  Real sum, count, size;
  float short_sum;
};

/// mean(window) for every channel of every window. x[p, j] is x[p * n + j].
template <class Mean>
Codes each_mean(const Averaging::Arguments& in, const Mean& mean, bool by_rows = true) {
  const auto& [x, channels, window] = in;
  NIBBLE_EXPECTS(channels >= 1 && window >= 1, window);
  const auto n = std::size_t(channels), size = std::size_t(window);
  NIBBLE_EXPECTS(x.size() % n == 0, x.size());
  const std::size_t m = x.size() / n;
  Codes c;
  for (std::size_t begin = 0; begin < m; begin += size) {
    const std::size_t end = std::min(begin + size, m);
    for (std::size_t j = 0; j < n; ++j) {
      std::int64_t sum = 0;
      float short_sum = 0;
      for (std::size_t p = begin; p < end; ++p) {
        const std::int8_t code = x[by_rows ? p * n + j : j * m + p];
        sum += code;
        short_sum += code;
      }
      const Real value = mean(Window{Real(sum), Real(end - begin), Real(size), short_sum});
      c.push_back(static_cast<std::int8_t>(static_cast<std::int64_t>(value)));
    }
  }
  return c;
}

inline Real right_mean(const Window& w) { return half_away(w.sum / w.count); }
inline Codes averaged(const Averaging::Arguments& in) { return each_mean(in, right_mean); }

template <class T>
Real short_sum(const Window& w) {
  return half_away(static_cast<T>(static_cast<std::int64_t>(w.sum)) / w.count);
}

inline void suspect_averages(Expect& expect, const Averaging::Arguments& in, const Codes& right) {
  using W = const Window&;
  const auto looks = [&](const char* code, const char* words, Real (*mean)(W)) {
    expect.suspect(code, "c", each_mean(in, mean), words);
  };
  looks("N-FLOAT32", "the sum is kept in a float, which counts exactly to 2^24",
        [](W w) { return half_away(w.short_sum / w.count); });
  looks("N-FLOAT32", "the quotient is kept in a float before it is rounded",
        [](W w) { return half_away(static_cast<float>(w.sum / w.count)); });
  looks("N-ROUND", "a half goes up, and should go away from 0",
        [](W w) { return half_up(w.sum / w.count); });
  looks("N-ROUND", "a half goes to the even neighbour, and should go away from 0",
        [](W w) { return to_even(w.sum / w.count); });
  looks("N-TRUNC", "the mean is rounded towards 0, and should be to the nearest integer",
        [](W w) { return towards_0(w.sum / w.count); });
  looks("N-TRUNC", "the mean is rounded down, and should be to the nearest integer",
        [](W w) { return down(w.sum / w.count); });
  looks("N-FORMULA", "half of the count is added to a sum below 0, and should be subtracted",
        [](W w) { return towards_0((w.sum + down(w.count / 2)) / w.count); });
  looks("N-ROUND", "half of an odd count is rounded up, and should be down", [](W w) {
    return towards_0((w.sum + std::copysign(half_up(w.count / 2), w.sum)) / w.count);
  });
  looks("N-DENOM", "the sum is divided by window, and should be by the rows that are there",
        [](W w) { return half_away(w.sum / w.size); });
  looks("N-DENOM", "the sum is divided by count - 1, and should be by count",
        [](W w) { return half_away(w.sum / std::max(w.count - 1, 1.0L)); });
  looks("N-TRUNC",
        "the sum is multiplied by 65536 / count, cut to an integer: it is divided by count",
        [](W w) {
          const Real of_magnitude = std::abs(w.sum) * down(0x1p16L / w.count);
          return std::copysign(half_up(std::ldexp(of_magnitude, -16)), w.sum);
        });
  looks("N-OVERFLOW", "the sum is kept in 8 bits", short_sum<std::int8_t>);
  looks("N-OVERFLOW", "the sum is kept in 16 bits", short_sum<std::int16_t>);
  looks("N-SIGN", "the count is unsigned, and a sum below 0 becomes so, too", [](W w) {
    const Real half = down(w.count / 2);
    const Real whole = w.sum < 0 ? w.sum - half + 0x1p64L : w.sum + half;
    return Real(static_cast<std::int8_t>(static_cast<std::uint64_t>(down(whole / w.count))));
  });
  expect.suspect("N-AXIS", "c", each_mean(in, right_mean, /*by_rows=*/false),
                 "codes side by side are averaged, and those of a channel lie channels apart");
  const auto& [x, channels, window] = in;
  const auto n = std::size_t(channels);
  if (right.size() > n) {
    expect.suspect("N-TAIL", "c", Codes(right.begin(), right.end() - n),
                   "the last window is left out");
  }
}

inline const Averaging averaging{{"x", "channels", "window"}, {"c"}, suspect_averages};

}  // namespace nibble::judge::lab_08_requantization
