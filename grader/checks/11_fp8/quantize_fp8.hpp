// Lab 11, quantize_fp8: what is right, and what people write instead.
#pragma once

#include "fp8.hpp"

#include "checks/11_fp8/formats.hpp"
#include "checks/11_fp8/wrong_codes.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_11_fp8 {

using Quantizing = Exercise<&quantize_fp8>;

inline Codes codes_of_each(const Reals& x, Fp8Format format, const auto& steps_of) {
  Codes codes;
  for (const float value : x) {
    codes.push_back(code_of(steps_of(value), format_of(format), kSaturate));
  }
  return codes;
}

inline float amax_of(std::span<const float> x) {
  for (const float value : x) {
    if (!std::isfinite(value)) throw std::invalid_argument("no such amax");
  }
  return max_abs(x);
}

/// Scales of zeros, of nothing, and of values so small that it is raised.
inline void suspect_least_scales(Expect& expect, const Quantizing::Arguments& in, float amax) {
  const auto& [x, format] = in;
  const float quotient = amax / largest_of(format_of(format));
  if (x.empty()) {
    expect.suspect("N-DIV0", "scale", 0.0f, "the scale of no values is 0: it is 1");
  } else if (amax == 0) {
    expect.suspect("N-DIV0", "scale", 0.0f, "the scale of zeros is 0: it is 1");
  }
  if (amax == 0) {
    expect.suspect("N-DIV0", "scale", FLT_MIN,
                   "as if a scale of 0 were raised: zeros have scale 1");
    expect.suspect("N-DIV0", "scale", FLT_MIN,
                   format == kE5m2 ? "a scale of 0 is raised in E5M2: zeros have scale 1"
                                   : "a scale of 0 is raised in E4M3: zeros have scale 1");
    return;
  }
  if (quotient == 0) {
    expect.suspect("N-FORMULA", "scale", 1.0f,
                   "a quotient that becomes 0 is taken for that of zeros: it is raised to FLT_MIN");
    expect.suspect("N-DIV0", "scale", 0.0f,
                   "a scale that becomes 0 stays 0: it is raised to FLT_MIN");
  } else if (quotient < FLT_MIN) {
    expect.suspect("N-FORMULA", "scale", 1.0f,
                   "a scale below FLT_MIN becomes 1: it is raised to FLT_MIN");
    expect.suspect("N-DIV0", "scale", quotient,
                   "a scale below FLT_MIN stays as it is: it is raised to FLT_MIN");
  }
}

inline void suspect_parts(Expect& expect, const Quantizing::Arguments& in, const Fp8Tensor& right) {
  const auto& [x, format] = in;
  const float largest = largest_of(format_of(format)), scale = right.scale;
  if (x.size() > 1) {
    const float amax = amax_of(std::span(x).first(x.size() - 1));
    const float shorter = amax == 0 ? 1 : std::max(amax / largest, FLT_MIN);
    if (shorter != scale) {
      expect.suspect("N-FORMULA", "scale", shorter, "amax passes over the last value of x");
    }
    expect.suspect("N-SIZE", "codes", Codes(right.codes.begin(), right.codes.end() - 1),
                   "the code of the last value is missing");
  }
  for (const float power :
       {std::exp2(std::ceil(std::log2(scale))), std::exp2(std::floor(std::log2(scale)))}) {
    if (power == scale || scale <= FLT_MIN) continue;
    expect.suspect("N-FORMULA", "scale", power,
                   "the scale is rounded to a power of two: it is amax / largest");
  }
}

