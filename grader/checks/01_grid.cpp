// Lab 01: the checks.
#include "grid.hpp"

#include "checks/marks/01_grid.hpp"
#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/shrink.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

// --- One number ---------------------------------------------------------------------------------

struct NumberCase {
  std::string name;
  float x;
  int want;
};

std::string show(const NumberCase& c) { return "x = " + show_value(c.x); }

void saturates(const NumberCase& c, Expect& expect) {
  expect.equal("the int8", call<&saturate_to_int8>(c.x), c.want);
}

// 127.4 is where a careless clamp and a careless rounding still agree with the contract.
TEST(saturate_to_int8, InsideIsKept) {
  std::vector<NumberCase> cases{{"127.4", 127.4f, 127}};
  for (int code = -128; code <= 127; ++code) {
    cases.push_back({std::to_string(code), static_cast<float>(code), code});
  }
  each_case(cases, saturates);
}

TEST(saturate_to_int8, RoundsToNearest) {
  each_case<NumberCase>({{"Up", 0.75f, 1},
                         {"Down", 2.25f, 2},
                         {"UpBelowZero", -2.25f, -2},
                         {"DownBelowZero", -0.75f, -1},
                         {"ToTheEnd", -127.75f, -128}},
                        saturates);
}

// floor(x + 0.5) fails the even ties; and 0.49999997, because the sum is rounded up to 1.
TEST(saturate_to_int8, TiesGoToEven) {
  each_case<NumberCase>({{"0.5", 0.5f, 0},
                         {"1.5", 1.5f, 2},
                         {"2.5", 2.5f, 2},
                         {"-0.5", -0.5f, 0},
                         {"-1.5", -1.5f, -2},
                         {"-2.5", -2.5f, -2},
                         {"126.5", 126.5f, 126},
                         {"JustBelowATie", 0.49999997f, 0}},
                        saturates);
}

TEST(saturate_to_int8, StopsAtTheEnds) {
  each_case<NumberCase>({{"OneAbove", 128, 127},
                         {"OneBelow", -129, -128},
                         {"TieAbove", 127.5f, 127},
                         {"TwiceAround", 300, 127},
                         {"TwiceAroundBelow", -300, -128},
                         {"BeyondInt32", 3e9f, 127},
                         {"BeyondInt32Below", -3e9f, -128},
                         {"Largest", FLT_MAX, 127}},
                        saturates);
}

TEST(saturate_to_int8, NanAndInfinity) {
  each_case<NumberCase>({{"NaN", NAN, 0},
                         {"NegativeNaN", -NAN, 0},
                         {"Inf", INFINITY, 127},
                         {"-Inf", -INFINITY, -128}},
                        saturates);
}

// --- Tensors worked out by hand -----------------------------------------------------------------
//
// Scales are powers of two, so floats are compared exactly and ties are ties for everyone. Codes at
// the ends of a grid appear only where the ends are the question.

std::string show(const Grid& g) {
  return "scale = " + show_value(g.scale) + ", zero_point = " + show_value(g.zero_point) +
         ", codes [" + show_value(g.qmin) + ", " + show_value(g.qmax) + "]";
}

struct HandCase {
  std::string name;
  Grid grid;
  std::vector<float> x;
  std::vector<std::int32_t> q;
};

std::string show(const HandCase& c) { return "x = " + show_values(c.x) + ", " + show(c.grid); }

std::vector<std::int32_t> clamped(std::vector<std::int32_t> q, int qmin, int qmax) {
  for (std::int32_t& code : q) code = std::clamp(code, qmin, qmax);
  return q;
}

/// What a loop that stops one early leaves: every case ends in a value that is easy to get right.
template <class T>
std::vector<T> all_but_last(std::vector<T> want, const std::vector<T>& got) {
  if (!want.empty()) want.back() = got.back();
  return want;
}

/// The codes of who clamps steps to [qmin, qmax], and only then adds the zero point.
std::vector<std::int32_t> clamped_too_early(std::vector<std::int32_t> q, const Grid& g) {
  for (std::int32_t& code : q) {
    code = g.zero_point + std::clamp(code - g.zero_point, g.qmin, g.qmax);
  }
  return q;
}

