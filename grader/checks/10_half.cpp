// Lab 10: the checks. The formulas of the contract are evaluated in double, where they are exact.
#include "half.hpp"

#include "checks/marks/10_half.hpp"
#include "judge/exercise.hpp"
#include "judge/format_ruler.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Codes = std::vector<std::uint16_t>;

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

// --- Both formats, by definition ----------------------------------------------------------------

struct Format {
  int fraction_bits, bias;

  int steps() const { return 1 << fraction_bits; }  ///< from a power of two to the next
  int infinity() const { return (2 * bias + 1) * steps(); }
};
constexpr Format kHalf{10, 15}, kBfloat16{7, 127};

/// What `code` stands for; of infinity's, what it would be as a number like the others.
double value_of(int code, const Format& f) {
  const int magnitude = code & 0x7FFF, exponent = magnitude / f.steps();
  const int steps = magnitude % f.steps() + (exponent == 0 ? 0 : f.steps());
  const double value = std::ldexp(steps, std::max(exponent, 1) - f.bias - f.fraction_bits);
  return code == magnitude ? value : -value;
}

std::uint16_t with_sign_of(float x, int magnitude) {
  return static_cast<std::uint16_t>(std::signbit(x) ? magnitude | 0x8000 : magnitude);
}

/// |x| in steps of the numbers around it, rounded to a whole number: codes count these steps.
std::uint16_t code_of(float x, const Format& f, double (*round)(double) = std::nearbyint) {
  if (std::isnan(x)) {
    const auto fraction = std::bit_cast<std::uint32_t>(x) >> (23 - f.fraction_bits);
    return with_sign_of(x, f.infinity() | f.steps() / 2 | int(fraction & (f.steps() - 1u)));
  }
  if (std::isinf(x)) return with_sign_of(x, f.infinity());
  const int exponent = std::max(std::ilogb(x), 1 - f.bias);
  const double steps = round(std::ldexp(std::fabs(double{x}), f.fraction_bits - exponent));
  const int code = (exponent + f.bias - 1) * f.steps() + static_cast<int>(steps);
  return with_sign_of(x, std::min(code, f.infinity()));
}

Codes codes_of(const Reals& x, const Format& f, double (*round)(double) = std::nearbyint) {
  Codes codes;
  for (const float value : x) codes.push_back(code_of(value, f, round));
  return codes;
}

double cut(double steps) { return std::trunc(steps); }
double half_up(double steps) { return std::round(steps); }
double half_down(double steps) { return std::ceil(steps - 0.5); }

/// Whether x is rounded up to a power of two: its fraction runs over.
bool carries(float x, const Format& f, std::uint16_t right) {
  const int code = right & 0x7FFF;
  return code % f.steps() == 0 && code < f.infinity() && std::fabs(x) < value_of(code, f);
}

using ToHalf = Exercise<&float_to_half>;
using ToBfloat16 = Exercise<&float_to_bfloat16>;

/// Whether x is a tie between two codes, or a float next to one.
bool beside_a_tie(float x, const Format& f) {
  const float below = std::nextafter(x, 0.0f), above = std::nextafter(x, 2 * x);
  return code_of(below, f, half_down) != code_of(above, f, half_up);
}

/// What one wrong code of x looks like; "": as nothing in particular.
const char* wrong_code(float x, const Format& f, std::uint16_t got, std::uint16_t right) {
  if (std::isnan(x)) return "N-NAN";
  const int sign = right & 0x8000, magnitude = right & 0x7FFF, off = (got ^ sign) - magnitude;
  if (std::abs(off) == 0x8000) return magnitude == 0 ? "N-SIGN0" : "";
  if ((got & 0x7FFF) >= f.infinity() || magnitude == f.infinity()) return "N-INF";
  if (off < 0 && got != sign && carries(x, f, right)) return "N-CARRY";
  if (std::abs(off) == 1 && beside_a_tie(x, f)) return "N-ROUND";
  return magnitude <= f.steps() && 2 * std::abs(off) >= magnitude ? "N-FLUSH" : "";
}

/// Codes that are wrong for one reason are told it. Some ties carry, and what loses a number may
/// lose a tie.
template <const Format& F>  // the arguments of both are a list of floats
void same_codes(Expect& expect, const ToHalf::Arguments& in, const Codes& got, const Codes& right) {
  if (const Codes wrong = codes_of(in.a, F, cut); wrong != right) {
    expect.suspect("N-TRUNC", "codes", wrong);
  }
  std::set<std::string> reasons;
  for (std::size_t i = 0; i < right.size() && got.size() == right.size(); ++i) {
    if (got[i] != right[i]) reasons.insert(wrong_code(in.a[i], F, got[i], right[i]));
  }
  if (reasons == std::set<std::string>{"N-CARRY", "N-ROUND"}) reasons.erase("N-CARRY");
  if (reasons.size() > 1) reasons.erase("N-ROUND");
  if (reasons.size() == 1) expect.suspect(*reasons.begin(), "codes", got);
  expect.equal("codes", got, right);
}

/// For each exponent there is: every tie between two neighbours, and the floats beside it.
template <class Input>
std::vector<Input> every_tie(const Format& f) {
  std::vector<Input> inputs;
  std::size_t ties = 0;
  for (int first = 0; first < f.infinity(); first += f.steps()) {
    Reals x;
    for (int code = first; code < first + f.steps(); ++code, ties += 2) {
      const auto tie = static_cast<float>((value_of(code, f) + value_of(code + 1, f)) / 2);
      for (const float value : {std::nextafter(tie, 0.0f), tie, std::nextafter(tie, kInfinity)}) {
        x.push_back(value);
        x.push_back(-value);
      }
    }
    inputs.push_back({"Exponent" + std::to_string(first / f.steps()), {x}});
  }
  Expect::healthy(ties == 2 * std::size_t(f.infinity()), "a tie is missing");
  return inputs;
}

