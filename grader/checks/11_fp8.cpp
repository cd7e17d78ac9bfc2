// Lab 11: the checks. The formulas of the contract are evaluated in double, where they are exact.
#include "fp8.hpp"

#include "checks/marks/11_fp8.hpp"
#include "judge/exercise.hpp"
#include "judge/format_ruler.hpp"
#include "judge/mix.hpp"
#include "judge/tensors.hpp"

namespace nibble {

std::string show(Overflow overflow) {
  return overflow == Overflow::kSaturate ? "kSaturate" : "kNonFinite";
}
std::string show(Fp8Format format) { return format == Fp8Format::kE4m3 ? "kE4m3" : "kE5m2"; }

}  // namespace nibble

namespace nibble::judge {
namespace {

using Codes = std::vector<std::uint8_t>;

constexpr auto kSaturate = Overflow::kSaturate, kNonFinite = Overflow::kNonFinite;
constexpr auto kE4m3 = Fp8Format::kE4m3, kE5m2 = Fp8Format::kE5m2;

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

// --- Both formats, by definition ----------------------------------------------------------------

struct Format {
  int fraction_bits, bias;
  int largest, nan;  ///< codes; the one after the largest is where kNonFinite goes

  int steps() const { return 1 << fraction_bits; }  ///< from a power of two to the next
};
constexpr Format kFour{3, 7, 0x7E, 0x7F}, kFive{2, 15, 0x7B, 0x7E};

const Format& format_of(Fp8Format format) { return format == kE4m3 ? kFour : kFive; }

/// What `code` stands for, or would, if all codes were numbers.
double value_of(int code, const Format& f) {
  const int magnitude = code & 0x7F, exponent = magnitude / f.steps();
  const int steps = magnitude % f.steps() + (exponent == 0 ? 0 : f.steps());
  const double value = std::ldexp(steps, std::max(exponent, 1) - f.bias - f.fraction_bits);
  return code == magnitude ? value : -value;
}

float largest_of(const Format& f) { return static_cast<float>(value_of(f.largest, f)); }

std::uint8_t with_sign_of(float x, int magnitude) {
  return static_cast<std::uint8_t>(std::signbit(x) ? magnitude | 0x80 : magnitude);
}

using Round = double (*)(double);
double cut(double steps) { return std::trunc(steps); }
double half_up(double steps) { return std::round(steps); }
double half_down(double steps) { return std::ceil(steps - 0.5); }

/// |x| in steps of the numbers around it, rounded to a whole number: codes count these steps.
std::uint8_t code_of(double x, const Format& f, Overflow overflow, Round round = std::nearbyint) {
  int code = f.largest + 1;
  if (std::isnan(x)) return with_sign_of(static_cast<float>(x), f.nan);
  if (std::fabs(x) < 2 * value_of(f.largest, f)) {
    const int exponent = x == 0.0 ? 1 - f.bias : std::max(std::ilogb(x), 1 - f.bias);
    const double steps = round(std::ldexp(std::fabs(x), f.fraction_bits - exponent));
    code = (exponent + f.bias - 1) * f.steps() + static_cast<int>(steps);
  }
  const int end = overflow == kSaturate ? f.largest : f.largest + 1;
  return static_cast<std::uint8_t>(std::min(code, end) | (std::signbit(x) ? 0x80 : 0));
}

Codes codes_of(const Reals& x, const Format& f, Overflow overflow, Round round = std::nearbyint) {
  Codes codes;
  for (const float value : x) codes.push_back(code_of(value, f, overflow, round));
  return codes;
}

// --- What a wrong code looks like ---------------------------------------------------------------

/// Whether x is rounded up to a power of two: its fraction runs over.
bool carries(float x, const Format& f, int magnitude) {
  return magnitude % f.steps() == 0 && std::fabs(x) < value_of(magnitude, f);
}

/// Whether a tie between two codes lies from `low` to `high`.
bool has_tie(float low, float high, const Format& f) {
  return code_of(low, f, kNonFinite, half_down) != code_of(high, f, kNonFinite, half_up);
}

/// 240, or the infinity behind it: E4M3 with an exponent kept for infinity, as larger formats have.
bool ends_at_240(int got, int magnitude, const Format& f) {
  return f.bias == kFour.bias && magnitude > 0x77 && (got == 0x77 || got == 0x78);
}

/// What one wrong code of x looks like; N-FORMULA: nothing in particular; "": beside a tie, as if
/// rounded twice.
const char* wrong_code(float x, const Format& f, Overflow overflow, int got, int right) {
  if (std::isnan(x)) return "N-NAN";
  const int sign = right & 0x80, magnitude = right & 0x7F, off = (got ^ sign) - magnitude;
  if (std::abs(off) == 0x80) return magnitude == 0 ? "N-SIGN0" : "N-FORMULA";
  if (ends_at_240(got ^ sign, magnitude, f)) return got % 2 == 1 ? "N-RANGE" : "N-INF";
  if ((code_of(x, f, kNonFinite) & 0x7F) > f.largest) {
    return overflow == kSaturate ? "N-CLAMP" : "N-INF";
  }
  if ((got & 0x7F) > f.largest) return "N-INF";
  if (off < 0 && got != sign && carries(x, f, magnitude)) return "N-CARRY";
  const bool beside_a_tie = has_tie(std::nextafter(x, 0.0f), std::nextafter(x, 2 * x), f);
  if (std::abs(off) == 1 && beside_a_tie) return has_tie(x, x, f) ? "N-ROUND" : "";
  return magnitude <= f.steps() && 2 * std::abs(off) >= magnitude ? "N-FLUSH" : "N-FORMULA";
}

/// Codes as the contract writes them.
std::u8string in_hexadecimal(const Codes& codes) { return {codes.begin(), codes.end()}; }

/// Codes that are wrong for one reason are told it. Some ties carry, and what loses a number may
/// lose a tie, or what is beside one.
void look_at_codes(Expect& expect, const Reals& x, const Format& f, Overflow overflow,
                   const Codes& got, const Codes& right) {
  if (const Codes wrong = codes_of(x, f, overflow, cut); wrong != right) {
    expect.suspect("N-TRUNC", "codes", wrong);
  }
  std::set<std::string> reasons;
  for (std::size_t i = 0; i < right.size() && got.size() == right.size(); ++i) {
    if (got[i] != right[i]) reasons.insert(wrong_code(x[i], f, overflow, got[i], right[i]));
  }
  if (reasons == std::set<std::string>{"N-CARRY", "N-ROUND"}) reasons.erase("N-CARRY");
  for (const char* const lesser : {"N-ROUND", ""}) {
    if (reasons.size() > 1) reasons.erase(lesser);
  }
  const bool is_known = reasons.size() == 1 && *reasons.begin() != "";
  if (!reasons.empty()) expect.suspect(is_known ? *reasons.begin() : "N-FORMULA", "codes", got);
  expect.equal("codes", in_hexadecimal(got), in_hexadecimal(right));
}

using ToE4m3 = Exercise<&float_to_e4m3>;
using ToE5m2 = Exercise<&float_to_e5m2>;

template <const Format& F>  // the arguments of both are a list of floats and an Overflow
void same_codes(Expect& expect, const ToE4m3::Arguments& in, const Codes& got, const Codes& right) {
  look_at_codes(expect, in.a, F, in.b, got, right);
}

/// For each exponent there is: every tie between two neighbours, and the floats beside it. The last
/// lies between the largest number and what the next would be.
template <class Input>
std::vector<Input> every_tie(const Format& f) {
  std::vector<Input> inputs;
  int ties = 0;
  for (int first = 0; first <= f.largest; first += f.steps()) {
    Reals x;
    for (int code = first; code < first + f.steps() && code <= f.largest; ++code, ties += 2) {
      const auto tie = static_cast<float>((value_of(code, f) + value_of(code + 1, f)) / 2);
      for (const float value : {std::nextafter(tie, 0.0f), tie, std::nextafter(tie, kInfinity)}) {
        x.push_back(value);
        x.push_back(-value);
      }
    }
    for (const Overflow overflow : {kSaturate, kNonFinite}) {
      const std::string name = "Exponent" + std::to_string(first / f.steps());
      inputs.push_back({name + show(overflow), {x, overflow}});
    }
  }
  Expect::healthy(ties == 2 * (f.largest + 1), "a tie is missing");
  return inputs;
}

template <const Format& F>
Codes by_definition(const ToE4m3::Arguments& in) {
  return codes_of(in.a, F, in.b);
}

// --- float_to_e4m3 ------------------------------------------------------------------------------

const ToE4m3 to_e4m3{{"x", "overflow"}, {"codes"}};

void gives_e4m3(const std::vector<ToE4m3::Row>& rows) { to_e4m3.gives(rows, same_codes<kFour>); }

// Nothing here is a tie, carries, or is subnormal.
TEST(float_to_e4m3, RoundsToNearest) {
  gives_e4m3({{"One", {{1}, kSaturate}, {0x38}},
              {"Whole", {{1, -1, 2, 3, -112}, kSaturate}, {0x38, 0xB8, 0x40, 0x44, 0xEE}},
              {"Fractions", {{0.5f, -0.75f, 1.5f, -0.875f}, kSaturate}, {0x30, 0xB4, 0x3C, 0xB6}},
              {"Zeros", {{0, -0.0f}, kSaturate}, {0x00, 0x80}},
              {"Down", {{16.5f, 0.32f, -0.7f, 99}, kSaturate}, {0x58, 0x2A, 0xB3, 0x6C}},
              {"Up", {{17.5f, 0.1f, -0.3f, 110}, kSaturate}, {0x59, 0x1D, 0xAA, 0x6E}},
              {"Ends", {{0x1p-6f, 0x3p-6f, -448, 300}, kSaturate}, {0x08, 0x14, 0xFE, 0x79}},
              {"NonFinite", {{0x1p-6f, 17.5f, 320, -448}, kNonFinite}, {0x08, 0x59, 0x7A, 0xFE}}});
}

// From here on each row holds a number that simply rounds up, too: who cuts is told so. What is
// beside a tie by less than a half or a bfloat16 can say would be one, rounded to that first.
TEST(float_to_e4m3, TiesGoToEven) {
  gives_e4m3({{"OfTheContract", {{400, 432, 17.5f}, kSaturate}, {0x7C, 0x7E, 0x59}},
              {"BelowZero", {{-400, -432, -17.5f}, kSaturate}, {0xFC, 0xFE, 0xD9}},
              {"Around18", {{17, 19, 21, 17.5f}, kSaturate}, {0x58, 0x5A, 0x5A, 0x59}},
              {"NearOne", {{1.0625f, 1.1875f, 17.5f}, kNonFinite}, {0x38, 0x3A, 0x59}},
              {"BesideATie", {{17.001f, 18.999f, 17.5f}, kSaturate}, {0x59, 0x59, 0x59}},
              {"Smallest", {{0x13p-10f, 0x11p-10f, 17.5f}, kSaturate}, {0x0A, 0x08, 0x59}}});
}

// Beyond an even exponent and beyond an odd one: there an | in place of a + shows.
TEST(float_to_e4m3, CarriesIntoTheExponent) {
  gives_e4m3({{"To16", {{15.75f, -15.9f, 17.5f}, kSaturate}, {0x58, 0xD8, 0x59}},
              {"To32", {{31.5f, -31, 17.5f}, kSaturate}, {0x60, 0xE0, 0x59}},
              {"ToOne", {{1 - 0x1p-6f, 1 - 0x1p-7f, 17.5f}, kSaturate}, {0x38, 0x38, 0x59}},
              {"To256", {{255, -250, 17.5f}, kNonFinite}, {0x78, 0xF8, 0x59}}});
}

// Codes 0 to 3, the two on both sides of 2^-6, ties between them, and what is next to nothing.
TEST(float_to_e4m3, KeepsSubnormals) {
  gives_e4m3(
      {{"Counted", {{0x1p-9f, -0x1p-8f, 0x3p-9f}, kSaturate}, {0x01, 0x82, 0x03}},
       {"Last", {{0x1p-7f, 0x7p-9f, 0x1p-6f}, kSaturate}, {0x04, 0x07, 0x08}},
       {"Between", {{0x5p-11f, 0x7p-11f, 0.01f}, kSaturate}, {0x01, 0x02, 0x05}},
       {"Ties", {{0x3p-10f, 0x5p-10f, 0xFp-10f, 0x7p-11f}, kSaturate}, {0x02, 0x02, 0x08, 0x02}},
       {"HalfTheSmallest", {{0x1p-10f, -0x1p-10f, 0x7p-11f}, kSaturate}, {0x00, 0x80, 0x02}},
       {"JustAbove", {{0x1.000002p-10f, 0x3p-11f, 0x7p-11f}, kNonFinite}, {0x01, 0x01, 0x02}},
       {"Tiny", {{0x1p-11f, -1e-30f, FLT_TRUE_MIN, -1e-40f}, kSaturate}, {0, 0x80, 0, 0x80}}});
}

TEST(float_to_e4m3, SaturatesAt448) {
  gives_e4m3({{"Largest", {{448, -448, 449}, kSaturate}, {0x7E, 0xFE, 0x7E}},
              {"Tie", {{464, -464}, kSaturate}, {0x7E, 0xFE}},
              {"Beyond", {{464.00003f, -465, 480, 496}, kSaturate}, {0x7E, 0xFE, 0x7E, 0x7E}},
              {"FarBeyond", {{512, -1000, 1e10f, -FLT_MAX}, kSaturate}, {0x7E, 0xFE, 0x7E, 0xFE}},
              {"Infinity", {{kInfinity, -kInfinity}, kSaturate}, {0x7E, 0xFE}}});
}

// 17 and 19 are ties, and one of them goes up. 17.5 is none, and goes up as well.
TEST(float_to_e4m3, OverflowsBeyond464) {
  gives_e4m3({{"Largest", {{448, -448, 463.99997f}, kNonFinite}, {0x7E, 0xFE, 0x7E}},
              {"Tie", {{464, -464, 17, 19}, kNonFinite}, {0x7E, 0xFE, 0x58, 0x5A}},
              {"Beyond", {{464.00003f, -465, 480, 17.5f}, kNonFinite}, {0x7F, 0xFF, 0x7F, 0x59}},
              {"FarBeyond", {{512, -1000, 1e10f, -FLT_MAX}, kNonFinite}, {0x7F, 0xFF, 0x7F, 0xFF}},
              {"Infinity", {{kInfinity, -kInfinity}, kNonFinite}, {0x7F, 0xFF}}});
}

// A NaN whose only bit is its last, a quiet one, one of all bits; and one that is not quiet.
const Reals kEachNan = {from_bits(0x7F800001), from_bits(0x7FC00000), from_bits(0x7FFFFFFF),
                        from_bits(0xFF800001), from_bits(0xFFC00000), from_bits(0xFFFFFFFF),
                        from_bits(0xFFA00000)};

TEST(float_to_e4m3, KeepsNan) {
  const Codes codes = {0x7F, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF};
  gives_e4m3({{"OneOfOthers", {{1, kNan, -1}, kSaturate}, {0x38, 0x7F, 0xB8}},
              {"Saturate", {kEachNan, kSaturate}, codes},
              {"NonFinite", {kEachNan, kNonFinite}, codes}});
}

TEST(float_to_e4m3, EveryTieAndBothSides) {
  to_e4m3.agrees_with(by_definition<kFour>, every_tie<ToE4m3::Input>(kFour), same_codes<kFour>);
}

// --- e4m3_to_float and e5m2_to_float ------------------------------------------------------------

bool equal_bits(float got, float want) {
  return std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(want);
}

/// A -0 is no 0, and of a NaN every bit counts.
constexpr auto same_bits = [](Expect& expect, const auto&, const Reals& got, const Reals& want) {
  expect.every("x", got, want, [&](std::size_t i) { return equal_bits(got[i], want[i]); });
};

Reals values_of(const Codes& codes, const Format& f) {
  Reals x;
  for (const std::uint8_t code : codes) {
    const int magnitude = code & 0x7F;
    float value = static_cast<float>(value_of(magnitude, f));
    if (magnitude > f.largest) value = kNan;
    if (magnitude == f.largest + 1 && magnitude != f.nan) value = kInfinity;
    x.push_back(code < 0x80 ? value : -value);
  }
  return x;
}

/// Sixteen codes at a time: most of these lists hold no NaN, which is equal to no suspect.
template <class Input>
std::vector<Input> every_code() {
  std::vector<Input> inputs;
  for (int first = 0; first < 256; first += 16) {
    Codes codes(16);
    std::iota(codes.begin(), codes.end(), static_cast<std::uint8_t>(first));
    inputs.push_back({"From" + std::to_string(first), {codes}});
  }
  return inputs;
}

using FromE4m3 = Exercise<&e4m3_to_float>;
using FromE5m2 = Exercise<&e5m2_to_float>;

/// The arguments of both are a list of codes.
template <const Format& F>
void suspect_values(Expect& expect, const FromE4m3::Arguments& in, const Reals& right) {
  const auto looks = [&](const char* code, const auto& change) {
    Reals x = right;
    for (std::size_t i = 0; i < x.size(); ++i) change(in.a[i], x[i]);
    if (x != right) expect.suspect(code, "x", x);
  };
  looks("N-FLUSH", [](int code, float& x) {
    if ((code & 0x7F) < F.steps()) x = 0;
  });
  looks("N-FLUSH", [](int code, float& x) {
    if ((code & 0x7F) < F.steps()) x /= 2;
  });
  expect.suspect("N-SIGN0", "x", right);  // equal, and wrong bit by bit
}

const FromE4m3 from_e4m3{{"codes"}, {"x"}, suspect_values<kFour>};

TEST(e4m3_to_float, NormalNumbers) {
  from_e4m3.gives({{"One", {{0x38}}, {1}},
                   {"Whole", {{0xB8, 0x40, 0x44, 0xEE}}, {-1, 2, 3, -112}},
                   {"Fractions", {{0x30, 0xB4, 0x1D}}, {0.5f, -0.75f, 0.1015625f}},
                   {"Zeros", {{0x00, 0x80}}, {0, -0.0f}},
                   {"Ends", {{0x08, 0x88, 0x77}}, {0x1p-6f, -0x1p-6f, 240}}},
                  same_bits);
}

TEST(e4m3_to_float, SubnormalNumbers) {
  from_e4m3.gives({{"Smallest", {{0x01, 0x81}}, {0x1p-9f, -0x1p-9f}},
                   {"Counted", {{0x02, 0x83, 0x04}}, {0x1p-8f, -0x3p-9f, 0x1p-7f}},
                   {"Last", {{0x07, 0x87, 0x08}}, {0x7p-9f, -0x7p-9f, 0x1p-6f}}},
                  same_bits);
}

TEST(e4m3_to_float, HasNoInfinity) {
  const float minus_nan = from_bits(0xFFC00000);
  from_e4m3.gives({{"Not78", {{0x78, 0xF8}}, {256, -256}},
                   {"Numbers", {{0x79, 0x7A, 0xFB, 0x7C, 0x7D}}, {288, 320, -352, 384, 416}},
                   {"Largest", {{0x7E, 0xFE}}, {448, -448}},
                   {"Nan", {{0x7F, 0xFF}}, {from_bits(0x7FC00000), minus_nan}}},
                  same_bits);
}

TEST(e4m3_to_float, EveryCode) {
  from_e4m3.agrees_with([](const auto& in) { return values_of(in.a, kFour); },
                        every_code<FromE4m3::Input>(), same_bits);
}

const FromE5m2 from_e5m2{{"codes"}, {"x"}, suspect_values<kFive>};

TEST(e5m2_to_float, NormalNumbers) {
  from_e5m2.gives({{"One", {{0x3C}}, {1}},
                   {"Whole", {{0xBC, 0x40, 0x42, 0xD7}}, {-1, 2, 3, -112}},
                   {"Fractions", {{0x38, 0xBA, 0x2F}}, {0.5f, -0.75f, 0.109375f}},
                   {"Zeros", {{0x00, 0x80}}, {0, -0.0f}},
                   {"Ends", {{0x04, 0x84, 0x7B}}, {0x1p-14f, -0x1p-14f, 57344}}},
                  same_bits);
}

TEST(e5m2_to_float, SubnormalNumbers) {
  from_e5m2.gives({{"Smallest", {{0x01, 0x81}}, {0x1p-16f, -0x1p-16f}},
                   {"Last", {{0x02, 0x83, 0x04}}, {0x1p-15f, -0x3p-16f, 0x1p-14f}}},
                  same_bits);
}

TEST(e5m2_to_float, InfinityAndNan) {
  const float nan = from_bits(0x7FC00000), minus_nan = from_bits(0xFFC00000);
  from_e5m2.gives({{"Infinity", {{0x7C, 0xFC}}, {kInfinity, -kInfinity}},
                   {"Nan", {{0x7D, 0x7E, 0x7F}}, {nan, nan, nan}},
                   {"NanBelowZero", {{0xFD, 0xFE, 0xFF}}, {minus_nan, minus_nan, minus_nan}}},
                  same_bits);
}

TEST(e5m2_to_float, EveryCode) {
  from_e5m2.agrees_with([](const auto& in) { return values_of(in.a, kFive); },
                        every_code<FromE5m2::Input>(), same_bits);
}

// --- float_to_e5m2 ------------------------------------------------------------------------------

const ToE5m2 to_e5m2{{"x", "overflow"}, {"codes"}};

void gives_e5m2(const std::vector<ToE5m2::Row>& rows) { to_e5m2.gives(rows, same_codes<kFive>); }

TEST(float_to_e5m2, RoundsToNearest) {
  gives_e5m2({{"One", {{1}, kSaturate}, {0x3C}},
              {"Whole", {{1, -1, 2, 3, -112}, kSaturate}, {0x3C, 0xBC, 0x40, 0x42, 0xD7}},
              {"Fractions", {{0.5f, -0.75f, 1.5f}, kSaturate}, {0x38, 0xBA, 0x3E}},
              {"Zeros", {{0, -0.0f}, kSaturate}, {0x00, 0x80}},
              {"Down", {{16.5f, 0.33f, -0.65f, 57}, kSaturate}, {0x4C, 0x35, 0xB9, 0x53}},
              {"Up", {{19.5f, 0.12f, -0.3f, 110}, kSaturate}, {0x4D, 0x30, 0xB5, 0x57}},
              {"Ends", {{0x1p-14f, 0x3p-14f, -57344}, kSaturate}, {0x04, 0x0A, 0xFB}},
              {"NonFinite", {{0x1p-14f, 19.5f, -57344}, kNonFinite}, {0x04, 0x4D, 0xFB}}});
}

TEST(float_to_e5m2, TiesGoToEven) {
  gives_e5m2({{"OfTheContract", {{45056, 53248, 19}, kSaturate}, {0x7A, 0x7A, 0x4D}},
              {"BelowZero", {{-45056, -53248, -19}, kSaturate}, {0xFA, 0xFA, 0xCD}},
              {"NearOne", {{1.125f, 1.375f, 19}, kNonFinite}, {0x3C, 0x3E, 0x4D}},
              {"Smallest", {{0xBp-17f, 0x9p-17f, 19}, kSaturate}, {0x06, 0x04, 0x4D}},
              {"BesideATie",
               {{18.0001f, 21.9999f, 19}, kSaturate},
               {0x4D, 0x4D, 0x4D},
               "these lie beside a tie, and x is rounded only once"},
              {"Carry", {{15, -15.5f, 31, -30, 19}, kSaturate}, {0x4C, 0xCC, 0x50, 0xD0, 0x4D}}});
}

TEST(float_to_e5m2, KeepsSubnormals) {
  gives_e5m2(
      {{"Counted", {{0x1p-16f, -0x1p-15f, 0x3p-16f, 0x1p-14f}, kSaturate}, {1, 0x82, 3, 4}},
       {"Between", {{0x5p-18f, 0x7p-18f, 4.3e-5f}, kSaturate}, {0x01, 0x02, 0x03}},
       {"Ties", {{0x3p-17f, 0x5p-17f, 0x7p-17f, 0x7p-18f}, kSaturate}, {0x02, 0x02, 0x04, 0x02}},
       {"HalfTheSmallest", {{0x1p-17f, -0x1p-17f, 0x7p-18f}, kSaturate}, {0x00, 0x80, 0x02}},
       {"JustAbove", {{0x1.000002p-17f, 0x3p-18f, 0x7p-18f}, kNonFinite}, {0x01, 0x01, 0x02}},
       {"Tiny", {{0x1p-18f, -1e-30f, FLT_TRUE_MIN, -1e-40f}, kSaturate}, {0, 0x80, 0, 0x80}}});
}

TEST(float_to_e5m2, SaturatesAt57344) {
  gives_e5m2({{"Largest", {{57344, -57344, 60000}, kSaturate}, {0x7B, 0xFB, 0x7B}},
              {"FromTheTieOn", {{61440, -61440, 65536}, kSaturate}, {0x7B, 0xFB, 0x7B}},
              {"FarBeyond", {{131072, -1e10f, FLT_MAX}, kSaturate}, {0x7B, 0xFB, 0x7B}},
              {"Infinity", {{kInfinity, -kInfinity}, kSaturate}, {0x7B, 0xFB}}});
}

// 22 is a tie that goes up: who lets all of them go down is told so.
TEST(float_to_e5m2, OverflowsAt61440) {
  gives_e5m2({{"Below", {{57344, 61439.996f, -61439.996f}, kNonFinite}, {0x7B, 0x7B, 0xFB}},
              {"FromTheTieOn",
               {{61440, -61440, 65536, 22, 19}, kNonFinite},
               {0x7C, 0xFC, 0x7C, 0x4E, 0x4D}},
              {"FarBeyond", {{131072, -1e10f, FLT_MAX}, kNonFinite}, {0x7C, 0xFC, 0x7C}},
              {"Infinity", {{kInfinity, -kInfinity}, kNonFinite}, {0x7C, 0xFC}}});
}

TEST(float_to_e5m2, KeepsNan) {
  const Codes codes = {0x7E, 0x7E, 0x7E, 0xFE, 0xFE, 0xFE, 0xFE};
  gives_e5m2({{"OneOfOthers", {{1, kNan, -1}, kSaturate}, {0x3C, 0x7E, 0xBC}},
              {"Saturate", {kEachNan, kSaturate}, codes},
              {"NonFinite", {kEachNan, kNonFinite}, codes}});
}

TEST(float_to_e5m2, EveryTieAndBothSides) {
  to_e5m2.agrees_with(by_definition<kFive>, every_tie<ToE5m2::Input>(kFive), same_codes<kFive>);
}

// --- quantize_fp8 -------------------------------------------------------------------------------

using Quantizing = Exercise<&quantize_fp8>;

Codes codes_of_each(const Reals& x, Fp8Format format, const auto& steps_of) {
  Codes codes;
  for (const float value : x) {
    codes.push_back(code_of(steps_of(value), format_of(format), kSaturate));
  }
  return codes;
}

float amax_of(std::span<const float> x) {
  for (const float value : x) {
    if (!std::isfinite(value)) throw std::invalid_argument("no such amax");
  }
  return max_abs(x);
}

Fp8Tensor quantized(const Quantizing::Arguments& in) {
  const auto& [x, format] = in;
  const float amax = amax_of(x);
  const float scale = amax == 0 ? 1 : std::max(amax / largest_of(format_of(format)), FLT_MIN);
  return {codes_of_each(x, format, [&](float value) { return value / scale; }), scale};
}

void suspect_quantized(Expect& expect, const Quantizing::Arguments& in, const Fp8Tensor& right) {
  const auto& [x, format] = in;
  const float amax = amax_of(x), largest = largest_of(format_of(format)), scale = right.scale;
  if (amax == 0) {
    expect.suspect("N-DIV0", "scale", 0.0f);
    expect.suspect("N-DIV0", "scale", FLT_MIN,
                   "as if a scale of 0 were raised: zeros have scale 1");
  }
  if (amax != 0 && amax / largest < FLT_MIN) expect.suspect("N-DIV0", "scale", amax / largest);
  const Fp8Format other = format == kE4m3 ? kE5m2 : kE4m3;
  constexpr const char* other_format = "as if it were the other format";
  const auto ends_at = [&](float end, const char* words) {
    if (amax / end != scale) expect.suspect("N-RANGE", "scale", amax / end, words);
  };
  ends_at(largest_of(format_of(other)), other_format);
  ends_at(240, "as if the largest number were 240");
  ends_at(480, "as if the largest number were 480");
  ends_at(127, "as if the largest number were 127");
  ends_at(65536, "as if the largest number were 65536");
  ends_at(1, "as if amax were not divided");
  if (largest / amax != scale) {
    expect.suspect("N-SCALE", "scale", largest / amax, "as if the scale were largest / amax");
  }
  const float top = x.empty() ? 0 : *std::ranges::max_element(x);
  if (top != amax) {
    expect.suspect("N-RANGE", "scale", top / largest, "as if amax were max x, and not max |x|");
  }

  expect.suspect("N-RANGE", "codes", codes_of_each(x, other, [&](float v) { return v / scale; }),
                 other_format);
  const auto steps_look = [&, &x = x, format = format](const char* code, const char* words,
                                                       const auto& steps_of) {
    const Codes wrong = codes_of_each(x, format, steps_of);
    if (wrong != right.codes) expect.suspect(code, "codes", wrong, words);
  };
  const float inverse = 1 / scale, factor = largest / amax;
  constexpr const char* no_scale = "as if x[i] were divided by amax, and not by the scale";
  constexpr const char* in_double = "as if the quotient were a double";
  steps_look("N-SCALE", "as if x[i] were not divided", [&](float v) { return v; });
  steps_look("N-SCALE", "as if it were times scale, and not divided by it",
             [&](float v) { return v * scale; });
  steps_look("N-FORMULA", "as if it were times 1 / scale, and not divided by it",
             [&](float v) { return v * inverse; });
  steps_look("N-FORMULA", "as if it were times largest / amax",
             [&](float v) { return v * factor; });
  steps_look("N-FORMULA", no_scale, [&](float v) { return v / amax * largest; });
  steps_look("N-FORMULA", no_scale, [&](float v) { return v * largest / amax; });
  steps_look("N-FORMULA", in_double, [&](float v) { return v / double{scale}; });
  steps_look("N-FORMULA", in_double, [&](float v) { return v / (double{amax} / largest); });
}

const Quantizing quantizing{{"x", "format"}, {"codes", "scale"}, suspect_quantized};

/// The scale first: codes follow from it.
void same_tensor(Expect& expect, const Quantizing::Arguments& in, const Fp8Tensor& got,
                 const Fp8Tensor& want) {
  expect.equal("scale", got.scale, want.scale);
  Reals steps;
  for (const float value : in.a) steps.push_back(value / want.scale);
  look_at_codes(expect, steps, format_of(in.b), kSaturate, got.codes, want.codes);
}

void gives_tensor(const std::vector<Quantizing::Row>& rows) { quantizing.gives(rows, same_tensor); }

TEST(quantize_fp8, FollowsTheFormula) {
  gives_tensor({{"One", {{448}, kE4m3}, {{0x7E}, 1}},
                {"ScaleOne", {{3, -448, 17.5f, 0.1f}, kE4m3}, {{0x44, 0xFE, 0x59, 0x1D}, 1}},
                {"Half", {{8.75f, 224, -1.5f}, kE4m3}, {{0x59, 0x7E, 0xC4}, 0.5f}},
                {"BelowZero", {{1, -2, -7}, kE4m3}, {{0x68, 0xF0, 0xFE}, 0x1p-6f}},
                {"Large", {{0x7p20f, -0x1p20f, 1}, kE4m3}, {{0x7E, 0xE8, 0x00}, 0x1p14f}},
                {"NoPowerOfTwo", {{-1, 0.5f}, kE4m3}, {{0xFE, 0x76}, 1.0f / 448}}});
}

TEST(quantize_fp8, EachFormatHasItsRange) {
  gives_tensor({{"E5m2", {{57344, -1, 3, 19.5f}, kE5m2}, {{0x7B, 0xBC, 0x42, 0x4D}, 1}},
                {"Scaled", {{448, -1, 3}, kE5m2}, {{0x7B, 0xD8, 0x5E}, 0x1p-7f}},
                {"E4m3", {{57344, -128, 384, 2240}, kE4m3}, {{0x7E, 0xB8, 0x44, 0x59}, 128}},
                {"Small", {{7, 0.001f}, kE5m2}, {{0x7B, 0x48}, 0x1p-13f}},
                {"NoPowerOfTwo", {{-1, 0.5f}, kE5m2}, {{0xFB, 0x77}, 1.0f / 57344}}});
}

std::vector<Quantizing::Input> tensors(Seed seed_of, std::size_t longest) {
  std::vector<Quantizing::Input> inputs;
  for (const std::size_t count : {std::size_t{1}, std::size_t{31}, std::size_t{32}, longest}) {
    for (const Fp8Format format : {kE4m3, kE5m2}) {
      const float stddev = std::ldexp(1.0f, static_cast<int>(count % 29) - 14);
      inputs.push_back({std::to_string(count) + show(format),
                        {normal_tensor(count, seed_of(2 * count), stddev), format}});
    }
  }
  return inputs;
}

// In each row the first value makes the scale. Of the others, divided by it in float32, each is a
// tie, or next to one. Times the inverse, times largest / amax, divided by amax and multiplied
// then, or in double, one of them lies on another side.
TEST(quantize_fp8, OneByOneInFloat32) {
  gives_tensor({{"E4m3",
                 {{66, 0x1.116db8p-8f, 0x1.d76db8p-9f, 0x1.b1b6dcp-9f, 0x1.fd2492p-9f}, kE4m3},
                 {{0x7E, 0x0F, 0x0C, 0x0C, 0x0D}, 66.0f / 448}},
                {"E5m2",
                 {{105.5f, 0x1.87db6ep-22f, 0x1.c4249p-22f, 0x1.4b9248p-21f}, kE5m2},
                 {{0x7B, 0x0A, 0x0B, 0x0E}, 105.5f / 57344}}});
  quantizing.agrees_with(quantized, tensors(seed, 509), same_tensor);
}

/// Each list in both formats.
template <class Input>
std::vector<Input> in_both(const std::vector<std::pair<std::string, Reals>>& lists) {
  std::vector<Input> inputs;
  for (const auto& [name, x] : lists) {
    inputs.push_back({name, {x, kE4m3}});
    inputs.push_back({name + "InE5m2", {x, kE5m2}});
  }
  return inputs;
}

// The scale of 1e-44 is 0 before it is raised.
TEST(quantize_fp8, ZerosAndTinyValues) {
  gives_tensor({{"Zeros", {{0, -0.0f, 0}, kE4m3}, {{0x00, 0x80, 0x00}, 1}},
                {"Nothing", {{}, kE5m2}, {{}, 1}},
                {"ZeroBesideOthers", {{-0.0f, 448, 0}, kE4m3}, {{0x80, 0x7E, 0x00}, 1}},
                {"SmallestScale", {{448 * FLT_MIN, -FLT_MIN}, kE4m3}, {{0x7E, 0xB8}, FLT_MIN}},
                {"Raised",
                 {{96 * FLT_MIN, -FLT_MIN, 3 * FLT_MIN}, kE4m3},
                 {{0x6C, 0xB8, 0x44}, FLT_MIN},
                 "amax is normal here, and amax / largest is raised to FLT_MIN"},
                {"RaisedE5m2", {{448 * FLT_MIN, -FLT_MIN}, kE5m2}, {{0x5F, 0xBC}, FLT_MIN}},
                {"Subnormal", {{FLT_MIN / 2, FLT_TRUE_MIN}, kE4m3}, {{0x30, 0x00}, FLT_MIN}},
                {"Largest", {{FLT_MAX, -FLT_MAX}, kE4m3}, {{0x7E, 0xFE}, FLT_MAX / 448}}});
  quantizing.agrees_with(
      quantized,
      in_both<Quantizing::Input>({{"MinusZero", {-0.0f}}, {"NextToNothing", {1e-44f, -0.0f}}}),
      same_tensor);
}

template <class Refused>
std::vector<Refused> not_finite() {
  std::vector<Refused> refused;
  for (const float value : {kNan, kInfinity, -kInfinity}) {
    for (const std::size_t at : {0, 1, 40}) {
      Reals x(41, 1);
      x[at] = value;
      refused.push_back({"", {x, kE4m3}});
      refused.push_back({"", {x, kE5m2}});
    }
    refused.push_back({"", {{value}, kE4m3}});
  }
  Reals at_the_end(1061, 1);
  at_the_end.back() = kInfinity;
  refused.push_back({"", {at_the_end, kE4m3}});
  return refused;
}

/// What is finite must be accepted, whatever comes out: other checks look at that.
constexpr auto any_answer = [](const auto&...) {};

TEST(quantize_fp8, RefusesWhatIsNotFinite) {
  quantizing.refuses({{"Finite", {{-448, 1}, kE4m3}, {}}}, not_finite<Quantizing::Refused>(),
                     any_answer);
}

// --- quantize_mx --------------------------------------------------------------------------------

using Blocks = Exercise<&quantize_mx>;

int top_of(const Format& f) { return f.largest / f.steps() - f.bias; }

/// By definition, but for the exponent of a block's scale.
template <class Exponent>
MxTensor in_blocks(const Blocks::Arguments& in, const Exponent& exponent_of) {
  const auto& [x, format] = in;
  MxTensor tensor;
  for (std::size_t at = 0; at < x.size(); at += kMxBlock) {
    const auto v = std::span(x).subspan(at, std::min(kMxBlock, x.size() - at));
    const int exponent = amax_of(v) == 0 ? -127 : std::clamp(exponent_of(v), -127, 127);
    tensor.scales.push_back(static_cast<std::uint8_t>(exponent + 127));
    for (const float value : v) {
      const double steps = std::ldexp(double{value}, -exponent);
      tensor.codes.push_back(code_of(steps, format_of(format), kSaturate));
    }
  }
  return tensor;
}

MxTensor blocks_of(const Blocks::Arguments& in) {
  const int top = top_of(format_of(in.b));
  return in_blocks(in, [&](std::span<const float> v) { return std::ilogb(amax_of(v)) - top; });
}

void suspect_blocks(Expect& expect, const Blocks::Arguments& in, const MxTensor& right) {
  const auto& [x, format] = in;
  const Format& f = format_of(format);
  const int top = top_of(f), other = top_of(format == kE4m3 ? kFive : kFour);
  const auto scales_look = [&](const char* code, const char* words, const auto& exponent_of) {
    const Codes wrong =
        in_blocks(in, [&](std::span<const float> v) { return exponent_of(amax_of(v)); }).scales;
    const bool ends = std::ranges::count(wrong, 0) != std::ranges::count(right.scales, 0);
    if (wrong != right.scales && !ends) {  // 0 tells nothing
      expect.suspect(code, "scales", wrong, words);
    }
  };
  const auto raised = [](double amax) { return static_cast<int>(std::ceil(std::log2(amax))); };
  Codes kept = right.scales;  // of zeros: the scale of the block before
  for (std::size_t b = 1; b < kept.size(); ++b) {
    if (kept[b] == 0) kept[b] = kept[b - 1];
  }
  if (kept != right.scales) {
    expect.suspect("N-FORMULA", "scales", kept,
                   "as if a block of zeros had the scale of the block before");
  }
  Codes one_for_zeros = right.scales, unbiased = right.scales;
  for (std::size_t b = 0; b < right.scales.size(); ++b) {
    const auto v = std::span(x).subspan(b * kMxBlock);
    if (amax_of(v.first(std::min(kMxBlock, v.size()))) == 0) one_for_zeros[b] = 127;
    unbiased[b] = static_cast<std::uint8_t>(right.scales[b] - 127);
  }
  if (one_for_zeros != right.scales) {
    expect.suspect("N-FORMULA", "scales", one_for_zeros,
                   "as if a block of zeros had a scale of 2^0");
  }
  expect.suspect("N-SCALE", "scales", unbiased, "as if a scale were the exponent, without 127");
  scales_look("N-SCALE", "as if e were rounded up", [&](float amax) { return raised(amax) - top; });
  scales_look("N-SCALE", "as if the scale were the power of two above amax / largest",
              [&](float amax) { return raised(double{amax} / largest_of(f)); });
  scales_look("N-SCALE", "as if e were a logarithm that is rounded",
              [&](float amax) { return int(std::lround(std::log2(amax))) - top; });
  scales_look("N-SCALE", "as if e were a logarithm in float",
              [&](float amax) { return int(std::floor(std::log2(amax))) - top; });
  scales_look("N-RANGE", "as if it were the other format",
              [&](float amax) { return std::ilogb(amax) - other; });
  scales_look("N-RANGE", "as if top were not subtracted",
              [&](float amax) { return std::ilogb(amax); });
  scales_look("N-SCALE", "as if the exponent had the other sign",
              [&](float amax) { return top - std::ilogb(amax); });
  const Codes of_largest = in_blocks(in, [&](std::span<const float> v) {
                             const float most = *std::ranges::max_element(v);
                             return most > 0 ? std::ilogb(most) - top : -127;
                           }).scales;
  if (of_largest != right.scales) {
    expect.suspect("N-RANGE", "scales", of_largest, "as if amax were max x, and not max |x|");
  }
  if (!x.empty()) {
    const auto whole = static_cast<std::uint8_t>(*std::ranges::max_element(right.scales));
    for (const Codes& of_all : {Codes(right.scales.size(), whole), Codes{whole}}) {
      expect.suspect("N-SCALE", "scales", of_all, "as if all of x were one block");
    }
  }
  const std::size_t tail = x.size() % kMxBlock;
  if (tail != 0) {
    Codes shorter(right.codes.begin(), right.codes.end() - static_cast<std::ptrdiff_t>(tail));
    expect.suspect("N-TAIL", "codes", shorter);
    Codes padded = right.codes;
    padded.resize(right.scales.size() * kMxBlock);
    expect.suspect("N-TAIL", "codes", padded);
    Codes scales = right.scales;
    if (scales.size() > 1) scales.back() = scales[scales.size() - 2];
    if (scales != right.scales) expect.suspect("N-TAIL", "scales", scales);
    expect.suspect("N-TAIL", "scales", Codes(right.scales.begin(), right.scales.end() - 1));
  }
  Codes unrounded, unscaled, in_other, by_bits, flushed;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t at = i / kMxBlock * kMxBlock;
    const float amax = amax_of(std::span(x).subspan(at, std::min(kMxBlock, x.size() - at)));
    const float scale = amax == 0 ? 1 : std::max(amax / largest_of(f), FLT_MIN);
    unrounded.push_back(code_of(x[i] / scale, f, kSaturate));
    unscaled.push_back(code_of(x[i], f, kSaturate));
    const float of_bits = from_bits(std::uint32_t{right.scales[i / kMxBlock]} << 23);  // 0 of 0
    by_bits.push_back(code_of(x[i] / of_bits, f, kSaturate));
    flushed.push_back(std::fabs(x[i]) < FLT_MIN ? with_sign_of(x[i], 0) : right.codes[i]);
    in_other.push_back(code_of(std::ldexp(x[i], 127 - right.scales[i / kMxBlock]),
                               format_of(format == kE4m3 ? kE5m2 : kE4m3), kSaturate));
  }
  if (flushed != right.codes) expect.suspect("N-FLUSH", "codes", flushed);
  if (by_bits != right.codes) expect.suspect("N-DIV0", "codes", by_bits);
  if (unrounded != right.codes) {
    expect.suspect("N-SCALE", "codes", unrounded, "as if the scale were amax / largest");
  }
  if (std::ranges::any_of(unscaled, [](int code) { return code % 128 != 0; })) {
    expect.suspect("N-SCALE", "codes", unscaled, "as if v[j] were not divided");
  }
  expect.suspect("N-RANGE", "codes", in_other, "as if it were the other format");
}

const Blocks blocks{{"x", "format"}, {"codes", "scales"}, suspect_blocks};

/// The scales first: codes follow from them. A scale that is twice what it should be, while the
/// codes are right, is another mistake than one that is taken for the range of the format.
void same_blocks(Expect& expect, const Blocks::Arguments& in, const MxTensor& got,
                 const MxTensor& want) {
  Codes twice = want.scales;
  for (std::uint8_t& scale : twice) scale += scale == 0 ? 0 : 1;  // 0 is the end, not the range
  if (got.codes != want.codes) expect.suspect("N-RANGE", "scales", twice);
  expect.equal("scales", got.scales, want.scales);
  Reals steps;
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    steps.push_back(std::ldexp(in.a[i], 127 - want.scales[i / kMxBlock]));
  }
  look_at_codes(expect, steps, format_of(in.b), kSaturate, got.codes, want.codes);
}

