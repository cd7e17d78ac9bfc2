// Lab 26: the checks.
#include "cuda_half_fp8.hpp"

#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>

#include "checks/marks/26_cuda_half_fp8.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/slips.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"
#include "judge/wrong_products.hpp"
#include "nibble/float_format.hpp"

namespace nibble::judge {
namespace {

using simt::Bfloat16Format;
using simt::E4m3Format;
using simt::HalfFormat;
using simt::Overflow;
using simt::Rounding;

// --- Rows that change their format ---------------------------------------------------------------

struct RowsCase {
  std::string name;
  int rows = 1, k = 0;
  Reals x;                  ///< [rows,k]; for dequantize_to_half codes
  Reals scales{};           ///< [rows], for dequantize_to_half
  float limit = kInfinity;  ///< for quantize_fp8
  int group_size = 32;      ///< for quantize_int4
  int step = 4;             ///< k is a multiple of it, and stays one

  float at(std::ptrdiff_t i, std::ptrdiff_t p) const { return x[i * k + p]; }
};

std::string rows_text(int rows, int k) { return std::to_string(rows) + "x" + std::to_string(k); }
std::string show_size(const RowsCase& c) { return "rows x k = " + rows_text(c.rows, c.k); }

std::string show(const RowsCase& c) {
  std::string text = show_size(c);
  if (!c.scales.empty())
    return text + ", scales = " + show_values(c.scales) + ", q = " + show_values(c.x);
  if (c.step > 8) text += ", group_size " + std::to_string(c.group_size);
  if (!std::isinf(c.limit)) text += ", limit = " + show_value(c.limit);
  return text + ", x = " + show_values(c.x);
}

std::vector<RowsCase> smaller(const RowsCase& c) {
  std::vector<RowsCase> all;
  for (const auto& [rows, one, k] : smaller_shapes({c.rows, 1, c.k}, c.step)) {
    RowsCase to = c;
    to.rows = rows;
    to.k = k;
    to.name = rows_text(rows, k);
    to.x = corner(c.x, c.k, rows, k);
    if (!c.scales.empty()) to.scales.resize(std::size_t(rows));
    all.push_back(std::move(to));
  }
  return all;
}

/// value(row, p) for each place of a matrix.
template <class T, class Value>
std::vector<T> matrix(int rows, int columns, const Value& value) {
  std::vector<T> all;
  for (std::ptrdiff_t i = 0; i < rows; ++i) {
    for (std::ptrdiff_t j = 0; j < columns; ++j) all.push_back(static_cast<T>(value(i, j)));
  }
  return all;
}

Shape shape_of(const RowsCase& c) { return {std::size_t(c.rows), std::size_t(c.k)}; }

using Halves = std::vector<std::uint16_t>;

// --- dequantize_to_half --------------------------------------------------------------------------

template <class Value>
Halves halves(const RowsCase& c, const Value& value) {
  return matrix<std::uint16_t>(c.rows, c.k, [&](auto i, auto p) {
    return simt::encode<HalfFormat>(value(c.scales[i], c.at(i, p)));
  });
}

Halves right_halves(const RowsCase& c) {
  return halves(c, [](float scale, float code) { return scale * code; });
}

/// Right but for every second number, from `first` on, which is rounded towards 0.
Halves half_cut(const RowsCase& c, std::size_t first) {
  Halves cut = right_halves(c);
  for (std::size_t at = first; at < cut.size(); at += 2) {
    const float product = c.scales[at / std::size_t(c.k)] * c.x[at];
    cut[at] = std::uint16_t(simt::encode<HalfFormat>(product, Rounding::kTowardZero));
  }
  return cut;
}

std::vector<Slip<Halves>> slips_of_halves(const RowsCase& c) {
  const auto rounded_first = halves(c, [](float scale, float code) {
    return simt::decode<HalfFormat>(simt::encode<HalfFormat>(scale)) * code;
  });
  constexpr const char* kOneOfTwo = "one number of each pair is rounded towards 0";
  return {{"N-FORMULA", "the scale was rounded to a half first, and stays a float", rounded_first},
          {"N-TRUNC", kOneOfTwo, half_cut(c, 0)},
          {"N-TRUNC", kOneOfTwo, half_cut(c, 1)}};
}

/// Pairs the wrong way round, no signs, a quotient; roundings, an end where there is infinity.
void suspect_halves(Expect& expect, const RowsCase& c) {
  const auto suspect = [&](const char* code, std::string_view words, const auto& value) {
    expect.suspect(code, "h", halves(c, value), words);
  };
  Halves turned = right_halves(c);
  for (std::size_t at = 0; at + 1 < turned.size(); at += 2) std::swap(turned[at], turned[at + 1]);
  expect.suspect("N-LAYOUT", "h", turned, "the two halves of a word are exchanged");
  expect.suspect("N-AXIS", "h",
                 matrix<std::uint16_t>(c.rows, c.k,
                                       [&](auto i, auto p) {
                                         return simt::encode<HalfFormat>(c.scales[0] * c.at(i, p));
                                       }),
                 "all rows have the scale of row 0");
  suspect("N-SIGN", "codes below 0 are read as 256 more",
          [](float scale, float code) { return scale * (code < 0 ? code + 256 : code); });
  suspect("N-SCALE", "a code is divided by its scale",
          [](float scale, float code) { return code / scale; });
  suspect("N-SCALE", "a code is not scaled", [](float, float code) { return code; });
  suspect("N-INF", "from 65520 on a half is infinite, and here it ends at 65504",
          [](float scale, float code) {
            return std::fmin(65504.0f, std::fmax(-65504.0f, scale * code));
          });
  expect.suspect("N-TRUNC", "h",
                 matrix<std::uint16_t>(c.rows, c.k,
                                       [&](auto i, auto p) {
                                         return simt::encode<HalfFormat>(c.scales[i] * c.at(i, p),
                                                                         Rounding::kTowardZero);
                                       }),
                 "halves are rounded towards 0");
}

const auto to_half = kernel_exercise<&dequantize_to_half>(
    [](const RowsCase& c) {
      return std::tuple(each_of(c.x, [](float code) { return static_cast<std::int8_t>(code); }),
                        c.scales, out(c.x.size()), std::int64_t{c.k});
    },
    right_halves,
    [](Expect& expect, const RowsCase& c, const Halves& got, const Halves& right) {
      std::vector<Slip<Halves>> slips;
      if (got != right) {
        suspect_halves(expect, c);
        slips = slips_of_halves(c);
      }
      expect_no_slip(expect, "h", got, right, shape_of(c), slips);
    });

std::vector<RowsCase> code_cases(const std::vector<std::array<int, 2>>& sizes, Seed seeds) {
  return each_of(sizes, [&](const std::array<int, 2>& size, std::uint64_t at) {
    const auto [rows, k] = size;
    const auto codes = code_tensor<int>(std::size_t(rows) * k, seeds(2 * at), -128, 127);
    RowsCase c{rows_text(rows, k), rows, k, Reals(codes.begin(), codes.end())};
    c.scales = uniform_tensor(std::size_t(rows), seeds(2 * at + 1), 0.001f, 0.1f);
    c.step = 8;
    return c;
  });
}

RowsCase codes_with(std::string name, const Reals& scales, const Reals& codes) {
  RowsCase c{std::move(name), int(scales.size()), int(codes.size() / scales.size()), codes, scales};
  c.step = 8;
  return c;
}

// Powers of two; ties to both sides; the last finite half, and the first infinite number; the
// smallest halves, and ties among them.
void check_halves_by_hand() {
  to_half.gives(
      {{codes_with("Halves", {0.5f}, {1, -2, 3, -4, 5, -6, 127, -128}),
        {0x3800, 0xbc00, 0x3e00, 0xc000, 0x4100, 0xc200, 0x53f0, 0xd400}},
       {codes_with("TwoRows", {2, 0.25f}, {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8}),
        {0x4000, 0x4400, 0x4600, 0x4800, 0x4900, 0x4a00, 0x4b00, 0x4c00, 0x3400, 0x3800, 0x3a00,
         0x3c00, 0x3d00, 0x3e00, 0x3f00, 0x4000}},
       {codes_with("Ties", {1 + 0x1p-11f, 1 + 3 * 0x1p-11f},
                   {1, -1, 2, -2, 0, 4, 8, 64, 1, -1, 2, -2, 0, 4, 8, 64}),
        {0x3c00, 0xbc00, 0x4000, 0xc000, 0, 0x4400, 0x4800, 0x5400, 0x3c02, 0xbc02, 0x4002, 0xc002,
         0, 0x4402, 0x4802, 0x5402}},
       {codes_with("Largest", {520}, {125, -125, 126, -126, 127, -128, 0, 1}),
        {0x7bef, 0xfbef, 0x7c00, 0xfc00, 0x7c00, 0xfc00, 0, 0x6010}},
       {codes_with("Smallest", {0x1p-25f}, {1, 2, 3, -1, -2, -3, 5, 0}),
        {0, 1, 2, 0x8000, 0x8001, 0x8002, 2, 0}}});
  to_half.is_right(code_cases({{3, 256}}, seed));
}

// --- quantize_int4 -------------------------------------------------------------------------------

using Answer = std::tuple<Bytes, Reals>;

/// The largest magnitudes of runs of `size` neighbours.
Reals magnitudes(const RowsCase& c, int size) {
  Reals all;
  for (std::size_t first = 0; first < c.x.size(); first += std::size_t(size)) {
    all.push_back(max_abs(std::span(c.x).subspan(first, std::size_t(size))));
  }
  return all;
}

/// Codes by `code(steps)`, with the even one of two in the lower nibble.
template <class Code>
Bytes nibbles(const RowsCase& c, const Reals& scales, const Code& code) {
  Bytes bytes(c.x.size() / 2);
  for (std::size_t at = 0; at < c.x.size(); ++at) {
    const int bits = static_cast<int>(code(c.x[at] / scales[at / std::size_t(c.group_size)])) & 0xf;
    bytes[at / 2] |= static_cast<std::uint8_t>(bits << 4 * (at % 2));
  }
  return bytes;
}

Reals int4_scales(const RowsCase& c) {
  return each_of(magnitudes(c, c.group_size), [](float amax) { return amax == 0 ? 1 : amax / 7; });
}

float to_even(float steps) { return std::nearbyint(steps); }

Answer right_int4(const RowsCase& c) {
  const Reals scales = int4_scales(c);
  return {nibbles(c, scales, to_even), scales};
}

void suspect_int4(Expect& expect, const RowsCase& c, const Reals& scales) {
  const Bytes right = nibbles(c, scales, to_even);
  expect.suspect("N-LAYOUT", "w4",
                 each_of(right, [](std::uint8_t b) { return b >> 4 | (b & 0xf) << 4; }),
                 "the even code belongs in the low nibble of its byte");
  each_wrong_rounding([&](const char* code, const auto& round) {
    expect.suspect(code, "w4", nibbles(c, scales, round));
  });
  Bytes spilled = right;
  for (std::size_t at = 0; at < c.x.size(); ++at) {
    if (c.x[at] / scales[at / std::size_t(c.group_size)] >= -0.5f) continue;
    for (std::size_t above = at + 1; above < at / 4 * 4 + 4; ++above) {
      spilled[above / 2] |= above % 2 == 0 ? 0x0f : 0xf0;
    }
  }
  expect.suspect("N-SIGN", "w4", spilled, "the sign of a code reaches the codes above it");
  expect.suspect("N-SIGN", "w4", nibbles(c, scales, [](float steps) { return to_even(steps) + 8; }),
                 "8 is added to a code, which is stored in two's complement");
  expect.suspect("N-SCALE", "w4",
                 nibbles(c, each_of(scales, [](float s) { return 1 / s; }),
                         [](float steps) { return std::clamp(to_even(steps), -8.0f, 7.0f); }),
                 "x is multiplied by its scale, and should be divided");
}

/// One of the four codes of a lane is rounded, or one of its two bytes packed, another way.
std::vector<Slip<Bytes>> slips_of_int4(const RowsCase& c, const Reals& scales) {
  std::vector<Slip<Bytes>> slips;
  const Bytes right = nibbles(c, scales, to_even);
  const Bytes away = nibbles(c, scales, [](float steps) { return std::round(steps); });
  for (std::size_t one = 0; one < 4; ++one) {
    Bytes some = right;
    const std::uint8_t mask = one % 2 == 0 ? 0x0f : 0xf0;
    for (std::size_t at = one / 2; at < some.size(); at += 2) {
      some[at] = std::uint8_t((some[at] & ~mask) | (away[at] & mask));
    }
    slips.push_back({"N-ROUND", "one code of four has its ties rounded away from 0", some});
  }
  for (std::size_t one = 0; one < 2; ++one) {
    Bytes some = right;
    for (std::size_t at = one; at < some.size(); at += 2) {
      some[at] = std::uint8_t(some[at] >> 4 | some[at] << 4);
    }
    slips.push_back({"N-LAYOUT", "one byte of two has its nibbles the wrong way round", some});
  }
  RowsCase narrow = c;
  narrow.group_size = 32;
  slips.push_back({"N-SCALE", "codes come from the largest of 32 neighbours, not of the group",
                   nibbles(narrow, int4_scales(narrow), to_even)});
  return slips;
}

void suspect_int4_scales(Expect& expect, const RowsCase& c) {
  const auto suspect = [&](const char* code, std::string_view words, const Reals& amax,
                           float steps) {
    expect.suspect(code, "scales", each_of(amax, [&](float a) { return a == 0 ? 1 : a / steps; }),
                   words);
  };
  const Reals groups = magnitudes(c, c.group_size), rows = magnitudes(c, c.k);
  suspect("N-RANGE", "amax is divided by 8, and should be by 7", groups, 8);
  suspect("N-RANGE", "amax is divided by 7.5, and should be by 7", groups, 7.5f);
  suspect("N-SCALE", "amax is not divided by 7", groups, 1);
  suspect("N-AXIS", "all groups of a row have the scale of its largest magnitude",
          each_of(groups,
                  [&](float, std::size_t g) {
                    return rows[g * std::size_t(c.group_size) / std::size_t(c.k)];
                  }),
          7);
  expect.suspect("N-DIV0", "scales", each_of(groups, [](float a) { return a / 7; }),
                 "a group of zeros has the scale 1");
  Reals lanes;  // the first of a group writes, and has asked none of the others
  for (std::size_t first = 0; first < c.x.size(); first += std::size_t(c.group_size)) {
    lanes.push_back(max_abs(std::span(c.x).subspan(first, 4)));
  }
  suspect("N-FORMULA", "the largest magnitude is that of one lane, and not of its group", lanes, 7);
}

/// Shown as bytes are: 0x2f.
using Shown = std::vector<char8_t>;
Shown shown(const Bytes& bytes) {
  return each_of(bytes, [](std::uint8_t b) { return char8_t(b); });
}

/// As expect_no_slip; slips() is asked for where the answer is wrong.
void expect_bytes(Expect& expect, std::string_view what, const Bytes& got, const Bytes& right,
                  const Shape& shape, const auto& slips) {
  std::vector<Slip<Shown>> all;
  if (got != right) {
    for (const Slip<Bytes>& one : slips()) all.push_back({one.code, one.words, shown(one.values)});
  }
  expect_no_slip(expect, what, shown(got), shown(right), shape, all);
}

/// Of magnitudes, where a number below 0 counts as what it is: each, or one of four.
std::vector<Slip<Reals>> slips_of_magnitudes(const RowsCase& c, int size, const auto& scale) {
  std::vector<Slip<Reals>> slips;
  for (std::size_t one = 0; one < 5; ++one) {
    RowsCase positive = c;
    for (std::size_t at = 0; at < c.x.size(); ++at) {
      if (one == 4 || at % 4 == one) positive.x[at] = std::fmax(c.x[at], 0.0f);
    }
    slips.push_back({"N-FORMULA",
                     one == 4 ? "a number below 0 has a magnitude, too"
                              : "one number of four is taken without its magnitude",
                     each_of(magnitudes(positive, size), scale)});
  }
  if (size < 128) {  // four numbers a lane
    const Reals groups = magnitudes(c, size);
    slips.push_back({"N-AXIS", "a group has the largest magnitude of all lanes of a warp",
                     each_of(groups, [&](float, std::size_t g) {
                       const std::size_t first = g * std::size_t(size) / 128 * 128;
                       const std::size_t last = std::min(first + 128, c.x.size());
                       return scale(max_abs(std::span(c.x).subspan(first, last - first)));
                     })});
  }
  return slips;
}

const auto to_int4 = kernel_exercise<&quantize_int4>(
    [](const RowsCase& c) {
      return std::tuple(c.x, out(c.x.size() / 2), out(c.x.size() / std::size_t(c.group_size)),
                        std::int64_t{c.rows}, std::int64_t{c.k}, c.group_size);
    },
    right_int4,
    [](Expect& expect, const RowsCase& c, const Answer& got, const Answer& right) {
      const auto& [w4, scales] = got;
      if (scales != std::get<1>(right)) suspect_int4_scales(expect, c);
      std::vector<Slip<Reals>> slips;
      if (scales != std::get<1>(right)) {
        slips = slips_of_magnitudes(c, c.group_size, [](float a) { return a == 0 ? 1 : a / 7; });
      }
      expect_no_slip(expect, "scales", scales, std::get<1>(right),
                     {std::size_t(c.rows), std::size_t(c.k / c.group_size)}, slips);
      if (w4 != std::get<0>(right)) suspect_int4(expect, c, std::get<1>(right));
      expect_bytes(expect, "w4", w4, std::get<0>(right),
                   {std::size_t(c.rows), std::size_t(c.k / 2)},
                   [&] { return slips_of_int4(c, std::get<1>(right)); });
    });

RowsCase float_case(std::string name, int rows, int k, const Reals& x, int group_size) {
  RowsCase c{std::move(name), rows, k, x};
  c.group_size = c.step = group_size;
  return c;
}

struct GroupSizes {
  int rows, k, group_size;
};

std::vector<RowsCase> float_cases(const std::vector<GroupSizes>& sizes, Seed seeds) {
  return each_of(sizes, [&](const GroupSizes& s, std::uint64_t at) {
    Reals x = normal_tensor(std::size_t(s.rows) * s.k, seeds(at), 2.0f);
    return float_case(rows_text(s.rows, s.k), s.rows, s.k, x, s.group_size);
  });
}

template <class List>
List joined(List first, const List& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Rows whose scales have rounded reciprocals: what lies half-way between two steps, and the floats
/// beside it. `most`: the step that is as large as the largest magnitude.
std::vector<RowsCase> half_way(const Reals& ties, float most, int group_size) {
  return each_of(Reals{0.1f, 0.3f, 1.1f, 2.3f, 7.7f}, [&](float amax) {
    Reals x = {amax};
    for (const float tie : ties) {
      const float real = tie * (amax / most);
      x.insert(x.end(), {real, -real, std::nextafter(real, 0.0f), std::nextafter(real, kInfinity)});
    }
    const std::size_t size = std::size_t(group_size);
    x.resize((x.size() + size - 1) / size * size);
    return float_case("HalfWayOf" + show_value(amax), 1, int(x.size()), x, group_size);
  });
}

// Scale 1: codes as they are, then ties. All groups different, one of zeros, one whose largest is
// below 0 and stands last. A scale whose reciprocal is rounded.
void check_int4_by_hand() {
  const auto bytes = [&](const Bytes& first) { return joined(first, Bytes(16 - first.size())); };
  const Reals codes = joined(Reals{7, -7, 1, -1, 2, -3, 4, -5}, Reals(24));
  const Reals ties = joined(Reals{7, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, -6.5f}, Reals(24));
  const Reals last = joined(joined(Reals{6}, Reals(30)), Reals{-14});
  const Bytes last_codes = joined(joined(Bytes{3}, Bytes(14)), Bytes{0x90});
  to_int4.gives({{float_case("Codes", 1, 32, codes, 32), {bytes({0x97, 0xf1, 0xd2, 0xb4}), {1}}},
                 {float_case("Ties", 1, 32, ties, 32), {bytes({0x07, 0x22, 0xe0, 0xae}), {1}}},
                 {float_case("Zeros", 1, 64, joined(Reals(32), codes), 32),
                  {joined(Bytes(16), bytes({0x97, 0xf1, 0xd2, 0xb4})), {1, 1}}},
                 {float_case("LastIsLargest", 1, 32, last, 32), {last_codes, {2}}}});
  to_int4.is_right(half_way({0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f}, 7, 32));
  to_int4.is_right(float_cases({{2, 128, 32}, {2, 256, 128}}, seed));
}

// --- quantize_fp8 --------------------------------------------------------------------------------

template <class Encode>
Bytes fp8_codes(const RowsCase& c, const Reals& scales, const Encode& encode) {
  return matrix<std::uint8_t>(c.rows, c.k,
                              [&](auto i, auto p) { return encode(c.at(i, p) / scales[i]); });
}

Reals fp8_scales(const RowsCase& c) {
  return each_of(magnitudes(c, c.k),
                 [&](float amax) { return amax == 0 ? 1 : std::fmin(amax, c.limit) / 448; });
}

std::uint32_t saturated(float x) {
  return simt::encode<E4m3Format>(x, Rounding::kNearestEven, Overflow::kSaturate);
}

Answer right_fp8(const RowsCase& c) {
  const Reals scales = fp8_scales(c);
  return {fp8_codes(c, scales, saturated), scales};
}

void suspect_fp8(Expect& expect, const RowsCase& c, const Reals& scales) {
  const auto suspect = [&](const char* code, std::string_view words, const auto& encode) {
    expect.suspect(code, "q", fp8_codes(c, scales, encode), words);
  };
  suspect("N-CLAMP", "beyond -448 a conversion that does not saturate gives NaN",
          [](float x) { return x < -448 ? simt::encode<E4m3Format>(x) : saturated(x); });
  suspect("N-TRUNC", "codes are rounded towards 0", [](float x) {
    return simt::encode<E4m3Format>(x, Rounding::kTowardZero, Overflow::kSaturate);
  });
  suspect("N-FLUSH", "numbers below 2^-6 are taken for 0", [](float x) {
    return std::fabs(x) < 0x1p-6f ? (std::signbit(x) ? 0x80u : 0u) : saturated(x);
  });
  suspect("N-FORMULA", "the codes are those of e5m2", [](float x) {
    return simt::encode<simt::E5m2Format>(x, Rounding::kNearestEven, Overflow::kSaturate);
  });
  expect.suspect("N-SCALE", "q",
                 fp8_codes(c, each_of(scales, [](float scale) { return 1 / scale; }), saturated),
                 "x is multiplied by its scale, and should be divided");
  expect.suspect("N-AXIS", "q", fp8_codes(c, Reals(scales.size(), scales.front()), saturated),
                 "all rows have the scale of row 0");
}

std::vector<Slip<Bytes>> slips_of_fp8(const RowsCase& c, const Reals& scales) {
  const auto by_product = matrix<std::uint8_t>(
      c.rows, c.k, [&](auto i, auto p) { return saturated(c.at(i, p) * (1 / scales[i])); });
  return {{"N-FORMULA", "x * (1 / scale) is rounded twice: divide", by_product},
          {"N-CLAMP", "beyond 448 a conversion that does not saturate gives NaN",
           fp8_codes(c, scales, [](float x) { return simt::encode<E4m3Format>(x); })}};
}

void suspect_fp8_scales(Expect& expect, const RowsCase& c) {
  const auto suspect = [&](const char* code, std::string_view words, const auto& scale) {
    expect.suspect(code, "scales", each_of(magnitudes(c, c.k), scale), words);
  };
  suspect("N-SCALE", "limit is left out: min(amax, limit) / 448",
          [](float a) { return a == 0 ? 1 : a / 448; });
  suspect("N-SCALE", "the larger of amax and limit is taken: min(amax, limit) / 448",
          [&](float a) { return a == 0 ? 1 : std::fmax(a, c.limit) / 448; });
  suspect("N-SCALE", "448 is divided by amax, and amax should be by 448",
          [&](float a) { return a == 0 ? 1 : 448 / std::fmin(a, c.limit); });
  suspect("N-RANGE", "amax is divided by 127, and should be by 448",
          [&](float a) { return a == 0 ? 1 : std::fmin(a, c.limit) / 127; });
  suspect("N-RANGE", "amax is divided by 240, and should be by 448",
          [&](float a) { return a == 0 ? 1 : std::fmin(a, c.limit) / 240; });
  suspect("N-AXIS", "all rows have the scale of the largest magnitude of all",
          [&](float) { return std::fmin(max_abs(c.x), c.limit) / 448; });
  suspect("N-DIV0", "a row of zeros has the scale 1",
          [&](float a) { return std::fmin(a, c.limit) / 448; });
}

const auto to_fp8 = kernel_exercise<&quantize_fp8>(
    [](const RowsCase& c) {
      return std::tuple(c.x, out(c.x.size()), out(std::size_t(c.rows)), c.limit, std::int64_t{c.k});
    },
    right_fp8,
    [](Expect& expect, const RowsCase& c, const Answer& got, const Answer& right) {
      const auto& [q, scales] = got;
      if (scales != std::get<1>(right)) suspect_fp8_scales(expect, c);
      std::vector<Slip<Reals>> slips;
      if (scales != std::get<1>(right)) {
        slips = slips_of_magnitudes(
            c, c.k, [&](float a) { return a == 0 ? 1 : std::fmin(a, c.limit) / 448; });
      }
      expect_no_slip(expect, "scales", scales, std::get<1>(right), {scales.size()}, slips);
      if (q != std::get<0>(right)) suspect_fp8(expect, c, std::get<1>(right));
      expect_bytes(expect, "q", q, std::get<0>(right), shape_of(c),
                   [&] { return slips_of_fp8(c, std::get<1>(right)); });
    });

RowsCase row_with(std::string name, int rows, const Reals& x, float limit = kInfinity) {
  RowsCase c{std::move(name), rows, int(x.size()) / rows, x};
  c.limit = limit;
  return c;
}

std::vector<RowsCase> fp8_cases(const std::vector<std::array<int, 2>>& sizes, float limit,
                                Seed seeds) {
  return each_of(sizes, [&](const std::array<int, 2>& size, std::uint64_t at) {
    const auto [rows, k] = size;
    return row_with(rows_text(rows, k), rows,
                    normal_tensor(std::size_t(rows) * std::size_t(k), seeds(at), 2.0f), limit);
  });
}

/// What lies half-way between two e4m3 numbers.
Reals fp8_ties() {
  Reals ties;
  for (std::uint32_t code = 0; code < E4m3Format::kMaxFinite; ++code) {
    ties.push_back((simt::decode<E4m3Format>(code) + simt::decode<E4m3Format>(code + 1)) / 2);
  }
  return ties;
}

/// All e4m3 numbers, what lies half-way between two, and the floats beside that: with scale 1.
Reals every_step() {
  Reals x;
  for (std::uint32_t code = 0; code <= E4m3Format::kMaxFinite; ++code) {
    x.insert(x.end(), {simt::decode<E4m3Format>(code), simt::decode<E4m3Format>(code | 0x80)});
  }
  for (const float tie : fp8_ties()) {
    x.insert(x.end(), {tie, -tie, std::nextafter(tie, 0.0f), std::nextafter(tie, 448.0f)});
  }
  x.resize(x.size() / 4 * 4);
  return x;
}

void check_fp8_by_hand() {
  to_fp8.gives(
      {{row_with("Codes", 1, {448, -1, 0.5f, 0, 2, -4, 8, -16}),
        {{0x7e, 0xb8, 0x30, 0x00, 0x40, 0xc8, 0x50, 0xd8}, {1}}},
       {row_with("TwoRows", 2, {224, 1, -2, 4, -896, 2, 4, -8}),
        {{0x7e, 0x40, 0xc8, 0x50, 0xfe, 0x38, 0x40, 0xc8}, {0.5f, 2}}},
       {row_with("Ties", 1, {448, 1.0625f, 1.1875f, -1.0625f}), {{0x7e, 0x38, 0x3a, 0xb8}, {1}}},
       {row_with("ZeroRow", 2, {0, 0, 0, 0, 448, 448, 448, 448}),
        {{0, 0, 0, 0, 0x7e, 0x7e, 0x7e, 0x7e}, {1, 1}}}});
  to_fp8.is_right({row_with("EveryStep", 1, every_step())});
  to_fp8.is_right(half_way(fp8_ties(), 448, 4));
  to_fp8.is_right(fp8_cases({{3, 8}, {3, 260}}, kInfinity, seed));
}

// Up to 464 the nearest code is that of 448; then there is none.
void check_fp8_saturates() {
  to_fp8.gives({{row_with("BeyondTheLimit", 1, {448, 464, 465, 1e6f, -464, -465, -1e6f, 1}, 448),
                 {{0x7e, 0x7e, 0x7e, 0x7e, 0xfe, 0xfe, 0xfe, 0x38}, {1}}},
                {row_with("LimitIsNotReached", 1, {1, -224, 2, 3}, 448),
                 {{0x40, 0xfe, 0x48, 0x4c}, {0.5f}}}});
  to_fp8.is_right(fp8_cases({{2, 64}, {5, 132}}, 2.0f, seed));
}

// --- Products ------------------------------------------------------------------------------------

struct GemmCase {
  std::string name;
  MatmulShape shape;
  Reals a, b_t;  ///< [m,k], [n,k], each of them a number of the exercise's format
  float alpha = 1, beta = 0;
  Reals c{};                     ///< [m,n], or none
  Reals a_scales{}, b_scales{};  ///< for gemm_fp8
  bool exact = true;             ///< every sum is a float, in whatever order it is made

  std::size_t outputs() const { return std::size_t(shape.m) * std::size_t(shape.n); }
};

constexpr int kStep = 32;

std::string show_size(const GemmCase& c) { return "m x n x k = " + size_text(c.shape); }
std::string show(const GemmCase& c) {
  std::string text = show_size(c);
  if (c.alpha != 1 || c.beta != 0) {
    text += ", alpha = " + show_value(c.alpha) + ", beta = " + show_value(c.beta) +
            ", c = " + show_values(c.c);
  }
  if (distinct(c.a_scales) + distinct(c.b_scales) > 2) {
    text += ", a_scales = " + show_values(c.a_scales) + ", b_scales = " + show_values(c.b_scales);
  }
  return text + ", a = " + show_values(c.a) + ", b_t = " + show_values(c.b_t);
}

std::vector<GemmCase> smaller(const GemmCase& c) {
  std::vector<GemmCase> all;
  for (const MatmulShape to : smaller_shapes(c.shape, kStep)) {
    GemmCase less = c;
    less.name = size_text(to);
    less.shape = to;
    less.a = corner(c.a, c.shape.k, to.m, to.k);
    less.b_t = corner(c.b_t, c.shape.k, to.n, to.k);
    if (!c.c.empty()) less.c = corner(c.c, c.shape.n, to.m, to.n);
    if (!c.a_scales.empty()) less.a_scales.resize(std::size_t(to.m));
    if (!c.b_scales.empty()) less.b_scales.resize(std::size_t(to.n));
    all.push_back(std::move(less));
  }
  return all;
}

/// A sum, and the sum of its terms without their signs.
struct Sum {
  double value = 0, magnitude = 0;
};

Sum sum_at(const GemmCase& c, std::ptrdiff_t i, std::ptrdiff_t j) {
  Sum sum;
  for (std::ptrdiff_t p = 0; p < c.shape.k; ++p) {
    const double term = double{c.a[i * c.shape.k + p]} * c.b_t[j * c.shape.k + p];
    sum.value += term;
    sum.magnitude += std::fabs(term);
  }
  return sum;
}

struct Half {
  static constexpr auto kCall = &gemm_half;
  using Format = HalfFormat;
  static constexpr int kColumns = 16, kDepth = 16;  ///< of a product of tiles
  static constexpr int kBits = 5;  ///< random numbers are integers of so many: sums are exact
};
struct Bfloat16 {
  static constexpr auto kCall = &gemm_bfloat16;
  using Format = Bfloat16Format;
  static constexpr int kColumns = 8, kDepth = 16, kBits = 7;
};
struct Fp8 {
  static constexpr auto kCall = &gemm_fp8;
  using Format = E4m3Format;
  static constexpr int kColumns = 8, kDepth = 32, kBits = 2;
};
template <class Exercise>
constexpr bool is_fp8 = std::is_same_v<Exercise, Fp8>;

template <class Exercise>
auto bits(const Reals& x) {
  using Bits = std::conditional_t<is_fp8<Exercise>, std::uint8_t, std::uint16_t>;
  return each_of(x, [](float value) {
    using Format = typename Exercise::Format;
    const auto code = simt::encode<Format>(value);
    if (simt::decode<Format>(code) != value)
      throw KitError(show_value(value) + " is no such number");
    return static_cast<Bits>(code);
  });
}

template <class Exercise>
auto arguments(const GemmCase& c) {
  const auto a = bits<Exercise>(c.a), b_t = bits<Exercise>(c.b_t);
  if constexpr (is_fp8<Exercise>) {
    return std::tuple(a, b_t, c.a_scales, c.b_scales, out(c.outputs()), std::int64_t{c.shape.k});
  } else {
    return std::tuple(a, b_t, c.c, out(c.outputs()), c.alpha, c.beta, c.shape);
  }
}

/// What becomes of a sum; with other scales, where somebody mistakes them.
template <class Exercise>
Reals finished(const GemmCase& c, const std::vector<double>& sums) {
  return matrix<float>(c.shape.m, c.shape.n, [&](auto i, auto j) {
    const auto at = i * c.shape.n + j;
    if (is_fp8<Exercise>) return double{c.a_scales[i]} * c.b_scales[j] * sums[at];
    return c.alpha * sums[at] + (c.beta == 0 ? 0.0 : double{c.beta} * c.c[at]);
  });
}

std::vector<double> sums_of(const GemmCase& c) {
  return matrix<double>(c.shape.m, c.shape.n,
                        [&](auto i, auto j) { return sum_at(c, i, j).value; });
}

template <class Exercise>
Reals right_product(const GemmCase& c) {
  return finished<Exercise>(c, sums_of(c));
}

/// Sums that are rounded by `round` after each product of tiles, of numbers that are read by
/// `read`.
template <class Exercise, class Read, class Round>
std::vector<double> in_steps(const GemmCase& c, const Read& read, const Round& round) {
  return matrix<double>(c.shape.m, c.shape.n, [&](auto i, auto j) {
    double sum = 0;
    for (std::ptrdiff_t first = 0; first < c.shape.k; first += Exercise::kDepth) {
      double products = 0;
      for (std::ptrdiff_t p = first; p < first + Exercise::kDepth; ++p) {
        products += double{read(c.a[i * c.shape.k + p])} * read(c.b_t[j * c.shape.k + p]);
      }
      sum = round(products + sum);
    }
    return sum;
  });
}

float as_half(double x) { return simt::decode<HalfFormat>(simt::encode<HalfFormat>(x)); }

/// Sums of 16 bits, the last step alone; alpha or beta forgotten, exchanged, or applied to all.
void suspect_products_of_16_bits(Expect& expect, const GemmCase& c) {
  const auto same = [](float x) { return x; };
  expect.suspect("N-FLOAT32", "d", finished<Half>(c, in_steps<Half>(c, same, as_half)),
                 "sums are halves, and have to be floats");
  GemmCase last = c;
  for (int at = 0; at < c.shape.m * c.shape.k; ++at) {
    if (at % c.shape.k < c.shape.k - Half::kDepth) last.a[std::size_t(at)] = 0;
  }
  expect.suspect("N-TAIL", "d", right_product<Half>(last),
                 "only the last step along k is added, " + std::to_string(Half::kDepth) + " of " +
                     std::to_string(c.shape.k));
  const auto suspect = [&](std::string_view words, float alpha, float beta) {
    GemmCase scaled = c;
    scaled.alpha = alpha;
    scaled.beta = c.beta == 0 ? 0 : beta;
    expect.suspect("N-SCALE", "d", right_product<Half>(scaled), words);
  };
  suspect("the sum is not scaled by alpha", 1, c.beta);
  suspect("c is not scaled by beta", c.alpha, 1);
  suspect("beta * c is not added", c.alpha, 0);
  suspect("alpha scales c, too", c.alpha, c.alpha * c.beta);
  suspect("alpha and beta are exchanged", c.beta, c.alpha);
  suspect("beta * c is taken away", c.alpha, -c.beta);
}

/// A float that nobody has set, as the compiler fills it.
const float kUnset = std::bit_cast<float>(0xfefefefeu);

/// Sums that begin with it; for fp8 the whole parts of 128 products alone; of 16 bits the other
/// format's.
template <class Exercise>
std::vector<Slip<Reals>> slips_of_product(const GemmCase& c) {
  const auto unset = each_of(sums_of(c), [](double sum) { return float(kUnset + float(sum)); });
  std::vector<Slip<Reals>> slips{{"N-UNINIT", "the sums begin with what nobody has set",
                                  each_of(finished<Exercise>(c, {unset.begin(), unset.end()}),
                                          [](double x) { return float(x); })}};
  if (is_fp8<Exercise>) {
    GemmCase whole = c;
    for (std::size_t at = 0; at < c.a.size(); ++at) {
      if (int(at) % c.shape.k >= c.shape.k / 128 * 128) whole.a[at] = 0;
    }
    slips.push_back({"N-TAIL", "the last part, of less than 128 products, is not added",
                     right_product<Exercise>(whole)});
    return slips;
  }
  const auto other = [](float x) {
    return std::is_same_v<Exercise, Half>
               ? simt::decode<Bfloat16Format>(simt::encode<HalfFormat>(x))
               : simt::decode<HalfFormat>(simt::encode<Bfloat16Format>(x));
  };
  slips.push_back({"N-FORMULA", "the bits are read as those of the other format of 16 bits",
                   finished<Half>(c, in_steps<Half>(c, other, [](double x) { return float(x); }))});
  return slips;
}

/// Steps along k that lose products, or add some twice; sums of other places; rows of d for
/// columns; words of a lane that come from elsewhere in the row.
template <class Exercise>
void suspect_places(Expect& expect, const GemmCase& c) {
  const std::size_t m = std::size_t(c.shape.m), n = std::size_t(c.shape.n),
                    k = std::size_t(c.shape.k);
  if (m * n * k == 0 || m * n * k > 100'000) return;
  const auto of_a = [&](const char* code, std::string_view words, const Reals& a) {
    GemmCase other = c;
    other.a = a;
    expect.suspect(code, "d", right_product<Exercise>(other), words);
  };
  each_wrong_step(k, [&](const char* code, std::string_view words, const auto& times) {
    of_a(code, words,
         each_of(c.a, [&](float x, std::size_t at) { return x * float(times(at % k)); }));
  });
  const std::vector<double> sums = sums_of(c);
  const auto moved = [&](std::string_view words, const auto& row, const auto& column) {
    std::vector<double> other;
    for (std::size_t at = 0; at < m * n; ++at) {
      const std::size_t i = row(at / n, at % n), j = column(at / n, at % n);
      other.push_back(i < m && j < n ? sums[i * n + j] : 0);
    }
    expect.suspect("N-LAYOUT", "d", finished<Exercise>(c, other), words);
  };
  each_wrong_place(c.shape, moved);
  moved(
      "d[i,j] is written where d[j,i] belongs", [](std::size_t, std::size_t s) { return s; },
      [](std::size_t r, std::size_t) { return r; });
  if (distinct(c.a) <= 2) return;  // it looks the same from everywhere
  const std::size_t word = is_fp8<Exercise> ? 4 : 2, half = 4 * word;
  const auto from = [&](std::string_view words, const auto& place) {
    of_a("N-LAYOUT", words, each_of(c.a, [&](float, std::size_t at) {
           const std::size_t p = at % k / (2 * half) * (2 * half) + place(at % (2 * half));
           return p < k ? c.a[at / k * k + p] : 0;
         }));
  };
  from("the second word of a row is the first once more", [=](std::size_t p) { return p % half; });
  from("the halves along k are exchanged",
       [=](std::size_t p) { return p < half ? p + half : p - half; });
  from("two neighbours of a row are exchanged", [](std::size_t p) { return p ^ 1; });
}

/// The scales of rows for columns, where there are as many.
void suspect_scales(Expect& expect, const GemmCase& c) {
  const auto suspect = [&](const char* code, std::string_view words, const Reals& a_scales,
                           const Reals& b_scales) {
    GemmCase scaled = c;
    scaled.a_scales = a_scales;
    scaled.b_scales = b_scales;
    expect.suspect(code, "d", right_product<Fp8>(scaled), words);
  };
  const Reals ones(c.a_scales.size() + c.b_scales.size(), 1);
  if (c.shape.m == c.shape.n) {
    suspect("N-AXIS", "a_scales belong to rows of d, and b_scales to columns", c.b_scales,
            c.a_scales);
  }
  suspect("N-SCALE", "a_scales[i] is missing", ones, c.b_scales);
  suspect("N-SCALE", "b_scales[j] is missing", c.a_scales, ones);
  suspect("N-SCALE", "the sum is not scaled", ones, ones);
}

template <class Exercise>
void expect_product(Expect& expect, const GemmCase& c, const Reals& got, const Reals& right) {
  const Shape shape{std::size_t(c.shape.m), std::size_t(c.shape.n)};
  if (c.exact) {
    if constexpr (is_fp8<Exercise>) {
      const auto is_huge = [](float one) { return one > 0x1p64f; };
      if (std::ranges::any_of(c.a_scales, is_huge) || std::ranges::any_of(c.b_scales, is_huge)) {
        expect.that(std::ranges::none_of(got, [](float one) { return std::isinf(one); }),
                    "the scales are multiplied first: a sum times one of them is beyond all floats",
                    "N-OVERFLOW");
      }
      if (got != right) suspect_scales(expect, c);
    } else {
      const auto has_nan = [](const Reals& x) {
        return std::any_of(x.begin(), x.end(), [](float one) { return std::isnan(one); });
      };
      expect.that(c.beta != 0 || !has_nan(c.c) || !has_nan(got),
                  "with beta = 0, what c held is in d", "N-NAN");
      if (got != right) suspect_products_of_16_bits(expect, c);
    }
    std::vector<Slip<Reals>> slips;
    if (got != right) {
      suspect_places<Exercise>(expect, c);
      slips = slips_of_product<Exercise>(c);
    }
    expect_no_slip(expect, "d", got, right, shape, slips);
    return;
  }
  const auto is_right = [&](std::size_t at) {
    const std::ptrdiff_t i = std::ptrdiff_t(at) / c.shape.n, j = std::ptrdiff_t(at) % c.shape.n;
    const Sum sum = sum_at(c, i, j);
    if (is_fp8<Exercise>) {
      const double scale = double{c.a_scales[i]} * c.b_scales[j];
      return is_near(got[at], scale * sum.value, short_sum_tolerance(scale * sum.magnitude));
    }
    const double rest = c.beta == 0 ? 0.0 : double{c.beta} * c.c[at];
    return is_near(
        got[at], c.alpha * sum.value + rest,
        tensor_sum_tolerance(std::fabs(c.alpha) * sum.magnitude + std::fabs(rest), c.shape.k));
  };
  expect.every("d", got, right, is_right, shape);
  if (!is_fp8<Exercise>) expect.otherwise("N-FORMULA");
}

template <class Exercise>
const auto multiplying = kernel_exercise<Exercise::kCall>(arguments<Exercise>,
                                                          right_product<Exercise>,
                                                          expect_product<Exercise>);

/// x [rows,k] with zeros up to a k that is allowed.
Reals widened(const Reals& x, int rows, int k) {
  return matrix<float>(rows, kStep, [&](auto i, auto p) { return p < k ? x[i * k + p] : 0; });
}

GemmCase by_hand(std::string name, MatmulShape s, const Reals& a, const Reals& b_t) {
  GemmCase c{std::move(name), {s.m, s.n, kStep}, widened(a, s.m, s.k), widened(b_t, s.n, s.k)};
  c.c = Reals(c.outputs());
  c.a_scales = Reals(std::size_t(s.m), 1);
  c.b_scales = Reals(std::size_t(s.n), 1);
  return c;
}

/// b_t [k,k] is 1 on its diagonal, and d is a: shows which place along k a number was taken from.
GemmCase times_one(int m) {
  GemmCase c = by_hand("TimesOne", {m, kStep, 0}, {}, {});
  for (int i = 0; i < m * kStep; ++i) c.a[i] = float(i * 7 % 31 % 17 - 8);
  for (int j = 0; j < kStep; ++j) c.b_t[std::size_t(j) * kStep + j] = 1;
  return c;
}

/// d[i,j] = (i - 3) * (j - 5): shows to which row and column a sum went.
GemmCase table_of_products() {
  return by_hand("TableOfProducts", {16, 16, 1},
                 {-3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
                 {-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
}

GemmCase scaled(GemmCase c, float alpha, float beta, const Reals& other) {
  c.alpha = alpha;
  c.beta = beta;
  c.c = other;
  c.name += "Scaled";
  return c;
}

/// Integers of the exercise's bits, and powers of two for what they are scaled with; or any
/// numbers of the format, none of them small.
template <class Exercise>
GemmCase random_case(MatmulShape s, std::uint64_t seed, bool exact) {
  GemmCase c{size_text(s), s, {}, {}};
  c.exact = exact;
  constexpr int kMost = (1 << Exercise::kBits) - 1;
  const auto numbers = [&](int rows, std::uint64_t salt) {
    const std::size_t count = std::size_t(rows) * std::size_t(s.k);
    const auto integers = code_tensor<int>(count, seed + salt, -kMost, kMost);
    if (exact) return Reals(integers.begin(), integers.end());
    const Reals any = uniform_tensor(count, seed + salt, 0.25f, 1.0f);
    return each_of(any, [&](float x, std::size_t at) {
      using Format = typename Exercise::Format;
      return simt::decode<Format>(simt::encode<Format>(integers[at] < 0 ? -x : x));
    });
  };
  const auto scales = [&](int count, std::uint64_t salt) {
    if (!exact) return uniform_tensor(std::size_t(count), seed + salt, 0.01f, 0.1f);
    return each_of(code_tensor<int>(std::size_t(count), seed + salt, -3, 1),
                   [](int e) { return std::ldexp(1.0f, e); });
  };
  c.a = numbers(s.m, 0);
  c.b_t = numbers(s.n, 1);
  if (is_fp8<Exercise>) {
    c.a_scales = scales(s.m, 2);
    c.b_scales = scales(s.n, 3);
    return c;
  }
  const auto c_integers = code_tensor<int>(c.outputs(), seed + 4, -1000, 1000);
  c.c = exact ? Reals(c_integers.begin(), c_integers.end())
              : uniform_tensor(c.outputs(), seed + 4, -1, 1);
  c.alpha = exact ? 0.5f : 0.3f;
  c.beta = exact ? -2.0f : 0.7f;
  return c;
}

template <class Exercise>
std::vector<GemmCase> random_products(const std::vector<MatmulShape>& shapes, Seed seeds,
                                      bool exact = true) {
  return each_of(shapes, [&](MatmulShape s, std::uint64_t at) {
    return random_case<Exercise>(s, seeds(16 * at), exact);
  });
}

// By hand, all sizes different; what shows where each number and each sum went.
template <class Exercise>
void check_formula() {
  GemmCase row = by_hand("RowTimesColumns", {1, 2, 3}, {1, 2, 3}, {4, -5, 6, 1, 1, -2});
  GemmCase all =
      by_hand("AllDifferent", {3, 4, 2}, {1, 2, 3, 4, 5, 6}, {1, 10, 2, 20, 3, 30, 4, 40});
  if (is_fp8<Exercise>) {
    GemmCase square = by_hand("SquareOfScales", {2, 2, 1}, {1, 2}, {1, 3});
    square.a_scales = {1, 8};
    square.b_scales = {0.5f, 0.25f};
    all.b_t = widened({1, 8, 2, 16, 3, 24, 4, 32}, 4, 2);
    row.a_scales = {0.5f};
    row.b_scales = {2, 4};
    // The product of the scales is an ordinary number; the sum times one of them need not be.
    GemmCase far = by_hand("ScalesFarApart", {1, 1, 1}, {128}, {128}), near = far;
    near.name = "ScalesFarApartTheOtherWay";
    far.a_scales = near.b_scales = {0x1p-100f};
    far.b_scales = near.a_scales = {0x1p120f};
    multiplying<Exercise>.gives({{square, {0.5f, 0.75f, 8, 12}},
                                 {far, {0x1p34f}},
                                 {near, {0x1p34f}},
                                 {row, {12, -6}},
                                 {all, {17, 34, 51, 68, 35, 70, 105, 140, 53, 106, 159, 212}}});
  } else {
    multiplying<Exercise>.gives({{row, {12, -3}},
                                 {scaled(row, 0.5f, 2, {10, -20}), {26, -41.5f}},
                                 {scaled(row, -1, 1, {100, 200}), {88, 203}},
                                 {all, {21, 42, 63, 84, 43, 86, 129, 172, 65, 130, 195, 260}}});
  }
  multiplying<Exercise>.is_right({table_of_products(), times_one(16)});
}

// 2049 is no half, 65536 is beyond the largest. bfloat16 reaches further than both.
void check_float_sums() {
  multiplying<Half>.gives({{by_hand("PastItsSteps", {1, 1, 2}, {64, 1}, {32, 1}), {2049}},
                           {by_hand("PastTheLargest", {1, 1, 2}, {256, 1}, {256, 1}), {65537}}});
  GemmCase ones = by_hand("Ones", {1, 1, 0}, {}, {});
  ones.shape.k = 4096;
  ones.a = ones.b_t = Reals(4096, 1);
  ones.a.back() = 3;
  multiplying<Half>.is_right({ones});
}

void check_wide_range() {
  multiplying<Bfloat16>.gives({{by_hand("Wide", {1, 2, 2}, {0x1p60f, 1}, {0x1p40f, 1, 0x1p-70f, 2}),
                                {0x1p100f, 2 + 0x1p-10f}},
                               {by_hand("PastHalves", {1, 1, 2}, {256, 1}, {256, 1}), {65537}}});
}

// Not where it is NaN, and not where it is nothing.
template <class Exercise>
void check_beta_zero() {
  GemmCase c = by_hand("CIsNan", {2, 3, 2}, {1, 2, 3, 4}, {1, 10, 2, 20, 3, 30});
  GemmCase none = c;
  none.name = "NoC";
  none.c = {};
  c.c = Reals(c.outputs(), kNan);
  multiplying<Exercise>.gives({{c, {21, 42, 63, 43, 86, 129}}});
  multiplying<Exercise>.is_right({scaled(c, 2, 0, Reals(c.outputs(), kInfinity))});
  multiplying<Exercise>.runs_clean({none});
}

// No sum at all; one output; one less than, as many as and one more than 8, 16 and 32; tall and
// flat.
const std::vector<MatmulShape> kShapes = {{2, 3, 0},    {1, 1, 32},    {1, 2, 96},    {2, 40, 32},
                                          {40, 2, 64},  {7, 9, 32},    {8, 16, 160},  {16, 8, 32},
                                          {17, 15, 64}, {15, 17, 128}, {33, 31, 288}, {31, 33, 32},
                                          {64, 64, 64}, {3, 129, 32},  {129, 3, 32}};

template <class Exercise>
void check_shapes() {
  multiplying<Exercise>.is_right(random_products<Exercise>(kShapes, seed));
  multiplying<Exercise>.is_right(
      random_products<Exercise>({{3, 5, 32}, {5, 3, 96}, {17, 9, 256}}, seed, false));
}

/// Sums that grow: all products are above 0. Whoever lets tensor cores add up all of them loses
/// more than that at every length here.
void check_two_levels() {
  std::vector<GemmCase> cases = random_products<Fp8>({{2, 3, 2048}, {2, 2, 4096}}, seed, false);
  for (GemmCase& c : cases) {
    c.name = "Above0Times" + std::to_string(c.shape.k);
    for (float& x : c.a) x = std::fabs(x);
    for (float& x : c.b_t) x = std::fabs(x);
  }
  multiplying<Fp8>.is_right(cases);
  GemmCase parts = by_hand("LongExact", {1, 1, 0}, {}, {});
  parts.shape.k = 4096;
  parts.a = parts.b_t = Reals(4096, 3);
  parts.a.back() = 1;
  multiplying<Fp8>.is_right({parts});
}

// --- Accesses and products -----------------------------------------------------------------------

// Shapes that no tile divides, and then whole tiles. The last that is counted is what
// `nibble traffic` shows.
const std::vector<MatmulShape> kCounted = {{16, 8, 32}, {17, 9, 32}, {45, 70, 64}, {64, 64, 128}};
const std::vector<MatmulShape> kWatched = {{3, 5, 32}, {17, 9, 64}, {33, 35, 96}, {2, 3, 288}};

template <class Exercise>
void check_products() {
  const auto tiles = [](int size, int edge) { return std::uint64_t(size + edge - 1) / edge; };
  multiplying<Exercise>.exactly(
      kMma,
      [&](const GemmCase& c) {
        return tiles(c.shape.m, 16) * tiles(c.shape.n, Exercise::kColumns) *
               tiles(c.shape.k, Exercise::kDepth);
      },
      random_products<Exercise>(kCounted, counted_seed));
}

template <class Exercise>
void check_at_most(const Measure& measure, double factor) {
  multiplying<Exercise>.at_most(
      measure, factor, random_products<Exercise>({kCounted[2], kCounted[3]}, counted_seed));
}

template <class Exercise>
void check_clean() {
  multiplying<Exercise>.runs_clean(random_products<Exercise>(kWatched, seed));
  multiplying<Exercise>.runs_clean(random_products<Exercise>({kCounted[2]}, seed));
}

/// Counted is only what is right.
template <class Exercise>
void check_rows_at_most(const Exercise& exercise, const Measure& measure,
                        const std::vector<RowsCase>& cases) {
  exercise.each_counted(cases, [&](Expect& expect, const RowsCase& c, const Counted& counts) {
    exercise.look(expect, c, exercise(c));
    at_most(expect, measure, 1.1, counts);
  });
}

// One less, as many and one more than a warp's; rows of every number of steps; long ones.
const std::vector<std::array<int, 2>> kHalfSizes = {{1, 8},   {2, 16},  {3, 248}, {4, 256},
                                                    {5, 264}, {33, 24}, {2, 1000}};
const std::vector<std::array<int, 2>> kFp8Sizes = {{1, 4},   {2, 8},   {3, 124}, {4, 128},
                                                   {5, 132}, {33, 20}, {2, 1000}};
const std::vector<GroupSizes> kInt4Sizes = {{1, 32, 32},  {2, 96, 32},  {3, 128, 128}, {5, 192, 64},
                                            {33, 64, 32}, {2, 160, 32}, {9, 384, 128}};

std::vector<RowsCase> counted_halves() { return code_cases({{5, 480}, {8, 1024}}, counted_seed); }
std::vector<RowsCase> counted_int4() {
  return float_cases({{5, 448, 32}, {8, 1024, 64}}, counted_seed);
}
std::vector<RowsCase> counted_fp8() { return fp8_cases({{5, 480}, {8, 1024}}, 4.0f, counted_seed); }

// --- The exercises -------------------------------------------------------------------------------

TEST(dequantize_to_half, FollowsTheFormula) { check_halves_by_hand(); }
TEST(dequantize_to_half, EveryShape) { to_half.is_right(code_cases(kHalfSizes, seed)); }
TEST(dequantize_to_half, RunsClean) { to_half.runs_clean(code_cases(kHalfSizes, seed)); }
TEST(dequantize_to_half, MovesNoMore) {
  check_rows_at_most(to_half, kGlobalBytes, counted_halves());
}
TEST(dequantize_to_half, AsksNoMore) {
  check_rows_at_most(to_half, kGlobalRequests, counted_halves());
}

TEST(quantize_int4, FollowsTheFormula) { check_int4_by_hand(); }
TEST(quantize_int4, EveryShape) { to_int4.is_right(float_cases(kInt4Sizes, seed)); }
TEST(quantize_int4, RunsClean) { to_int4.runs_clean(float_cases(kInt4Sizes, seed)); }
TEST(quantize_int4, MovesNoMore) { check_rows_at_most(to_int4, kGlobalBytes, counted_int4()); }
TEST(quantize_int4, AsksNoMore) { check_rows_at_most(to_int4, kGlobalRequests, counted_int4()); }

TEST(quantize_fp8, FollowsTheFormula) { check_fp8_by_hand(); }
TEST(quantize_fp8, Saturates) { check_fp8_saturates(); }
TEST(quantize_fp8, EveryShape) { to_fp8.is_right(fp8_cases(kFp8Sizes, kInfinity, seed)); }
TEST(quantize_fp8, RunsClean) { to_fp8.runs_clean(fp8_cases(kFp8Sizes, 3.0f, seed)); }
TEST(quantize_fp8, AsksNoMore) { check_rows_at_most(to_fp8, kGlobalRequests, counted_fp8()); }

TEST(gemm_half, FollowsTheFormula) { check_formula<Half>(); }
TEST(gemm_half, EveryShape) { check_shapes<Half>(); }
TEST(gemm_half, AddsUpInFloat) { check_float_sums(); }
TEST(gemm_half, LeavesCAlone) { check_beta_zero<Half>(); }
TEST(gemm_half, RunsClean) { check_clean<Half>(); }
TEST(gemm_half, MultipliesTilesOnce) { check_products<Half>(); }
TEST(gemm_half, MovesAtMostFourTimes) { check_at_most<Half>(kGlobalBytes, 4.0); }

TEST(gemm_bfloat16, FollowsTheFormula) { check_formula<Bfloat16>(); }
TEST(gemm_bfloat16, EveryShape) { check_shapes<Bfloat16>(); }
TEST(gemm_bfloat16, KeepsTheRange) { check_wide_range(); }
TEST(gemm_bfloat16, LeavesCAlone) { check_beta_zero<Bfloat16>(); }
TEST(gemm_bfloat16, RunsClean) { check_clean<Bfloat16>(); }
TEST(gemm_bfloat16, MultipliesTilesOnce) { check_products<Bfloat16>(); }
TEST(gemm_bfloat16, AsksNoMore) { check_at_most<Bfloat16>(kGlobalRequests, 1.1); }

TEST(gemm_fp8, FollowsTheFormula) { check_formula<Fp8>(); }
TEST(gemm_fp8, EveryShape) { check_shapes<Fp8>(); }
TEST(gemm_fp8, AddsInTwoLevels) { check_two_levels(); }
TEST(gemm_fp8, RunsClean) { check_clean<Fp8>(); }
TEST(gemm_fp8, MultipliesTilesOnce) { check_products<Fp8>(); }
TEST(gemm_fp8, AsksNoMore) { check_at_most<Fp8>(kGlobalRequests, 1.1); }

// NIBBLE-BEGIN-HIDDEN
// Not in a handout: the inputs follow from the course's secret salt.

const std::vector<MatmulShape> kHiddenShapes = {
    {3, 5, 32}, {17, 9, 32}, {45, 70, 64}, {64, 64, 128}, {33, 65, 96}, {65, 33, 32}, {2, 3, 544}};

template <class Exercise>
void check_unseen() {
  multiplying<Exercise>.is_right(random_products<Exercise>(kHiddenShapes, hidden_seed));
}

TEST(dequantize_to_half, UnseenData) {
  to_half.is_right(code_cases({{3, 16}, {7, 520}, {5, 480}, {8, 1024}}, hidden_seed));
}
TEST(quantize_int4, UnseenData) {
  to_int4.is_right(
      float_cases({{3, 64, 32}, {7, 256, 64}, {5, 448, 32}, {8, 1024, 64}}, hidden_seed));
}
TEST(quantize_fp8, UnseenData) {
  to_fp8.is_right(fp8_cases({{3, 16}, {7, 264}, {5, 480}, {8, 1024}}, 4.0f, hidden_seed));
}
TEST(gemm_half, UnseenData) { check_unseen<Half>(); }
TEST(gemm_bfloat16, UnseenData) { check_unseen<Bfloat16>(); }
TEST(gemm_fp8, UnseenData) { check_unseen<Fp8>(); }
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