// --- float_to_half ------------------------------------------------------------------------------

const ToHalf to_half{{"x"}, {"codes"}};

// Nothing here is a tie, carries, or is subnormal.
TEST(float_to_half, RoundsToNearest) {
  to_half.gives({{"One", {{1}}, {0x3C00}},
                 {"Whole", {{1, -1, 2, 3, -1024}}, {0x3C00, 0xBC00, 0x4000, 0x4200, 0xE400}},
                 {"Fractions", {{0.5f, -0.75f, 1.5f}}, {0x3800, 0xBA00, 0x3E00}},
                 {"Zeros", {{0, -0.0f}}, {0x0000, 0x8000}},
                 {"Down", {{2048.5f, 0.1f, 1.0f / 3}}, {0x6800, 0x2E66, 0x3555}},
                 {"Up", {{2049.5f, -0.7f, 1001.8f}}, {0x6801, 0xB99A, 0x63D4}},
                 {"SmallestAndLargest", {{0x1p-14f, 0x3p-14f, -65504}}, {0x0400, 0x0A00, 0xFBFF}}},
                same_codes<kHalf>);
}

// From here on each row holds a number that simply rounds up, too: who cuts is told so.
TEST(float_to_half, TiesGoToEven) {
  to_half.gives(
      {{"OfTheContract", {{2046.5f, 2049, 2051, 2049.5f}}, {0x67FE, 0x6800, 0x6802, 0x6801}},
       {"BelowZero", {{-2046.5f, -2049, -2051, -2049.5f}}, {0xE7FE, 0xE800, 0xE802, 0xE801}},
       {"NearOne", {{1 + 0x1p-11f, 1 + 0x3p-11f, 1 + 0x3p-12f}}, {0x3C00, 0x3C02, 0x3C01}},
       {"Smallest",
        {{0x401p-24f + 0x1p-25f, 0x1p-14f + 0x1p-25f, 0x1p-14f + 0x3p-26f}},
        {0x0402, 0x0400, 0x0401}},
       {"Largest", {{32784, 32816, 32790}}, {0x7800, 0x7802, 0x7801}}},
      same_codes<kHalf>);
}

// Beyond an even exponent and beyond an odd one: there an | in place of a + shows.
TEST(float_to_half, CarriesIntoTheExponent) {
  to_half.gives({{"To2048", {{2047.5f, -2047.75f, 2049.5f}}, {0x6800, 0xE800, 0x6801}},
                 {"To4096", {{4095, -4095.5f, 2049.5f}}, {0x6C00, 0xEC00, 0x6801}},
                 {"ToOne", {{1 - 0x1p-12f, 1 - 0x1p-14f, 2049.5f}}, {0x3C00, 0x3C00, 0x6801}},
                 {"ToTwo", {{2 - 0x1p-11f, 2 - 0x1p-20f, 2049.5f}}, {0x4000, 0x4000, 0x6801}}},
                same_codes<kHalf>);
}

// Codes 0 to 3, the two on both sides of 2^-14, ties between them, and what is next to nothing.
TEST(float_to_half, KeepsSubnormals) {
  to_half.gives(
      {{"Counted", {{0x1p-24f, -0x1p-23f, 0x3p-24f}}, {0x0001, 0x8002, 0x0003}},
       {"Last", {{0x1p-15f, 0x3FFp-24f, 0x1p-14f}}, {0x0200, 0x03FF, 0x0400}},
       {"Between", {{0x5p-26f, 0x7p-26f, 1e-5f}}, {0x0001, 0x0002, 0x00A8}},
       {"Ties", {{0x3p-25f, 0x5p-25f, 0x7FFp-25f, 0x7p-26f}}, {0x0002, 0x0002, 0x0400, 0x0002}},
       {"HalfTheSmallest", {{0x1p-25f, -0x1p-25f, 0x7p-26f}}, {0x0000, 0x8000, 0x0002}},
       {"JustAbove",
        {{0x1.000002p-25f, 0x3p-26f, 0x7p-26f}},
        {0x0001, 0x0001, 0x0002},
        "what is above a tie goes up: x is rounded once, to whole 2^-24"},
       {"Tiny", {{0x1p-26f, -1e-30f, FLT_TRUE_MIN}}, {0x0000, 0x8000, 0x0000}}},
      same_codes<kHalf>);
}

// 2051 is a tie that goes up: who lets all of them go down is told so.
TEST(float_to_half, OverflowsAt65520) {
  to_half.gives({{"Below", {{65504, 65519.996f, -65519.996f}}, {0x7BFF, 0x7BFF, 0xFBFF}},
                 {"FromTheTieOn",
                  {{65520, -65520, 65536, 2051, 2049.5f}},
                  {0x7C00, 0xFC00, 0x7C00, 0x6802, 0x6801}},
                 {"FarBeyond", {{131072, -1e10f, FLT_MAX}}, {0x7C00, 0xFC00, 0x7C00}},
                 {"Infinity", {{kInfinity, -kInfinity}}, {0x7C00, 0xFC00}}},
                same_codes<kHalf>);
}

// A NaN whose only bit is cut off, all bits, one that is not quiet, one of either sign. What is cut
// off the signaling one would round up.
TEST(float_to_half, KeepsNan) {
  to_half.gives({{"LastBitOnly", {{from_bits(0x7F800001), 1}}, {0x7E00, 0x3C00}},
                 {"Quiet", {{from_bits(0x7FC00000), from_bits(0xFFC00000)}}, {0x7E00, 0xFE00}},
                 {"AllBits", {{from_bits(0x7FFFFFFF), from_bits(0xFFFFFFFF)}}, {0x7FFF, 0xFFFF}},
                 {"Signaling", {{from_bits(0x7F803001), from_bits(0xFFA00000)}}, {0x7E01, 0xFF00}}},
                same_codes<kHalf>);
}

