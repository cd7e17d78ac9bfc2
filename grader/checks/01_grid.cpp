// Lab 01: the checks.
#include "grid.hpp"

#include "checks/marks/01_grid.hpp"
#include "judge/exercise.hpp"
#include "judge/near_ties.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Codes = std::vector<std::int32_t>;

// --- saturate_to_int8 ---------------------------------------------------------------------------

using Saturating = Exercise<&saturate_to_int8>;
const Saturating saturating{{"x"}, {"the int8"}};

struct Number {
  float x;
  int want;
};

void saturates(const std::vector<Number>& numbers, const char* rule = "") {
  std::vector<Saturating::Row> rows;
  for (const auto& [x, want] : numbers) {
    rows.push_back({show_value(x), {x}, static_cast<std::int8_t>(want), rule});
  }
  saturating.gives(rows);
}

// 127.4 is where a careless clamp and a careless rounding still agree with the contract.
TEST(saturate_to_int8, InsideIsKept) {
  std::vector<Number> numbers{{127.4f, 127}};
  for (int code = -128; code <= 127; ++code) numbers.push_back({static_cast<float>(code), code});
  saturates(numbers);
}

TEST(saturate_to_int8, RoundsToNearest) {
  saturates({{0.75f, 1}, {2.25f, 2}, {-2.25f, -2}, {-0.75f, -1}, {-127.75f, -128}});
}

// floor(x + 0.5) fails the even ties; and 0.49999997, because the sum is rounded up to 1.
TEST(saturate_to_int8, TiesGoToEven) {
  saturates({{0.5f, 0}, {1.5f, 2}, {2.5f, 2}, {126.5f, 126}, {0.49999997f, 0}});
  saturates({{-0.5f, 0}, {-1.5f, -2}, {-2.5f, -2}},
            "a tie goes to the even neighbour below 0, too, where % 2 of an odd number is -1");
}

// One beyond, a tie beyond, twice around an int8, beyond int32, and as far as it goes.
TEST(saturate_to_int8, StopsAtTheEnds) {
  saturates({{128, 127}, {127.5f, 127}, {300, 127}, {3e9f, 127}, {FLT_MAX, 127}});
  saturates({{-129, -128}, {-300, -128}, {-3e9f, -128}});
}

TEST(saturate_to_int8, NanAndInfinity) {
  saturates({{NAN, 0}, {-NAN, 0}, {INFINITY, 127}, {-INFINITY, -128}});
}

// --- Tensors on a grid --------------------------------------------------------------------------
//
// By hand, scales are powers of two, so floats are compared exactly and ties are ties for everyone.
// Codes at the ends of a grid appear only where the ends are the question.

using Quantizing = Exercise<&quantize_to_grid>;
using Dequantizing = Exercise<&dequantize_from_grid>;
using Snapping = Exercise<&fake_quantize>;

template <class Arguments>
Shape as_many(const Arguments& in) {
  return {in.a.size()};
}

/// Rows whose last value is easy to get right: where it alone is wrong, a loop has stopped early.
template <class E>
void gives(const E& exercise, const char* what, const std::vector<typename E::Row>& rows) {
  exercise.gives(rows, [&](Expect& expect, const auto& in, const auto& got, const auto& want) {
    auto all_but_last = want;
    if (got.size() == want.size()) all_but_last.back() = got.back();
    expect.suspect("N-TAIL", what, all_but_last);
    exercise.only({what})(expect, in, got, want);
  });
}

struct NamedGrid {
  std::string name;
  Grid grid;
};

// The two kinds of 8 bits, 4 bits with an odd zero point, and 16. No scale is a power of two.
const std::vector<NamedGrid> kUsualGrids = {{"int8", {0.0123f, 0, -128, 127}},
                                            {"uint8", {0.0123f, 101, 0, 255}},
                                            {"int4", {0.3f, -3, -8, 7}},
                                            {"uint16", {1e-4f, 32768, 0, 65535}}};

