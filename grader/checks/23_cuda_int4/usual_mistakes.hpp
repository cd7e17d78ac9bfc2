// Lab 23: what the usual mistakes answer.
#pragma once

#include "cuda_int4.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "checks/23_cuda_int4/formulas.hpp"
#include "checks/23_cuda_int4/in_memory.hpp"
#include "checks/23_cuda_int4/weights.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_23_cuda_int4 {

/// The same case with other codes: what somebody reads who mistakes them.
template <class Change>
Int4Case misread(Int4Case c, const Change& change) {
  for (std::size_t at = 0; at < c.w.size(); ++at) c.w[at] = std::int8_t(change(at));
  return c;
}

/// The same case with a scale for each code: where(i, p) says which of the scales it has, and
/// times(p) how often that product is added. Nothing, where there is no such scale.
template <class Where, class Times>
std::optional<Int4Case> rescaled(Int4Case c, const Where& where, const Times& times) {
  const Reals from = std::exchange(c.scales, {});
  for (std::size_t i = 0; i < std::size_t(c.shape.n); ++i) {
    for (std::size_t p = 0; p < std::size_t(c.shape.k); ++p) {
      const std::size_t at = where(i, p);
      if (at >= from.size()) return {};
      c.scales.push_back(from[at] * float(times(p)));
    }
  }
  c.shape.group_size = 1;
  return c;
}

inline constexpr const char* kExchanged =
    "neighbours are exchanged: the nibbles of a byte, or two activations";

/// What known mistakes answer about the codes: the other nibble first, another order, no sign, 8
/// taken off; rows without padding.
template <class Exercise, class Suspect>
void suspect_codes(const Int4Case& c, const Suspect& suspect) {
  const Bytes bytes = packed(c);
  const std::size_t k = std::size_t(c.shape.k), pitch = std::size_t(c.shape.pitch);
  const auto nibble = [&](std::size_t at, std::size_t other, std::size_t stride) {
    const std::size_t p = at % k ^ other;
    return bytes[at / k * stride + p / 2] >> (4 * (p % 2)) & 0xf;
  };
  const auto code = [](int bits) { return bits < 8 ? bits : bits - 16; };
  constexpr bool is_sum = requires { Exercise::sums(c); };  // to which both are the same
  suspect("N-LAYOUT", is_sum ? kExchanged : "the high nibble of a byte is taken first",
          misread(c, [&](auto at) { return code(nibble(at, 1, pitch)); }));
  suspect("N-LAYOUT", "rows of w4 are read as if there were no padding",
          misread(c, [&](auto at) { return code(nibble(at, 0, (k + 1) / 2)); }));
  for (const auto& order : {std::array{0, 2, 4, 6, 1, 3, 5, 7}, std::array{0, 4, 1, 5, 2, 6, 3, 7},
                            std::array{7, 6, 5, 4, 3, 2, 1, 0}}) {
    suspect("N-LAYOUT", "the eight codes of a word are in another order",
            misread(c, [&](std::size_t at) {
              const std::size_t p = at % k / 8 * 8 + std::size_t(order[at % k % 8]);
              return p < k ? c.w[at / k * k + p] : 0;
            }));
  }
  constexpr const char* kUnsigned = "a nibble from 8 on is read as a number above 0";
  suspect("N-SIGN", kUnsigned, misread(c, [&](auto at) { return nibble(at, 0, pitch); }));
  suspect("N-SIGN", kUnsigned, misread(c, [&](auto at) {  // in the upper half of a byte alone
            return at % k % 2 == 1 ? nibble(at, 0, pitch) : int{c.w[at]};
          }));
  suspect("N-SIGN", "8 is taken off a nibble, which is in two's complement",
          misread(c, [&](auto at) { return nibble(at, 0, pitch) - 8; }));
}

/// About the scales: of another row, group or layout, 16 times as large, or of sums that go on.
template <class Exercise, class Suspect>
void suspect_scales(const Int4Case& c, const Suspect& suspect) {
  Int4Case scaled = c;
  const int n = c.shape.n, groups = groups_of(c.shape);
  const auto once = [](std::size_t) { return 1; };
  const auto scale = [&](std::string_view words, const auto& where) {
    if (const auto other = rescaled(c, where, once)) suspect("N-SCALE", words, *other);
  };
  const std::size_t size = std::size_t(c.shape.group_size), whole = std::size_t(c.shape.k) / size;
  const std::size_t wide = (2 * std::size_t(c.shape.pitch) + size - 1) / size, all = groups;
  constexpr const char* kFewer =
      "a row has ceil(k / group_size) scales: the short group has one, too";
  constexpr const char* kWide = "a row has ceil(k / group_size) scales, whatever its pitch is";
  constexpr const char* kBytes = "a group is group_size codes, and here it is more";
  scale(kFewer, [=](auto i, auto p) { return i * whole + p / size; });
  scale(kWide, [=](auto i, auto p) { return i * wide + p / size; });
  scale("the scales of row 0 serve all rows", [=](auto, auto p) { return p / size; });
  scale("all groups of a row are scaled as its first is", [=](auto i, auto) { return i * all; });
  scale("scales are indexed by rows, and not by groups of a row", [](auto i, auto) { return i; });
  for (const std::size_t codes : {2, 4, 8}) {
    scale(kBytes, [=](auto i, auto p) { return i * all + p / codes / size; });
  }
  const std::size_t below = std::bit_width(size) - 1;
  scale("p / group_size is made a shift, as if every group size were a power of two",
        [=](auto i, auto p) { return i * all + (p >> below); });
  scale("a group has the scale of the next one",
        [=](auto i, auto p) { return i * all + std::min(p / size + 1, all - 1); });
  const bool is_turned = std::is_same_v<Exercise, Matmul>;
  scaled.scales = is_turned ? turned(c.scales, n, groups) : turned(c.scales, groups, n);
  suspect("N-TRANS",
          is_turned ? "scales_t [groups,n] is read as [n,groups]"
                    : "scales [n,groups] is read as [groups,n]",
          scaled);
  scaled.scales = c.scales;
  for (float& one : scaled.scales) one *= 16;
  suspect("N-SCALE", "a nibble in the upper half of a byte is 16 times its code", scaled);
  scaled.scales = c.scales;
  for (std::size_t at = scaled.scales.size(); at-- > 1;) {
    if (at % std::size_t(groups) != 0) scaled.scales[at - 1] += scaled.scales[at];
  }
  suspect("N-SCALE", "the sum of a group goes on in the next, and is scaled by both", scaled);
  scaled.scales = Reals(c.scales.size(), 1);
  suspect("N-SCALE", "codes are not scaled", scaled);
}