TEST(float_to_half, EveryTieAndBothSides) {
  to_half.agrees_with([](const auto& in) { return codes_of(in.a, kHalf); },
                      every_tie<ToHalf::Input>(kHalf), same_codes<kHalf>);
}

// --- half_to_float and bfloat16_to_float --------------------------------------------------------

bool equal_bits(float got, float want) {
  return std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(want);
}

/// A -0 is no 0, and of a NaN every bit counts.
constexpr auto same_bits = [](Expect& expect, const auto&, const Reals& got, const Reals& want) {
  expect.every("x", got, want, [&](std::size_t i) { return equal_bits(got[i], want[i]); });
};

/// What `codes` stand for. A NaN of half has its first bit set, one of bfloat16 stays as it is.
Reals values_of(const Codes& codes, const Format& f) {
  Reals x;
  for (const std::uint16_t code : codes) {
    const int magnitude = code & 0x7FFF;
    std::uint32_t bits = (code & 0x8000u) << 16 | 0x7F800000u |
                         static_cast<std::uint32_t>(magnitude % f.steps())
                             << (23 - f.fraction_bits);
    if (magnitude > f.infinity() && f.bias == kHalf.bias) bits |= 0x00400000u;
    const auto value = static_cast<float>(value_of(magnitude, f));
    x.push_back(magnitude < f.infinity() ? (code & 0x8000 ? -value : value) : from_bits(bits));
  }
  return x;
}

/// All codes, 1,024 to a case.
template <class Input>
std::vector<Input> every_code() {
  std::vector<Input> inputs;
  for (int first = 0; first < 0x10000; first += 1024) {
    Codes codes(1024);
    std::iota(codes.begin(), codes.end(), static_cast<std::uint16_t>(first));
    inputs.push_back({"From" + show_value(codes.front()), {codes}});
  }
  return inputs;
}

using FromHalf = Exercise<&half_to_float>;
using FromBfloat16 = Exercise<&bfloat16_to_float>;

template <const Format& F>  // the arguments of both are a list of codes
void suspect_values(Expect& expect, const FromHalf::Arguments& in, const Reals& right) {
  Reals x = right;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if ((in.a[i] & 0x7FFF) < F.steps()) x[i] = 0;
  }
  if (x != right) expect.suspect("N-FLUSH", "x", x);
  expect.suspect("N-SIGN0", "x", right);  // equal, and wrong bit by bit
}

const FromHalf from_half{{"codes"}, {"x"}, suspect_values<kHalf>};

TEST(half_to_float, NormalNumbers) {
  from_half.gives({{"One", {{0x3C00}}, {1}},
                   {"Whole", {{0xBC00, 0x4000, 0x4200, 0xE400}}, {-1, 2, 3, -1024}},
                   {"Fractions", {{0x3800, 0xBA00, 0x3555}}, {0.5f, -0.75f, 0x1.554p-2f}},
                   {"Zeros", {{0x0000, 0x8000}}, {0, -0.0f}},
                   {"Ends", {{0x0400, 0x7BFF, 0xFBFF}}, {0x1p-14f, 65504, -65504}}},
                  same_bits);
}

TEST(half_to_float, SubnormalNumbers) {
  from_half.gives({{"Smallest", {{0x0001, 0x8001}}, {0x1p-24f, -0x1p-24f}},
                   {"Counted", {{0x0002, 0x8003, 0x0200}}, {0x1p-23f, -0x3p-24f, 0x1p-15f}},
                   {"Last", {{0x03FF, 0x83FF}}, {0x3FFp-24f, -0x3FFp-24f}}},
                  same_bits);
}

TEST(half_to_float, InfinityAndNan) {
  from_half.gives(
      {{"Infinity", {{0x7C00, 0xFC00}}, {kInfinity, -kInfinity}},
       {"Quiet", {{0x7E00, 0xFE00}}, {from_bits(0x7FC00000), from_bits(0xFFC00000)}},
       {"AllBits", {{0x7FFF, 0xFFFF}}, {from_bits(0x7FFFE000), from_bits(0xFFFFE000)}},
       {"Signaling", {{0x7C01, 0xFD00}}, {from_bits(0x7FC02000), from_bits(0xFFE00000)}}},
      same_bits);
}

TEST(half_to_float, EveryCode) {
  from_half.agrees_with([](const auto& in) { return values_of(in.a, kHalf); },
                        every_code<FromHalf::Input>(), same_bits);
}

const FromBfloat16 from_bfloat16{{"codes"}, {"x"}, suspect_values<kBfloat16>};

TEST(bfloat16_to_float, IsTheUpperHalf) {
  from_bfloat16.gives({{"One", {{0x3F80}}, {1}},
                       {"Whole", {{0xBF80, 0x4000, 0x4040}}, {-1, 2, 3}},
                       {"Fractions", {{0x3F00, 0xBE80, 0x3DCD}}, {0.5f, -0.25f, 0x1.9Ap-4f}},
                       {"Zeros", {{0x0000, 0x8000}}, {0, -0.0f}},
                       {"Largest", {{0x7F7F, 0xFF7F}}, {0x1.FEp127f, -0x1.FEp127f}}},
                      same_bits);
}

TEST(bfloat16_to_float, KeepsSubnormals) {
  from_bfloat16.gives({{"Smallest", {{0x0001, 0x8001}}, {0x1p-133f, -0x1p-133f}},
                       {"Last", {{0x007F, 0x0080}}, {0x7Fp-133f, 0x1p-126f}}},
                      same_bits);
}