// One value; one less than, as many as and one more than eight vectors of 4 codes; a large prime.
template <class E>
std::vector<typename E::Input> every_length(const std::vector<NamedGrid>& grids, Seed seed_of,
                                            float widened) {
  std::vector<typename E::Input> inputs;
  for (const std::size_t count : {1, 31, 32, 33, 4099}) {
    for (const auto& [name, g] : grids) {
      const float lowest = g.scale * static_cast<float>(g.qmin - g.zero_point);
      const float highest = g.scale * static_cast<float>(g.qmax - g.zero_point);
      inputs.push_back({std::to_string(count) + "x" + name,
                        {uniform_tensor(count, seed_of(count * 8 + inputs.size() % grids.size()),
                                        widened * lowest, widened * highest),
                         g}});
    }
  }
  return inputs;
}

Tolerance half_a_step(const Grid& g) { return round_trip_tolerance(g.scale, g.qmax - g.qmin); }

const Grid kFourBits{1, 0, -8, 7};

// One broken promise each, in the order in which expects_grid reads them.
const std::vector<Grid> kNoGrids = {{0, 0, -8, 7},       {-1, 0, -8, 7}, {INFINITY, 0, -8, 7},
                                    {1e-40f, 0, -8, 7},  {1, 8, -8, 7},  {1, -9, -8, 7},
                                    {1, 0, 0, 0},        {1, 0, 7, -8},  {1, 0, -40000, 7},
                                    {1, 0, -8, 1 << 20}, {NAN, 0, -8, 7}};

/// A grid that is none is refused even where nothing would have to be written.
template <class E, class Values>
std::vector<typename E::Refused> without_a_grid(const Values& values) {
  std::vector<typename E::Refused> refused;
  for (const Grid& grid : kNoGrids) {
    refused.push_back({grid.scale == 1.0f ? "N-RANGE" : "N-DIV0", {values, grid}});
  }
  refused.push_back({"N-DIV0", {Values{}, kNoGrids.front()}});
  return refused;
}

/// x / scale, rounded, as those have it who divide in double or multiply by a rounded 1 / scale.
std::vector<Reals> other_divisions(const Reals& x, float scale) {
  return {each_of(x, [=](double v) { return static_cast<float>(std::nearbyint(v / scale)); }),
          each_of(x, [=](float v) { return std::nearbyint(v * (1 / scale)); })};
}

/// Ties over 1.1f, but for the last: in double none is one, and times 1 / 1.1f two are not.
const Reals kTiesInFloat32{1.65f, 8.25f, 9.35f, 25.85f, 2};
const Grid kElevenTenths{1.1f, 100, 0, 255};

/// The floats next to ties, and 0.
const Reals kBesideTies{0.50000006f, 1.4999999f, 2.5000002f, -0.50000006f, 0};

/// No grid is wider, and the zero point is its end.
const Grid kWidest{1, 65535, -32768, 65535};
constexpr const char* kManySteps = "this grid reaches 98303 steps from its zero point";

// --- quantize_to_grid ---------------------------------------------------------------------------

Codes clamped(Codes q, int qmin, int qmax) {
  for (std::int32_t& code : q) code = std::clamp(code, qmin, qmax);
  return q;
}

void suspect_codes(Expect& expect, const Quantizing::Arguments& in, const Codes& right) {
  const Grid& g = in.b;
  Codes clamped_too_early;  // the steps; and only then the zero point is added
  for (const std::int32_t code : right) {
    clamped_too_early.push_back(g.zero_point + std::clamp(code - g.zero_point, g.qmin, g.qmax));
  }
  expect.suspect("N-RANGE", "q", clamped(right, g.qmin + 1, g.qmax));
  expect.suspect("N-RANGE", "q", clamped(right, -128, 127));
  expect.suspect("N-CLAMP", "q", clamped_too_early);
  for (const Reals& steps : other_divisions(in.a, g.scale)) {
    expect.suspect("N-FORMULA", "q", each_of(steps, [&](double step) {
                     return std::clamp(step + g.zero_point, double(g.qmin), double(g.qmax));
                   }));
  }
}

const Quantizing quantizing{{"x", "scale", "zero_point", "qmin", "qmax"},
                            {"q"},
                            suspect_codes,
                            {.sizes = as_many<Quantizing::Arguments>}};

TEST(quantize_to_grid, DividesByTheScale) {
  gives(quantizing, "q",
        {{"Quarter",
          {{0.25f, -0.5f, 8, 0}, {0.25f, 0, -128, 127}},
          {1, -2, 32, 0},
          "x / scale is how many steps x is from 0"},
         {"Four", {{4, -8, 100, 0}, {4, 0, -128, 127}}, {1, -2, 25, 0}}});
}

