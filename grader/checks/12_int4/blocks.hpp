// Lab 12: blocks.
#pragma once

#include "int4.hpp"

#include <bit>

#include "checks/12_int4/values.hpp"
#include "judge/exercise.hpp"
#include "judge/mix.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_12_int4 {

//
// Where values were worked out by hand, scales are powers of two and the values stand in the first
// places of a block; the rest of it is 0.

using Values = std::span<const float>;
using Arguments = Exercise<&quantize_q4_0>::Arguments;  // and quantize_q8_0's

/// Blocks, taken apart.
struct Parts {
  std::vector<std::uint16_t> halves;  ///< of d, one a block
  std::vector<int> codes;             ///< 32 a block, in the order of the values
};

/// One of the two formats, and what is known to go wrong with it.
struct Format {
  std::size_t size;  ///< bytes of a block
  const char* name;  ///< of the codes
  float (*d_of)(Values);
  float (*inverse_of)(Values);  ///< in one division, where the format has two
  int (*code_of)(float steps);  ///< steps: v * inverse
  template <class Way>
  struct Wrong {
    const char* code;
    Way way;
    const char* words;
  };
  std::vector<Wrong<float (*)(Values)>> wrong_ds;
  std::vector<Wrong<int (*)(float steps)>> wrong_codes;
  std::vector<Wrong<int (*)(int code)>> wrong_signs;
  std::vector<Wrong<std::size_t (*)(std::size_t)>> wrong_orders;  ///< which value is in place j
};

template <class T>
std::vector<T> operator+(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline Reals block(Reals front) {
  front.resize(kBlockValues);
  return front;
}

inline float extreme_of(Values v) {
  float extreme = 0;
  for (const float value : v) extreme = std::fabs(value) > std::fabs(extreme) ? value : extreme;
  return extreme;
}

/// What becomes of d where somebody makes a half of it that is not the nearest.
inline float cut_to_half(float d) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(d) & 0xffffe000u);
}
inline float beyond(float d) { return d == 0 ? d : std::nextafter(d, d < 0 ? -FLT_MAX : FLT_MAX); }
inline constexpr const char* kHalfIsCut = "d is cut off to a half: it is rounded";
inline constexpr const char* kHalfTiesAway =
    "a tie between halves goes away from zero: it goes to the even one";

inline bool has_inverse(float d) { return d != 0 && !std::isinf(1 / d); }

inline float times_inverse(float value, float d) { return has_inverse(d) ? value * (1 / d) : 0; }
inline float divided(float value, float d) { return has_inverse(d) ? value / d : 0; }
inline float by_the_half(float value, float d) {
  return times_inverse(value, float_from_half(half_from_float(d)));
}
/// Infinity and NaN become -2^31 on x86, of which four bits are 0: the u of -8 steps.
inline float by_infinity(float value, float d) {
  return d == 0 || has_inverse(d) ? times_inverse(value, d) : -8;
}
inline float times_finite(float value, float inverse) {
  return std::isinf(inverse) ? 0 : value * inverse;
}

/// What x becomes, with this d and these codes.
inline Parts parts_of(const Reals& x, float (*d_of)(Values), int (*code_of)(float),
                      float (*steps_of)(float value, float d) = times_inverse) {
  if (x.size() % kBlockValues != 0) throw std::invalid_argument("no whole block");
  Parts parts;
  for (std::size_t at = 0; at < x.size(); at += kBlockValues) {
    const Values v = Values(x).subspan(at, kBlockValues);
    const float d = d_of(v);
    parts.halves.push_back(half_from_float(d));
    for (const float value : v) parts.codes.push_back(code_of(steps_of(value, d)));
  }
  return parts;
}

inline Bytes joined(const Format& format, const Parts& parts) {
  Bytes bytes;
  for (std::size_t i = 0; i < parts.halves.size(); ++i) {
    bytes.push_back(as<std::uint8_t>(parts.halves[i] % 256));
    bytes.push_back(as<std::uint8_t>(parts.halves[i] / 256));
    const int* const codes = &parts.codes[i * kBlockValues];
    for (std::size_t j = 0; j < format.size - 2; ++j) {
      const bool two = format.size == kQ4Bytes;
      bytes.push_back(as<std::uint8_t>(two ? codes[j] + 16 * codes[j + 16] : codes[j]));
    }
  }
  return bytes;
}

inline Parts apart(const Format& format, const Bytes& bytes) {
  Parts parts;
  for (std::size_t at = 0; at < bytes.size(); at += format.size) {
    parts.halves.push_back(as<std::uint16_t>(bytes[at] + 256 * bytes[at + 1]));
    for (std::size_t j = 0; j < kBlockValues; ++j) {
      const int byte = bytes[at + 2 + j % (format.size - 2)];
      const bool two = format.size == kQ4Bytes;
      parts.codes.push_back(two ? (j < 16 ? byte % 16 : byte / 16) : as<std::int8_t>(byte));
    }
  }
  return parts;
}

