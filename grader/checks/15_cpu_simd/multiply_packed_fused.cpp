// Lab 15, multiply_packed_fused: the checks.
#include "checks/15_cpu_simd/multiply_packed_fused.hpp"

#include "judge/exercise.hpp"
#include "judge/speed.hpp"

namespace nibble::judge::lab_15_cpu_simd {
namespace {

/// Two rows of three sums: 10, -20, 30 and 40, -50, 60.
FusedProduct by_hand(const std::string& name, const Reals& scale, const Reals& bias) {
  return {{name, {2, 3, 2}, {10, 0, 0, 10}, {1, 4, -2, -5, 3, 6}}, scale, bias};
}

// Whole numbers and powers of two, so that no rounding happens and every mistake is another number.
// The last has columns in several panels, each with a scale and a bias of its own.
TEST(multiply_packed_fused, ScalesAndShiftsEachColumn) {
  FusedProduct wide{random_products({{2, 130, 4}}, seed)[0], {}, {}};
  for (int j = 0; j < 130; ++j) {
    wide.scale.push_back(j % 3 == 0 ? 0.5f : j % 5 == 0 ? 2.0f : 1.0f);
    wide.bias.push_back(static_cast<float>(70'000 + 1000 * j));
  }
  fusing.is_right(
      {by_hand("Scales", {0.5f, -2, 4}, {0, 0, 0}), by_hand("Biases", {1, 1, 1}, {256, 128, 64}),
       by_hand("Both", {0.5f, -2, 0.25f}, {8, 16, 1024}),
       by_hand("Subnormal", {0x1p-140f, -0.0f, 0x1p-149f}, {-0.0f, 0x1p-130f, 0}), wide});
}

/// Both sums are 2^23 + 1. The first, scaled, lacks 2^-70 of half a step of its bias: a fused
/// multiply-add sees that, and a double is a tie, as is a float32.
FusedProduct beside_a_tie() {
  Product of = constant_product("BesideATie", {1, 2, 513}, -128, -128);
  for (Codes* const codes : {&of.a, &of.b_t}) {
    for (std::size_t p = 512; p < codes->size(); p += 513) (*codes)[p] = 1;
  }
  return {of, {0x1.fffffcp-48f, 0.1f}, {0x1.000002p+0f, 0.3f}};
}

// float(acc) rounds beyond 2^24, the product of two 24-bit numbers rounds, the sum rounds again: a
// fused multiply-add leaves one of these out and differs in many elements.
TEST(multiply_packed_fused, RoundsTwice) {
  auto cases = random_fused(random_products({{5, 33, 40}, {3, 5, 4000}}, seed), seed);
  cases.push_back(beside_a_tie());
  Expect::healthy(fused_product(cases[0]) != product_rounded_once(cases[0]), "no sum rounds twice");
  fusing.is_right(cases);
}

// Below 0, exactly 0, and a -0: 0 times a negative scale plus -0.
TEST(multiply_packed_fused, ClipsAtZero) {
  const auto cases =
      on_every_isa<FusedProduct>({by_hand("Negative", {-1, 1, -2}, {0, 0, 0}),
                                  by_hand("Zero", {1, 1, 1}, {-10, 20, -30}),
                                  by_hand("BiasAlone", {0, 0, 0}, {-1, 2, -3}),
                                  {{"Empty", {2, 3, 0}, {}, {}}, {-1, -2, 1}, {-0.0f, 0, -0.0f}}});
  each_case(cases, [](const OnIsa<FusedProduct>& c, Expect& expect) {
    const Reals got = fusing(c);
    fusing.look(expect, c, got);
    for (const float v : got) {
      expect.that(!std::signbit(v), "c holds " + show_value(v) + ": its sign is that of -0");
    }
  });
}

TEST(multiply_packed_fused, EveryTail) {
  std::vector<MatmulShape> shapes = tails();
  shapes.push_back({0, 3, 4});
  shapes.push_back({3, 0, 4});
  shapes.push_back({330, 17, 1030});  // beyond every block
  fusing.is_right(random_fused(random_products(shapes, seed), seed));
}

TEST(multiply_packed_fused, RefusesWhatItMust) {
  const FusedProduct good = random_fused(random_products({{2, 3, 5}}, seed), seed)[0];
  const Reals ones(3, 1.0f);
  refuses_on_every_isa(fusing, good, [&](Isa isa) {
    auto rows = bad_products(
        fusing, isa, [](Isa on, const Codes& a, const Codes& packed, Out c, MatmulShape s) {
          const Reals fitting(static_cast<std::size_t>(std::max(0, s.n)), 1.0f);
          return std::tuple(on, a, packed, fitting, fitting, c, s);
        });
    const auto bad = [&](const char* code, const char* what, const Reals& scale,
                         const Reals& bias) {
      rows.push_back({code, what, fusing.arguments({isa, {good, scale, bias}})});
    };
    bad("N-SIZE", "4 scales for 3 columns", Reals(4), ones);
    bad("N-SIZE", "4 biases for 3 columns", ones, Reals(4));
    bad("N-NAN", "a scale that is NaN", {1, kNan, 1}, ones);
    bad("N-NAN", "a bias that is infinite", ones, {1, 1, -kInfinity});
    return rows;
  });
}

TEST(multiply_packed_fused, Speed) {
  const TimedProduct p;
  const auto n = static_cast<std::size_t>(p.shape.n);
  speed<&multiply_packed_fused>(p.goal(0.5, 0.75), [&](FreshData& fresh) {
    return std::tuple(p.isa, p.a(fresh), p.packed(fresh), fresh.uniform(n, 0.001f, 0.02f),
                      fresh.uniform(n, -1, 1), out(p.c_count), p.shape);
  });
}

}  // namespace
}  // namespace nibble::judge::lab_15_cpu_simd