void quantizes(const HandCase& c, Expect& expect) {
  expect.suspect("N-RANGE", "q", clamped(c.q, c.grid.qmin + 1, c.grid.qmax));
  expect.suspect("N-RANGE", "q", clamped(c.q, -128, 127));
  expect.suspect("N-CLAMP", "q", clamped_too_early(c.q, c.grid));
  const std::vector<std::int32_t> got = call<&quantize_to_grid>(c.x, c.grid, out(c.x.size()));
  expect.suspect("N-TAIL", "q", all_but_last(c.q, got));
  expect.equal("q", got, c.q);
}

TEST(quantize_to_grid, DividesByTheScale) {
  each_case<HandCase>({{"Quarter", {0.25f, 0, -128, 127}, {0.25f, -0.5f, 8, 0}, {1, -2, 32, 0}},
                       {"Four", {4, 0, -128, 127}, {4, -8, 100, 0}, {1, -2, 25, 0}}},
                      quantizes);
}

TEST(quantize_to_grid, AddsTheZeroPoint) {
  each_case<HandCase>({{"OfTheDrawing", {0.5f, 3, 0, 7}, {-1, -0.5f, 0, 1.5f}, {1, 2, 3, 6}},
                       {"EightBits", {0.25f, 128, 0, 255}, {1, -1, 31, 0}, {132, 124, 252, 128}},
                       {"Negative", {2, -5, -8, 7}, {2, -2, 20, 0}, {-4, -6, 5, -5}}},
                      quantizes);
}

TEST(quantize_to_grid, RoundsToNearest) {
  each_case<HandCase>({{"UpAndDown", {1, 0, -8, 7}, {1.75f, 1.25f, 0}, {2, 1, 0}},
                       {"BelowZero", {1, 0, -8, 7}, {-1.75f, -0.75f, 0}, {-2, -1, 0}},
                       {"OtherScale", {0.5f, 10, 0, 15}, {-0.875f, 1.125f, 0}, {8, 12, 10}}},
                      quantizes);
}

// With an odd zero point, rounding after it is added turns every even neighbour into an odd one.
TEST(quantize_to_grid, TiesGoToEven) {
  each_case<HandCase>({{"AboveZero", {1, 0, -8, 7}, {0.5f, 1.5f, 2.5f, 0}, {0, 2, 2, 0}},
                       {"BelowZero", {1, 0, -8, 7}, {-0.5f, -1.5f, -2.5f, 0}, {0, -2, -2, 0}},
                       {"OddZeroPoint", {0.5f, 7, 0, 15}, {0.25f, 0.75f, -0.25f, 0}, {7, 9, 7, 7}},
                       {"OddAndNegative", {2, -3, -8, 7}, {1, 3, -3, 0}, {-3, -1, -5, -3}}},
                      quantizes);
}

// Beyond int32, converting first gives any number; FLT_MAX / FLT_MIN is infinite.
TEST(quantize_to_grid, ClampsToTheGrid) {
  each_case<HandCase>(
      {{"BothEnds", {1, 0, -128, 127}, {127, -128, 0}, {127, -128, 0}},
       {"Unsigned", {0.5f, 10, 0, 255}, {-5, 122.5f, 0}, {0, 255, 10}},
       {"OneBeyond", {0.5f, 3, 0, 7}, {-2, 2.5f, 0}, {0, 7, 3}},
       {"FarBeyond", {1, 5, -8, 7}, {1000, -1000, 250, 0}, {7, -8, 7, 5}},
       {"OddRange", {1, -2, -3, 12}, {-100, 100, 0}, {-3, 12, -2}},
       {"BeyondInt32", {1, 5, 0, 255}, {3e9f, -3e9f, 4294967296.0f, 0}, {255, 0, 255, 5}},
       {"BeyondFloat", {FLT_MIN, 5, 0, 255}, {FLT_MAX, -FLT_MAX, 0}, {255, 0, 5}}},
      quantizes);
}

TEST(quantize_to_grid, NanAndInfinity) {
  each_case<HandCase>({{"NaN", {0.5f, 3, 0, 7}, {NAN, -NAN, 0.5f}, {3, 3, 4}},
                       {"Inf", {0.5f, 3, 0, 7}, {INFINITY, -INFINITY, 0.5f}, {7, 0, 4}}},
                      quantizes);
}

