// Lab 19: the checks.
#include "cuda_quantize.hpp"

#include <cmath>
#include <limits>
#include <string_view>

#include "checks/marks/19_cuda_quantize.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"
#include "nibble/half.hpp"

namespace nibble::judge {
namespace {

using Halves = std::vector<std::uint16_t>;

// --- What a binary16 stands for, and what is right -----------------------------------------------

float real(float x) { return x; }

/// A NaN keeps its sign: what somebody makes of it may depend on that.
float real(std::uint16_t bits) {
  return std::copysign(float_from_half(bits), bits >> 15 == 0 ? 1.0f : -1.0f);
}

/// The bits of a number that is a binary16.
std::uint16_t half_bits(float x) {
  const std::uint16_t bits = half_from_float(x);
  if (!std::isnan(x) && real(bits) != x) throw KitError(std::to_string(x) + " is no binary16");
  return bits;
}

template <class>
struct InputOf;
template <class X>
struct InputOf<void (*)(std::span<const X>, std::span<std::int8_t>, float)> {
  using Element = X;
};
/// What F quantizes: float, or the bits of a binary16.
template <auto F>
using Element = typename InputOf<decltype(F)>::Element;
template <auto F>
inline constexpr bool kTakesHalves = std::is_same_v<Element<F>, std::uint16_t>;

/// Numbers as F takes them.
template <auto F>
std::vector<Element<F>> input(const Reals& x) {
  if constexpr (kTakesHalves<F>) {
    return each_of(x, half_bits);
  } else {
    return x;
  }
}

std::int8_t clamped(float rounded, float low = -128.0f) {
  return static_cast<std::int8_t>(std::isnan(rounded) ? 0.0f
                                                      : std::fmin(127.0f, std::fmax(low, rounded)));
}

template <class X, class Rule>
Codes codes_by(const std::vector<X>& x, const Rule& rule) {
  return each_of(x, [&](X value) { return static_cast<std::int8_t>(rule(real(value))); });
}

template <class X>
Codes by_definition(const std::vector<X>& x, float scale) {
  return codes_by(x, [&](float value) { return clamped(std::nearbyint(value / scale)); });
}

/// What other rules than the contract's would answer.
template <class X>
void suspect_rules(const std::vector<X>& x, float scale, Expect& expect) {
  const auto rule = [&](const char* code, std::string_view words, const auto& answer) {
    expect.suspect(code, "q", codes_by(x, answer), words);
  };
  const auto nan_is = [&](const auto& answer) {
    rule("N-NAN", "a NaN becomes 0", [&](float value) {
      return std::isnan(value) ? answer(value) : int{clamped(std::nearbyint(value / scale))};
    });
  };
  rule("N-FORMULA", "x / scale is one division of floats, and not of doubles",
       [&](float v) { return clamped(static_cast<float>(std::nearbyint(double{v} / scale))); });
  each_wrong_rounding([&](const char* code, const auto& round) {
    rule(code, "", [&](float v) { return clamped(round(v / scale)); });
  });
  nan_is([](float) { return -128; });
  nan_is([](float) { return 127; });
  nan_is([](float v) { return std::signbit(v) ? -128 : 127; });
  rule("N-RANGE", "codes end at -127, and should end at -128",
       [&](float v) { return clamped(std::nearbyint(v / scale), -127.0f); });
  rule("N-SCALE", "x is multiplied by its scale, and should be divided",
       [&](float v) { return clamped(std::nearbyint(v * scale)); });
  rule("N-FORMULA", "x * (1 / scale) is rounded twice: divide",
       [&](float v) { return clamped(std::nearbyint(v * (1.0f / scale))); });
  rule("N-CLAMP", "the code is not clamped, and wraps around", [&](float v) {
    const float rounded = std::nearbyint(v / scale);
    return std::fabs(rounded) < 1e9f ? static_cast<int>(rounded) : 0;  // wraps around in int8
  });
}

/// Right codes that were joined wrongly: in each other's places, or under the sign of a neighbour.
void suspect_joints(const Codes& want, Expect& expect) {
  for (const std::size_t vector : {4, 8}) {
    const std::size_t whole = want.size() / vector * vector;
    for (std::size_t flip = 1; flip < vector; ++flip) {
      Codes moved = want;
      for (std::size_t i = 0; i < whole; ++i) moved[i] = want[i ^ flip];
      expect.suspect("N-LAYOUT", "q", moved, "the right codes are in the wrong places of a word");
    }
    Codes spilled = want;
    for (std::size_t i = 0; i < whole; ++i) {
      for (std::size_t below = i / 4 * 4; below < i; ++below) {
        if (want[below] < 0) spilled[i] = -1;
      }
    }
    expect.suspect("N-SIGN", "q", spilled, "the sign of a code reaches the codes above it");
  }
}

// --- Quantization: checks that three kernels share -----------------------------------------------

template <class X>
struct QuantizeCase {
  std::string name;
  std::vector<X> x;
  float scale;
};

template <class X>
std::string show_size(const QuantizeCase<X>& c) {
  return "n = " + std::to_string(c.x.size());
}

template <class X>
std::string show(const QuantizeCase<X>& c) {
  const Reals values = each_of(c.x, [](X x) { return real(x); });
  return show_size(c) + ", scale = " + show_value(c.scale) + ", x = " + show_values(values, 21);
}

/// Either half of x, and x without its last element.
template <class X>
std::vector<QuantizeCase<X>> smaller(const QuantizeCase<X>& c) {
  std::vector<QuantizeCase<X>> all;
  const auto part = [&](std::size_t begin, std::size_t end) {
    if (begin == end) return;
    const std::vector<X> x(c.x.begin() + std::ptrdiff_t(begin), c.x.begin() + std::ptrdiff_t(end));
    all.push_back({"n=" + std::to_string(x.size()), x, c.scale});
  };
  const std::size_t n = c.x.size();
  if (n < 2) return all;
  part(0, n / 2);
  part(n / 2, n);
  part(0, n - 1);
  return all;
}

template <auto F>
using Cases = std::vector<QuantizeCase<Element<F>>>;

/// Roughly normal numbers, or halves from 2^-4 to 256 with either sign.
template <auto F>
std::vector<Element<F>> random_input(std::size_t n, std::uint64_t from) {
  if constexpr (kTakesHalves<F>) {
    return each_of(code_tensor<int>(n, from, 2 * 0x2c00, 2 * 0x5c00 - 1),
                   [](int draw) { return static_cast<std::uint16_t>(draw / 2 | draw % 2 << 15); });
  } else {
    return normal_tensor(n, from, 8.0f);
  }
}

template <auto F>
const auto quantizing = kernel_exercise<F>(
    [](const QuantizeCase<Element<F>>& c) { return std::tuple(c.x, out(c.x.size()), c.scale); },
    [](const QuantizeCase<Element<F>>& c) { return by_definition(c.x, c.scale); },
    [](Expect& expect, const QuantizeCase<Element<F>>& c, const Codes& got, const Codes& right) {
      if (got == right) return;
      expect_written<F>(expect, "q", got, right, std::tuple(c.x, out(c.x.size()), c.scale));
      suspect_rules(c.x, c.scale, expect);
      suspect_joints(right, expect);
      expect.equal("q", got, right);
    });

struct HandCase {
  std::string name;
  Reals x;
  float scale;
  Codes want;
};

/// Every list as it stands, shorter than most vectors; then behind zeros, so that each number takes
/// other places in its vector.
std::vector<HandCase> spread(const std::vector<HandCase>& cases) {
  std::vector<HandCase> all;
  for (const std::size_t zeros : {0, 3, 13}) {
    for (HandCase c : cases) {
      if (zeros > 0) c.name += "Behind" + std::to_string(zeros);
      c.x.insert(c.x.begin(), zeros, 0.0f);
      c.want.insert(c.want.begin(), zeros, 0);
      all.push_back(c);
    }
  }
  return all;
}

template <auto F>
void gives_by_hand(const std::vector<HandCase>& cases) {
  std::vector<typename decltype(quantizing<F>)::Row> rows;
  for (const HandCase& c : spread(cases)) {
    rows.push_back({{c.name, input<F>(c.x), c.scale}, c.want});
  }
  quantizing<F>.gives(rows);
}

// clang-format off
const std::vector<HandCase> kFormula = {
    {"One", {3.0f}, 1.0f, {3}},
    {"Ties", {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 126.5f, -127.5f}, 1.0f, {0, 2, 2, 0, -2, -2, 126, -128}},
    {"BesideTies", {1.75f, -1.75f, 2.25f, -2.25f}, 1.0f, {2, -2, 2, -2}},
    {"AQuarter", {1.0f, -2.0f, 0.125f, 0.375f, -31.75f, -32.0f}, 0.25f, {4, -8, 0, 2, -127, -128}},
    {"Four", {6.0f, 10.0f, -6.0f, 508.0f}, 4.0f, {2, 2, -2, 127}},
};
const std::vector<HandCase> kSaturates = {
    {"LastCodes", {127.0f, -128.0f, 127.5f, -128.5f}, 1.0f, {127, -128, 127, -128}},
    {"OneMore", {128.0f, -129.0f, 255.0f, -256.0f, 300.0f, -300.0f}, 1.0f, {127, -128, 127, -128, 127, -128}},
    // int32 does not hold the quotient, then float32 does not.
    {"PastInt32", {4e9f, -4e9f, 3e38f, -3e38f}, 1.0f, {127, -128, 127, -128}},
    {"PastFloat32", {3e38f, -3e38f}, 0.0625f, {127, -128}},
    {"Infinity", {kInfinity, -kInfinity, 1.0f, kInfinity, -kInfinity}, 1.0f, {127, -128, 1, 127, -128}},
};
const std::vector<HandCase> kNans = {
    {"Nan", {kNan, 5.0f, kNan, -5.0f}, 1.0f, {0, 5, 0, -5}},
    {"MinusNan", {-kNan, 7.0f}, 1.0f, {0, 7}},
};
// clang-format on

/// What lies half-way between two codes, for a scale whose reciprocal is rounded.
Reals half_way(float scale) {
  Reals x;
  for (int code = -130; code < 130; ++code) x.push_back((float(code) + 0.5f) * scale);
  return x;
}

/// The same, and the floats on both sides.
Reals around_half_way(float scale) {
  Reals x;
  for (const float tie : half_way(scale)) {
    x.insert(x.end(), {tie, std::nextafter(tie, -kInfinity), std::nextafter(tie, kInfinity)});
  }
  return x;
}

// 7/16: every half-way value is a float (and a half), so every quotient is a tie, and not every
// product with 1 / (7/16) is. 0.1: some quotients are ties only once they are rounded to float32.
// 0.3 is no half. With the last scale, what a rounded quotient leaves of x is too small for
// a float.
template <auto F>
void check_division() {
  Cases<F> cases = {{"SevenSixteenths", input<F>(half_way(0.4375f)), 0.4375f}};
  if constexpr (kTakesHalves<F>) {
    cases.push_back({"ThreeTenths", random_input<F>(3000, seed(1)), 0.3f});
  } else {
    cases.push_back({"ATenth", around_half_way(0.1f), 0.1f});
    cases.push_back({"ThreeTenths", around_half_way(0.3f), 0.3f});
    cases.push_back({"Tiny", around_half_way(1.5e-38f), 1.5e-38f});
  }
  quantizing<F>.is_right(cases);
}

constexpr float kScale = 0.1f;

template <auto F>
Cases<F> random_cases(const std::vector<std::size_t>& lengths,
                      std::uint64_t (*seeds)(std::uint64_t)) {
  Cases<F> cases;
  for (const std::size_t n : lengths) {
    cases.push_back({std::to_string(n), random_input<F>(n, seeds(n)), kScale});
  }
  return cases;
}

// Nothing; every rest of a vector; one less than, as many as, one more than a warp, a block, a tile
// of 1024 or of 2048; primes.
const std::vector<std::size_t> kLengths = {0,   1,   2,   3,    4,    5,    6,    7,    8,
                                           9,   15,  31,  32,   33,   127,  128,  129,  255,
                                           256, 257, 997, 1023, 1024, 1025, 2047, 2049, 5003};
// Watching is slow: a few of them, and each rest of four and of eight.
const std::vector<std::size_t> kWatchedLengths = {1, 30, 33, 255, 260, 1025, 2051};

template <auto F>
void check_lengths() {
  const Cases<F> cases = random_cases<F>(kLengths, seed);
  const Codes longest = by_definition(cases.back().x, kScale);
  Expect::healthy(distinct(longest) > 20, "few different codes");
  quantizing<F>.is_right(cases);
}

template <auto F>
void check_clean() {
  quantizing<F>.is_right(random_cases<F>(kWatchedLengths, seed));
  quantizing<F>.runs_clean(random_cases<F>(kWatchedLengths, seed));
}

// A block that finds nothing to do has to be started all the same.
const Measure kThreads{"threads launched", "N-LAUNCH", nullptr,
                       [](const simt::SessionTotals& t) { return t.threads; }};

/// As much of it as the published solution has, times a factor.
struct Limit {
  const Measure& measure;
  double factor;
};

// Values too: who writes nothing moves nothing.
template <class Exercise, class Case>
void check_counts(const Exercise& exercise, const std::vector<Case>& cases,
                  const std::vector<Limit>& limits) {
  exercise.each_counted(cases, [&](Expect& expect, const Case& c, const Counted& both) {
    exercise.look(expect, c, exercise(c));
    for (const auto& [measure, factor] : limits) at_most(expect, measure, factor, both);
  });
}

// Whole tiles of every kind; and a prime, long enough for its last tile to weigh little.
template <auto F>
void check_counts(const std::vector<Limit>& limits) {
  check_counts(quantizing<F>, random_cases<F>({8192, 10007}, counted_seed), limits);
}

// --- quantize ------------------------------------------------------------------------------------

TEST(quantize, FollowsTheFormula) { gives_by_hand<&quantize>(kFormula); }
TEST(quantize, Saturates) { gives_by_hand<&quantize>(kSaturates); }
TEST(quantize, NanIsZero) { gives_by_hand<&quantize>(kNans); }
TEST(quantize, DividesExactly) { check_division<&quantize>(); }
TEST(quantize, EveryLength) { check_lengths<&quantize>(); }
TEST(quantize, RunsClean) { check_clean<&quantize>(); }
TEST(quantize, MovesAtMostTwice) { check_counts<&quantize>({{kGlobalBytes, 2.0}}); }
TEST(quantize, MovesNoMore) {
  check_counts<&quantize>({{kGlobalBytes, 1.1}, {kGlobalRequests, 1.1}, {kThreads, 2.0}});
}

// --- quantize_vectorized -------------------------------------------------------------------------

TEST(quantize_vectorized, FollowsTheFormula) { gives_by_hand<&quantize_vectorized>(kFormula); }
TEST(quantize_vectorized, Saturates) { gives_by_hand<&quantize_vectorized>(kSaturates); }
TEST(quantize_vectorized, NanIsZero) { gives_by_hand<&quantize_vectorized>(kNans); }
TEST(quantize_vectorized, DividesExactly) { check_division<&quantize_vectorized>(); }
TEST(quantize_vectorized, EveryLength) { check_lengths<&quantize_vectorized>(); }
TEST(quantize_vectorized, RunsClean) { check_clean<&quantize_vectorized>(); }
TEST(quantize_vectorized, AtMostTwiceTheRequests) {
  check_counts<&quantize_vectorized>({{kGlobalRequests, 2.0}});
}
TEST(quantize_vectorized, AQuarterOfTheRequests) {
  check_counts<&quantize_vectorized>({{kGlobalRequests, 1.1}, {kThreads, 2.0}});
}
TEST(quantize_vectorized, MovesNoMore) {
  check_counts<&quantize_vectorized>({{kGlobalBytes, 1.1}});
}

// --- quantize_half -------------------------------------------------------------------------------

/// Every number that 16 bits can say, NaNs and subnormals included.
Halves every_half() {
  Halves bits(65536);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint16_t>(i);
  return bits;
}

TEST(quantize_half, FollowsTheFormula) { gives_by_hand<&quantize_half>(kFormula); }
TEST(quantize_half, DividesInFloat32) { check_division<&quantize_half>(); }

// The first scale spreads the codes over the normal numbers; with the second, the subnormal ones
// are the codes; the third is less than any half, the fourth more.
TEST(quantize_half, EveryHalf) {
  Cases<&quantize_half> cases;
  for (const float scale : {0.3f, 0x1p-24f, 1e-9f, 1e5f}) {
    cases.push_back({"scale=" + show_value(scale), every_half(), scale});
  }
  quantizing<&quantize_half>.is_right(cases);
}

TEST(quantize_half, EveryLength) { check_lengths<&quantize_half>(); }
TEST(quantize_half, RunsClean) { check_clean<&quantize_half>(); }
TEST(quantize_half, AtMostTwiceTheRequests) {
  check_counts<&quantize_half>({{kGlobalRequests, 2.0}});
}
TEST(quantize_half, NoMoreRequests) {
  check_counts<&quantize_half>({{kGlobalRequests, 1.1}, {kThreads, 2.0}});
}
TEST(quantize_half, MovesNoMore) { check_counts<&quantize_half>({{kGlobalBytes, 1.1}}); }

// --- dequantize ----------------------------------------------------------------------------------

struct DequantizeCase {
  std::string name;
  std::size_t rows, cols;
  Codes q;
  Reals scales;
};

std::string show_size(const DequantizeCase& c) { return "rows x cols = " + c.name; }

std::string show(const DequantizeCase& c) {
  return show_size(c) + ", scales = " + show_values(c.scales) + ", q = " + show_values(c.q, 12);
}

DequantizeCase random_codes(std::size_t rows, std::size_t cols, std::uint64_t from) {
  return {std::to_string(rows) + "x" + std::to_string(cols), rows, cols,
          code_tensor<std::int8_t>(rows * cols, from, -128, 127),
          uniform_tensor(rows, from + 1, 0.001f, 0.1f)};
}

/// Fewer rows, or fewer columns: the upper left corner.
std::vector<DequantizeCase> smaller(const DequantizeCase& c) {
  std::vector<DequantizeCase> all;
  for (const auto& [m, n, k] : smaller_shapes({int(c.rows), int(c.cols), 1})) {
    all.push_back({std::to_string(m) + "x" + std::to_string(n), std::size_t(m), std::size_t(n),
                   corner(c.q, std::ptrdiff_t(c.cols), m, n),
                   Reals(c.scales.begin(), c.scales.begin() + m)});
  }
  return all;
}

/// x_hat[i,j] = term(i, j), row after row.
template <class Term>
Reals each_element(const DequantizeCase& c, const Term& term) {
  Reals x_hat;
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t j = 0; j < c.cols; ++j) x_hat.push_back(term(i, j));
  }
  return x_hat;
}