void gives_blocks(const std::vector<Blocks::Row>& rows) { blocks.gives(rows, same_blocks); }

TEST(quantize_mx, FollowsTheFormula) {
  gives_blocks(
      {{"One", {{1}, kE4m3}, {{0x78}, {119}}},
       {"StepOne",
        {{256, -448, 17.000002f, 17.5f, 5}, kE4m3},
        {{0x78, 0xFE, 0x59, 0x59, 0x4A}, {127}}},
       {"Small",
        {{3, -1.5f, 0.1f, 0.02f, -0.004f}, kE4m3},
        {{0x7C, 0xF4, 0x55, 0x42, 0xB0}, {120}}},
       {"BelowZero", {{0.003f, -0.75f, 0.011f}, kE4m3}, {{0x3C, 0xFC, 0x4B}, {118}}},
       {"OneInE5m2", {{1}, kE5m2}, {{0x78}, {112}}},
       {"StepOneInE5m2", {{32768, -57344, 17, 5}, kE5m2}, {{0x78, 0xFB, 0x4C, 0x45}, {127}}},
       {"SmallInE5m2",
        {{3, -1.5f, 0.1f, 0.02f, -0.004f}, kE5m2},
        {{0x7A, 0xF6, 0x66, 0x5D, 0xD4}, {113}}},
       {"Nothing", {{}, kE4m3}, {{}, {}}}});
}

