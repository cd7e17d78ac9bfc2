// Lab 11, quantize_mx: what is right, and what people write instead.
#pragma once

#include "fp8.hpp"

#include "checks/11_fp8/code_suspects.hpp"
#include "checks/11_fp8/formats.hpp"
#include "checks/11_fp8/quantize_fp8.hpp"
#include "checks/11_fp8/wrong_codes.hpp"
#include "judge/exercise.hpp"
#include "judge/mix.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_11_fp8 {

using Blocks = Exercise<&quantize_mx>;

inline int top_of(const Format& f) { return f.largest / f.steps() - f.bias; }

inline std::span<const float> block_of(const Reals& x, std::size_t b) {
  const auto v = std::span(x).subspan(b * kMxBlock);
  return v.first(std::min(kMxBlock, v.size()));
}

/// By definition, but for the exponent of a block's scale.
template <class Exponent>
MxTensor in_blocks(const Blocks::Arguments& in, const Exponent& exponent_of) {
  const auto& [x, format] = in;
  MxTensor tensor;
  for (std::size_t at = 0; at < x.size(); at += kMxBlock) {
    const auto v = std::span(x).subspan(at, std::min(kMxBlock, x.size() - at));
    const int exponent = amax_of(v) == 0 ? -127 : std::clamp(exponent_of(v), -127, 127);
    tensor.scales.push_back(static_cast<std::uint8_t>(exponent + 127));
    for (const float value : v) {
      const double steps = std::ldexp(double{value}, -exponent);
      tensor.codes.push_back(code_of(steps, format_of(format), kSaturate));
    }
  }
  return tensor;
}

/// Exponents of values that no largest magnitude has found, and scales at both of their ends.
inline void suspect_least_scales_of_blocks(Expect& expect, const Blocks::Arguments& in,
                                           const MxTensor& right) {
  const Reals& x = in.a;
  const Format& f = format_of(in.b);
  const int top = top_of(f);
  const auto looks = [&](const char* code, const char* words, const auto& scale_of) {
    Codes scales;
    for (std::size_t b = 0; b < right.scales.size(); ++b) {
      const auto v = block_of(x, b);
      const float amax = amax_of(v);
      const int exponent = amax < FLT_MIN ? 0 : std::ilogb(amax) + 127;  // as its bits say
      scales.push_back(static_cast<std::uint8_t>(scale_of(v, exponent, scales)));
    }
    if (scales != right.scales) expect.suspect(code, "scales", scales, words);
  };
  using Block = std::span<const float>;
  looks("N-SCALE", "the largest magnitude of earlier blocks stays: each block has its own",
        [&](Block, int exponent, const Codes& before) {
          return std::max(exponent - top, before.empty() ? 0 : int{before.back()});
        });
  looks("N-FORMULA", "e is that of a block's first value: it is that of the largest magnitude",
        [&](Block v, int, const Codes&) {
          const float first = std::fabs(v[0]);
          return std::max((first < FLT_MIN ? 0 : std::ilogb(first) + 127) - top, 0);
        });
  looks("N-FORMULA", "scales are e - top + 128: the bias is 127",
        [&](Block, int exponent, const Codes&) { return std::max(exponent - top, 0) + 1; });
  looks("N-FORMULA", "a negative scale wraps around in its byte: it is 0",
        [&](Block, int exponent, const Codes&) { return exponent == 0 ? 0 : exponent - top; });
  looks("N-FORMULA", "no scale is less than 1: zeros and what is tiny have the scale 0",
        [&](Block, int exponent, const Codes&) { return std::max(exponent - top, 1); });
  looks("N-FORMULA", "a scale of 1 becomes 0: only what is less becomes 0",
        [&](Block, int exponent, const Codes&) { return exponent - top > 1 ? exponent - top : 0; });
  looks("N-FORMULA", "tiny values behind a first block have a scale of 1: it is 0",
        [&](Block v, int exponent, const Codes& before) {
          return std::max(exponent - top, amax_of(v) > 0 && !before.empty() ? 1 : 0);
        });
  looks("N-FORMULA", "the sign of a -0 that a block begins with is read as a part of e",
        [&](Block v, int exponent, const Codes&) {
          const bool is_minus_zero = amax_of(v) == 0 && std::signbit(v[0]);
          return std::max((is_minus_zero ? 256 : exponent) - top, 0);
        });
  looks("N-RANGE", "top is the bias of the format: 2^top is its largest power of two",
        [&](Block, int exponent, const Codes&) { return std::max(exponent - f.bias, 0); });
}