TEST(bfloat16_to_float, EveryCode) {
  from_bfloat16.agrees_with([](const auto& in) { return values_of(in.a, kBfloat16); },
                            every_code<FromBfloat16::Input>(), same_bits);
}

// --- float_to_bfloat16 --------------------------------------------------------------------------

const ToBfloat16 to_bfloat16{{"x"}, {"codes"}};

TEST(float_to_bfloat16, RoundsToNearest) {
  to_bfloat16.gives({{"One", {{1}}, {0x3F80}},
                     {"Whole", {{-1, 2, 3, -128}}, {0xBF80, 0x4000, 0x4040, 0xC300}},
                     {"Zeros", {{0, -0.0f}}, {0x0000, 0x8000}},
                     {"FarApart", {{0x1p-126f, 0x1p127f}}, {0x0080, 0x7F00}},
                     {"Down", {{256.5f, 3.1415927f, -0.7f}}, {0x4380, 0x4049, 0xBF33}},
                     {"Up", {{257.5f, 0.1f, -0.3f}}, {0x4381, 0x3DCD, 0xBE9A}}},
                    same_codes<kBfloat16>);
}

TEST(float_to_bfloat16, TiesGoToEven) {
  to_bfloat16.gives(
      {{"Around256", {{254.5f, 257, 259, 257.5f}}, {0x437E, 0x4380, 0x4382, 0x4381}},
       {"BelowZero", {{-254.5f, -257, -259, -257.5f}}, {0xC37E, 0xC380, 0xC382, 0xC381}},
       {"NearOne", {{1 + 0x1p-8f, 1 + 0x3p-8f, 257.5f}}, {0x3F80, 0x3F82, 0x4381}}},
      same_codes<kBfloat16>);
}

TEST(float_to_bfloat16, CarriesIntoTheExponent) {
  to_bfloat16.gives({{"To256", {{255.5f, -255.75f, 257.5f}}, {0x4380, 0xC380, 0x4381}},
                     {"To512", {{511, -511.5f, 257.5f}}, {0x4400, 0xC400, 0x4381}}},
                    same_codes<kBfloat16>);
}

TEST(float_to_bfloat16, KeepsSubnormals) {
  to_bfloat16.gives({{"Counted", {{0x1p-133f, -0x3p-133f}}, {0x0001, 0x8003}},
                     {"Ties", {{0x1p-134f, 0x3p-134f, 0xFFp-134f}}, {0x0000, 0x0002, 0x0080}},
                     {"Tiny", {{FLT_TRUE_MIN, -FLT_TRUE_MIN}}, {0x0000, 0x8000}}},
                    same_codes<kBfloat16>);
}

TEST(float_to_bfloat16, OverflowsAtTheLastTie) {
  to_bfloat16.gives(
      {{"Below", {{0x1.FEp127f, 0x1.FEFFFEp127f}}, {0x7F7F, 0x7F7F}},
       {"FromTheTieOn", {{0x1.FFp127f, -FLT_MAX, 259, 257.5f}}, {0x7F80, 0xFF80, 0x4382, 0x4381}},
       {"Infinity", {{kInfinity, -kInfinity}}, {0x7F80, 0xFF80}}},
      same_codes<kBfloat16>);
}

TEST(float_to_bfloat16, KeepsNan) {
  to_bfloat16.gives(
      {{"LastBitOnly", {{from_bits(0x7F800001), 1}}, {0x7FC0, 0x3F80}},
       {"Quiet", {{from_bits(0x7FC00000), from_bits(0xFFC00000)}}, {0x7FC0, 0xFFC0}},
       {"AllBits", {{from_bits(0x7FFFFFFF), from_bits(0xFFFFFFFF)}}, {0x7FFF, 0xFFFF}},
       {"Signaling", {{from_bits(0x7F818001), from_bits(0xFFA00000)}}, {0x7FC1, 0xFFE0}}},
      same_codes<kBfloat16>);
}

TEST(float_to_bfloat16, EveryTieAndBothSides) {
  to_bfloat16.agrees_with([](const auto& in) { return codes_of(in.a, kBfloat16); },
                          every_tie<ToBfloat16::Input>(kBfloat16), same_codes<kBfloat16>);
}

// --- dot_half -----------------------------------------------------------------------------------

using Dot = Exercise<&dot_half>;

float as_float(std::uint16_t code) {
  const auto value = static_cast<float>(value_of(code, kHalf));
  return std::fabs(value) < 65536 ? value : std::copysign(kInfinity, value);
}
float half_of(float x) { return as_float(code_of(x, kHalf)); }

/// By definition. Finite codes only.
HalfDot dot_of(const Dot::Arguments& in) {
  const auto& [a, b] = in;
  NIBBLE_EXPECTS(a.size() == b.size(), a.size());
  HalfDot sum{0, 0.0f};
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float product = as_float(a[i]) * as_float(b[i]);
    sum.in_half = code_of(as_float(sum.in_half) + half_of(product), kHalf);
    sum.in_float += product;
  }
  return sum;
}