// The float below a power of two has a logarithm that a float32 rounds to a whole number.
TEST(quantize_mx, TakesTheWholeExponent) {
  gives_blocks({{"Between", {{1.75f, -1.25f}, kE4m3}, {{0x7E, 0xFA}, {119}}},
                {"PowerOfTwo", {{16, 5}, kE4m3}, {{0x78, 0x6A}, {123}}},
                {"BelowIt",
                 {{0x1.FFFFFEp3f, 5}, kE4m3},
                 {{0x7E, 0x72}, {122}},
                 "e is rounded down, even where the largest value saturates"},
                {"SmallPower", {{0x1p-20f}, kE4m3}, {{0x78}, {99}}},
                {"BelowASmallOne", {{0x1.FFFFFEp-21f, 0x5p-23f}, kE4m3}, {{0x7E, 0x7A}, {98}}},
                {"BelowALargeOne", {{0x1.FFFFFEp99f, 0x5p96f}, kE5m2}, {{0x7B, 0x75}, {211}}}});
}

TEST(quantize_mx, SaturatesTheLargest) {
  gives_blocks(
      {{"Tie", {{1.8125f, -1.8f, 0.3f}, kE4m3}, {{0x7E, 0xFE, 0x6A}, {119}}},
       {"Beyond", {{1.9f, 1.7f, -1.99f, 0.3f}, kE4m3}, {{0x7E, 0x7E, 0xFE, 0x6A}, {119}}},
       {"TieInE5m2", {{1.875f, -1.8f, 0.3f}, kE5m2}, {{0x7B, 0xFB, 0x71}, {112}}},
       {"BeyondInE5m2", {{1.9f, 1.7f, -1.99f, 0.3f}, kE5m2}, {{0x7B, 0x7B, 0xFB, 0x71}, {112}}}});
}