void dequantizes(const HandCase& c, Expect& expect) {
  const std::vector<float> got = call<&dequantize_from_grid>(c.q, c.grid, out(c.q.size()));
  expect.suspect("N-TAIL", "x_hat", all_but_last(c.x, got));
  expect.equal("x_hat", got, c.x);
}

TEST(dequantize_from_grid, MultipliesByTheScale) {
  each_case<HandCase>(
      {{"Quarter", {0.25f, 0, -128, 127}, {0.25f, -0.5f, 31.75f, -32, 0}, {1, -2, 127, -128, 0}},
       {"Four", {4, 0, -8, 7}, {4, -8, 28, 0}, {1, -2, 7, 0}}},
      dequantizes);
}

TEST(dequantize_from_grid, SubtractsTheZeroPoint) {
  each_case<HandCase>({{"OfTheDrawing", {0.5f, 3, 0, 7}, {0.5f, 2, 0}, {4, 7, 3}},
                       {"Negative", {2, -5, -8, 7}, {2, 24, 0}, {-4, 7, -5}}},
                      dequantizes);
}

// A code below the zero point, and a difference that no int8 or int16 holds.
TEST(dequantize_from_grid, DoesNotWrapAround) {
  each_case<HandCase>(
      {{"BelowZeroPoint", {0.5f, 128, 0, 255}, {-64, -0.5f, 0}, {0, 127, 128}},
       {"AllAbove", {1, 0, 0, 255}, {255, 128, 0}, {255, 128, 0}},
       {"SixteenBits", {1, -32768, -32768, 32767}, {65535, 32768, 0}, {32767, 0, -32768}}},
      dequantizes);
}

/// What the codes stand for, if `less` is their zero point.
std::vector<float> scaled(const std::vector<std::int32_t>& q, const Grid& g, std::int32_t less) {
  std::vector<float> real;
  for (const std::int32_t code : q) real.push_back(g.scale * static_cast<float>(code - less));
  return real;
}

struct SnapCase {
  std::string name;
  Grid grid;
  std::vector<float> x;
  std::vector<float> x_hat;
};

std::string show(const SnapCase& c) { return "x = " + show_values(c.x) + ", " + show(c.grid); }

/// What becomes of the wanted values if every step is changed by `change`, which may be wrong.
template <class Change>
std::vector<float> each_step(const std::vector<float>& values, const Grid& g, Change change) {
  std::vector<float> changed;
  for (const float value : values) changed.push_back(change(value / g.scale));
  return changed;
}

void snaps(const SnapCase& c, Expect& expect) {
  const Grid& g = c.grid;
  const auto zero_point = static_cast<float>(g.zero_point);
  const auto one_short = static_cast<float>(g.qmin + 1 - g.zero_point);
  const auto last = static_cast<float>(g.qmax - g.zero_point);
  const auto suspect = [&](std::string_view code, const std::vector<float>& from, auto change) {
    expect.suspect(code, "x_hat", each_step(from, g, change));
  };
  suspect("N-SCALE", c.x_hat, [](float steps) { return steps; });
  suspect("N-ZP-SIGN", c.x_hat, [&](float steps) { return g.scale * (steps + zero_point); });
  suspect("N-TRUNC", c.x, [&](float steps) {
    return g.scale * std::clamp(std::trunc(steps), one_short - 1.0f, last);
  });
  suspect("N-RANGE", c.x_hat, [&](float steps) { return g.scale * std::max(steps, one_short); });
  const std::vector<float> got = call<&fake_quantize>(c.x, g);
  if (got.size() == c.x.size()) expect.suspect("N-TAIL", "x_hat", all_but_last(c.x_hat, got));
  expect.equal("x_hat", got, c.x_hat);
}

TEST(fake_quantize, SnapsToTheGrid) {
  each_case<SnapCase>(
      {{"OfTheDrawing", {0.5f, 3, 0, 7}, {-0.875f, 0.625f, 1.375f, 0}, {-1, 0.5f, 1.5f, 0}},
       {"Coarse", {4, 0, -8, 7}, {-7, 5, 1, 0}, {-8, 4, 0, 0}}},
      snaps);
}