/// Codes and scales that are too few, or too many.
inline void suspect_lengths(Expect& expect, const Reals& x, const MxTensor& right) {
  if (x.empty()) {
    expect.suspect("N-SIZE", "scales", Codes{0}, "no values make a block: there is no scale");
    return;
  }
  Codes of_each_16;
  for (std::size_t at = 0; at < x.size(); at += kMxBlock / 2) {
    of_each_16.push_back(right.scales[at / kMxBlock]);
  }
  if (of_each_16.size() != right.scales.size()) {
    expect.suspect("N-SIZE", "scales", of_each_16, "blocks have 16 values: they have 32");
  }
  const std::size_t tail = x.size() % kMxBlock;
  if (tail == 0) return;
  constexpr const char* missing = "the last block is missing where it is shorter";
  const Codes shorter(right.codes.begin(), right.codes.end() - static_cast<std::ptrdiff_t>(tail));
  expect.suspect("N-TAIL", "codes", shorter, missing);
  expect.suspect("N-TAIL", "scales", Codes(right.scales.begin(), right.scales.end() - 1), missing);
  Codes padded = right.codes;
  padded.resize(right.scales.size() * kMxBlock);
  expect.suspect("N-TAIL", "codes", padded,
                 "the last block gets 32 codes: it has as many as values are left");
  Codes scales = right.scales;
  if (scales.size() > 1) scales.back() = scales[scales.size() - 2];
  if (scales != right.scales) {
    expect.suspect("N-TAIL", "scales", scales,
                   "a last block that is shorter has the scale of the block before");
  }
}

inline void suspect_blocks(Expect& expect, const Blocks::Arguments& in, const MxTensor& right) {
  const auto& [x, format] = in;
  const Format& f = format_of(format);
  const int top = top_of(f), other = top_of(format == kE4m3 ? kFive : kFour);
  const auto scales_look = [&](const char* code, const char* words, const auto& exponent_of) {
    const Codes wrong =
        in_blocks(in, [&](std::span<const float> v) { return exponent_of(amax_of(v)); }).scales;
    const bool ends = std::ranges::count(wrong, 0) != std::ranges::count(right.scales, 0);
    if (wrong != right.scales && !ends) {  // 0 tells nothing
      expect.suspect(code, "scales", wrong, words);
    }
  };
  const auto raised = [](double amax) { return static_cast<int>(std::ceil(std::log2(amax))); };
  Codes kept = right.scales, one_for_zeros = right.scales, unbiased = right.scales;
  for (std::size_t b = 0; b < right.scales.size(); ++b) {
    if (amax_of(block_of(x, b)) == 0) {
      if (b > 0) kept[b] = kept[b - 1];
      one_for_zeros[b] = 127;
    }
    unbiased[b] = static_cast<std::uint8_t>(right.scales[b] - 127);
  }
  if (kept != right.scales) {
    expect.suspect("N-FORMULA", "scales", kept,
                   "as if a block of zeros had the scale of the block before");
  }
  if (one_for_zeros != right.scales) {
    expect.suspect("N-FORMULA", "scales", one_for_zeros,
                   "as if a block of zeros had a scale of 2^0");
  }
  expect.suspect("N-SCALE", "scales", unbiased, "as if a scale were the exponent, without 127");
  // Where two of these give the same exponent, words are true of both.
  const float largest = x.empty() ? 0 : amax_of(x);
  const auto up = [&](float amax) { return raised(amax) - top; };
  const auto fitting = [&](float amax) { return raised(double{amax} / largest_of(f)); };
  const auto nearest = [&](float amax) { return int(std::lround(std::log2(amax))) - top; };
  const auto in_float = [&](float amax) { return int(std::floor(std::log2(amax))) - top; };
  const bool is_either = largest > 0 && up(largest) == nearest(largest);
  const bool is_below_a_power = largest > 0 && fitting(largest) == in_float(largest);
  constexpr const char* up_or_nearest = "e is rounded up, or to the nearest: it is rounded down";
  constexpr const char* one_too_large =
      "e is exact, and rounded down: what saturates does not count";
  scales_look("N-SCALE", is_either ? up_or_nearest : "as if e were rounded up", up);
  scales_look("N-SCALE",
              is_below_a_power ? one_too_large
                               : "as if the scale were the power of two above amax / largest",
              fitting);
  if (!is_either) scales_look("N-SCALE", "as if e were a logarithm that is rounded", nearest);
  if (!is_below_a_power) scales_look("N-SCALE", "as if e were a logarithm in float", in_float);
  scales_look("N-RANGE", "as if it were the other format",
              [&](float amax) { return std::ilogb(amax) - other; });
  scales_look("N-RANGE", "as if top were not subtracted",
              [&](float amax) { return std::ilogb(amax); });
  scales_look("N-SCALE", "as if the exponent had the other sign",
              [&](float amax) { return top - std::ilogb(amax); });
  const Codes of_largest = in_blocks(in, [&](std::span<const float> v) {
                             const float most = *std::ranges::max_element(v);
                             return most > 0 ? std::ilogb(most) - top : -127;
                           }).scales;
  if (of_largest != right.scales) {
    expect.suspect("N-RANGE", "scales", of_largest, "as if amax were max x, and not max |x|");
  }
  suspect_least_scales_of_blocks(expect, in, right);
  if (!x.empty()) {
    const auto whole = static_cast<std::uint8_t>(*std::ranges::max_element(right.scales));
    for (const Codes& of_all : {Codes(right.scales.size(), whole), Codes{whole}}) {
      expect.suspect("N-SCALE", "scales", of_all, "as if all of x were one block");
    }
  }
  suspect_lengths(expect, x, right);
  Codes unrounded, unscaled, in_other, by_bits, flushed, through_half, unsaturated, unended;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t at = i / kMxBlock * kMxBlock;
    const float amax = amax_of(std::span(x).subspan(at, std::min(kMxBlock, x.size() - at)));
    const float scale = amax == 0 ? 1 : std::max(amax / largest_of(f), FLT_MIN);
    unrounded.push_back(code_of(x[i] / scale, f, kSaturate));
    unscaled.push_back(code_of(x[i], f, kSaturate));
    const int wanted = amax == 0 ? -127 : std::ilogb(amax) - top;  // below -127 no byte says it
    unended.push_back(code_of(std::ldexp(double{x[i]}, -wanted), f, kSaturate));
    const float of_bits = from_bits(std::uint32_t{right.scales[i / kMxBlock]} << 23);  // 0 of 0
    by_bits.push_back(code_of(x[i] / of_bits, f, kSaturate));
    flushed.push_back(std::fabs(x[i]) < FLT_MIN ? with_sign_of(x[i], 0) : right.codes[i]);
    const float steps = std::ldexp(x[i], 127 - right.scales[i / kMxBlock]);
    const Format& other_format = format == kE4m3 ? kFive : kFour;
    in_other.push_back(code_of(steps, other_format, kSaturate));
    through_half.push_back(static_cast<std::uint8_t>(rounded_twice<10>(steps, f, kSaturate)));
    unsaturated.push_back(code_of(steps, f, kNonFinite));
  }
  expect.suspect("N-FLUSH", "codes", flushed,
                 "subnormal values become 0: they are divided by 2^-127, as others are");
  expect.suspect("N-FLUSH", "codes", flushed);
  expect.suspect("N-FORMULA", "codes", unended,
                 "codes are divided by 2^(e - top): by what scales[b] stands for, which ends at 0");
  expect.suspect("N-DIV0", "codes", by_bits,
                 "the scale 0 is made a divisor of 0: it stands for 2^-127");
  expect.suspect("N-FORMULA", "codes", through_half,
                 "quotients are rounded to a longer format first: each is rounded once");
  expect.suspect("N-CLAMP", "codes", unsaturated,
                 "codes are made with kNonFinite: what is too large is saturated");
  if (unrounded != right.codes) {
    expect.suspect("N-SCALE", "codes", unrounded, "as if the scale were amax / largest");
  }
  if (std::ranges::any_of(unscaled, [](int code) { return code % 128 != 0; })) {
    expect.suspect("N-SCALE", "codes", unscaled, "as if v[j] were not divided");
  }
  expect.suspect("N-RANGE", "codes", in_other,
                 format == kE4m3 ? "codes are those of E5M2 in both formats"
                                 : "codes are those of E4M3 in both formats");
  expect.suspect("N-RANGE", "codes", in_other, "as if it were the other format");
}