/// Tensors whose blocks differ in magnitude by up to 2^80, with a 0 in each.
std::vector<Blocks::Input> several_blocks(Seed seed_of, std::size_t longest) {
  std::vector<Blocks::Input> inputs;
  for (const std::size_t count :
       {std::size_t{31}, std::size_t{32}, std::size_t{33}, std::size_t{64}, longest}) {
    for (const Fp8Format format : {kE4m3, kE5m2}) {
      Reals x = normal_tensor(count, seed_of(2 * count));
      for (std::size_t i = 0; i < count; ++i) {
        const auto block = mix(seed_of(2 * count + 1), i / kMxBlock);
        x[i] = i % kMxBlock == 5 ? 0 : std::ldexp(x[i], static_cast<int>(block % 81) - 40);
      }
      inputs.push_back({std::to_string(count) + show(format), {x, format}});
    }
  }
  return inputs;
}

TEST(quantize_mx, EveryBlockByItself) {
  Reals two(64, 1);
  std::fill(two.begin() + 32, two.end(), -24.0f);
  Reals tail(34, 0.5f);
  tail[31] = 3;
  tail[33] = -6;
  Codes codes_of_two(64, 0x78), codes_of_tail(34, 0x68);
  std::fill(codes_of_two.begin() + 32, codes_of_two.end(), std::uint8_t{0xFC});
  codes_of_tail[31] = 0x7C;
  codes_of_tail[32] = 0x60;
  codes_of_tail[33] = 0xFC;
  gives_blocks({{"Two", {two, kE4m3}, {codes_of_two, {119, 123}}},
                {"Quieter",
                 {{two.rbegin(), two.rend()}, kE4m3},
                 {{codes_of_two.rbegin(), codes_of_two.rend()}, {123, 119}},
                 "the scale comes from the block's own values, none before them"},
                {"Tail", {tail, kE4m3}, {codes_of_tail, {120, 121}}}});
  blocks.agrees_with(blocks_of, several_blocks(seed, 509), same_blocks);
}

