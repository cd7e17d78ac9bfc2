// Lab 26, quantize_int4: what is right, and what people write instead.
#pragma once

#include "cuda_half_fp8.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <tuple>

#include "checks/26_cuda_half_fp8/rows.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/slips.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_26_cuda_half_fp8 {

using Answer = std::tuple<Bytes, Reals>;

/// The largest magnitudes of runs of `size` neighbours.
inline Reals magnitudes(const RowsCase& c, int size) {
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

inline Reals int4_scales(const RowsCase& c) {
  return each_of(magnitudes(c, c.group_size), [](float amax) { return amax == 0 ? 1 : amax / 7; });
}

inline float to_even(float steps) { return std::nearbyint(steps); }

inline Answer right_int4(const RowsCase& c) {
  const Reals scales = int4_scales(c);
  return {nibbles(c, scales, to_even), scales};
}

inline void suspect_int4(Expect& expect, const RowsCase& c, const Reals& scales) {
  const Bytes right = nibbles(c, scales, to_even);
  expect.suspect("N-LAYOUT", "w4",
                 each_of(right, [](std::uint8_t b) { return b >> 4 | (b & 0xf) << 4; }),
                 "the even code belongs in the low nibble of its byte");
  each_wrong_rounding([&](const char* code, const char* words, const auto& round) {
    expect.suspect(code, "w4", nibbles(c, scales, round), words);
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
inline std::vector<Slip<Bytes>> slips_of_int4(const RowsCase& c, const Reals& scales) {
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
  Bytes by_product(right.size());
  for (std::size_t at = 0; at < c.x.size(); ++at) {
    const float inverse = 1 / scales[at / std::size_t(c.group_size)];
    const int bits = static_cast<int>(to_even(c.x[at] * inverse)) & 0xf;
    by_product[at / 2] |= static_cast<std::uint8_t>(bits << 4 * (at % 2));
  }
  slips.push_back({"N-FORMULA", "x * (1 / scale) is rounded twice: divide", by_product});
  const auto narrow = [&](const char* code, const char* words, int size) {
    RowsCase other = c;
    other.group_size = size;
    slips.push_back({code, words, nibbles(other, int4_scales(other), to_even)});
  };
  narrow("N-SCALE", "codes come from the largest of 32 neighbours, not of the group", 32);
  narrow("N-FORMULA", "a lane's codes come from its own largest magnitude, not from its group's",
         4);
  return slips;
}

inline void suspect_int4_scales(Expect& expect, const RowsCase& c) {
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
inline Shown shown(const Bytes& bytes) {
  return each_of(bytes, [](std::uint8_t b) { return char8_t(b); });
}

/// As expect_no_slip; slips() is asked for where the answer is wrong.
inline void expect_bytes(Expect& expect, std::string_view what, const Bytes& got,
                         const Bytes& right, const Shape& shape, const auto& slips) {
  std::vector<Slip<Shown>> all;
  if (expect.asks_for_suspects(got, right)) {
    for (const Slip<Bytes>& one : slips()) all.push_back({one.code, one.words, shown(one.values)});
  }
  expect_no_slip(expect, what, shown(got), shown(right), shape, all);
}

/// Of magnitudes, where a number below 0 counts as what it is: each, or one of four.
inline std::vector<Slip<Reals>> slips_of_magnitudes(const RowsCase& c, int size,
                                                    const auto& scale) {
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
                       const std::size_t at = g * std::size_t(size), k = std::size_t(c.k);
                       const std::size_t row = at / k * k, first = row + (at - row) / 128 * 128;
                       const std::size_t last = std::min(first + 128, row + k);
                       return scale(max_abs(std::span(c.x).subspan(first, last - first)));
                     })});
  }
  return slips;
}

inline const auto to_int4 = kernel_exercise<&quantize_int4>(
    [](const RowsCase& c) {
      return std::tuple(c.x, out(c.x.size() / 2), out(c.x.size() / std::size_t(c.group_size)),
                        std::int64_t{c.rows}, std::int64_t{c.k}, c.group_size);
    },
    right_int4,
    [](Expect& expect, const RowsCase& c, const Answer& got, const Answer& right) {
      const auto& [w4, scales] = got;
      std::vector<Slip<Reals>> slips;
      if (expect.asks_for_suspects(scales, std::get<1>(right))) {
        suspect_int4_scales(expect, c);
        slips = slips_of_magnitudes(c, c.group_size, [](float a) { return a == 0 ? 1 : a / 7; });
      }
      expect_no_slip(expect, "scales", scales, std::get<1>(right),
                     {std::size_t(c.rows), std::size_t(c.k / c.group_size)}, slips);
      if (expect.asks_for_suspects(w4, std::get<0>(right)))
        suspect_int4(expect, c, std::get<1>(right));
      expect_bytes(expect, "w4", w4, std::get<0>(right),
                   {std::size_t(c.rows), std::size_t(c.k / 2)},
                   [&] { return slips_of_int4(c, std::get<1>(right)); });
    });

inline RowsCase float_case(std::string name, int rows, int k, const Reals& x, int group_size) {
  RowsCase c{std::move(name), rows, k, x};
  c.group_size = c.step = group_size;
  return c;
}

struct GroupSizes {
  int rows, k, group_size;
};

inline std::vector<RowsCase> float_cases(const std::vector<GroupSizes>& sizes, Seed seeds) {
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
inline std::vector<RowsCase> half_way(const Reals& ties, float most, int group_size) {
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

// Scale 1: codes as they are, then ties. All groups different, one of zeros, the largest of all
// where another warp has it. One whose largest is below 0 and stands last, behind others that those
// find who look less far. A scale whose reciprocal is rounded.
inline void check_int4_by_hand() {
  const auto bytes = [&](const Bytes& first) { return joined(first, Bytes(16 - first.size())); };
  const Reals codes = joined(Reals{7, -7, 1, -1, 2, -3, 4, -5}, Reals(24));
  const Reals ties = joined(Reals{7, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, -6.5f}, Reals(24));
  const Reals last =
      joined(joined(joined(Reals{6}, Reals(15)), joined(Reals{8}, Reals(12))), {-12, 0, -14});
  const Bytes last_codes =
      joined(joined(joined(Bytes{3}, Bytes(7)), joined(Bytes{4}, Bytes(5))), {0xa0, 0x90});
  Reals groups = joined(joined(Reals(32), codes), Reals(96));
  groups[64] = 14;
  groups[96] = groups[127] = -21;
  groups[159] = 28;
  Bytes group_codes = joined(joined(Bytes(16), bytes({0x97, 0xf1, 0xd2, 0xb4})), Bytes(48));
  group_codes[32] = 7;
  group_codes[48] = 9;
  group_codes[63] = 0x90;
  group_codes[79] = 0x70;
  to_int4.gives({{float_case("Codes", 1, 32, codes, 32), {bytes({0x97, 0xf1, 0xd2, 0xb4}), {1}}},
                 {float_case("Ties", 1, 32, ties, 32), {bytes({0x07, 0x22, 0xe0, 0xae}), {1}}},
                 {float_case("Zeros", 1, 160, groups, 32), {group_codes, {1, 1, 2, 3, 4}}},
                 {float_case("LastIsLargest", 1, 32, last, 32), {last_codes, {2}}}});
  to_int4.is_right(half_way({0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f}, 7, 32));
  to_int4.is_right(float_cases({{2, 128, 32}, {2, 256, 128}}, seed));
}

}  // namespace nibble::judge::lab_26_cuda_half_fp8
