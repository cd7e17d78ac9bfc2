// Lab 23: the exercises: their arguments, and the formulas of what they have to answer.
#pragma once

#include "cuda_int4.hpp"

#include <cmath>
#include <tuple>

#include "checks/23_cuda_int4/in_memory.hpp"
#include "checks/23_cuda_int4/weights.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_23_cuda_int4 {

inline std::size_t padded_size(const Int4Case& c) {
  return 2 * std::size_t(c.shape.n) * std::size_t(c.shape.pitch);
}

inline double scale_at(const Int4Case& c, std::ptrdiff_t i, std::ptrdiff_t p) {
  return c.scales[i * groups_of(c.shape) + p / c.shape.group_size];
}

/// value(i, p) for the n x k codes, and 0 behind them.
template <class T, class Value>
std::vector<T> padded(const Int4Case& c, const Value& value) {
  std::vector<T> all(padded_size(c));
  for (std::ptrdiff_t i = 0; i < c.shape.n; ++i) {
    for (std::ptrdiff_t p = 0; p < c.shape.k; ++p) {
      all[i * 2 * c.shape.pitch + p] = static_cast<T>(value(i, p));
    }
  }
  return all;
}

struct Unpack {
  static constexpr auto kCall = &unpack_int4;
  static constexpr const char* kWhat = "q";
  static auto arguments(const Int4Case& c) {
    return std::tuple(packed(c), out(padded_size(c)), c.shape);
  }
  static Codes want(const Int4Case& c) {
    return padded<std::int8_t>(
        c, [&](std::ptrdiff_t i, std::ptrdiff_t p) { return c.w[i * c.shape.k + p]; });
  }
  static Shape shape(const Int4Case& c) {
    return {std::size_t(c.shape.n), 2 * std::size_t(c.shape.pitch)};
  }
};

struct Dequantize {
  static constexpr auto kCall = &dequantize_int4;
  static constexpr const char* kWhat = "w_hat";
  static auto arguments(const Int4Case& c) {
    return std::tuple(packed(c), c.scales, out(padded_size(c)), c.shape);
  }
  // A double holds the product exactly; one rounding makes it a float.
  static Reals want(const Int4Case& c) {
    return padded<float>(c, [&](std::ptrdiff_t i, std::ptrdiff_t p) {
      return scale_at(c, i, p) * c.w[i * c.shape.k + p];
    });
  }
  static Shape shape(const Int4Case& c) { return Unpack::shape(c); }
};

/// A sum, and the sum of its terms without their signs.
struct Sum {
  double value = 0, magnitude = 0;
  void add(double term) {
    value += term;
    magnitude += std::fabs(term);
  }
};

struct Gemv {
  static constexpr auto kCall = &gemv_int4;
  static constexpr const char* kWhat = "y";
  static auto arguments(const Int4Case& c) {
    return std::tuple(packed(c), c.scales, padded_x(c), out(std::size_t(c.shape.n)), c.shape);
  }
  static std::vector<Sum> sums(const Int4Case& c) {
    std::vector<Sum> all(std::size_t(c.shape.n));
    for (std::ptrdiff_t i = 0; i < c.shape.n; ++i) {
      for (std::ptrdiff_t p = 0; p < c.shape.k; ++p) {
        all[i].add(scale_at(c, i, p) * c.w[i * c.shape.k + p] * c.x[p]);
      }
    }
    return all;
  }
  static int terms(const Int4Case& c) { return c.shape.k; }
  static Shape shape(const Int4Case& c) { return {std::size_t(c.shape.n)}; }
};

struct Matmul {
  static constexpr auto kCall = &matmul_int4;
  static constexpr const char* kWhat = "c";
  static auto arguments(const Int4Case& c) {
    return std::tuple(padded_a(c), c.a_scales, packed(c),
                      turned(c.scales, c.shape.n, groups_of(c.shape)),
                      out(std::size_t(c.m) * std::size_t(c.shape.n)), c.shape);
  }
  static std::vector<Sum> sums(const Int4Case& c) {
    std::vector<Sum> all;
    const std::ptrdiff_t k = c.shape.k;
    for (std::ptrdiff_t i = 0; i < c.m; ++i) {
      for (std::ptrdiff_t j = 0; j < c.shape.n; ++j) {
        all.emplace_back();
        for (std::ptrdiff_t p = 0; p < k; ++p) {
          all.back().add(double{c.a_scales[i]} * scale_at(c, j, p) * c.a[i * k + p] *
                         c.w[j * k + p]);
        }
      }
    }
    return all;
  }
  static int terms(const Int4Case& c) { return groups_of(c.shape); }
  static Shape shape(const Int4Case& c) { return {std::size_t(c.m), std::size_t(c.shape.n)}; }
};

template <class Exercise>
auto wanted(const Int4Case& c) {
  if constexpr (requires { Exercise::sums(c); }) {
    return each_of(Exercise::sums(c), [](Sum sum) { return static_cast<float>(sum.value); });
  } else {
    return Exercise::want(c);
  }
}

}  // namespace nibble::judge::lab_23_cuda_int4