// The smallest scale is 2^-127, which a float32 holds as a subnormal number.
TEST(quantize_mx, ZerosAndTinyValues) {
  Reals zeros_first(33, 0.0f);
  zeros_first[32] = 1;
  Codes codes_of_zeros(33, 0x00);
  codes_of_zeros[32] = 0x78;
  Reals zeros_behind(67, 0.0f), tiny_behind(33, 1.0f);  // behind a block of ones
  std::fill(zeros_behind.begin(), zeros_behind.begin() + 32, 1.0f);
  zeros_behind[32] = -0.0f;
  tiny_behind[32] = 1e-40f;
  gives_blocks({{"Zeros", {{0, -0.0f}, kE4m3}, {{0x00, 0x80}, {0}}},
                {"ZerosBefore", {zeros_first, kE4m3}, {codes_of_zeros, {0, 119}}},
                {"ScaleOne", {{0x1p-118f, 0x1p-119f}, kE4m3}, {{0x78, 0x70}, {1}}},
                {"LastScale",
                 {{0x1p-119f, -0x1p-125f}, kE4m3},
                 {{0x78, 0xC8}, {0}},
                 "the scale 0 stands for 2^-127, which v[j] is divided by"},
                {"Below", {{0x1p-120f, -0x1p-125f}, kE4m3}, {{0x70, 0xC8}, {0}}},
                {"BelowInE5m2",
                 {{0x1p-113f, -FLT_TRUE_MIN}, kE5m2},
                 {{0x74, 0x80}, {0}},
                 "0 where e - top + 127 is less, with the top of this format"}});
  blocks.agrees_with(blocks_of,
                     in_both<Blocks::Input>({{"MinusZero", {-0.0f, 0}},
                                             {"ZerosBehind", zeros_behind},
                                             {"TinyBehind", tiny_behind},
                                             {"Subnormal", {0x3p-128f, -0x1p-130f, FLT_TRUE_MIN}},
                                             {"Largest", {FLT_MAX, -1e38f, 1e30f}}}),
                     same_blocks);
}