TEST(quantize_to_grid, AddsTheZeroPoint) {
  gives(quantizing, "q",
        {{"OfTheDrawing",
          {{-1, -0.5f, 0, 1.5f}, {0.5f, 3, 0, 7}},
          {1, 2, 3, 6},
          "real 0 is the code zero_point, and every other code counts from there"},
         {"EightBits", {{1, -1, 31, 0}, {0.25f, 128, 0, 255}}, {132, 124, 252, 128}},
         {"Negative", {{2, -2, 20, 0}, {2, -5, -8, 7}}, {-4, -6, 5, -5}}});
}

TEST(quantize_to_grid, RoundsToNearest) {
  gives(quantizing, "q",
        {{"UpAndDown", {{1.75f, 1.25f, 0}, {1, 0, -8, 7}}, {2, 1, 0}},
         {"BelowZero", {{-1.75f, -0.75f, 0}, {1, 0, -8, 7}}, {-2, -1, 0}},
         {"OtherScale", {{-0.875f, 1.125f, 0}, {0.5f, 10, 0, 15}}, {8, 12, 10}}});
}

// With an odd zero point, rounding after it is added turns every even neighbour into an odd one.
TEST(quantize_to_grid, TiesGoToEven) {
  gives(quantizing, "q",
        {{"AboveZero", {{0.5f, 1.5f, 2.5f, 0}, {1, 0, -8, 7}}, {0, 2, 2, 0}},
         {"BelowZero", {{-0.5f, -1.5f, -2.5f, 0}, {1, 0, -8, 7}}, {0, -2, -2, 0}},
         {"OddZeroPoint",
          {{0.25f, 0.75f, -0.25f, 0}, {0.5f, 7, 0, 15}},
          {7, 9, 7, 7},
          "x / scale is rounded first, and then zero_point is added"},
         {"OddAndNegative", {{1, 3, -3, 0}, {2, -3, -8, 7}}, {-3, -1, -5, -3}},
         {"OneDivision",
          {kTiesInFloat32, kElevenTenths},
          {102, 108, 108, 124, 102},
          "x / scale is one float32 division, not in double and not times 1 / scale"},
         {"BesideTies", {kBesideTies, kFourBits}, {1, 1, 3, -1, 0}, kNoTies}});
}

// Beyond int32, converting first gives any number; FLT_MAX / FLT_MIN is infinite.
TEST(quantize_to_grid, ClampsToTheGrid) {
  gives(quantizing, "q",
        {{"BothEnds", {{127, -128, 0}, {1, 0, -128, 127}}, {127, -128, 0}},
         {"Unsigned", {{-5, 122.5f, 0}, {0.5f, 10, 0, 255}}, {0, 255, 10}},
         {"OneBeyond",
          {{-2, 2.5f, 0}, {0.5f, 3, 0, 7}},
          {0, 7, 3},
          "what lies beyond [qmin, qmax] becomes its nearer end"},
         {"FarBeyond", {{1000, -1000, 250, 0}, {1, 5, -8, 7}}, {7, -8, 7, 5}},
         {"OddRange", {{-100, 100, 0}, {1, -2, -3, 12}}, {-3, 12, -2}},
         {"BeyondInt32",
          {{3e9f, -3e9f, 4294967296.0f, 0}, {1, 5, 0, 255}},
          {255, 0, 255, 5},
          "it is clamped before it is made an integer: 3e9 fits no int32"},
         {"BeyondFloat",
          {{FLT_MAX, -FLT_MAX, 0}, {FLT_MIN, 5, 0, 255}},
          {255, 0, 5},
          "it is clamped before it is made an integer: x / scale fits no integer here"},
         {"WidestGrid", {{-1e6f, -98000, 0}, kWidest}, {-32768, -32465, 65535}, kManySteps}});
}

TEST(quantize_to_grid, NanAndInfinity) {
  gives(quantizing, "q",
        {{"NaN",
          {{NAN, -NAN, 0.5f}, {0.5f, 3, 0, 7}},
          {3, 3, 4},
          "a NaN becomes zero_point, the code of real 0"},
         {"Inf",
          {{INFINITY, -INFINITY, 0.5f}, {0.5f, 3, 0, 7}},
          {7, 0, 4},
          "an infinity is clamped like any large number"}});
}