TEST(fake_quantize, TiesGoToEven) {
  each_case<SnapCase>({{"AboveZero", {1, 0, -8, 7}, {0.5f, 1.5f, 2.5f, 0}, {0, 2, 2, 0}},
                       {"OddZeroPoint", {0.5f, 7, 0, 15}, {0.25f, 0.75f, -0.25f}, {0, 1, 0}}},
                      snaps);
}

TEST(fake_quantize, ClampsToTheGrid) {
  each_case<SnapCase>({{"BothEnds", {1, 0, -128, 127}, {127, -128, 0}, {127, -128, 0}},
                       {"Beyond", {1, 0, -128, 127}, {200, -200, 0}, {127, -128, 0}},
                       {"Shifted", {0.5f, 3, 0, 7}, {100, -100, 2.25f, 0}, {2, -1.5f, 2, 0}},
                       {"BeyondInt32", {1, 5, 0, 255}, {3e9f, -3e9f, 0}, {250, -5, 0}}},
                      snaps);
}

TEST(fake_quantize, NanAndInfinity) {
  each_case<SnapCase>({{"NaN", {0.5f, 3, 0, 7}, {NAN, -NAN, 0.5f}, {0, 0, 0.5f}},
                       {"Inf", {0.5f, 3, 0, 7}, {INFINITY, -INFINITY, 0.5f}, {2, -1.5f, 0.5f}}},
                      snaps);
}

// --- What holds for any tensor ------------------------------------------------------------------

struct RandomCase {
  std::string name;
  Grid grid;
  std::vector<float> x;
};

std::string show(const RandomCase& c) { return "x = " + show_values(c.x) + ", " + show(c.grid); }

std::vector<RandomCase> smaller(const RandomCase& c) {
  std::vector<RandomCase> all;
  for (std::vector<float>& x : smaller_lists(c.x)) {
    all.push_back({std::to_string(x.size()) + " values", c.grid, std::move(x)});
  }
  return all;
}

struct NamedGrid {
  std::string name;
  Grid grid;
};

// The two kinds of 8 bits, 4 bits with an odd zero point, and 16. No scale is a power of
// two.
const std::vector<NamedGrid> usual_grids = {{"int8", {0.0123f, 0, -128, 127}},
                                            {"uint8", {0.0123f, 101, 0, 255}},
                                            {"int4", {0.3f, -3, -8, 7}},
                                            {"uint16", {1e-4f, 32768, 0, 65535}}};

float lowest(const Grid& g) { return g.scale * static_cast<float>(g.qmin - g.zero_point); }
float highest(const Grid& g) { return g.scale * static_cast<float>(g.qmax - g.zero_point); }

// One value; one less than, as many as and one more than eight vectors of 4 codes; a large prime.
std::vector<RandomCase> every_length(const std::vector<NamedGrid>& grids,
                                     std::uint64_t (*seed_of)(std::uint64_t), float widened) {
  std::vector<RandomCase> cases;
  for (const std::size_t count : {1, 31, 32, 33, 4099}) {
    for (const auto& [name, grid] : grids) {
      cases.push_back({std::to_string(count) + "x" + name, grid,
                       uniform_tensor(count, seed_of(count * 8 + cases.size() % grids.size()),
                                      widened * lowest(grid), widened * highest(grid))});
    }
  }
  return cases;
}

Tolerance half_a_step(const Grid& g) { return round_trip_tolerance(g.scale, g.qmax - g.qmin); }

TEST(quantize_to_grid, EveryValueWithinHalfAStep) {
  each_case(every_length(usual_grids, seed, 1.0f), [](const RandomCase& c, Expect& expect) {
    const auto q = call<&quantize_to_grid>(c.x, c.grid, out(c.x.size()));
    expect.equal("q, clamped", clamped(q, c.grid.qmin, c.grid.qmax), q);
    expect.near("scale * (q - zero_point)", scaled(q, c.grid, c.grid.zero_point), c.x,
                half_a_step(c.grid));
  });
}

TEST(fake_quantize, EveryValueWithinHalfAStep) {
  each_case(every_length(usual_grids, seed, 1.0f), [](const RandomCase& c, Expect& expect) {
    const std::vector<float> got = call<&fake_quantize>(c.x, c.grid);
    expect.near("x_hat", got, c.x, half_a_step(c.grid));
    // Near is not enough: x itself is near. There are few points on a grid.
    const std::vector<float> again = call<&fake_quantize>(got, c.grid);
    expect.equal("x_hat of x_hat", again, got);
    const auto points = static_cast<std::size_t>(c.grid.qmax - c.grid.qmin) + 1;
    expect.that(distinct(got) <= points, "more values than the grid has points", "N-FORMULA");
  });
}

