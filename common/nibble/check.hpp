// Refusing bad input, and the "not written yet" signal.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

namespace nibble {

/// What an unfinished function throws. The grader reports it as "not written yet", not as a crash.
struct NotImplemented : std::logic_error {
  using std::logic_error::logic_error;
};

namespace detail {

template <class T>
void expects_all_finite(std::span<const T> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isfinite(x[i])) continue;
    throw std::invalid_argument("expected finite values, got x[" + std::to_string(i) +
                                "] = " + std::to_string(x[i]));
  }
}

}  // namespace detail

/// Throws std::invalid_argument unless every x[i] is finite, naming the first that is not.
inline void expects_finite(std::span<const float> x) { detail::expects_all_finite(x); }
inline void expects_finite(std::span<const double> x) { detail::expects_all_finite(x); }

}  // namespace nibble

/// Marks the one place a learner has to write. Delete the line when you replace it.
#define NIBBLE_TODO(task) throw ::nibble::NotImplemented(std::string(__func__) + ": " + (task))

/// States what the caller owes, and shows the value that broke it. Always on.
///
///     NIBBLE_EXPECTS(2 <= num_bits && num_bits <= 8, num_bits);
#define NIBBLE_EXPECTS(condition, value)                                                      \
  ((condition) ? void()                                                                       \
               : throw std::invalid_argument(std::string(__func__) +                          \
                                             ": expected " #condition ", got " #value " = " + \
                                             std::to_string(value)))