/// scale * (q - zero_point): the exact product, since a code and a scale fit a double together.
Reals by_definition(const Dequantizing::Arguments& in) {
  Reals real;
  for (const std::int32_t code : in.a) {
    real.push_back(static_cast<float>(static_cast<double>(in.b.scale) * (code - in.b.zero_point)));
  }
  return real;
}

TEST(quantize_to_grid, EveryValueWithinHalfAStep) {
  quantizing.on_each(
      every_length<Quantizing>(kUsualGrids, seed, 1.0f), [](Expect& expect, const auto& in) {
        const auto& [x, grid] = in;
        const Codes q = quantizing(in);
        expect.equal("q, clamped", clamped(q, grid.qmin, grid.qmax), q);
        expect.near("scale * (q - zero_point)", by_definition({q, grid}), x, half_a_step(grid));
      });
}

TEST(quantize_to_grid, RefusesWhatIsNoGrid) {
  auto refused = without_a_grid<Quantizing>(Reals{1, 2});
  for (const Reals& x : {Reals{1, 2}, Reals{}}) {
    refused.push_back({"N-SIZE", {x, kFourBits}, /*too_many=*/1});
  }
  quantizing.refuses({{"Fine", {{1, 2}, kFourBits}, {1, 2}}, {"Empty", {{}, kFourBits}, {}}},
                     refused);
}

// --- dequantize_from_grid -----------------------------------------------------------------------

const Dequantizing dequantizing{
    {"q", "scale", "zero_point", "qmin", "qmax"},
    {"x_hat"},
    {},
    {.tolerance = one_ulp(), .sizes = as_many<Dequantizing::Arguments>}};

TEST(dequantize_from_grid, MultipliesByTheScale) {
  gives(dequantizing, "x_hat",
        {{"Quarter",
          {{1, -2, 127, -128, 0}, {0.25f, 0, -128, 127}},
          {0.25f, -0.5f, 31.75f, -32, 0},
          "x_hat = scale * (q - zero_point)"},
         {"Four", {{1, -2, 7, 0}, {4, 0, -8, 7}}, {4, -8, 28, 0}}});
}

TEST(dequantize_from_grid, SubtractsTheZeroPoint) {
  gives(dequantizing, "x_hat",
        {{"OfTheDrawing",
          {{4, 7, 3}, {0.5f, 3, 0, 7}},
          {0.5f, 2, 0},
          "the code zero_point is real 0"},
         {"Negative", {{-4, 7, -5}, {2, -5, -8, 7}}, {2, 24, 0}}});
}

// A code below the zero point, and a difference that no int8 or int16 holds.
TEST(dequantize_from_grid, DoesNotWrapAround) {
  gives(dequantizing, "x_hat",
        {{"BelowZeroPoint",
          {{0, 127, 128}, {0.5f, 128, 0, 255}},
          {-64, -0.5f, 0},
          "q - zero_point is below 0 here"},
         {"AllAbove",
          {{255, 128, 0}, {1, 0, 0, 255}},
          {255, 128, 0},
          "q - zero_point is up to 255 here, more than an int8 holds"},
         {"SixteenBits",
          {{32767, 0, -32768}, {1, -32768, -32768, 32767}},
          {65535, 32768, 0},
          "q - zero_point is up to 65535 here, more than an int16 holds"},
         {"WidestGrid", {{-32768, -32001, 65535}, kWidest}, {-98303, -97536, 0}, kManySteps}});
}

// Subtracting scale * zero_point from scale * q loses the digits of every value near real 0.
TEST(dequantize_from_grid, EveryCodeOfTheGrid) {
  std::vector<Dequantizing::Input> inputs;
  for (const auto& [name, grid] : kUsualGrids) {
    Codes q(static_cast<std::size_t>(grid.qmax - grid.qmin) + 1);
    std::iota(q.begin(), q.end(), grid.qmin);
    inputs.push_back({name, {q, grid}});
  }
  dequantizing.agrees_with(by_definition, inputs);
}

TEST(dequantize_from_grid, RefusesWhatIsNotOnTheGrid) {
  auto refused = without_a_grid<Dequantizing>(Codes{0, 0});
  for (const std::int32_t code : {8, -9, 1 << 30}) refused.push_back({"", {{0, code}, kFourBits}});
  refused.push_back({"N-SIZE", {{-8, 7}, kFourBits}, /*too_many=*/1});
  dequantizing.refuses({{"Fine", {{-8, 7}, kFourBits}, {-8, 7}}}, refused);
}