Reals by_definition(const DequantizeCase& c) {
  return each_element(c, [&](auto i, auto j) { return c.scales[i] * float(c.q[i * c.cols + j]); });
}

void suspect_elements(const DequantizeCase& c, Expect& expect) {
  const auto as = [&](const char* code, std::string_view words, const auto& term) {
    expect.suspect(code, "x_hat", each_element(c, term), words);
  };
  const auto code = [&](auto i, auto j) { return float(c.q[i * c.cols + j]); };
  as("N-AXIS", "the scale is that of the column, and belongs to the row",
     [&](auto i, auto j) { return c.scales[j % c.rows] * code(i, j); });
  as("N-AXIS", "all rows have the scale of row 0",
     [&](auto i, auto j) { return c.scales[0] * code(i, j); });
  as("N-SCALE", "a code is divided by its scale",
     [&](auto i, auto j) { return code(i, j) / c.scales[i]; });
  as("N-SCALE", "the scale was rounded to a half first, and stays a float",
     [&](auto i, auto j) { return float_from_half(half_from_float(c.scales[i])) * code(i, j); });
  as("N-SIGN", "codes below 0 are read as 256 more", [&](auto i, auto j) {
    return c.scales[i] * float(static_cast<std::uint8_t>(c.q[i * c.cols + j]));
  });
  as("N-LAYOUT", "q is read by columns, and lies by rows",
     [&](auto i, auto j) { return c.scales[i] * float(c.q[j * c.rows + i]); });
  if (c.rows > c.cols) return;  // no such rows
  as("N-LAYOUT",
     "rows of q are cols codes long, and are read as if they had as many as there are rows",
     [&](auto i, auto j) { return c.scales[i] * float(c.q[i * c.rows + j]); });
}

