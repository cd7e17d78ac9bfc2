// Lab 17, multiply_tiles_fused: the checks.
#include "checks/17_cpu_amx/multiply_tiles_fused.hpp"

#include "judge/exercise.hpp"

namespace nibble::judge::lab_17_cpu_amx {
namespace {

/// Two rows of three sums: 6, -8, 10 and 3, -4, 5.
FusedProduct by_hand(const Reals& scale, const Reals& bias) {
  return {{"ByHand", {2, 3, 1}, {2, 1}, {3, -4, 5}}, scale, bias};
}

TEST(multiply_tiles_fused, ScalesAndShiftsEachColumn) {
  fusing.gives({{{by_hand({0.5f, -2.0f, 0.25f}, {1.0f, -3.0f, 0.5f})},
                 {4.0f, 13.0f, 3.0f, 2.5f, 5.0f, 1.75f}},
                // Every finite number is a scale, and a bias: 0, -0 and what is subnormal.
                {{by_hand({0.0f, -0.0f, 0x1p-140f}, {1.0f, 0x1p-130f, -0.0f})},
                 {1.0f, 0x1p-130f, 10 * 0x1p-140f, 1.0f, 0x1p-130f, 5 * 0x1p-140f}},
                {{by_hand({-FLT_MAX, -0x1p-140f, 0x1p-149f}, {1.0f, -0x1p-140f, FLT_MAX})},
                 {0.0f, 7 * 0x1p-140f, FLT_MAX, 0.0f, 3 * 0x1p-140f, FLT_MAX}}});
  std::vector<FusedProduct> cases{by_hand({0.5f, -2.0f, 0.25f}, {1.0f, -3.0f, 0.5f})};
  for (const MatmulShape shape :
       {MatmulShape{32, 32, 64}, {5, 3, 7}, {33, 47, 66}, {20, 40, 1100}}) {
    cases.push_back(random_fused(shape));
  }
  cases.push_back(
      {constant_product("Infinite", {1, 2, 4}, 127, 127), {3e38f, -3e38f}, {1.0f, 1.0f}});
  cases.push_back({{"NoK", {2, 3, 0}, {}, {}}, {1, 2, 3}, {-1, 0, 1.5f}});
  is_right_on_every_engine(fusing, cases);
}

/// 1023 * 1049601 is 2^30 - 1: the first sum, scaled, lacks 2^-54 of half a step of its bias. A
/// fused multiply-add sees that; a double is a tie, as is a float32.
FusedProduct beside_a_tie() {
  return {
      {"BesideATie", {1, 2, 1}, {93}, {11, 3}}, {1049601 * 0x1p-54f, 0.1f}, {0x1.000002p+0f, 0.3f}};
}

// The bias is the rounded product with its sign changed: what is left is 0 after two roundings, and
// the rounding error itself after one.
TEST(multiply_tiles_fused, RoundsTwice) {
  FusedProduct c = random_fused({1, 64, 70});
  c.scale = uniform_tensor(64, seed(321), 0.004f, 0.012f);
  const Sums sums = by_definition(c);
  for (std::size_t j = 0; j < c.bias.size(); ++j) {
    c.bias[j] = -(static_cast<float>(sums[j]) * c.scale[j]);
  }
  const Reals once_rounded = product_rounded_once(c);
  Expect::healthy(std::ranges::count(once_rounded, 0.0f) < 59,
                  "hardly a column shows how often it is rounded");
  constexpr int kDeep = 20001;  // a sum of parts that were rounded is another one
  const FusedProduct deep{{"PastFloat32",
                           {2, 8, kDeep},
                           code_tensor<std::int8_t>(std::size_t{2} * kDeep, seed(1), 100, 127),
                           code_tensor<std::int8_t>(std::size_t{8} * kDeep, seed(2), 100, 127)},
                          Reals(8, 1.0f),
                          Reals(8, 0.0f)};
  is_right_on_every_engine(fusing, std::vector{c, deep, beside_a_tie()});
}

TEST(multiply_tiles_fused, ClipsAtZero) {
  const std::vector<FusedProduct> cases{
      {{"MinusZero", {1, 2, 1}, {0}, {1, 2}}, {-1.0f, 1.0f}, {-0.0f, -0.0f}},
      by_hand({1.0f, 1.0f, -1.0f}, {-7.0f, 8.5f, 0.0f}),
      random_fused({17, 33, 5})};
  each_case(cases, [](const FusedProduct& c, Expect& expect) {
    look_on_every_engine(fusing, c, expect);
    for (const float value : fusing({c})) {
      expect.that(!std::signbit(value), "a result is " + show_value(value), "N-CLAMP");
    }
  });
}

// More than 2 MiB: rows that begin with a cache line, then rows that do not.
TEST(multiply_tiles_fused, LargeResults) {
  is_right_on_every_engine(fusing,
                           std::vector{random_fused({801, 704, 3}), random_fused({803, 703, 3})});
}

TEST(multiply_tiles_fused, RefusesWhatItMust) {
  const FusedProduct good = random_fused({3, 5, 8});
  auto rows = denied_engines(fusing, good);
  rows.push_back({"N-ISA", "kDenied where there is nothing to compute",
                  fusing.arguments({random_fused({0, 5, 8}), TileEngine::kDenied})});
  const auto bad = [&](const char* code, const char* what, const auto& change) {
    FusedProduct c = good;
    change(c);
    rows.push_back({code, what, fusing.arguments({c})});
  };
  bad("N-SIZE", "4 scales for 5 columns", [](FusedProduct& c) { c.scale.pop_back(); });
  bad("N-SIZE", "6 scales for 5 columns", [](FusedProduct& c) { c.scale.push_back(1); });
  bad("N-SIZE", "4 biases for 5 columns", [](FusedProduct& c) { c.bias.pop_back(); });
  bad("N-SIZE", "6 biases for 5 columns", [](FusedProduct& c) { c.bias.push_back(1); });
  bad("N-SIZE", "a code of a too few", [](FusedProduct& c) { c.a.pop_back(); });
  for (const auto& [code, what, a, b, c, shape] : wrong_sizes(good.shape, packed_b_size, 1024)) {
    const Reals reals(std::size_t(std::max(shape.n, 0)), 1.0f);
    rows.push_back(
        {"N-SIZE", what, {TileEngine::kModel, Codes(a), Codes(b), reals, reals, out(c), shape}});
  }
  for (const float value : {NAN, INFINITY, -INFINITY}) {
    bad("N-NAN", "a scale that is no finite number", [&](FusedProduct& c) { c.scale[4] = value; });
    bad("N-NAN", "a bias that is no finite number", [&](FusedProduct& c) { c.bias[4] = value; });
  }
  fusing.refuses({{good}}, rows);
}

}  // namespace
}  // namespace nibble::judge::lab_17_cpu_amx