TEST(quantize_mx, RefusesWhatIsNotFinite) {
  blocks.refuses({{"Finite", {{-448, 1}, kE4m3}, {}}}, not_finite<Blocks::Refused>(), any_answer);
}

// --- The picture --------------------------------------------------------------------------------

void draw_ruler(Picture& picture) {
  picture.ruler.push_back(kit_row<simt::HalfFormat>("half"));
  picture.ruler.push_back(kit_row<simt::Bfloat16Format>("bfloat16"));
  draw_row<&e4m3_to_float, std::uint8_t>(picture, "E4M3", 1 << 8);
  draw_row<&e5m2_to_float, std::uint8_t>(picture, "E5M2", 1 << 8);
  picture.ruler.push_back(kit_row<E2m1Format>("E2M1"));
}
const bool has_picture = register_picture({"e4m3_to_float", "e5m2_to_float"}, draw_ruler);

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

/// Reals of any bits, and of magnitudes from 2^-20 to 2^18: those of both formats, and beyond.
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
          std::ldexp(from_bits((drawn & 0x807FFFFF) | 0x3F800000), int(bits() % 39) - 20));
    }
    for (const Overflow overflow : {kSaturate, kNonFinite}) {
      inputs.push_back({std::to_string(count) + "Near" + show(overflow), {near, overflow}});
      inputs.push_back({std::to_string(count) + "Any" + show(overflow), {any, overflow}});
    }
  }
  return inputs;
}

