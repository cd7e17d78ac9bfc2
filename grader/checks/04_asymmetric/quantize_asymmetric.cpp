// Lab 04, quantize_asymmetric: the checks.
#include "checks/04_asymmetric/quantize_asymmetric.hpp"

#include "checks/04_asymmetric/quantize_with_parameters.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"

namespace nibble::judge::lab_04_asymmetric {
namespace {

// No x is 0 here: what becomes of 0 is a check of its own.
TEST(quantize_asymmetric, FollowsTheFormula) {
  asymmetric.gives(
      {{"AroundZero", {{3, -5, 10}, 4, kInclude}, {{8, 0, 15}, 1, 5}},
       {"EightBits", {{191, 7, -64}, 8, kInclude}, {{255, 71, 0}, 1, 64}},
       {"TenToElevenAndAHalf",
        {{10, 10.5f, 11, 11.5f}, 8, kInclude},
        {{222, 233, 244, 255}, 11.5f / 255, 0}},
       {"TenFullRange", {{10, 10.5f, 11, 11.5f}, 8, kFull}, {{0, 85, 170, 255}, 1.5f / 255, -1700}},
       {"AllNegative", {{-15, -30, -19}, 4, kFull}, {{15, 0, 11}, 1, 30}},
       {"FarFromZero",
        {{875, 875.0078125f, 876.9921875f}, 8, kFull},
        {{0, 1, 255}, 0x1p-7f, -112000},
        "the zero point is an int32, and far from 0 it needs more than 16 bits"},
       {"Fractions", {{1.75f, -5.25f, 249.75f, -1.75f}, 8, kInclude}, {{7, 0, 255, 3}, 1, 5}},
       {"Ties", {{-5, 0.5f, 1.5f, -2.5f, 250}, 8, kInclude}, {{0, 5, 7, 3, 255}, 1, 5}},
       {"BothEndsAreTies",
        {{-3.5f, 11.5f, 1.75f}, 4, kInclude},
        {{0, 15, 6}, 1, 4},
        "-3.5 and 11.5 steps round to -4 and 12, a step too far apart: num_bits clamps the codes"},
       {"BothEndsOfEightBits", {{-3.5f, 251.5f, 1.75f}, 8, kInclude}, {{0, 255, 6}, 1, 4}},
       {"Constant", {{-63.75f, -63.75f}, 8, kFull}, {{0, 0}, 0.25f, 255}},
       {"Empty", {{}, 8, kInclude}, {{}, 1, 0}},
       {"Tiny", {{3 * FLT_MIN, -FLT_MIN}, 8, kInclude}, {{4, 0}, FLT_MIN, 1}}},
      [](Expect& expect, const auto& in, const AsymmetricTensor& got,
         const AsymmetricTensor& want) {
        const auto& [x, num_bits, policy] = in;
        const AsymmetricParameters p{want.scale, want.zero_point};
        has_parameters(expect, {x, num_bits, policy}, {got.scale, got.zero_point}, p);
        suspect_codes(expect, "q", x, p, num_bits, [](const auto& q) { return q; });
        if (!x.empty()) {
          const float lo = *std::min_element(x.begin(), x.end());
          expect.suspect("N-ZERO", "q", codes_from_lo(x, p.scale, lo, num_bits), kFromLo);
        }
        suspect_tail(expect, "q", want.q);
        expect.equal("q", got.q, want.q);
      });
}

TEST(quantize_asymmetric, EveryValueWithinHalfAStep) {
  asymmetric.on_each(to_quantize(seed, 4099), [](Expect& expect, const auto& in) {
    const auto& [x, num_bits, policy] = in;
    const AsymmetricTensor got = asymmetric(in);
    // The bound comes from x, never from the answer: a huge scale would forgive everything.
    const Range range = range_of(in);
    const float scale = range.scale(num_bits);
    const auto zp = -static_cast<std::int32_t>(std::nearbyint(range.lo / scale));
    const auto real = [&](const std::vector<double>& codes) {
      return by_definition({Codes(codes.begin(), codes.end()), scale, zp});
    };
    suspect_codes(expect, "real values", x, {scale, zp}, num_bits, real);
    expect.suspect("N-ZERO", "real values", real(codes_from_lo(x, scale, range.lo, num_bits)),
                   kFromLo);
    suspect_tail_of(expect, "real values", x, -scale * static_cast<float>(zp),
                    "the last code is left at 0",
                    "the last codes are left at 0: fewer than a whole block");
    expect.near("real values", by_definition(got), x,
                round_trip_tolerance(scale, range.reach(num_bits)));
  });
}

TEST(quantize_asymmetric, RealZeroIsExact) {
  asymmetric.on_each(to_quantize(seed, 1021), [](Expect& expect, const auto& in) {
    auto [x, num_bits, policy] = in;
    for (std::size_t i = 1; i < x.size(); i += 2) x[i] = i % 4 == 1 ? 0.0f : -0.0f;
    const AsymmetricTensor got = asymmetric({x, num_bits, kInclude});
    expect.that(0 <= got.zero_point && got.zero_point <= unsigned_range(num_bits).qmax,
                "real 0 has no code: zero_point = " + show_value(got.zero_point));
    const Reals real = by_definition(got);
    Reals as_code_0 = real;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] == 0.0f) as_code_0[i] = by_definition({{0}, got.scale, got.zero_point})[0];
    }
    expect.suspect("N-ZERO", "real values", as_code_0, "real 0 has code 0: its code is zero_point");
    expect.every("real values", real, x,
                 [&, &values = x](std::size_t i) { return values[i] != 0.0f || real[i] == 0.0f; });
  });
}

TEST(quantize_asymmetric, RefusesWhatHasNoRange) {
  asymmetric.refuses({{"TwoBits", {{-1, 2}, 2, kInclude}, {{0, 3}, 1, 1}},
                      {"EightBits", {{-1, 254}, 8, kInclude}, {{0, 255}, 1, 1}}},
                     without_a_range<&quantize_asymmetric>());
}

}  // namespace
}  // namespace nibble::judge::lab_04_asymmetric
