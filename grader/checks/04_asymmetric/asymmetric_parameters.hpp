// Lab 04, asymmetric_parameters: what is right, and what people write instead.
#pragma once

#include "asymmetric.hpp"

#include "checks/04_asymmetric/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_04_asymmetric {

// Wherever values were worked out by hand, scales are powers of two (but for the story of ten to
// eleven and a half), so floats are compared exactly and ties are ties for everyone.

using Choosing = Exercise<&asymmetric_parameters>;
inline const Choosing choosing{{"x", "num_bits", "policy"}, {"scale", "zero_point"}};

/// One thing that people write instead of the contract, and what it answers.
struct Suspicion {
  const char* code;
  const char* words;
  double lo, hi, steps;     // the range it takes, and by what it divides
  double (*round)(double);  // lo / scale
  double sign = -1;         // of the zero point
  bool clamped = false;     // the zero point, to the codes
};

inline double to_even(double value) { return std::nearbyint(value); }

/// The range that the policy asks for, as the contract defines it.
struct Range {
  float lo, hi;
  float amax() const { return std::max(std::fabs(lo), std::fabs(hi)); }
  float scale(int num_bits) const {
    const auto steps = static_cast<float>(unsigned_range(num_bits).qmax);
    const float step = (hi - lo) / steps;
    return amax() == 0 ? 1.0f : std::max({step, FLT_MIN, amax() * 0x1p-24f});
  }
  int reach(int num_bits) const {  // the most steps from 0
    return static_cast<int>(amax() / scale(num_bits)) + 1;
  }
};

inline Range range_of(const Choosing::Arguments& in) {
  const auto& [x, num_bits, policy] = in;
  Expect::healthy(!x.empty(), "no values");
  const auto [lo, hi] = std::minmax_element(x.begin(), x.end());
  const bool widen = policy == kInclude || *lo == *hi;
  return {widen ? std::min(*lo, 0.0f) : *lo, widen ? std::max(*hi, 0.0f) : *hi};
}

inline constexpr const char* kLastMissed = "the last x is left out of the range";

/// The range of the first `count` x, as those have it who stop there.
inline Range range_of_first(const Choosing::Arguments& in, std::size_t count) {
  const auto end = in.a.begin() + static_cast<std::ptrdiff_t>(count);
  return range_of({Reals(in.a.begin(), end), in.b, in.c});
}

/// All but the last; a single one is the first as well.
inline std::size_t all_but_last(const Choosing::Arguments& in) {
  return in.a.size() - (in.a.size() > 1 ? 1 : 0);
}

/// What codes stand for where the range is that of some x.
inline void suspect_short_ranges(Expect& expect, const Choosing::Arguments& in) {
  const auto suspect = [&](std::size_t count, const char* words) {
    const Range range = range_of_first(in, count);
    expect.suspect("N-RANGE", "what code 0 stands for", range.lo, words);
    expect.suspect("N-RANGE", "what code qmax stands for", range.hi, words);
  };
  const std::size_t size = in.a.size();
  suspect(all_but_last(in), kLastMissed);
  suspect(size < 32 ? size : size / 32 * 32,
          "the last x are left out of the range: fewer than a whole block");
}

inline std::vector<Suspicion> suspicions(const Choosing::Arguments& in) {
  const auto& [x, num_bits, policy] = in;
  const auto [min, max] = std::minmax_element(x.begin(), x.end());
  const double lo = *min, hi = *max, lo0 = std::min(lo, 0.0), hi0 = std::max(hi, 0.0);
  const double low = policy == kInclude ? lo0 : lo, high = policy == kInclude ? hi0 : hi;
  const double steps = unsigned_range(num_bits).qmax;
  const double amax = std::max(std::fabs(lo), std::fabs(hi));
  const Range some = range_of_first(in, all_but_last(in));
  return {
      {"N-ZP-CLAMP", "the zero point is clamped, the range is not widened", lo, hi, steps, to_even,
       -1, true},
      {"N-ZERO", "the range is not widened to include 0", lo, hi, steps, to_even},
      {"N-RANGE", "the range is widened to include 0, whatever the policy", lo0, hi0, steps,
       to_even},
      {"N-ZP-SIGN", "the zero point has the wrong sign", low, high, steps, to_even, 1},
      {"N-RANGE", "the range is divided by 2^num_bits: one too many", low, high, steps + 1,
       to_even},
      {"N-RANGE", "the range is that of another num_bits", low, high, 255, to_even},
      {"N-RANGE", "the range is made symmetric", -amax, amax, steps, to_even},
      {"N-TRUNC", "lo / scale is cut, not rounded", low, high, steps,
       [](double value) { return std::trunc(value); }},
      {"N-ROUND", "a tie of lo / scale goes away from zero", low, high, steps,
       [](double value) { return std::round(value); }},
      {"N-TRUNC", "lo / scale is rounded down", low, high, steps,
       [](double value) { return std::floor(value); }},
      {"N-RANGE", kLastMissed, some.lo, some.hi, steps, to_even},
  };
}

