// Lab 15, requantize: what is right, and what people write instead.
#pragma once

#include "cpu_simd.hpp"

#include <string_view>

#include "checks/15_cpu_simd/element_by_element.hpp"
#include "checks/15_cpu_simd/values.hpp"
#include "judge/code_rows.hpp"
#include "judge/exercise.hpp"
#include "judge/fused_product.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_15_cpu_simd {

/// Rows of sums, one for each multiplier.
struct Layer {
  Sums acc;
  Reals multiplier;
  int zero_point;
  static constexpr std::array names{"acc", "multiplier", "zero_point"};

  MatmulShape shape() const {
    const int n = static_cast<int>(multiplier.size());
    return {n == 0 ? 0 : static_cast<int>(acc.size()) / n, n, 1};
  }
};

inline std::vector<Named<Layer>> smaller(const Named<Layer>& c) {
  std::vector<Named<Layer>> all;
  for (const MatmulShape to : smaller_shapes(c.shape())) {
    all.push_back({size_text(to),
                   {corner(c.acc, c.shape().n, to.m, to.n),
                    {c.multiplier.begin(), c.multiplier.begin() + to.n},
                    c.zero_point}});
  }
  return all;
}

/// code(float(acc), i, j) of every element.
template <class Code>
std::vector<double> requantized(const Layer& c, const Code& code) {
  std::vector<double> q;
  for (std::size_t at = 0, n = c.multiplier.size(); at < c.acc.size(); ++at) {
    q.push_back(code(static_cast<float>(c.acc[at]), at / n, at % n));
  }
  return q;
}

/// code(float(acc) * multiplier[j]) of every element.
template <class Code>
std::vector<double> codes_of_products(const Layer& c, const Code& code) {
  return requantized(c, [&](float acc, auto, auto j) { return code(acc * c.multiplier[j]); });
}

inline void suspect_layers(Expect& expect, const Layer& c) {
  const double zp = c.zero_point;
  const auto at = [&](std::size_t i) { return i < c.multiplier.size() ? c.multiplier[i] : 0; };
  const auto element = [&](const char* code, std::string_view words, const auto& code_of) {
    expect.suspect(code, "q", requantized(c, code_of), words);
  };
  element("N-AXIS", "the multiplier is that of the row, and belongs to the column",
          [&](float acc, auto i, auto) { return clamp8(std::nearbyint(acc * at(i)) + zp); });
  element("N-AXIS", "the multiplier is that of column 0, for all columns",
          [&](float acc, auto, auto) { return clamp8(std::nearbyint(acc * at(0)) + zp); });
  element("N-SCALE", "the sum is divided by its multiplier",
          [&](float acc, auto, auto j) { return clamp8(std::nearbyint(acc / at(j)) + zp); });
  constexpr const char* kDouble =
      "float(acc) * multiplier is made in double, and should be a float";
  element("N-ROUND", kDouble, [&](double acc, auto, auto j) {
    return clamp8(std::nearbyint(acc * double{at(j)}) + zp);
  });
  std::vector<double> exact;  // not even the sum is rounded
  for (std::size_t i = 0; i < c.acc.size(); ++i) {
    const double v = double{at(i % c.multiplier.size())} * c.acc[i];
    exact.push_back(clamp8(std::nearbyint(v) + zp));
  }
  expect.suspect("N-ROUND", "q", exact, kDouble);
  for (const std::size_t width : {8, 16, 32, 64}) {
    const std::size_t whole = c.multiplier.size() / width * width;
    element("N-TAIL", "the columns that vectors leave have the multipliers from column 0 on",
            [&](float acc, auto, auto j) {
              return clamp8(std::nearbyint(acc * at(j < whole ? j : j - whole)) + zp);
            });
  }
  const auto suspect = [&](const char* code, std::string_view words, const auto& code_of) {
    expect.suspect(code, "q", codes_of_products(c, code_of), words);
  };
  each_wrong_code(zp, [&](const char* code, std::string_view words, const auto& from) {
    suspect(code, words, [&](float v) { return clamp8(from(v)); });
  });
  suspect("N-AXIS", "all codes are the zero point", [&](float) { return zp; });
  suspect("N-CLAMP", "the code is not clamped, and wraps around",
          [&](float v) { return wrap8(std::nearbyint(v) + zp); });
  suspect("N-CLAMP", "v is made an int and then clamped: what is beyond int32 becomes -2^31 there",
          [&](float v) {
            const double rounded = std::nearbyint(v);
            return clamp8((std::fabs(rounded) < 0x1p31 ? rounded : -0x1p31) + zp);
          });
  constexpr const char* kTooEarly =
      "the code is clamped before the zero point is added, and not behind";
  suspect("N-CLAMP", kTooEarly, [&](float v) { return clamp8(std::nearbyint(v)) + zp; });
  suspect("N-CLAMP", kTooEarly, [&](float v) { return wrap8(clamp8(std::nearbyint(v)) + zp); });
  suspect("N-RANGE", "codes end at -127, and should end at -128",
          [&](float v) { return std::max(-127.0, clamp8(std::nearbyint(v) + zp)); });
  suspect("N-ROUND", "the zero point is added before the rounding, and should be added behind it",
          [&](float v) { return clamp8(std::nearbyint(v + static_cast<float>(zp))); });
}

inline const auto requantizing = kernel_exercise<&requantize>(
    [](const Named<Layer>& c) {
      return std::tuple(c.acc, c.multiplier, c.zero_point, out(c.acc.size()));
    },
    [](const Layer& c) {
      return narrow(
          codes_of_products(c, [&](float v) { return clamp8(std::nearbyint(v) + c.zero_point); }));
    },
    [](Expect& expect, const Layer& c, const Codes& got, const Codes& right) {
      if (expect.asks_for_suspects(got, right)) suspect_layers(expect, c);
      expect.equal("q", got, right, {std::size_t(c.shape().m), std::size_t(c.shape().n)});
    });

// One; one less than, as many as and one more than a vector of 16, 32 and 64; more rows; a prime.
inline const std::vector<MatmulShape> kLayers = {
    {1, 1, 1},  {5, 1, 1},  {3, 15, 1}, {2, 16, 1},  {3, 17, 1},  {2, 31, 1},  {2, 33, 1},
    {3, 63, 1}, {2, 64, 1}, {3, 65, 1}, {1, 129, 1}, {7, 200, 1}, {2, 1021, 1}};

inline std::vector<Named<Layer>> random_layers(Seed seed_of) {
  return each_of(kLayers, [&](MatmulShape s, std::size_t at) -> Named<Layer> {
    return {size_text(s),
            {code_tensor<std::int32_t>(area(s.m, s.n), seed_of(3 * at), -200'000, 200'000),
             uniform_tensor(std::size_t(s.n), seed_of(3 * at + 1), 1e-4f, 9e-4f),
             code_tensor<std::int8_t>(1, seed_of(3 * at + 2), -30, 30)[0]}};
  });
}

}  // namespace nibble::judge::lab_15_cpu_simd