auto arguments(const DequantizeCase& c) {
  return std::tuple(c.q, c.scales, out(c.q.size()), std::int64_t(c.cols));
}

const auto dequantizing = kernel_exercise<&dequantize>(
    arguments, [](const DequantizeCase& c) { return by_definition(c); },
    [](Expect& expect, const DequantizeCase& c, const Reals& got, const Reals& right) {
      if (got == right) return;
      expect_written<&dequantize>(expect, "x_hat", got, right, arguments(c));
      suspect_elements(c, expect);
      expect.equal("x_hat", got, right, {c.rows, c.cols});
    });

TEST(dequantize, FollowsTheFormula) {
  dequantizing.is_right({{"1x1", 1, 1, {-128}, {0.5f}},
                         {"2x3", 2, 3, {1, -2, 127, 1, -2, -128}, {0.5f, 4.0f}},
                         {"3x2", 3, 2, {1, -1, 2, -2, 3, -3}, {1.0f, 10.0f, 100.0f}},
                         {"2x4", 2, 4, {1, 2, 3, 4, -1, -2, -3, -4}, {0.1f, 3e38f}}});
}

struct Size {
  std::size_t rows, cols;
};

std::vector<DequantizeCase> shaped(const std::vector<Size>& sizes,
                                   std::uint64_t (*seeds)(std::uint64_t)) {
  std::vector<DequantizeCase> cases;
  for (const auto& [rows, cols] : sizes) {
    cases.push_back(random_codes(rows, cols, seeds(rows * 10'000 + cols)));
  }
  return cases;
}

// Nothing; a row, a column; every rest of four; one less than, as many as, one more than 128, and
// the next that four divides; more rows than a block takes; long, tall.
TEST(dequantize, EveryShape) {
  dequantizing.is_right(
      shaped({{0, 4},   {4, 0},   {1, 7},   {7, 1},    {2, 4},    {3, 5},    {5, 6},
              {6, 7},   {9, 8},   {3, 127}, {3, 128},  {3, 129},  {3, 132},  {8, 31},
              {33, 36}, {65, 66}, {2, 999}, {2, 4100}, {5000, 1}, {1000, 12}},
             seed));
}

TEST(dequantize, RunsClean) {
  dequantizing.runs_clean(shaped({{1, 3}, {3, 5}, {5, 12}, {9, 129}, {33, 132}}, seed));
}

std::uint64_t scale_requests(const simt::Traffic& t) {
  return std::string_view(t.subject) == "scales" ? t.requests : 0;
}
std::uint64_t element_requests(const simt::Traffic& t) {
  return t.space == simt::Space::kGlobal ? t.requests - scale_requests(t) : 0;
}
const Measure kScaleRequests{"requests to scales", "N-REQUESTS", scale_requests, nullptr};
const Measure kElementRequests{"requests to q and x_hat", "N-REQUESTS", element_requests, nullptr};

// Whole tiles; a row that ends in the middle of a tile; rows that start anywhere, of 2 and of 1
// more than whole vectors.
const std::vector<Size> kAligned = {{16, 512}, {13, 396}};
const std::vector<Size> kAnyColumns = {{16, 512}, {13, 396}, {16, 258}, {13, 389}};

void check_shape_counts(const std::vector<Limit>& limits, const std::vector<Size>& sizes) {
  check_counts(dequantizing, shaped(sizes, counted_seed), limits);
}

TEST(dequantize, VectorsWhereTheyFit) {
  check_shape_counts({{kElementRequests, 1.1}, {kThreads, 2.0}}, kAligned);
}
TEST(dequantize, ScalesCostLittle) { check_shape_counts({{kScaleRequests, 1.1}}, kAnyColumns); }
TEST(dequantize, MovesNoMore) { check_shape_counts({{kGlobalBytes, 1.1}}, kAnyColumns); }

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The same definitions, on data and sizes that follow from the course's secret
// salt.

/// A scale between 2^-7 and 1, any float.
float hidden_scale(std::uint64_t salt) {
  return uniform_tensor(1, hidden_seed(salt), 0x1p-7f, 1.0f)[0];
}

template <auto F>
void equals_the_definition() {
  Cases<F> cases;
  for (const std::size_t n : {1, 6, 29, 515, 1031, 4094, 30011}) {
    const std::uint64_t salt = 2 * cases.size();
    cases.push_back(
        {std::to_string(n), random_input<F>(n, hidden_seed(salt)), hidden_scale(salt + 1)});
  }
  if constexpr (kTakesHalves<F>) {
    cases.push_back({"EveryHalf", every_half(), hidden_scale(100)});
  } else {
    cases.push_back({"Ties", around_half_way(hidden_scale(101)), hidden_scale(101)});
  }
  quantizing<F>.is_right(cases);
}

TEST(quantize, EqualsTheDefinition) { equals_the_definition<&quantize>(); }
TEST(quantize_vectorized, EqualsTheDefinition) { equals_the_definition<&quantize_vectorized>(); }
TEST(quantize_half, EqualsTheDefinition) { equals_the_definition<&quantize_half>(); }

TEST(dequantize, EqualsTheDefinition) {
  dequantizing.is_right(
      shaped({{1, 1}, {2, 5}, {11, 24}, {19, 131}, {10, 260}, {37, 517}, {129, 640}}, hidden_seed));
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
