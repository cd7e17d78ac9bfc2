// Lab 06, quantized_linear: what is right, and what people write instead.
#pragma once

#include "quantized_matmul.hpp"

#include "checks/06_quantized_matmul/product_of_codes.hpp"
#include "checks/06_quantized_matmul/product_with_scales.hpp"
#include "checks/06_quantized_matmul/quantized_matmul_int8.hpp"
#include "checks/06_quantized_matmul/values.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/near_ties.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_06_quantized_matmul {

using Running = Exercise<&quantized_linear>;  // layer, x, shape

inline Sums bias_codes(const OwnedLayer& layer) {
  return each_of(layer.bias, [&](float real, I j) {
    const double steps = std::nearbyint(real / (layer.x_scale * layer.w_scales[j]));
    return static_cast<std::int32_t>(std::isnan(steps) ? 0
                                                       : std::clamp<double>(steps, kBottom, kTop));
  });
}

/// The same layer on int8 codes, which with their zero points lie 128 lower.
inline Requantizing::Arguments lowered(const Running::Arguments& in) {
  const auto& [x_scale, zx, w, w_scales, bias, y_scale, zy] = in.a;
  const Codes a = each_of(in.b, [](int code) { return static_cast<std::int8_t>(code - 128); });
  return {{a, zx - 128, x_scale, w, 0, w_scales}, bias_codes(in.a), y_scale, zy - 128, in.c};
}

inline Bytes raised(const Codes& codes) {
  return each_of(codes, [](int code) { return static_cast<std::uint8_t>(code + 128); });
}

/// sum over p of difference(x) * w.
template <class Difference>
std::vector<double> weighed(const Running::Arguments& in, const Difference& difference) {
  const I n = in.c.n, k = in.c.k;
  return each_sum<double>(in.c, [&](I i, I j, I p) -> double {
    return difference(or_zero(in.b, i * k + p)) * or_zero(in.a.w, p * n + j);
  });
}

/// The contract's formula, from given sums and a bias in their unit. give(round(v)): what is cast.
template <class Give>
Bytes bytes_of(const Running::Arguments& in, const std::vector<double>& sums, const Sums& bias,
               const Give& give) {
  return each_of(sums, [&](double sum, I at) {
    const I j = at % in.c.n;
    const float step = in.a.x_scale * in.a.w_scales[j];
    const float v = static_cast<float>(sum + or_zero(bias, j)) * (step / in.a.y_scale);
    const double code = give(static_cast<double>(std::nearbyint(v)));
    return static_cast<std::uint8_t>(static_cast<std::int64_t>(std::clamp(code, -1e15, 1e15)));
  });
}

inline double clamp_byte(double code) { return std::clamp(code, 0.0, 255.0); }

inline Bytes byte_product(const Running::Arguments& in) {
  const auto sums = weighed(in, [zx = in.a.zx](int code) { return code - zx; });
  return bytes_of(in, sums, bias_codes(in.a),
                  [&](double steps) { return clamp_byte(steps + in.a.zy); });
}

/// Lowered codes have zero points, signs and ends of their own: words about those are not of y.
inline bool is_of_lowered_codes(std::string_view code) {
  constexpr std::string_view kOfCodes[] = {"N-ZERO",  "N-ZP-SIGN", "N-SIGN",
                                           "N-RANGE", "N-ROUND",   "N-TRUNC"};
  return std::ranges::count(kOfCodes, code) != 0;
}

