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
  const auto looks = [&](const char* code, Real (*mean)(W)) {
    expect.suspect(code, "c", each_mean(in, mean));
  };
  looks("N-FLOAT32", [](W w) { return half_away(w.short_sum / w.count); });
  looks("N-FLOAT32", [](W w) { return half_away(static_cast<float>(w.sum / w.count)); });
  looks("N-ROUND", [](W w) { return half_up(w.sum / w.count); });
  looks("N-ROUND", [](W w) { return to_even(w.sum / w.count); });
  looks("N-TRUNC", [](W w) { return towards_0(w.sum / w.count); });
  looks("N-TRUNC", [](W w) { return down(w.sum / w.count); });
  looks("N-FORMULA", [](W w) { return towards_0((w.sum + down(w.count / 2)) / w.count); });
  looks("N-ROUND", [](W w) {  // half of an odd count, rounded up
    return towards_0((w.sum + std::copysign(half_up(w.count / 2), w.sum)) / w.count);
  });
  looks("N-DENOM", [](W w) { return half_away(w.sum / w.size); });
  looks("N-DENOM", [](W w) { return half_away(w.sum / std::max(w.count - 1, 1.0L)); });
  looks("N-OVERFLOW", short_sum<std::int8_t>);
  looks("N-OVERFLOW", short_sum<std::int16_t>);
  looks("N-SIGN", [](W w) {  // the quotient of unsigned numbers
    const Real half = down(w.count / 2);
    const Real whole = w.sum < 0 ? w.sum - half + 0x1p64L : w.sum + half;
    return Real(static_cast<std::int8_t>(static_cast<std::uint64_t>(down(whole / w.count))));
  });
  expect.suspect("N-AXIS", "c", each_mean(in, right_mean, /*by_rows=*/false));
  const auto& [x, channels, window] = in;
  const auto n = std::size_t(channels);
  if (right.size() > n) expect.suspect("N-TAIL", "c", Codes(right.begin(), right.end() - n));
}

inline const Averaging averaging{{"x", "channels", "window"}, {"c"}, suspect_averages};

}  // namespace nibble::judge::lab_08_requantization