// --- fake_quantize ------------------------------------------------------------------------------

void suspect_points(Expect& expect, const Snapping::Arguments& in, const Reals& right) {
  const auto& [x, g] = in;
  const float scale = g.scale;
  const auto zero_point = static_cast<float>(g.zero_point);
  const auto one_short = static_cast<float>(g.qmin + 1 - g.zero_point);
  const auto last = static_cast<float>(g.qmax - g.zero_point);
  // What becomes of these values if every step is changed.
  const auto suspect = [&](std::string_view code, const Reals& from, const auto& change,
                           std::string_view words = "") {
    Reals changed;
    for (const float value : from) changed.push_back(change(value / scale));
    expect.suspect(code, "x_hat", changed, words);
  };
  suspect("N-SCALE", right, [](float steps) { return steps; });
  suspect("N-ZP-SIGN", right, [=](float steps) { return scale * (steps + zero_point); });
  suspect("N-TRUNC", x, [=](float steps) {
    return scale * std::clamp(std::trunc(steps), one_short - 1.0f, last);
  });
  suspect("N-RANGE", right, [=](float steps) { return scale * std::max(steps, one_short); });
  suspect(
      "N-CLAMP", x,
      [=, g = g](float steps) {
        return scale * std::clamp(std::nearbyint(steps), float(g.qmin), float(g.qmax));
      },
      "as if steps were clamped to [qmin, qmax], which are the ends of codes");
  suspect(
      "N-ZP-SIGN", x,
      [=, g = g](float steps) {
        return scale * std::clamp(std::nearbyint(steps), g.qmin + zero_point, g.qmax + zero_point);
      },
      "as if steps ended at qmin + zero_point and qmax + zero_point: zero_point is taken off");
  suspect(
      "N-CANCEL", x,
      [=](float steps) {
        const float low = scale * zero_point;
        return scale * (std::clamp(std::nearbyint(steps), one_short - 1.0f, last) + zero_point) -
               low;
      },
      "as if scale * zero_point were taken from scale * q: the difference comes first");
  for (const Reals& steps : other_divisions(x, scale)) {
    expect.suspect("N-FORMULA", "x_hat", each_of(steps, [=](float step) {
                     return scale * std::clamp(step, one_short - 1.0f, last);
                   }));
  }
}

const Snapping snapping{{"x", "scale", "zero_point", "qmin", "qmax"}, {"x_hat"}, suspect_points};

TEST(fake_quantize, SnapsToTheGrid) {
  gives(snapping, "x_hat",
        {{"OfTheDrawing", {{-0.875f, 0.625f, 1.375f, 0}, {0.5f, 3, 0, 7}}, {-1, 0.5f, 1.5f, 0}},
         {"Coarse", {{-7, 5, 1, 0}, {4, 0, -8, 7}}, {-8, 4, 0, 0}}});
}

TEST(fake_quantize, TiesGoToEven) {
  gives(snapping, "x_hat",
        {{"AboveZero", {{0.5f, 1.5f, 2.5f, 0}, {1, 0, -8, 7}}, {0, 2, 2, 0}},
         {"OddZeroPoint", {{0.25f, 0.75f, -0.25f}, {0.5f, 7, 0, 15}}, {0, 1, 0}},
         {"OneDivision",
          {kTiesInFloat32, kElevenTenths},
          {2 * 1.1f, 8 * 1.1f, 8 * 1.1f, 24 * 1.1f, 2 * 1.1f}},
         {"BesideTies", {kBesideTies, kFourBits}, {1, 1, 3, -1, 0}, kNoTies}});
}

TEST(fake_quantize, ClampsToTheGrid) {
  gives(snapping, "x_hat",
        {{"BothEnds", {{127, -128, 0}, {1, 0, -128, 127}}, {127, -128, 0}},
         {"Beyond", {{200, -200, 0}, {1, 0, -128, 127}}, {127, -128, 0}},
         {"Shifted", {{100, -100, 2.25f, 0}, {0.5f, 3, 0, 7}}, {2, -1.5f, 2, 0}},
         {"BeyondInt32", {{3e9f, -3e9f, 0}, {1, 5, 0, 255}}, {250, -5, 0}},
         {"WidestGrid", {{-1e6f, -98000, 0}, kWidest}, {-98303, -98000, 0}, kManySteps}});
}