/// About sums: activations of another place, products that are added too often or not at all.
template <class Suspect>
void suspect_products(const Int4Case& c, const Suspect& suspect) {
  const std::size_t k = std::size_t(c.shape.k), size = std::size_t(c.shape.group_size);
  const std::size_t width = 2 * std::size_t(c.shape.pitch), groups = groups_of(c.shape);
  if (std::size_t(std::max(c.m, 1)) * std::size_t(c.shape.n) * k > 50'000) return;
  each_wrong_step(k, [&](const char* code, std::string_view words, const auto& times) {
    const auto own = [&](std::size_t i, std::size_t p) { return i * groups + p / size; };
    suspect(code, words, *rescaled(c, own, times));
  });
  Int4Case other = c;
  const Codes a = padded_a(c);
  for (std::size_t p = 0; p < k; ++p) {
    other.x[p] = (p ^ 1) < k ? c.x[p ^ 1] : 0;
    for (std::size_t i = 0; i < std::size_t(c.m); ++i) other.a[i * k + p] = a[i * width + (p ^ 1)];
  }
  suspect("N-LAYOUT", kExchanged, other);
  other = c;
  for (std::size_t at = 0; at < c.a.size(); ++at) other.a[at] = a[at / k * (width / 2) + at % k];
  suspect("N-LAYOUT", "rows of a are 2 * pitch codes apart, and read pitch apart", other);
  other = c;
  other.a_scales = Reals(c.a_scales.size(), 1);
  suspect("N-SCALE", "a_scales[i] is missing", other);
  constexpr const char* kRow = "a_scales[i] belongs to the row of c, and here another is taken";
  other.a_scales = Reals(c.a_scales.size(), c.a_scales.empty() ? 1 : c.a_scales.front());
  suspect("N-AXIS", kRow, other);
  // Behind k: codes and activations that are not there, with the scale of the last group.
  const Bytes bytes = packed(c);
  for (std::size_t length = k + 1; c.padding != 0 && length <= width; ++length) {
    Int4Case longer = c;
    longer.shape.k = int(length);
    longer.shape.group_size = 1;
    longer.w = longer.a = {};
    longer.scales = {};
    longer.x.resize(length);
    for (std::size_t i = 0; i < std::size_t(c.shape.n); ++i) {
      for (std::size_t p = 0; p < length; ++p) {
        const int bits = bytes[i * width / 2 + p / 2] >> (4 * (p % 2)) & 0xf;
        longer.w.push_back(std::int8_t(bits < 8 ? bits : bits - 16));
        if (groups > 0)
          longer.scales.push_back(c.scales[i * groups + std::min(p / size, groups - 1)]);
      }
    }
    for (std::size_t i = 0; i < std::size_t(c.m); ++i) {
      for (std::size_t p = 0; p < length; ++p) longer.a.push_back(a[i * width + p]);
    }
    if (groups > 0) suspect("N-TAIL", "what lies behind k is multiplied, too", longer);
  }
}

/// Products of a group that are added in 16 bits.
inline Reals with_short_sums(const Int4Case& c) {
  const std::ptrdiff_t k = c.shape.k, size = c.shape.group_size;
  Reals all;
  for (std::ptrdiff_t i = 0; i < c.m; ++i) {
    for (std::ptrdiff_t j = 0; j < c.shape.n; ++j) {
      double value = 0;
      for (std::ptrdiff_t first = 0; first < k; first += size) {
        std::int64_t sum = 0;
        for (std::ptrdiff_t p = first; p < std::min(first + size, k); ++p) {
          sum += c.a[i * k + p] * c.w[j * k + p];
        }
        value += double{c.a_scales[i]} * scale_at(c, j, first) * static_cast<std::int16_t>(sum);
      }
      all.push_back(static_cast<float>(value));
    }
  }
  return all;
}

template <class Exercise>
void suspect_the_usual(const Int4Case& c, Expect& expect) {
  const auto suspect = [&](std::string_view code, std::string_view words, const Int4Case& read) {
    const auto answer = wanted<Exercise>(read);
    const bool is_zero = std::ranges::all_of(answer, [](auto value) { return value == 0; });
    // Whoever multiplies nothing answers 0, and hardly anybody else.
    if (!is_zero || code == "N-TAIL") expect.suspect(code, Exercise::kWhat, answer, words);
  };
  if (c.shape.k == 0) return;
  suspect_codes<Exercise>(c, suspect);
  suspect_scales<Exercise>(c, suspect);
  if constexpr (requires { Exercise::sums(c); }) suspect_products(c, suspect);
  if constexpr (std::is_same_v<Exercise, Matmul>) {
    expect.suspect("N-OVERFLOW", Exercise::kWhat, with_short_sums(c), "a sum is kept in 16 bits");
  }
}

}  // namespace nibble::judge::lab_23_cuda_int4