void suspect_sums(Expect& expect, const Dot::Arguments& in, const HalfDot& right) {
  auto [a, b] = in;
  if (a.empty()) return;
  float of_rounded = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i) of_rounded += half_of(as_float(a[i]) * as_float(b[i]));
  const auto in_float = [&](const char* code, float wrong, const char* words) {
    if (wrong != right.in_float) expect.suspect(code, "in_float", wrong, words);
  };
  const auto in_half = [&](std::uint16_t wrong, const char* words) {
    if (wrong != right.in_half) expect.suspect("N-FORMULA", "in_half", wrong, words);
  };
  in_float("N-FLOAT32", as_float(right.in_half), "as if in_float were in_half");
  in_float("N-FLOAT32", of_rounded, "as if products were rounded to half");
  std::uint16_t fused = 0, rounded_last = 0;
  float backwards = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i) {
    fused = code_of(as_float(fused) + as_float(a[i]) * as_float(b[i]), kHalf);
  }
  for (std::size_t i = a.size(); i-- > 0;) backwards += as_float(a[i]) * as_float(b[i]);
  rounded_last = code_of(right.in_float, kHalf);
  in_half(rounded_last, "as if the sum were rounded to half once, at its end");
  in_half(code_of(of_rounded, kHalf),
          "as if products alone were rounded to half, and the sum last");
  in_half(fused, "as if the product were not rounded to half before it is added");
  in_float("N-FORMULA", backwards, "as if the products were added from the last to the first");
  if (right.in_half == 0) expect.suspect("N-SIGN0", "in_half", 0x8000);
  a.pop_back(), b.pop_back();
  const HalfDot shorter = dot_of({a, b});
  if (shorter.in_half != right.in_half) expect.suspect("N-TAIL", "in_half", shorter.in_half);
  if (shorter.in_float != right.in_float) expect.suspect("N-TAIL", "in_float", shorter.in_float);
}

const Dot dot{{"a", "b"}, {"in_half", "in_float"}, suspect_sums};

constexpr std::uint16_t kOne = 0x3C00, kTwo = 0x4000, k2048 = 0x6800, k4096 = 0x6C00;
constexpr std::uint16_t kLargest = 0x7BFF, kHalfInfinity = 0x7C00, kHalfNan = 0x7E00;
constexpr std::uint16_t kMinus = 0x8000;

// A product of 21 bits; a sum that no half holds; 2^24 + 1 - 2^24, which is 0 from the left.
TEST(dot_half, SumsInFloat) {
  dot.gives({{"OneProduct", {{0x3E00}, {kTwo}}, {0x4200, 3}},
             {"Nothing", {{}, {}}, {0, 0}},
             {"LongProduct", {{0x3C01}, {0x3C01}}, {0x3C02, 1 + 0x1p-9f + 0x1p-20f}},
             {"PastHalf", {{k2048, kOne}, {kOne, kOne}}, {k2048, 2049}},
             {"FromTheLeft", {{k4096, kOne, k4096}, {k4096, kOne, k4096 | kMinus}}, {0, 0}},
             {"MinusZero", {{kMinus}, {kOne}}, {0, 0}}},
            [](Expect& expect, const auto&, const HalfDot& got, const HalfDot& want) {
              expect.equal("in_float", got.in_float, want.in_float);
              expect.that(!std::signbit(got.in_float), "in_float is -0, where 0 + -0 is 0",
                          "N-SIGN0");
            });
}

// 2048 + 1 + 1 stays 2048. (1 + 2^-10) * (1 - 2^-11) rounds to 1: fused with a sum it would count.
// 2^-25 rounds to 0.
TEST(dot_half, RoundsToHalfEachTime) {
  dot.gives({{"OneProduct", {{0x3E00}, {kTwo}}, {0x4200, 3}},
             {"Nothing", {{}, {}}, {0, 0}},
             {"Product", {{0x3C01}, {0x3C01}}, {0x3C02, 1 + 0x1p-9f + 0x1p-20f}},
             {"Sum", {{k2048, kOne, kOne}, {kOne, kOne, kOne}}, {k2048, 2050}},
             {"NotFused", {{kOne, 0x3C01}, {kOne, 0x0FFF}}, {kOne, 0}},
             {"FromTheLeft", {{kOne, k2048, k2048}, {kOne, kOne, kOne | kMinus}}, {0, 1}},
             {"SmallProduct", {{1, 1}, {kOne, 0x3800}}, {1, 0x3p-25f}},
             {"MinusZero", {{kMinus}, {kOne}}, {0, 0}}},
            [](Expect& expect, const auto&, const HalfDot& got, const HalfDot& want) {
              expect.equal("in_half", got.in_half, want.in_half);
            });
}

/// Halves from 2^-5 to 8, of both signs.
Codes halves(std::size_t count, std::uint64_t from) {
  Codes codes;
  for (const int draw : code_tensor<int>(count, from, 0, 0x3FFF)) {
    codes.push_back(static_cast<std::uint16_t>((0x2800 + draw % 0x2000) | (draw & 0x2000) << 2));
  }
  return codes;
}

std::vector<Dot::Input> lists(Seed seed_of, std::size_t longest) {
  std::vector<Dot::Input> inputs;
  for (const std::size_t count : {std::size_t{1}, std::size_t{31}, std::size_t{257}, longest}) {
    inputs.push_back({std::to_string(count),
                      {halves(count, seed_of(2 * count)), halves(count, seed_of(2 * count + 1))}});
  }
  return inputs;
}

TEST(dot_half, AnyLength) { dot.agrees_with(dot_of, lists(seed, 1021)); }