/// What a suspicion answers: scale and zero point.
inline AsymmetricParameters answer_of(const Suspicion& s, int num_bits) {
  const auto scale = static_cast<float>((s.hi - s.lo) / s.steps);
  const double most = s.clamped ? unsigned_range(num_bits).qmax : kLargestZeroPoint;
  const double zero_point = s.sign * s.round(static_cast<float>(s.lo) / scale);
  return {scale, static_cast<std::int32_t>(std::clamp(zero_point, s.clamped ? 0 : -most, most))};
}

/// x through the codes and back with these parameters, for a message.
inline Reals there_and_back(const Reals& x, AsymmetricParameters p, int num_bits) {
  Reals real;
  for (const float value : x) {
    const float code = std::nearbyint(value / p.scale) + static_cast<float>(p.zero_point);
    const float qmax = static_cast<float>(unsigned_range(num_bits).qmax);
    real.push_back(p.scale * (std::clamp(code, 0.0f, qmax) - static_cast<float>(p.zero_point)));
  }
  return real;
}

inline bool close(AsymmetricParameters got, AsymmetricParameters want) {
  return is_near(got.scale, want.scale, one_ulp()) && got.zero_point == want.zero_point;
}

/// The wanted parameters, and no guess at what others are but for the arithmetic.
inline void has_these_parameters(Expect& expect, const Choosing::Arguments&,
                                 AsymmetricParameters got, AsymmetricParameters want) {
  const bool another_rounding =
      got.scale != want.scale && is_near(got.scale, want.scale, one_ulp());
  expect.that(!another_rounding,
              "hi - lo and its quotient by qmax, each rounded to float32 once, give " + show(want) +
                  ", not " + show(got),
              "N-FORMULA");
  // Far from 0, what an int16 or a uint8 keeps of the zero point is another.
  expect.suspect("N-OVERFLOW", "zero_point", static_cast<std::int16_t>(want.zero_point),
                 "zero_point is kept in 16 bits: it is an int32");
  expect.suspect("N-OVERFLOW", "zero_point", static_cast<std::uint8_t>(want.zero_point),
                 "zero_point is kept in 8 bits: it is an int32");
  expect.suspect("N-RANGE", "zero_point", 0, "zero_point is 0, whatever x is");
  expect.equal("scale", got.scale, want.scale);
  expect.equal("zero_point", got.zero_point, want.zero_point);
}

/// The wanted parameters; others are named, if they are what a known mistake answers.
inline void has_parameters(Expect& expect, const Choosing::Arguments& in, AsymmetricParameters got,
                           AsymmetricParameters want) {
  const auto& [x, num_bits, policy] = in;
  for (const Suspicion& s : x.empty() ? std::vector<Suspicion>{} : suspicions(in)) {
    if (s.lo == s.hi) continue;  // no step
    if (close(got, want) || !close(got, answer_of(s, num_bits))) continue;
    expect.that(false,
                std::string(s.words) + ": " + show(got) + " instead of " + show(want) +
                    " bring x back as " + show_values(there_and_back(x, got, num_bits)),
                s.code);
    return;
  }
  has_these_parameters(expect, in, got, want);
}

// Around 0, all above it and all below it.
inline Choosing::Input random_input(std::size_t count, int num_bits, ZeroPolicy policy,
                                    float middle, std::uint64_t seed) {
  Reals x = normal_tensor(count, seed, /*stddev=*/0.02f);
  for (float& value : x) value += middle;
  // Whoever stops short of the last value gets another range.
  std::swap(x.back(), *std::max_element(x.begin(), x.end()));
  return {std::to_string(count) + "x" + std::to_string(num_bits) + "bits around " +
              show_value(middle) + " " + show(policy),
          {std::move(x), num_bits, policy}};
}

// One value; one less than, as many as and one more than 32 bytes of codes; and one more. The first
// few have all lengths but the last: they tell apart who stops short of what.
inline std::vector<Choosing::Input> every_width_and_length(Seed seed_of, std::size_t longest) {
  std::vector<Choosing::Input> inputs;
  for (int num_bits = 2; num_bits <= 8; ++num_bits) {
    for (const std::size_t count :
         {std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{33}, longest}) {
      for (const ZeroPolicy policy : {kInclude, kFull}) {
        for (const float middle : {0.0f, 0.5f, -0.25f}) {
          if (count == longest && num_bits % 2 == 1 && middle != 0.0f) continue;  // time
          inputs.push_back(random_input(
              count, num_bits, policy, middle,
              seed_of(count * 100 + static_cast<std::size_t>(num_bits) * 8 + inputs.size() % 6)));
          std::ranges::replace(inputs.back().in.a, 0.0f, 0x1p-30f);  // 0 has a check of its own
        }
      }
    }
  }
  return inputs;
}

/// What has no range, whichever function is asked for one.
template <auto F>
std::vector<typename Exercise<F>::Refused> without_a_range() {
  return {{"N-NAN", {{1, kNan, 2}, 8, kInclude}},
          {"N-NAN", {{kNan}, 8, kFull}},
          {"N-NAN", {{1, 2, -kInfinity}, 8, kFull}},
          {"N-NAN", {{kInfinity, 2}, 8, kInclude}},
          {"N-RANGE", {{1, 2}, 1, kInclude}},
          {"N-RANGE", {{1, 2}, 9, kFull}},
          {"N-RANGE", {{}, 0, kInclude}}};
}

}  // namespace nibble::judge::lab_04_asymmetric
