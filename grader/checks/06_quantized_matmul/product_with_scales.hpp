// Lab 06: products with scales.
#pragma once

#include "quantized_matmul.hpp"

#include "checks/06_quantized_matmul/matmul_of_codes.hpp"
#include "checks/06_quantized_matmul/product_of_codes.hpp"
#include "checks/06_quantized_matmul/values.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_06_quantized_matmul {

using Scaling = Exercise<&quantized_matmul_float>;      // operands, bias, shape
using Requantizing = Exercise<&quantized_matmul_int8>;  // operands, bias, c_scale, zc, shape

inline constexpr const char* kBiasOfTheRow =
    "the bias is that of the row, and belongs to the column";
inline constexpr const char* kScaleOfTheRow =
    "the scale is that of the row, and belongs to the column";
inline constexpr const char* kScaleOfColumn0 = "the scale is that of column 0, for all columns";
inline constexpr const char* kNoColumnScales = "the scales of the columns are left out";
inline constexpr const char* kNoLeftScale = "the scale of the left matrix is left out";

inline MatmulShape& shape_of(Scaling::Arguments& in) { return in.c; }
inline MatmulShape& shape_of(Requantizing::Arguments& in) { return in.e; }

inline Product product_of(const Operands& of, MatmulShape shape) {
  return {of.a, of.za, of.b, of.zb, shape};
}

inline Operands operands(const Product& of, float a_scale, const Reals& b_scales) {
  return {of.a, of.b, a_scale, of.c, of.d, b_scales};
}

template <class Arguments>
std::vector<Arguments> smaller_scaled(const Arguments& in) {
  std::vector<Arguments> all;
  Arguments one = in;
  for (const Product& codes : smaller_products(product_of(in.a, shape_of(one)))) {
    one.a = operands(codes, in.a.a_scale, in.a.b_scales);
    one.a.b_scales.resize(codes.e.n);
    one.b = in.b;
    if (!one.b.empty()) one.b.resize(codes.e.n);
    shape_of(one) = codes.e;
    all.push_back(one);
  }
  return all;
}

/// Sums 2, 11 in the first row, -4, -7 in the second.
inline const MatmulShape kTwo{2, 2, 2};
inline const Product kTwoByTwo{{1, 2, 3, -4}, 0, {-3, 0, -2, 1}, -3, kTwo};

// Sizes where more rows than columns, or fewer, make a scale of the row stand out; one column; the
// remainder of a vector of 8 floats.
inline const Shapes kScaledShapes = {{2, 3, 4}, {5, 2, 3}, {9, 1, 7}, {1, 9, 7}, {3, 17, 33}};

template <class E>
std::vector<typename E::Input> random_scaled(Seed seed_of, const Shapes& shapes) {
  std::vector<typename E::Input> inputs;
  for (const MatmulShape shape : shapes) {
    const std::uint64_t salt = 64 + 8 * inputs.size();
    const float a_scale = uniform_tensor(1, seed_of(salt), 0.01f, 0.04f)[0];
    typename E::Arguments in{};
    in.a = operands(random_product(shape, 5, -9, seed_of(salt + 1), seed_of(salt + 2)), a_scale,
                    uniform_tensor(shape.n, seed_of(salt + 3), 0.001f, 0.004f));
    shape_of(in) = shape;
    if constexpr (std::is_same_v<E, Requantizing>) {
      // Sums spread over about 5500 * sqrt(k): codes over about 50 steps, and a few saturate.
      in.c = a_scale * 0.0025f * 100.0f * std::sqrt(static_cast<float>(shape.k));
      in.d = -11;
    }
    inputs.push_back({size_text(shape), in});
  }
  return inputs;
}

/// What no scale may be, and two scales whose product is none, be it 0, subnormal or infinite; and
/// what fits in the other column.
struct ScalePair {
  float a, b, other_b = 1.0f;
};
inline const std::vector<ScalePair> kBadScales = {
    {0.0f, 1.0f},     {1.0f, 0.0f},     {-1.0f, 1.0f},         {1.0f, -1.0f},
    {-1.0f, -1.0f},   {kNan, 1.0f},     {1.0f, kInfinity},     {1.0f, FLT_MIN / 4},
    {1e-30f, 1e-30f}, {1e-20f, 1e-20f}, {1e30f, 1e30f, 1e-30f}};

/// What is refused whatever the scales are, by changes of what is fine.
template <class E>
void refuse_sizes_and_codes(std::vector<typename E::Refused>& refused,
                            const typename E::Arguments& fine) {
  const auto add = [&](const char* code, const auto& change) {
    refused.push_back({code, fine});
    change(refused.back().in);
  };
  refused.push_back({"N-SIZE", fine, /*too_many=*/1});
  add("N-RANGE", [](auto& in) { in.a.za = 128; });
  add("N-RANGE", [](auto& in) { in.a.zb = -129; });
  add("N-SIZE", [](auto& in) { in.a.a.push_back(1); });
  add("N-SIZE", [](auto& in) { in.a.b.push_back(1); });
  add("N-SIZE", [](auto& in) { in.a.b_scales.assign(3, 1); });
  add("N-SIZE", [](auto& in) { in.a.b_scales.assign(1, 1); });
  add("N-SIZE", [](auto& in) { in.b.assign(3, 1); });
  add("N-SIZE", [](auto& in) { in.b.assign(1, 1); });
  add("N-OVERFLOW", [](auto& in) {
    const Product of = constant_product(131072, 0, 1, 0, 1);
    in.a = operands(of, 0.5f, {1});
    in.b.clear();
    shape_of(in) = of.e;
  });
}

}  // namespace nibble::judge::lab_06_quantized_matmul