// 65504 + 65504 and 300 * 300 are infinite in half alone; what has no value may be any NaN.
TEST(dot_half, TakesInfinityAndNan) {
  constexpr std::uint16_t k300 = 0x5CB0, k256 = 0x5C00, kMinus1000 = 0xE3D0;
  const Dot unsuspecting{{"a", "b"}, {"in_half", "in_float"}};
  unsuspecting.gives(
      {{"SumOverflows",
        {{kLargest, kLargest, kLargest}, {kOne, kOne, kOne | kMinus}},
        {kHalfInfinity, 65504}},
       {"ProductOverflows", {{kMinus1000, k256}, {kOne, k256}}, {kHalfInfinity, 64536}},
       {"Below", {{kLargest | kMinus}, {kTwo}}, {kHalfInfinity | kMinus, -131008}},
       {"Infinity", {{kHalfInfinity, kOne}, {kTwo, kOne}}, {kHalfInfinity, kInfinity}},
       {"TimesZero", {{kHalfInfinity, kOne}, {0, kOne}}, {kHalfNan, kNan}},
       {"Difference", {{kHalfInfinity, kHalfInfinity}, {kOne, kOne | kMinus}}, {kHalfNan, kNan}},
       {"DifferenceInHalf", {{k300, k300}, {k300, k300 | kMinus}}, {kHalfNan, 0}},
       {"Nan", {{kOne, kHalfNan}, {kOne, 0}}, {kHalfNan, kNan}}},
      [](Expect& expect, const auto&, const HalfDot& got, const HalfDot& want) {
        if (want.in_half == kHalfNan) {
          expect.that((got.in_half & 0x7FFF) > kHalfInfinity,
                      "in_half is " + show_value(got.in_half) + ", and no NaN");
        } else {
          if ((got.in_half & 0x7FFF) < kHalfInfinity) {
            expect.suspect("N-INF", "in_half", got.in_half);
          }
          expect.equal("in_half", got.in_half, want.in_half);
        }
        if (std::isnan(want.in_float)) {
          expect.that(std::isnan(got.in_float),
                      "in_float is " + show_value(got.in_float) + ", and no NaN");
        } else {
          expect.equal("in_float", got.in_float, want.in_float);
        }
      });
}

TEST(dot_half, RefusesTwoLengths) {
  dot.refuses({{"Two", {{kOne, kTwo}, {kOne, kOne}}, {0x4200, 3}}},
              {{"", {{kOne, kTwo}, {kOne}}}, {"", {{kOne}, {kOne, kTwo}}}, {"", {{}, {kOne}}}});
}

// --- scaled_step --------------------------------------------------------------------------------

using Step = Exercise<&scaled_step>;

/// By definition, and what known mistakes multiply by before half, and divide by after it.
Training step_of(const Step::Arguments& in, float before_half, float after_half) {
  const auto& [before, gradients, learning_rate, growth_interval] = in;
  NIBBLE_EXPECTS(gradients.size() == before.weights.size(), gradients.size());
  Training after = before;
  bool finite = true;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const std::uint16_t h = code_of(before_half * gradients[i], kHalf);
    finite = finite && (h & 0x7FFF) < kHalfInfinity;
    after.weights[i] = before.weights[i] - learning_rate * (as_float(h) / after_half);
  }
  if (!finite) return {before.weights, std::max(before.scale / 2, 1.0f), 0};
  if (++after.good_steps < growth_interval) return after;
  return {after.weights, std::min(before.scale * 2, 0x1p24f), 0};
}

Training right_step(const Step::Arguments& in) { return step_of(in, in.a.scale, in.a.scale); }

void suspect_steps(Expect& expect, const Step::Arguments& in, const Training& right) {
  const float scale = in.a.scale;
  const auto suspect = [&](const char* code, const char* words, float before_half,
                           float after_half) {
    const Reals wrong = step_of(in, before_half, after_half).weights;
    if (wrong != right.weights) expect.suspect(code, "weights", wrong, words);
  };
  suspect("N-SCALE", "as if gradients were neither scaled nor unscaled", 1, 1);
  suspect("N-SCALE", "as if h[i] were not divided by scale", scale, 1);
  suspect("N-SCALE", "as if gradients were not multiplied by scale", 1, scale);
  suspect("N-SCALE", "as if h[i] were divided by the next scale", scale, right.scale);
  suspect("N-SCALE", "as if h[i] were multiplied by scale", scale, 1 / scale);
  suspect("N-FORMULA", "as if the step went uphill", scale, -scale);
  if (right.scale != scale) {
    expect.suspect("N-FORMULA", "scale", scale, "as if the scale stayed");
  }
  const auto good_steps = [&](std::int32_t wrong, const char* words) {
    if (wrong != right.good_steps) expect.suspect("N-FORMULA", "good_steps", wrong, words);
  };
  good_steps(in.a.good_steps, "as if good_steps stayed");
  good_steps(in.a.good_steps + 1, "as if good_steps did not begin anew");
  if (right.scale >= scale && scale > 1) expect.suspect("N-NAN", "scale", scale / 2);
  Reals capped = right.weights;
  for (float& weight : capped) weight = std::clamp(weight, -FLT_MAX, FLT_MAX);
  if (capped != right.weights) {
    expect.suspect("N-INF", "weights", capped);
    expect.suspect("N-NAN", "weights", in.a.weights);
  }
  expect.suspect("N-SIGN0", "weights", right.weights);  // equal, and wrong bit by bit
}

const Step step{{"weights", "scale", "good_steps", "gradients", "learning_rate", "growth_interval"},
                {"weights", "scale", "good_steps"},
                suspect_steps};

constexpr auto same_weights = [](Expect& expect, const auto&, const Training& got,
                                 const Training& want) {
  expect.every("weights", got.weights, want.weights,
               [&](std::size_t i) { return equal_bits(got.weights[i], want.weights[i]); });
};
constexpr auto same_scale = [](Expect& expect, const auto&, const Training& got,
                               const Training& want) {
  if (!expect.equal("scale", got.scale, want.scale)) return;
  expect.equal("good_steps", got.good_steps, want.good_steps);
  expect.otherwise("N-FORMULA");  // a count is in no range
};