/// Codes in an order nobody has seen, each many times.
template <class Input>
std::vector<Input> codes_in_disorder() {
  const Codes codes = code_tensor<std::uint8_t>(4096, hidden_seed(1), 0, 255);
  Expect::healthy(distinct(codes) == 256, "a code is missing");
  return {{"InDisorder", {codes}}};
}

TEST(float_to_e4m3, EqualsTheReference) {
  to_e4m3.agrees_with(to_e4m3.reference, floats<ToE4m3::Input>(), same_codes<kFour>);
}

TEST(e4m3_to_float, EqualsTheReference) {
  from_e4m3.agrees_with(from_e4m3.reference, codes_in_disorder<FromE4m3::Input>(), same_bits);
}

TEST(float_to_e5m2, EqualsTheReference) {
  to_e5m2.agrees_with(to_e5m2.reference, floats<ToE5m2::Input>(), same_codes<kFive>);
}

TEST(e5m2_to_float, EqualsTheReference) {
  from_e5m2.agrees_with(from_e5m2.reference, codes_in_disorder<FromE5m2::Input>(), same_bits);
}

TEST(quantize_fp8, EqualsTheReference) {
  quantizing.agrees_with(quantizing.reference, tensors(hidden_seed, 10'007), same_tensor);
}

TEST(quantize_mx, EqualsTheReference) {
  blocks.agrees_with(blocks.reference, several_blocks(hidden_seed, 10'007), same_blocks);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