struct GridCase {
  std::string name;
  Grid grid;
};

std::string show(const GridCase& c) { return "every code, " + show(c.grid); }

// Subtracting scale * zero_point from scale * q loses the digits of every value near real 0.
TEST(dequantize_from_grid, EveryCodeOfTheGrid) {
  std::vector<GridCase> cases;
  for (const auto& [name, grid] : usual_grids) cases.push_back({name, grid});
  each_case(cases, [](const GridCase& c, Expect& expect) {
    std::vector<std::int32_t> q(static_cast<std::size_t>(c.grid.qmax - c.grid.qmin) + 1);
    std::iota(q.begin(), q.end(), c.grid.qmin);
    std::vector<double> want;  // the exact product: a code and a scale fit a double together
    for (const std::int32_t code : q) {
      want.push_back(static_cast<double>(c.grid.scale) * (code - c.grid.zero_point));
    }
    expect.near("x_hat", call<&dequantize_from_grid>(q, c.grid, out(q.size())), want, one_ulp());
  });
}

// --- The rest of the contract -------------------------------------------------------------------

// One broken promise each, in the order in which expects_grid reads them.
const std::vector<Grid> no_grids = {
    {0, 0, -8, 7},  {-1, 0, -8, 7}, {INFINITY, 0, -8, 7}, {1e-40f, 0, -8, 7}, {1, 8, -8, 7},
    {1, -9, -8, 7}, {1, 0, 0, 0},   {1, 0, 7, -8},        {1, 0, -40000, 7},  {1, 0, -8, 1 << 20}};
const Grid four_bits{1, 0, -8, 7};

// Refusing counts only where accepting works, the empty tensor included.
TEST(quantize_to_grid, RefusesWhatIsNoGrid) {
  once([](Expect& expect) {
    const std::vector<float> x{1, 2};
    expect.equal("q", call<&quantize_to_grid>(x, four_bits, out(2)), std::vector{1, 2});
    expect.equal("the size of q",
                 call<&quantize_to_grid>(std::vector<float>{}, four_bits, out(0)).size(), 0);
    for (const Grid& grid : no_grids) {
      expect.that(refuses<&quantize_to_grid>(x, grid, out(2)), "accepted " + show(grid));
    }
    expect.that(refuses<&quantize_to_grid>(x, four_bits, out(3)), "accepted 2 values for 3 codes",
                "N-SIZE");
  });
}

TEST(dequantize_from_grid, RefusesWhatIsNotOnTheGrid) {
  once([](Expect& expect) {
    const std::vector<std::int32_t> q{-8, 7};
    expect.equal("x_hat", call<&dequantize_from_grid>(q, four_bits, out(2)),
                 std::vector{-8.f, 7.f});
    for (const Grid& grid : no_grids) {
      expect.that(refuses<&dequantize_from_grid>(std::vector<std::int32_t>{0, 0}, grid, out(2)),
                  "accepted " + show(grid), "N-DIV0");
    }
    for (const std::int32_t code : {8, -9, 1 << 30}) {
      expect.that(refuses<&dequantize_from_grid>(std::vector{0, code}, four_bits, out(2)),
                  "accepted q[1] = " + show_value(code) + " for " + show(four_bits));
    }
    expect.that(refuses<&dequantize_from_grid>(q, four_bits, out(3)),
                "accepted 2 codes for 3 values", "N-SIZE");
  });
}

