#include "compare.hpp"

#include <algorithm>
#include <cmath>

namespace nibble::peers {
namespace {

constexpr double kEps = 0x1p-24;  // the relative error of one rounding

/// Adding k products of at most 128 * 128 in float32, in any order.
double sum_tolerance(int k) { return k * kEps * k * 128.0 * 128.0; }

struct Expected {
  double value, tolerance;
};

/// sum * scale + bias, where the sums are exact or floats. A library may multiply and add in
/// another order: some roundings of the terms.
Expected scaled(double sum, double sum_error, double scale, double bias) {
  constexpr double kRoundings = 8;
  return {sum * scale + bias,
          kRoundings * kEps * (std::fabs(sum * scale) + std::fabs(bias)) + sum_error * scale};
}

/// What element i of an output should be.
class Oracle {
 public:
  Oracle(const Problem& problem, Operation work, const std::int32_t* sums, bool is_float_sum)
      : problem_(problem),
        work_(work),
        sums_(sums),
        sum_error_(is_float_sum ? sum_tolerance(problem.shape.k) : 0) {}

  Expected operator()(std::size_t i) const {
    const std::size_t j = problem_.shape.n > 0 ? i % problem_.shape.n : 0;
    switch (work_) {
      case Operation::kMultiply:
      case Operation::kPackMultiply:
        return {double(sums_[i]), sum_error_};
      case Operation::kFused: {
        const Expected v = scaled(sums_[i], sum_error_, problem_.scale[j], problem_.bias[j]);
        return {std::max(0.0, v.value), v.tolerance};
      }
      case Operation::kGemvInt8:
      case Operation::kGemvInt4:  // a sum of each group, rounded when it is added
        return scaled(sums_[i], work_ == Operation::kGemvInt4 ? sum_tolerance(problem_.shape.k) : 0,
                      problem_.scale[j], 0);
      case Operation::kQuantize:
        return {
            double(std::clamp(std::nearbyint(problem_.x[i] / problem_.x_scale), -128.0f, 127.0f)),
            0};
      case Operation::kDequantize:
        return {double(problem_.x_scale * float(problem_.q[i])), 0};
    }
    return {0, -1};
  }

 private:
  const Problem& problem_;
  Operation work_;
  const std::int32_t* sums_;
  double sum_error_;
};

template <typename T>
double share_wrong(std::span<const T> got, const Oracle& wanted) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const Expected want = wanted(i);
    if (!(std::fabs(double(got[i]) - want.value) <= want.tolerance)) ++wrong;
  }
  return got.empty() ? 1.0 : double(wrong) / double(got.size());
}

}  // namespace

Comparison compare(const Problem& problem, Operation work, const std::int32_t* sums, bool is_exact,
                   const Output& output) {
  if (std::holds_alternative<std::monostate>(output)) return {.checked = false};
  const double wrong = std::visit(
      [&]<typename Values>(const Values& values) {
        if constexpr (std::is_same_v<Values, std::monostate>) {
          return 0.0;
        } else {
          // Who answers a GEMV with int32 has left the scale to the caller.
          const bool raw = std::is_same_v<Values, std::span<const std::int32_t>>;
          return share_wrong(values,
                             Oracle(problem, raw ? Operation::kMultiply : work, sums, !is_exact));
        }
      },
      output);
  return {.wrong = wrong};
}

}  // namespace nibble::peers