inline const Blocks blocks{{"x", "format"}, {"codes", "scales"}, suspect_blocks};

/// The scales first: codes follow from them. A scale that is twice what it should be, while the
/// codes are right, is another mistake than one that is taken for the range of the format.
inline void same_blocks(Expect& expect, const Blocks::Arguments& in, const MxTensor& got,
                        const MxTensor& want) {
  Codes twice = want.scales;
  for (std::uint8_t& scale : twice) scale += scale == 0 ? 0 : 1;  // 0 is the end, not the range
  if (got.codes != want.codes) expect.suspect("N-RANGE", "scales", twice);
  expect.equal("scales", got.scales, want.scales);
  Reals steps;
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    steps.push_back(std::ldexp(in.a[i], 127 - want.scales[i / kMxBlock]));
  }
  look_at_codes(expect, steps, format_of(in.b), kSaturate, got.codes, want.codes);
}

/// Tensors whose blocks differ in magnitude by up to 2^80, with a 0 in each.
inline std::vector<Blocks::Input> several_blocks(Seed seed_of, std::size_t longest) {
  std::vector<Blocks::Input> inputs;
  for (const std::size_t count :
       {std::size_t{31}, std::size_t{32}, std::size_t{33}, std::size_t{64}, longest}) {
    for (const Fp8Format format : {kE4m3, kE5m2}) {
      Reals x = normal_tensor(count, seed_of(2 * count));
      for (std::size_t i = 0; i < count; ++i) {
        const auto block = mix(seed_of(2 * count + 1), i / kMxBlock);
        x[i] = i % kMxBlock == 5 ? 0 : std::ldexp(x[i], static_cast<int>(block % 81) - 40);
      }
      inputs.push_back({std::to_string(count) + show(format), {x, format}});
    }
  }
  return inputs;
}

}  // namespace nibble::judge::lab_11_fp8