inline void suspect_bytes(Expect& expect, const Running::Arguments& in, const Bytes& right) {
  const std::int32_t zx = in.a.zx, zy = in.a.zy;
  const Sums bias = bias_codes(in.a);
  const auto sums = weighed(in, [=](int code) { return code - zx; });
  const auto to_byte = [=](double steps) { return clamp_byte(steps + zy); };
  const auto reads = [&](const char* code, const char* words, const auto& difference) {
    expect.suspect(code, "y", bytes_of(in, weighed(in, difference), bias, to_byte), words);
  };
  const auto adds = [&](const char* code, const char* words, const Sums& other) {
    expect.suspect(code, "y", bytes_of(in, sums, other, to_byte), words);
  };
  const auto ends = [&](const char* code, const char* words, const auto& give) {
    expect.suspect(code, "y", bytes_of(in, sums, bias, give), words);
  };
  const auto int8 = [](int code) { return static_cast<std::int8_t>(code); };
  constexpr const char* signed_x = "x is read as int8, where a code of 200 is -56";
  constexpr const char* moved_x = "128 is subtracted from x, and not from x_zero_point";
  reads("N-SIGN", signed_x, [=](int code) { return int8(code) - zx; });
  reads("N-SIGN", signed_x, [=](int code) { return int8(code) - int8(zx); });
  reads("N-SIGN", signed_x, [=](int code) { return int8(code) - (zx - 128); });
  reads("N-ZERO", "x_zero_point is not subtracted", [=](int code) { return code; });
  reads("N-ZERO", "y_zero_point is subtracted from x, and should be x_zero_point",
        [=](int code) { return code - zy; });
  reads("N-ZERO", moved_x, [=](int code) { return code - 128 - zx; });
  reads("N-ZERO", moved_x, [=](int code) { return code - 128 - std::min(zx, 127); });
  reads("N-ZERO", "128 is subtracted from x_zero_point, and not from x",
        [=](int code) { return code - (zx - 128); });
  reads("N-OVERFLOW", kNarrowDifference,
        [=](int code) { return static_cast<std::uint8_t>(code - zx); });
  reads("N-OVERFLOW", kNarrowDifference, [=](int code) { return int8(code - zx); });
  adds("N-BIAS", "the bias is not added", {});
  adds("N-BIAS", "the bias is rounded as it is, and should be divided by the scales first",
       each_of(in.a.bias, [](float real) {
         return static_cast<std::int32_t>(std::nearbyint(std::clamp(real, -1e9f, 1e9f)));
       }));
  adds("N-BIAS", "the bias is taken away", each_of(bias, [](std::int32_t q) { return -q; }));
  constexpr const char* lowered_y =
      "y holds codes of int8, which are 128 apart from those of uint8";
  expect.suspect("N-SIGN", "y",
                 each_of(right, [](int code) { return static_cast<std::uint8_t>(code - 128); }),
                 lowered_y);
  ends("N-ZERO", "", [=](double steps) { return clamp8(steps + std::min(zy, 127)) + 128; });
  ends("N-ZERO", lowered_y, [=](double steps) { return clamp8(steps + zy - 128); });
  constexpr const char* ends_early = "codes of y end at 127, and should end at 255";
  ends("N-RANGE", ends_early, [=](double steps) { return std::clamp(steps + zy, 0.0, 127.0); });
  ends("N-RANGE", ends_early, [=](double steps) { return clamp8(steps + zy); });
  ends("N-CLAMP", is_far_off(lowered(in)) ? "" : kWraps, [=](double steps) { return steps + zy; });
  ends("N-CLAMP", kClampedFirst, [=](double steps) { return clamp_byte(clamp_byte(steps) + zy); });
  ends("N-CLAMP", kClampedFirst, [=](double steps) { return clamp_byte(clamp8(steps) + zy); });
  each_wrong_product(
      lowered(in), [&](std::string_view code, const char* words, const Codes& codes) {
        expect.suspect(code, "y", raised(codes), is_of_lowered_codes(code) ? "" : words);
      });
}

inline std::vector<Running::Arguments> smaller_layers(const Running::Arguments& in) {
  std::vector<Running::Arguments> all;
  for (const auto& [of, bias, y_scale, zy, shape] : smaller_scaled(lowered(in))) {
    Running::Arguments one{in.a, raised(of.a), shape};
    one.a.zx = of.za + 128;
    one.a.w = of.b;
    one.a.w_scales = of.b_scales;
    one.a.bias.resize(bias.size());
    all.push_back(one);
  }
  return all;
}

inline const Running running{
    {"x_scale", "x_zero_point", "w", "w_scales", "bias", "y_scale", "y_zero_point", "x", "m", "n",
     "k"},
    {"y"},
    suspect_bytes,
    {.sizes = [](const auto& in) { return rows_and_columns(in.c); }, .smaller = smaller_layers}};

inline void near_bytes(Expect& expect, const Running::Arguments& in, const Bytes& got,
                       const Bytes& want) {
  const Requantizing::Arguments codes = lowered(in);
  same_codes(expect, "y", got, want, near_ties(codes), rows_and_columns(in.c));
}

/// Sums spread over about 8500 * sqrt(k): codes over about 60 steps, and a few saturate. A bias is
/// a whole number of steps, give or take a rounding: as far from a tie as it can be.
inline std::vector<Running::Input> random_layers(Seed seed_of, const Shapes& shapes, bool biased) {
  std::vector<Running::Input> inputs;
  for (const auto& [m, n, k] : shapes) {
    const std::uint64_t salt = 400 + 8 * inputs.size();
    OwnedLayer layer{};
    layer.x_scale = uniform_tensor(1, seed_of(salt), 0.01f, 0.04f)[0];
    layer.zx = 37;
    layer.w = code_tensor<std::int8_t>(I(k) * n, seed_of(salt + 1), -128, 127);
    layer.w_scales = uniform_tensor(n, seed_of(salt + 2), 0.001f, 0.004f);
    const auto steps = code_tensor<std::int8_t>(n, seed_of(salt + 3), -128, 127);
    for (I j = 0; biased && j < I(n); ++j) {
      layer.bias.push_back(100.0f * steps[j] * (layer.x_scale * layer.w_scales[j]));
    }
    layer.y_scale = layer.x_scale * 0.0025f * 150.0f * std::sqrt(static_cast<float>(k));
    layer.zy = 117;
    const auto x = code_tensor<std::uint8_t>(I(m) * k, seed_of(salt + 4), 0, 255);
    inputs.push_back({size_text({m, n, k}), {layer, x, {m, n, k}}});
  }
  const Bytes most = byte_product(inputs.back().in);
  Expect::healthy(distinct(most) > 20 && saturated_share(most, 0, 255) < 0.5,
                  "codes that are few, or mostly saturated");
  return inputs;
}

}  // namespace nibble::judge::lab_06_quantized_matmul
