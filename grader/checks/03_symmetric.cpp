// Lab 03: the mark scheme, then the checks. 75 points public, 25 hidden.
#include "symmetric.hpp"

#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/marks.hpp"
#include "judge/shrink.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

// clang-format off
constexpr Mark marks[] = {
    // exercise              check                        points  code        sentence of the contract
    {"quantize_symmetric",   "FollowsTheFormula",             15, "N-RANGE",  "scale = amax / qmax"},
    {"quantize_symmetric",   "RoundsToNearest",               10, "N-TRUNC",  "q is the nearest integer, not the one towards 0"},
    {"quantize_symmetric",   "TiesGoToEven",                  10, "N-ROUND",  "ties go to the even neighbour"},
    {"quantize_symmetric",   "ScaleIsNeverZero",              10, "N-DIV0",   "scale is normal and > 0"},
    {"quantize_symmetric",   "EveryValueWithinHalfAStep",     10, "N-TAIL",   "no value is off by more, at any width and length"},
    {"quantize_symmetric",   "RefusesWhatHasNoRange",          5, "N-NAN",    "NaN, infinity and widths outside 2..8 are refused"},
    {"dequantize_symmetric", "MultipliesByTheScale",          15, "N-SCALE",  "real = scale * q"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("03_symmetric", marks);

// --- Values worked out by hand ------------------------------------------------------------------
//
// Scales are powers of two, so floats are compared exactly and ties are ties for everyone. Each
// case ends in a 0, so that a loop that stops early is told apart from wrong arithmetic.

struct HandCase {
  std::string name;
  int num_bits;
  std::vector<float> x;
  float scale;
  std::vector<std::int8_t> q;
};

std::string show(const HandCase& c) {
  return "x = " + show_values(c.x) + ", num_bits = " + std::to_string(c.num_bits);
}

void matches(const HandCase& c, Expect& expect) {
  const SymmetricTensor got = call<&quantize_symmetric>(c.x, c.num_bits);
  expect.equal("scale", got.scale, c.scale);
  expect.equal("q", got.q, c.q);
}

TEST(quantize_symmetric, FollowsTheFormula) {
  each_case<HandCase>({{"Whole", 8, {1, -1, 127, 0}, 1.0f, {1, -1, 127, 0}},
                       {"NegativeAmax", 8, {-63.5f, 31.0f, 0}, 0.5f, {-127, 62, 0}},
                       {"FourBits", 4, {7, -7, 3, 0}, 1.0f, {7, -7, 3, 0}},
                       {"TwoBits", 2, {-4, 4, 0}, 4.0f, {-1, 1, 0}}},
                      matches);
}

TEST(quantize_symmetric, RoundsToNearest) {
  each_case<HandCase>({{"UpAndDown", 8, {1.75f, 1.25f, 127, 0}, 1.0f, {2, 1, 127, 0}},
                       {"BelowZero", 8, {-1.75f, -0.75f, 127, 0}, 1.0f, {-2, -1, 127, 0}}},
                      matches);
}

TEST(quantize_symmetric, TiesGoToEven) {
  each_case<HandCase>({{"AboveZero", 8, {0.5f, 1.5f, 2.5f, 127, 0}, 1.0f, {0, 2, 2, 127, 0}},
                       {"BelowZero", 8, {-0.5f, -1.5f, -2.5f, 127, 0}, 1.0f, {0, -2, -2, 127, 0}}},
                      matches);
}

TEST(quantize_symmetric, ScaleIsNeverZero) {
  each_case<HandCase>({{"AllZero", 8, {0, -0.0f, 0}, 1.0f, {0, 0, 0}},
                       {"Empty", 8, {}, 1.0f, {}},
                       {"Tiny", 8, {3 * FLT_MIN, -FLT_MIN, 0}, FLT_MIN, {3, -1, 0}}},
                      matches);
}

// --- What holds for any tensor ------------------------------------------------------------------

std::vector<float> by_definition(const SymmetricTensor& t) {
  std::vector<float> real;
  for (const std::int8_t q : t.q) real.push_back(t.scale * static_cast<float>(q));
  return real;
}

struct RandomCase {
  std::string name;
  int num_bits;
  std::vector<float> x;
};

std::string show(const RandomCase& c) {
  return "x = " + show_values(c.x) + ", num_bits = " + std::to_string(c.num_bits);
}

std::vector<RandomCase> smaller(const RandomCase& c) {
  std::vector<RandomCase> all;
  for (std::vector<float>& x : smaller_lists(c.x)) {
    all.push_back({std::to_string(x.size()) + " values", c.num_bits, std::move(x)});
  }
  return all;
}

// One value; one less than, as many as and one more than 32 bytes of codes; and a large prime.
std::vector<RandomCase> every_width_and_length(std::uint64_t (*seed_of)(std::uint64_t)) {
  std::vector<RandomCase> cases;
  for (const std::size_t count : {1, 31, 32, 33, 4099}) {
    for (int num_bits = 2; num_bits <= 8; ++num_bits) {
      cases.push_back({std::to_string(count) + "x" + std::to_string(num_bits) + "bits", num_bits,
                       normal_tensor(count, seed_of(count * 16 + num_bits), /*stddev=*/0.02f)});
    }
  }
  return cases;
}

TEST(quantize_symmetric, EveryValueWithinHalfAStep) {
  each_case(every_width_and_length(seed), [](const RandomCase& c, Expect& expect) {
    const SymmetricTensor got = call<&quantize_symmetric>(c.x, c.num_bits);
    // The bound comes from x, never from the answer: a huge scale would forgive everything.
    const int qmax = signed_range(c.num_bits).qmax;
    expect.near("scale * q", by_definition(got), c.x,
                round_trip_tolerance(max_abs(c.x) / static_cast<float>(qmax), qmax));
  });
}

// --- The rest of the contract -------------------------------------------------------------------

TEST(quantize_symmetric, RefusesWhatHasNoRange) {
  once([](Expect& expect) {
    const std::vector<float> fine{1, 2};
    for (const int num_bits : {2, 8}) {  // refusing counts only where accepting works
      const SymmetricTensor got = call<&quantize_symmetric>(fine, num_bits);
      expect.equal("the largest code", got.q.empty() ? 0 : got.q.back(),
                   signed_range(num_bits).qmax);
    }
    const auto refused = [&](const std::vector<float>& x, int num_bits) {
      expect.that(refuses<&quantize_symmetric>(x, num_bits),
                  "accepted x = " + show_values(x) + ", num_bits = " + std::to_string(num_bits));
    };
    refused(fine, 1);
    refused(fine, 9);
    refused({1, NAN, 2}, 8);
    refused({1, 2, -INFINITY}, 8);
  });
}

TEST(dequantize_symmetric, MultipliesByTheScale) {
  once([](Expect& expect) {
    const SymmetricTensor t{{-128, -1, 0, 127}, 0.25f};  // -128 is legal in a tensor one is given
    expect.equal("real", call<&dequantize_symmetric>(t),
                 std::vector<float>{-32.0f, -0.25f, 0.0f, 31.75f});
    expect.that(refuses<&dequantize_symmetric>(SymmetricTensor{{1}, 0.0f}), "accepted scale = 0");
  });
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. A contract function called plainly is the reference, linked in for its values;
// the inputs follow from the course's secret salt.

// clang-format off
constexpr Mark hidden_marks[] = {
    {"quantize_symmetric",   "EqualsTheReference",            15, "",         "q and scale, on data nobody has seen"},
    {"quantize_symmetric",   "KeepsItsSymmetries",            10, "",         "-x gives -q, 4x gives q, and twice gives once"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);

std::vector<float> times(std::vector<float> x, float factor) {
  for (float& value : x) value *= factor;
  return x;
}

TEST(quantize_symmetric, EqualsTheReference) {
  each_case(every_width_and_length(hidden_seed), [](const RandomCase& c, Expect& expect) {
    const SymmetricTensor want = quantize_symmetric(c.x, c.num_bits);
    if (c.x.size() > 1000) {  // agreeing on an input with few different codes would mean little
      Expect::healthy(distinct(want.q) >= static_cast<std::size_t>(signed_range(c.num_bits).qmax),
                      "few distinct codes");
    }
    const SymmetricTensor got = call<&quantize_symmetric>(c.x, c.num_bits);
    expect.near("scale", got.scale, want.scale, one_ulp());
    expect.every("q", got.q, want.q, [&](std::size_t i) {
      return got.q[i] == want.q[i] ||
             (std::abs(got.q[i] - want.q[i]) == 1 && is_near_tie(c.x[i], want.scale));
    });
  });
}

TEST(quantize_symmetric, KeepsItsSymmetries) {
  each_case(every_width_and_length(hidden_seed), [](const RandomCase& c, Expect& expect) {
    const SymmetricTensor got = call<&quantize_symmetric>(c.x, c.num_bits);
    if (c.x.size() > 1000) {  // a constant has every symmetry
      expect.that(distinct(got.q) >= static_cast<std::size_t>(signed_range(c.num_bits).qmax),
                  "few distinct codes");
    }
    SymmetricTensor negated = call<&quantize_symmetric>(times(c.x, -1.0f), c.num_bits);
    for (std::int8_t& q : negated.q) q = static_cast<std::int8_t>(-q);
    expect.equal("-q of -x", negated.q, got.q);
    expect.equal("q of 4x", call<&quantize_symmetric>(times(c.x, 4.0f), c.num_bits).q, got.q);
    expect.equal("q of scale * q", call<&quantize_symmetric>(by_definition(got), c.num_bits).q,
                 got.q);
  });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