// Gradients that no half holds without a scale, one that is rounded on its way, one that a weight
// in half would not notice, a product that is rounded before it is subtracted, rates that overflow
// or vanish in another order of the product and the division, and a step at whose end the scale
// grows.
TEST(scaled_step, StepsByUnscaledHalves) {
  step.gives(
      {{"One", {{{2}, 1, 0}, {0.5f}, 1, 9}, {{1.5f}, 1, 1}},
       {"Nothing", {{{}, 1, 0}, {}, 1, 9}, {{}, 1, 1}},
       {"LearningRate",
        {{{1, -2, 0.5f}, 1, 0}, {0.25f, 0.5f, -1}, 0.5f, 9},
        {{0.875f, -2.25f, 1}, 1, 1}},
       {"Scaled", {{{1, -2}, 1024, 0}, {0.25f, 0.5f}, 0.5f, 9}, {{0.875f, -2.25f}, 1024, 1}},
       {"Rounded", {{{4}, 2, 0}, {1 + 0x3p-12f}, 1, 9}, {{3 - 0x1p-10f}, 2, 1}},
       {"Small",
        {{{0, 0x1p-20f}, 65536, 0}, {0x1p-30f, -0x1p-40f}, 1, 9},
        {{-0x1p-30f, 0x1p-20f + 0x1p-40f}, 65536, 1},
        "gradients are multiplied by scale before they are rounded to half"},
       {"TooSmall", {{{1}, 1, 0}, {0x1p-26f}, 0x1p10f, 9}, {{1}, 1, 1}},
       {"FloatWeights", {{{1}, 4, 0}, {0x1p-14f}, 0.25f, 9}, {{1 - 0x1p-16f}, 4, 1}},
       {"InFloat",
        {{{1 + 0x1p-10f + 0x1p-20f}, 2, 0}, {1 + 0x1p-10f}, 1 + 0x1p-20f, 9},
        {{0}, 2, 1}},
       {"LargeRate",
        {{{0}, 65536, 0}, {0.5f}, 0x1p120f, 9},
        {{-0x1p119f}, 65536, 1},
        "the quotient h[i] / scale comes first, then the product with learning_rate"},
       {"SmallRate",
        {{{0}, 65536, 0}, {0.5f}, 0x1p-140f, 9},
        {{-0x1p-141f}, 65536, 1},
        "the quotient h[i] / scale comes first, then the product with learning_rate"},
       {"AnyWeight", {{{kInfinity, FLT_MAX}, 2, 0}, {1, 1}, 1, 9}, {{kInfinity, FLT_MAX}, 2, 1}},
       {"Overflow", {{{1}, 2, 0}, {4}, 3e38f, 9}, {{-kInfinity}, 2, 1}},
       {"Zeros", {{{-0.0f, -0.0f}, 2, 0}, {-0.0f, 0}, 1, 9}, {{0, -0.0f}, 2, 1}},
       {"Growing",
        {{{1}, 4, 8}, {0.5f}, 1, 9},
        {{0.5f}, 8, 0},
        "the division is by the scale that the step began with"}},
      same_weights);
}

TEST(scaled_step, SkipsAsAWhole) {
  step.gives({{"Overflow", {{{1, 2, 3}, 65536, 2}, {0.25f, 1, 0.5f}, 1, 9}, {{1, 2, 3}, 32768, 0}},
              {"AtTheEnd", {{{1, 2}, 4, 2}, {1, 16380}, 1, 9}, {{1, 2}, 2, 0}},
              {"BelowZero", {{{1, 2}, 4, 2}, {-16380, 1}, 1, 9}, {{1, 2}, 2, 0}},
              {"LastThatFits", {{{1, 2}, 4, 2}, {16379.75f, 0}, 1, 9}, {{-16375, 2}, 4, 3}},
              {"Infinity", {{{1, 2}, 4, 2}, {kInfinity, 1}, 1, 9}, {{1, 2}, 2, 0}},
              {"Nan", {{{1, 2}, 4, 2}, {1, kNan}, 1, 9}, {{1, 2}, 2, 0}},
              {"InFloat", {{{1}, 0x1p24f, 2}, {-FLT_MAX}, 1, 9}, {{1}, 0x1p23f, 0}}},
             same_weights);
}

// With weights that are no numbers, and with no weights at all, a step is as good as another.
TEST(scaled_step, HalvesAndDoubles) {
  step.gives({{"Good", {{{1}, 8, 0}, {1}, 1, 3}, {{0}, 8, 1}},
              {"Second", {{{1}, 8, 1}, {1}, 1, 3}, {{0}, 8, 2}},
              {"Third", {{{1}, 8, 2}, {1}, 1, 3}, {{0}, 16, 0}},
              {"EachTime", {{{1}, 8, 0}, {1}, 1, 1}, {{0}, 16, 0}},
              {"AnyWeight", {{{kInfinity, kNan}, 8, 1}, {1, 1}, 1, 3}, {{kInfinity, kNan}, 8, 2}},
              {"Nothing", {{{}, 8, 2}, {}, 1, 3}, {{}, 16, 0}},
              {"Skip", {{{1}, 8, 1}, {kInfinity}, 1, 3}, {{1}, 4, 0}},
              {"SkipBeforeTheThird", {{{1}, 8, 2}, {kInfinity}, 1, 3}, {{1}, 4, 0}}},
             same_scale);
}

TEST(scaled_step, KeepsTheScaleInRange) {
  step.gives({{"Up", {{{1}, 0x1p23f, 2}, {0}, 1, 3}, {{1}, 0x1p24f, 0}},
              {"Ceiling",
               {{{1}, 0x1p24f, 2}, {0}, 1, 3},
               {{1}, 0x1p24f, 0},
               "good_steps begins anew where the scale cannot grow, too"},
              {"Down", {{{1}, 2, 1}, {kInfinity}, 1, 3}, {{1}, 1, 0}},
              {"Floor", {{{1}, 1, 1}, {kInfinity}, 1, 3}, {{1}, 1, 0}}},
             same_scale);
}