inline void suspect_blocks(Expect& expect, const Format& format, const Reals& x,
                           const Bytes& blocks) {
  const Parts right = apart(format, blocks);
  expect.suspect("N-SIGN0", "half of d", each_of(right.halves, [](int half) {
                   return half % 0x8000 == 0 ? half ^ 0x8000 : half;
                 }));
  for (const auto& [code, d_of, words] : format.wrong_ds) {
    expect.suspect(code, "half of d", parts_of(x, d_of, format.code_of).halves, words);
  }
  expect.suspect(
      "N-LAYOUT", "half of d",
      each_of(right.halves, [](int half) { return as<std::uint16_t>(half << 8 | half >> 8); }),
      "as if the high byte came first");
  const Parts inverted = parts_of(x, format.inverse_of, format.code_of, times_finite);
  expect.suspect("N-SCALE", "half of d", inverted.halves, "as if it were the inverse of d");
  constexpr const char* without_d = "as if the inverse were made in one division, without d";
  expect.suspect("N-FORMULA", format.name, inverted.codes, without_d);
  const auto where_d_is_something = each_of(inverted.codes, [&](int code, std::size_t at) {
    return right.halves[at / kBlockValues] % 0x8000 == 0 ? right.codes[at] : code;
  });
  expect.suspect("N-FORMULA", format.name, where_d_is_something, without_d);
  // Through the bytes: there a code that is too large meets its neighbour.
  const auto codes_look = [&](const char* code, const char* words, const auto&... how) {
    expect.suspect(code, format.name, apart(format, joined(format, parts_of(x, how...))).codes,
                   words);
  };
  for (const auto& [code, code_of, words] : format.wrong_codes) {
    codes_look(code, words, format.d_of, code_of);
  }
  codes_look("N-FORMULA", "as if v[j] were divided by d, and not times its inverse", format.d_of,
             format.code_of, divided);
  codes_look("N-SCALE", "as if the codes were made with the half of d", format.d_of, format.code_of,
             by_the_half);
  codes_look("N-DIV0", "", format.d_of, format.code_of, by_infinity);
  for (const auto& [code, change, words] : format.wrong_signs) {
    expect.suspect(code, format.name, each_of(right.codes, change), words);
  }
  for (const auto& [code, order, words] : format.wrong_orders) {
    std::vector<int> moved;
    for (std::size_t i = 0; i < right.codes.size(); ++i) {
      moved.push_back(right.codes[i / kBlockValues * kBlockValues + order(i % kBlockValues)]);
    }
    expect.suspect(code, format.name, moved, words);
  }
  Bytes without_scales;
  for (std::size_t at = 0; at < blocks.size(); ++at) {
    if (at % format.size >= 2) without_scales.push_back(blocks[at]);
  }
  expect.suspect("N-OVERHEAD", "blocks", without_scales, "as if a block had no d");
}

/// Part by part, as a person reads a block.
inline auto part_by_part(const Format& format) {
  return [&format](Expect& expect, const Arguments&, const Bytes& got, const Bytes& want) {
    if (got.size() != want.size()) {
      expect.equal("blocks", got, want);
      return;
    }
    const Parts mine = apart(format, got), right = apart(format, want);
    expect.equal("half of d", mine.halves, right.halves);
    expect.equal(format.name, mine.codes, right.codes, {right.halves.size(), kBlockValues});
  };
}

inline auto by_definition_of(const Format& format) {
  return [&format](const Arguments& in) {
    return joined(format, parts_of(in.a, format.d_of, format.code_of));
  };
}

/// Blocks with values as near to a tie as a float can be, on either side, where the largest is
/// `steps` steps. Random weights have no such values; those with few digits have.
inline Reals near_ties(std::size_t blocks, std::uint64_t from, int steps) {
  const std::size_t count = blocks * kBlockValues;
  const Reals amax = uniform_tensor(blocks, from, 0.5f, 1.0f);
  const auto ties = code_tensor<std::int16_t>(count, mix(from, 1), 1, steps - 1);
  const auto sides = code_tensor<std::int8_t>(count, mix(from, 2), -1, 1);
  Reals x;
  for (std::size_t i = 0; i < count; ++i) {
    const float most = amax[i / kBlockValues], half_steps = static_cast<float>(2 * steps);
    const float tie = most * static_cast<float>(2 * ties[i] - 1) / half_steps;
    const float value = std::nextafter(tie, sides[i] == 0 ? tie : sides[i] * kInfinity);
    x.push_back(i % kBlockValues == 3 ? most : i % 2 == 0 ? value : -value);
  }
  return x;
}

/// Blocks of weights and of near ties, and a block of zeros between others.
template <class Input>
std::vector<Input> blocks_of(Seed seed_of, std::size_t most, int steps) {
  const auto normal = [&](std::size_t blocks, int k, float size) {
    return normal_tensor(blocks * kBlockValues, seed_of(as<std::uint64_t>(k)), size);
  };
  return {{"OneBlock", {normal(1, 1, 0.02f)}},
          {"ThreeBlocks", {normal(1, 2, 1) + block({}) + normal(1, 3, 300)}},
          {"Weights", {normal(most, 4, 0.02f)}},
          {"NearTies", {near_ties(most, seed_of(5), steps)}}};
}

/// What no half can be the scale of, in the first block and in the second, first and last.
template <auto F>
std::vector<typename Exercise<F>::Refused> without_a_scale(float too_large) {
  std::vector<typename Exercise<F>::Refused> refused;
  for (const int size : {1, 31, 33})
    refused.push_back({"N-SIZE", {Reals(as<std::size_t>(size), 1)}});
  for (const float value : {kNan, kInfinity, -kInfinity, too_large, -too_large, FLT_MAX}) {
    for (const int place : {0, 1, 32, 63}) {
      Reals x(64, 1);
      x[as<std::size_t>(place)] = value;
      refused.push_back({std::isfinite(value) ? "N-INF" : "N-NAN", {x}});
    }
  }
  return refused;
}

inline constexpr std::uint16_t kOne = 0x3c00, kMinusOne = 0xbc00, kHalf = 0x3800,
                               kMinusHalf = 0xb800;
inline constexpr std::uint16_t kTwoBytes = 0x2e67;  // 0.1, nearly: its bytes differ

}  // namespace nibble::judge::lab_12_int4
