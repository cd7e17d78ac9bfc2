// Lab 18: what is right, for more than one exercise.
//
// What the engine finds, and how many calls it saw, is a claim here: host code shares its process.
// It is worth the points of RunsClean and EveryErrorComesBack, and no values depend on it.
#pragma once

#include "cuda_host.hpp"

#include <algorithm>
#include <cmath>

#include "judge/host_exercise.hpp"
#include "judge/mix.hpp"
#include "judge/named_case.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_18_cuda_host {

using Counts = std::vector<std::int32_t>;
using Sizes = std::vector<std::size_t>;

inline Codes quantized(const Reals& x, float scale) {
  Codes q;
  for (const float value : x) {
    const float rounded = std::nearbyint(value / scale);
    q.push_back(static_cast<std::int8_t>(std::fmin(127.0f, std::fmax(-128.0f, rounded))));
  }
  return q;
}

/// What wrong kernels, or wrong scales, make of x.
inline void suspect_codes(Expect& expect, const Reals& x, float scale) {
  const auto suspect = [&](const char* code, const char* words, const auto& rounded,
                           float low = -128.0f) {
    Codes q;
    for (const float value : x) {
      q.push_back(static_cast<std::int8_t>(std::fmin(127.0f, std::fmax(low, rounded(value)))));
    }
    expect.suspect(code, "q", q, words);
  };
  suspect("N-SCALE", "the kernel gets 1 for a scale, and not the scale of the call",
          [](float value) { return std::nearbyint(value); });
  suspect("N-SCALE", "x is multiplied by its scale, and should be divided",
          [=](float value) { return std::nearbyint(value * scale); });
  each_wrong_rounding([&](const char* code, const char* words, const auto& round) {
    suspect(code, words, [=](float value) { return round(value / scale); });
  });
  suspect(
      "N-RANGE", "codes end at -127, and should end at -128",
      [=](float value) { return std::nearbyint(value / scale); }, -127.0f);
}

/// Everything is right before `end`, and something behind it is not.
template <class T>
bool is_wrong_from(std::size_t end, const std::vector<T>& got, const std::vector<T>& right) {
  return got != right && std::equal(got.begin(), got.begin() + std::ptrdiff_t(end), right.begin());
}

/// A grid of 0 blocks is what comes to mind where there is nothing to do.
template <class Answer>
void did_nothing(const Answer& answer, Expect& expect) {
  expect_at(answer.work.launched_at, expect, answer.error == 0 && answer.work.launches == 0,
            "returns " + detail::name_of_error(answer.error) + " after " +
                std::to_string(answer.work.launches) +
                " launches for an empty input: it is to launch nothing, and to return 0",
            "N-LAUNCH");
}

/// Of x, quantized with a given scale.
template <class Case, class Answer>
void look_at_codes(Expect& expect, const Case& c, const Answer& answer) {
  if (c.x.empty()) return did_nothing(answer, expect);
  if (!succeeded(answer, 1, expect)) return;
  suspect_codes(expect, c.x, c.scale);
  expect.equal("q", answer.output(), quantized(c.x, c.scale));
}

/// Both streams of a right solution are busy; one after the other would be as right,
/// and as slow as one.
template <class Answer>
void uses_both_streams(Expect& expect, const Answer& answer) {
  expect.that(answer.work.streams >= 2,
              "the streams never have work waiting at the same time: one waits for the other",
              "N-SERIAL");
}

/// x of n elements, in parts of `part`.
struct Parts {
  std::size_t n;
  std::int64_t part;
};

template <class Case>
std::vector<Named<Case>> in_parts(const std::vector<Parts>& sizes, std::uint64_t salt) {
  std::vector<Named<Case>> cases;
  for (const auto& [n, part] : sizes) {
    const std::uint64_t own = mix(salt, cases.size());
    const float scale = uniform_tensor(1, own, 0.25f, 1.0f)[0];
    cases.push_back(
        {std::to_string(n) + "by" + std::to_string(part),
         {normal_tensor(n, own, 20.0f), scale, static_cast<decltype(Case::part)>(part)}});
  }
  return cases;
}

struct Values {
  Reals x;
  static constexpr std::array names{"x"};
};

}  // namespace nibble::judge::lab_18_cuda_host