TEST(fake_quantize, RefusesWhatIsNoGrid) {
  once([](Expect& expect) {
    const std::vector<float> x{1.25f, 2};
    expect.equal("x_hat", call<&fake_quantize>(x, four_bits), std::vector{1.f, 2.f});
    expect.equal("the size of x_hat", call<&fake_quantize>(std::vector<float>{}, four_bits).size(),
                 0);
    for (const Grid& grid : no_grids) {
      expect.that(refuses<&fake_quantize>(x, grid), "accepted " + show(grid));
    }
  });
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. A contract function called plainly is the reference, linked in for its values;
// the inputs follow from the course's secret salt.

// Numbers of the range and around it; and, on both sides of every tie, the nearest floats: who
// rounds twice, to tenths and then to integers, makes a tie of those.
TEST(saturate_to_int8, EqualsTheReference) {
  std::vector<NumberCase> cases;
  const auto add = [&](float x) { cases.push_back({show_value(x), x, saturate_to_int8(x)}); };
  for (const float x : uniform_tensor(300, hidden_seed(1), -150, 150)) add(x);
  for (const int code : code_tensor<int>(50, hidden_seed(2), -128, 126)) {
    const float tie = static_cast<float>(code) + 0.5f;
    for (const float x : {tie, std::nextafter(tie, 200.0f), std::nextafter(tie, -200.0f)}) add(x);
  }
  each_case(cases, saturates);
}

/// Grids of the salt: any width, any zero point, a scale of any size.
std::vector<NamedGrid> unseen_grids() {
  std::vector<NamedGrid> grids;
  for (int i = 0; i < 6; ++i) {
    const std::uint64_t salt = 100 + 10 * static_cast<std::uint64_t>(i);
    const int qmin = code_tensor<int>(1, hidden_seed(salt), -200, 0)[0];
    const int qmax = code_tensor<int>(1, hidden_seed(salt + 1), 9, 300)[0];
    const int zero_point = code_tensor<int>(1, hidden_seed(salt + 2), qmin, qmax)[0];
    const float mantissa = uniform_tensor(1, hidden_seed(salt + 3), 1.1f, 1.9f)[0];
    grids.push_back(
        {"grid" + std::to_string(i), {std::ldexp(mantissa, 8 * i - 30), zero_point, qmin, qmax}});
  }
  return grids;
}

std::vector<std::int32_t> reference_codes(const RandomCase& c) {
  std::vector<std::int32_t> q(c.x.size());
  quantize_to_grid(c.x, c.grid, q);
  return q;
}

// A tenth of the data lies outside the grid; a saturated input would hide every rounding.
void is_healthy(const RandomCase& c, const std::vector<std::int32_t>& q) {
  if (q.size() < 1000) return;
  const double railed = saturated_share(q, c.grid.qmin, c.grid.qmax);
  Expect::healthy(0.01 < railed && railed < 0.4, "share of codes at the ends");
  Expect::healthy(distinct(q) >= 9, "few distinct codes");
}

TEST(quantize_to_grid, EqualsTheReference) {
  each_case(every_length(unseen_grids(), hidden_seed, 1.1f), [](const RandomCase& c,
                                                                Expect& expect) {
    const std::vector<std::int32_t> want = reference_codes(c);
    is_healthy(c, want);
    const auto got = call<&quantize_to_grid>(c.x, c.grid, out(c.x.size()));
    expect.every("q", got, want, [&](std::size_t i) {
      return got[i] == want[i] ||
             (std::abs(std::int64_t{got[i]} - want[i]) == 1 && is_near_tie(c.x[i], c.grid.scale));
    });
  });
}

TEST(dequantize_from_grid, EqualsTheReference) {
  each_case(every_length(unseen_grids(), hidden_seed, 1.1f), [](const RandomCase& c,
                                                                Expect& expect) {
    const std::vector<std::int32_t> q = reference_codes(c);
    is_healthy(c, q);
    std::vector<float> want(q.size());
    dequantize_from_grid(q, c.grid, want);
    expect.near("x_hat", call<&dequantize_from_grid>(q, c.grid, out(q.size())), want, one_ulp());
  });
}

TEST(fake_quantize, EqualsBothSteps) {
  each_case(every_length(unseen_grids(), hidden_seed, 1.1f),
            [](const RandomCase& c, Expect& expect) {
              const std::vector<std::int32_t> q = reference_codes(c);
              is_healthy(c, q);
              std::vector<float> want(q.size());
              dequantize_from_grid(q, c.grid, want);
              const std::vector<float> got = call<&fake_quantize>(c.x, c.grid);
              const Tolerance step{c.grid.scale * 1.25, 0.0, "one step, next to a tie"};
              expect.every("x_hat", got, want, [&](std::size_t i) {
                return is_near(got[i], want[i], one_ulp()) ||
                       (is_near(got[i], want[i], step) && is_near_tie(c.x[i], c.grid.scale));
              });
            });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
