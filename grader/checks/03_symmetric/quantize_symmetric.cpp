// Lab 03, quantize_symmetric: the checks.
#include "checks/03_symmetric/quantize_symmetric.hpp"

#include "checks/03_symmetric/symmetric_scale.hpp"
#include "judge/near_ties.hpp"

namespace nibble::judge::lab_03_symmetric {
namespace {

TEST(quantize_symmetric, FollowsTheFormula) {
  symmetric.gives({{"Whole", {{1, -1, 127, 0}, 8}, {{1, -1, 127, 0}, 1.0f}},
                   {"NegativeAmax",
                    {{-63.5f, 31, 0}, 8},
                    {{-127, 62, 0}, 0.5f},
                    "the codes are those of symmetric_scale(x)"},
                   {"OfTheReadme",
                    {{0.125f, -0.875f, 0.4375f}, 4},
                    {{1, -7, 4}, 0.125f},
                    "four bits have qmax = 7"},
                   {"TwoBits", {{-4, 4, 0}, 2}, {{-1, 1, 0}, 4.0f}},
                   {"Fractions", {{1.75f, -1.75f, 127, 0.25f}, 8}, {{2, -2, 127, 0}, 1.0f}},
                   {"Ties", {{0.5f, 1.5f, -2.5f, 127, 0}, 8}, {{0, 2, -2, 127, 0}, 1.0f}},
                   // In double neither the second nor the third is a tie.
                   {"OneDivision",
                    {{1, 0.0354330726f, 0.0433070846f, 0.7f, 0}, 8},
                    {{127, 4, 6, 89, 0}, 1.0f / 127},
                    "x / scale is one float32 division, whose ties go to even"},
                   {"BesideTies",
                    {{0.50000006f, 1.4999999f, 2.5000002f, 127, 0}, 8},
                    {{1, 1, 3, 127, 0}, 1.0f},
                    kNoTies},
                   {"AllZero", {{0, -0.0f, 0}, 8}, {{0, 0, 0}, 1.0f}},
                   {"Empty",
                    {Reals{}, 8},
                    {{}, 1.0f},
                    "amax of an empty x is 0, and where amax is 0 the scale is 1"},
                   {"Tiny",
                    {{3 * FLT_MIN, -FLT_MIN, 0}, 8},
                    {{3, -1, 0}, FLT_MIN},
                    "the codes are those of the scale that is returned, which was raised"}});
}

TEST(quantize_symmetric, EveryValueWithinHalfAStep) {
  symmetric.on_each(every_width_and_length(seed), [](Expect& expect, const auto& in) {
    const auto& [x, num_bits] = in;
    const SymmetricTensor got = symmetric(in);
    // The bound comes from x, never from the answer: a huge scale would forgive everything.
    const int qmax = qmax_of(num_bits);
    const float amax = max_abs(x), scale = amax > 0 ? amax / static_cast<float>(qmax) : 1.0f;
    suspect_roundings(expect, "scale * q", x, scale, num_bits, [&](const Codes& q) {
      return by_definition({q, scale});
    });
    // Half a step is wide, so these are looked for only where other numbers show them.
    const SymmetricTensor of_8_bits = with_scale_of_8_bits(x, num_bits);
    if (expect.is_hearing() || got.scale == of_8_bits.scale) {
      expect.suspect("N-RANGE", "scale * q", by_definition(of_8_bits), kScaleOf8Bits);
    }
    if (expect.is_hearing() || std::ranges::count(got.q, 0) == std::ssize(got.q)) {
      expect.suspect("N-RANGE", "scale * q", Reals(got.q.size()), kEveryCodeIs0);
    }
    const bool has_tail = !x.empty() && got.q.size() == x.size() && got.q.back() != 0;
    if (expect.is_hearing() || !has_tail) suspect_tail(expect, "scale * q", x);
    expect.near("scale * q", by_definition(got), x, round_trip_tolerance(scale, qmax));
  });
}

TEST(quantize_symmetric, RefusesWhatHasNoRange) {
  symmetric.refuses({{"TwoBits", {{0.25f, -4}, 2}, {{0, -1}, 4.0f}},
                     {"EightBits", {{2, -254, 1e-30f}, 8}, {{1, -127, 0}, 2.0f}}},
                    without_a_range<&quantize_symmetric>());
}

}  // namespace
}  // namespace nibble::judge::lab_03_symmetric