TEST(fake_quantize, NanAndInfinity) {
  gives(snapping, "x_hat",
        {{"NaN", {{NAN, -NAN, 0.5f}, {0.5f, 3, 0, 7}}, {0, 0, 0.5f}},
         {"Inf", {{INFINITY, -INFINITY, 0.5f}, {0.5f, 3, 0, 7}}, {2, -1.5f, 0.5f}}});
}

TEST(fake_quantize, EveryValueWithinHalfAStep) {
  snapping.on_each(
      every_length<Snapping>(kUsualGrids, seed, 1.0f), [](Expect& expect, const auto& in) {
        const auto& [x, grid] = in;
        const Reals got = snapping(in);
        expect.near("x_hat", got, x, half_a_step(grid));
        // Near is not enough: x itself is near. There are few points on a grid.
        expect.equal("x_hat of x_hat", snapping({got, grid}), got);
        const auto points = static_cast<std::size_t>(grid.qmax - grid.qmin) + 1;
        expect.that(distinct(got) <= points, "more values than the grid has points", "N-FORMULA");
      });
}

TEST(fake_quantize, RefusesWhatIsNoGrid) {
  snapping.refuses({{"Fine", {{1.25f, 2}, kFourBits}, {1, 2}}, {"Empty", {{}, kFourBits}, {}}},
                   without_a_grid<Snapping>(Reals{1.25f, 2}));
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

// Numbers of the range and around it; and, on both sides of every tie, the nearest floats: who
// rounds twice, to tenths and then to integers, makes a tie of those.
TEST(saturate_to_int8, EqualsTheReference) {
  Reals numbers = uniform_tensor(300, hidden_seed(1), -150, 150);
  for (const int code : code_tensor<int>(50, hidden_seed(2), -128, 126)) {
    const float tie = static_cast<float>(code) + 0.5f;
    for (const float end : {tie, 200.0f, -200.0f}) numbers.push_back(std::nextafter(tie, end));
  }
  std::vector<Saturating::Input> inputs;
  for (const float x : numbers) inputs.push_back({show_value(x), {x}});
  saturating.agrees_with(saturating.reference, inputs);
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

// A tenth of the data lies outside the grid; a saturated input would hide every rounding.
template <class E>
std::vector<typename E::Input> unseen() {
  const auto inputs = every_length<E>(unseen_grids(), hidden_seed, 1.1f);
  for (const auto& [name, in] : inputs) {
    if (in.a.size() < 1000) continue;
    const Codes q = quantizing.reference(in);
    const double railed = saturated_share(q, in.b.qmin, in.b.qmax);
    Expect::healthy(0.01 < railed && railed < 0.4, "share of codes at the ends");
    Expect::healthy(distinct(q) >= 9, "few distinct codes");
  }
  return inputs;
}

TEST(quantize_to_grid, EqualsTheReference) {
  quantizing.agrees_with(quantizing.reference, unseen<Quantizing>(),
                         [](Expect& expect, const auto& in, const Codes& got, const Codes& want) {
                           same_codes(expect, "q", got, want, in.a, in.b.scale);
                         });
}

TEST(dequantize_from_grid, EqualsTheReference) {
  std::vector<Dequantizing::Input> inputs;
  for (const auto& [name, in] : unseen<Quantizing>()) {
    inputs.push_back({name, {quantizing.reference(in), in.b}});
  }
  dequantizing.agrees_with(dequantizing.reference, inputs);
}

TEST(fake_quantize, EqualsBothSteps) {
  snapping.agrees_with(
      [](const auto& in) {
        return dequantizing.reference({quantizing.reference(in), in.b});
      },
      unseen<Snapping>(),
      [](Expect& expect, const auto& in, const Reals& got, const Reals& want) {
        const Tolerance step{in.b.scale * 1.25, 0.0, "one step, next to a tie"};
        expect.every("x_hat", got, want, [&](std::size_t i) {
          return is_near(got[i], want[i], one_ulp()) ||
                 (is_near(got[i], want[i], step) && is_near_tie(in.a[i], in.b.scale));
        });
      });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