/// Steps of every scale, some of which overflow; learning rates and weights with all their bits.
std::vector<Step::Input> steps(Seed seed_of, int count) {
  std::vector<Step::Input> inputs;
  for (int i = 0; i < count; ++i) {
    const auto n = static_cast<std::size_t>(1 + 37 * i % 41);
    const int interval = code_tensor<int>(1, seed_of(4UL * i), 1, 2000).front();
    const int good_steps = i % 3 == 0 ? interval - 1 : interval / 2;
    const float scale = std::ldexp(1.0f, i % 25), stddev = std::ldexp(1.0f, 13 - i % 29);
    inputs.push_back({std::to_string(n) + "Weights" + std::to_string(i),
                      {{normal_tensor(n, seed_of(4 * i + 1)), scale, good_steps},
                       normal_tensor(n, seed_of(4 * i + 2), stddev),
                       uniform_tensor(1, seed_of(4 * i + 3), 0.001f, 0.1f).front(),
                       interval}});
  }
  return inputs;
}

TEST(scaled_step, AnyStep) { step.agrees_with(right_step, steps(seed, 58)); }

TEST(scaled_step, RefusesWhatIsNoStep) {
  const Training good{{1, 2}, 4, 1};
  std::vector<Step::Refused> refused = {{"N-SIZE", {good, {1}, 1, 3}},
                                        {"N-SIZE", {good, {1, 1, 1}, 1, 3}},
                                        {"N-SIZE", {good, {}, 1, 3}}};
  const auto unseen = [](float limit) { return std::isfinite(limit) ? "" : "N-NAN"; };
  for (const float scale : {0.0f, 0.5f, 1.5f, 3.0f, -4.0f, 0x1p25f, kInfinity, kNan}) {
    refused.push_back({unseen(scale), {{{1, 2}, scale, 1}, {1, 1}, 1, 3}});
  }
  for (const float rate : {0.0f, -1.0f, kInfinity, kNan}) {
    refused.push_back({unseen(rate), {good, {1, 1}, rate, 3}});
  }
  for (const int interval : {1, 0, -1}) refused.push_back({"", {good, {1, 1}, 1, interval}});
  refused.push_back({"", {{{1, 2}, 4, 0}, {1, 1}, 1, 0}});
  for (const int good_steps : {-1, 3, 4}) {
    refused.push_back({"", {{{1, 2}, 4, good_steps}, {1, 1}, 1, 3}});
  }
  for (Step::Refused skip : std::vector(refused)) {  // also where the step would be a skip
    for (float& gradient : skip.in.b) gradient = kInfinity;
    refused.push_back(skip);
  }
  step.refuses({{"Least", {{{1, 2}, 1, 0}, {1, 1}, 1, 1}, {{0, 1}, 2, 0}},
                {"Most", {{{1, 2}, 0x1p24f, 2}, {0, 0}, FLT_TRUE_MIN, 3}, {{1, 2}, 0x1p24f, 0}}},
               refused);
}

// --- The picture --------------------------------------------------------------------------------

void draw_ruler(Picture& picture) {
  draw_row<&half_to_float, std::uint16_t>(picture, "half", 1 << 16);
  draw_row<&bfloat16_to_float, std::uint16_t>(picture, "bfloat16", 1 << 16);
  picture.ruler.push_back(kit_row<simt::E4m3Format>("E4M3"));
  picture.ruler.push_back(kit_row<simt::E5m2Format>("E5M2"));
  picture.ruler.push_back(kit_row<E2m1Format>("E2M1"));
}
const bool has_picture = register_picture({"half_to_float", "bfloat16_to_float"}, draw_ruler);

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

/// Reals of any bits, and of magnitudes from 2^-27 to 2^18: those of half, and beyond.
template <class Input>
std::vector<Input> floats() {
  std::vector<Input> inputs;
  for (const int count : {30, 20'011}) {
    std::mt19937_64 bits(hidden_seed(static_cast<std::uint64_t>(count)));
    Reals any, near;
    for (int i = 0; i < count; ++i) {
      const auto drawn = static_cast<std::uint32_t>(bits());
      any.push_back(from_bits(drawn));
      near.push_back(
          std::ldexp(from_bits((drawn & 0x807FFFFF) | 0x3F800000), int(bits() % 45) - 27));
    }
    inputs.push_back({std::to_string(count) + "Near", {near}});
    inputs.push_back({std::to_string(count) + "Any", {any}});
  }
  return inputs;
}

/// All codes, shuffled.
template <class Input>
std::vector<Input> shuffled_codes() {
  std::vector<std::pair<std::uint64_t, std::uint16_t>> keyed(0x10000);
  std::mt19937_64 bits(hidden_seed(1));
  for (std::size_t i = 0; i < keyed.size(); ++i) keyed[i] = {bits(), static_cast<std::uint16_t>(i)};
  std::ranges::sort(keyed);
  Codes codes;
  for (const auto& [key, code] : keyed) codes.push_back(code);
  return {{"Shuffled", {codes}}};
}

TEST(float_to_half, EqualsTheReference) {
  to_half.agrees_with(to_half.reference, floats<ToHalf::Input>(), same_codes<kHalf>);
}

TEST(half_to_float, EqualsTheReference) {
  from_half.agrees_with(from_half.reference, shuffled_codes<FromHalf::Input>(), same_bits);
}

TEST(float_to_bfloat16, EqualsTheReference) {
  to_bfloat16.agrees_with(to_bfloat16.reference, floats<ToBfloat16::Input>(),
                          same_codes<kBfloat16>);
}

TEST(bfloat16_to_float, EqualsTheReference) {
  from_bfloat16.agrees_with(from_bfloat16.reference, shuffled_codes<FromBfloat16::Input>(),
                            same_bits);
}

TEST(dot_half, EqualsTheReference) { dot.agrees_with(dot.reference, lists(hidden_seed, 4099)); }

TEST(scaled_step, EqualsTheReference) { step.agrees_with(step.reference, steps(hidden_seed, 116)); }
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
