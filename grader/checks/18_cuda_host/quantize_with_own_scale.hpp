// Lab 18, quantize_with_own_scale: what is right, and what people write instead.
#pragma once

#include "cuda_host.hpp"

#include <cmath>

#include "checks/18_cuda_host/right.hpp"
#include "judge/host_exercise.hpp"
#include "judge/mix.hpp"
#include "judge/named_case.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_18_cuda_host {

/// What the engine leaves in memory that nobody has written has the sign of a negative number, and
/// is above all maxima as a word.
inline constexpr float kScaleOfUnwrittenMemory = 1.0f;

inline constexpr const char* kOddOne = "the last of an odd number of elements is in neither half";

/// What is made of the largest magnitudes, of both halves and of one. Of those that are too small
/// for a scale everybody makes the same: nothing.
inline void suspect_scales(Expect& expect, const Reals& x) {
  const auto suspect = [&](const char* code, float scale, const char* words) {
    expect.suspect(code, "scale", Reals{scale}, words);
  };
  const float absmax = max_abs(x), quotient = absmax / 127.0f;
  suspect("N-UNINIT", kScaleOfUnwrittenMemory, "the word of the maximum was not set to 0 before");
  if (absmax == 0.0f) {
    suspect("N-DIV0", 0.0f, "the scale of nothing but zeros is 1");
    suspect("N-DIV0", FLT_MIN, "the scale of nothing but zeros is 1");
    return;
  }
  if (quotient < FLT_MIN) {
    suspect("N-DIV0", quotient, "the scale is at least FLT_MIN, and 1 for zeros");
    return;
  }
  suspect("N-SCALE", absmax * (1.0f / 127.0f), "the scale is amax * (1 / 127): divide");
  suspect("N-RANGE", absmax / 128.0f, "the scale is amax / 128, and should be amax / 127");
  suspect("N-SCALE", absmax, "the scale is amax, and should be amax / 127");
  const std::size_t half = x.size() / 2;
  for (const auto& part : {std::span(x).first(half), std::span(x).subspan(half)}) {
    suspect("N-WAIT", max_abs(part) / 127.0f, "the largest magnitude is that of one half alone");
  }
  if (x.size() % 2 != 0) {
    suspect("N-TAIL", max_abs(std::span(x).first(x.size() - 1)) / 127.0f, kOddOne);
  }
}

inline const auto by_own_scale = host_exercise<&quantize_with_own_scale>(
    [](const Named<Values>& c) {
      if (c.x.size() < 2) throw std::invalid_argument("no case is made smaller than that");
      return std::tuple(c.x, out(c.x.size()), out(1));
    },
    [](Expect& expect, const Values& c, const auto& answer) {
      if (!succeeded(answer, 1, expect)) return;
      const float absmax = max_abs(c.x);
      const float scale = absmax > 0.0f ? std::fmax(absmax / 127.0f, FLT_MIN) : 1.0f;
      suspect_scales(expect, c.x);
      if (c.x.size() % 2 != 0) {
        const auto end = std::ptrdiff_t(c.x.size()) - 1;
        const bool is_left_out =
            answer.template output<1>() == Reals{scale} &&
            is_wrong_from(std::size_t(end), answer.output(), quantized(c.x, scale));
        expect.that(!is_left_out, kOddOne, "N-TAIL");
      }
      expect.equal("scale", answer.template output<1>(), Reals{scale});
      expect.equal("q", answer.output(), quantized(c.x, scale));
    });

/// Random values alone, and with the largest magnitude in the first half, and in the second: the
/// other half has a much smaller scale of its own.
inline std::vector<Named<Values>> with_largest_everywhere(const Sizes& sizes, std::uint64_t salt) {
  std::vector<Named<Values>> cases;
  for (const std::size_t n : sizes) {
    const Reals any = uniform_tensor(n, mix(salt, n), -3.0f, 3.0f);
    Reals first = any, second = any;
    first[n / 2 / 2] = -40.0f;
    second[n - 1] = 40.0f;
    cases.push_back({"First" + std::to_string(n), {first}});
    cases.push_back({"Second" + std::to_string(n), {second}});
    cases.push_back({"Any" + std::to_string(n), {any}});
  }
  return cases;
}

}  // namespace nibble::judge::lab_18_cuda_host