inline void suspect_quantized(Expect& expect, const Quantizing::Arguments& in,
                              const Fp8Tensor& right) {
  const auto& [x, format] = in;
  const float amax = amax_of(x), largest = largest_of(format_of(format)), scale = right.scale;
  suspect_least_scales(expect, in, amax);
  const Fp8Format other = format == kE4m3 ? kE5m2 : kE4m3;
  constexpr const char* other_format = "as if it were the other format";
  const auto ends_at = [&](float end, const char* words) {
    if (amax / end != scale) expect.suspect("N-RANGE", "scale", amax / end, words);
  };
  ends_at(largest_of(format_of(other)), other_format);
  ends_at(240, "as if the largest number were 240");
  ends_at(480, "as if the largest number were 480");
  ends_at(127, "as if the largest number were 127");
  ends_at(65536, "as if the largest number were 65536");
  ends_at(1, "as if amax were not divided");
  if (largest / amax != scale) {
    expect.suspect("N-SCALE", "scale", largest / amax, "as if the scale were largest / amax");
  }
  const float top = x.empty() ? 0 : *std::ranges::max_element(x);
  if (top != amax) {
    expect.suspect("N-RANGE", "scale", top / largest, "as if amax were max x, and not max |x|");
  }

  expect.suspect("N-RANGE", "codes", codes_of_each(x, other, [&](float v) { return v / scale; }),
                 other_format);
  const auto steps_look = [&, &x = x, format = format](const char* code, const char* words,
                                                       const auto& steps_of) {
    const Codes wrong = codes_of_each(x, format, steps_of);
    if (wrong != right.codes) expect.suspect(code, "codes", wrong, words);
  };
  const float inverse = 1 / scale, factor = largest / amax;
  constexpr const char* no_scale = "as if x[i] were divided by amax, and not by the scale";
  constexpr const char* in_double = "as if the quotient were a double";
  steps_look("N-SCALE", "as if x[i] were not divided", [&](float v) { return v; });
  steps_look("N-SCALE", "as if it were times scale, and not divided by it",
             [&](float v) { return v * scale; });
  steps_look("N-FORMULA", "as if it were times 1 / scale, and not divided by it",
             [&](float v) { return v * inverse; });
  steps_look("N-FORMULA", "as if it were times largest / amax",
             [&](float v) { return v * factor; });
  steps_look("N-FORMULA", no_scale, [&](float v) { return v / amax * largest; });
  steps_look("N-FORMULA", no_scale, [&](float v) { return v * largest / amax; });
  steps_look("N-FORMULA", in_double, [&](float v) { return v / double{scale}; });
  steps_look("N-FORMULA", in_double, [&](float v) { return v / (double{amax} / largest); });
  suspect_parts(expect, in, right);
}

inline const Quantizing quantizing{{"x", "format"}, {"codes", "scale"}, suspect_quantized};

/// The scale first: codes follow from it.
inline void same_tensor(Expect& expect, const Quantizing::Arguments& in, const Fp8Tensor& got,
                        const Fp8Tensor& want) {
  expect.equal("scale", got.scale, want.scale);
  Reals steps;
  for (const float value : in.a) steps.push_back(value / want.scale);
  look_at_codes(expect, steps, format_of(in.b), kSaturate, got.codes, want.codes);
}

inline std::vector<Quantizing::Input> tensors(Seed seed_of, std::size_t longest) {
  std::vector<Quantizing::Input> inputs;
  for (const std::size_t count : {std::size_t{1}, std::size_t{31}, std::size_t{32}, longest}) {
    for (const Fp8Format format : {kE4m3, kE5m2}) {
      const float stddev = std::ldexp(1.0f, static_cast<int>(count % 29) - 14);
      inputs.push_back({std::to_string(count) + show(format),
                        {normal_tensor(count, seed_of(2 * count), stddev), format}});
    }
  }
  return inputs;
}

/// Each list in both formats.
template <class Input>
std::vector<Input> in_both(const std::vector<std::pair<std::string, Reals>>& lists) {
  std::vector<Input> inputs;
  for (const auto& [name, x] : lists) {
    inputs.push_back({name, {x, kE4m3}});
    inputs.push_back({name + "InE5m2", {x, kE5m2}});
  }
  return inputs;
}

template <class Refused>
std::vector<Refused> not_finite() {
  std::vector<Refused> refused;
  for (const float value : {kNan, kInfinity, -kInfinity}) {
    for (const std::size_t at : {0, 1, 40}) {
      Reals x(41, 1);
      x[at] = value;
      refused.push_back({"", {x, kE4m3}});
      refused.push_back({"", {x, kE5m2}});
    }
    refused.push_back({"", {{value}, kE4m3}});
  }
  Reals at_the_end(1061, 1);
  at_the_end.back() = kInfinity;
  refused.push_back({"", {at_the_end, kE4m3}});
  return refused;
}

/// What is finite must be accepted, whatever comes out: other checks look at that.
inline constexpr auto any_answer = [](const auto&...) {};

}  // namespace nibble::judge::lab_11_fp8
