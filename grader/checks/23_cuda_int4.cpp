// Lab 23: the checks.
#include "cuda_int4.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "checks/marks/23_cuda_int4.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_products.hpp"
#include "nibble/half.hpp"

namespace nibble::judge {
namespace {

// --- A matrix of weights, and what it is multiplied by -------------------------------------------

struct Int4Case {
  std::string name;
  int m = 0;  ///< rows of activations
  Int4Shape shape{};
  Codes w;                    ///< [n,k], one element a code
  Reals scales;               ///< [n,groups]
  Codes a;                    ///< [m,k]
  Reals a_scales;             ///< [m]
  Reals x;                    ///< [k], each of them a half exactly
  bool exact = true;          ///< every sum is a float, in whatever order it is made
  std::uint64_t padding = 0;  ///< the seed of what lies behind rows; 0: zeros
};

struct Sizes {
  int m, n, k, group_size, spare = 0;
};

int least_pitch(int k) { return (k + 31) / 32 * 16; }
int groups_of(Int4Shape s) { return (s.k + s.group_size - 1) / s.group_size; }

std::string show_size(const Int4Case& c) { return "m x n x k = " + c.name; }

/// One matrix of weights serves all exercises; what it is multiplied by is told while it is short.
std::string show(const Int4Case& c) {
  std::string text = "n x k = " + std::to_string(c.shape.n) + "x" + std::to_string(c.shape.k) +
                     ", pitch " + std::to_string(c.shape.pitch) + ", groups of " +
                     std::to_string(c.shape.group_size) + ", codes = " + show_values(c.w) +
                     ", scales = " + show_values(c.scales);
  if (c.shape.k > 8 || c.m > 2) return text + ", m = " + std::to_string(c.m);
  return text + "; a = " + show_values(c.a) + ", a_scales = " + show_values(c.a_scales) +
         "; x = " + show_values(c.x);
}

/// As many bytes behind each row as before.
std::vector<Int4Case> smaller(const Int4Case& c) {
  std::vector<Int4Case> all;
  const auto [n, k, pitch, group_size] = c.shape;
  for (const MatmulShape s : smaller_shapes({c.m, n, k})) {
    Int4Case to = c;
    to.m = s.m;
    to.shape = {s.n, s.k, least_pitch(s.k) + pitch - least_pitch(k), group_size};
    to.name = size_text(s);
    to.w = corner(c.w, k, s.n, s.k);
    to.scales = corner(c.scales, groups_of(c.shape), s.n, groups_of(to.shape));
    to.a = corner(c.a, k, s.m, s.k);
    to.a_scales.resize(std::size_t(s.m));
    to.x.resize(std::size_t(s.k));
    all.push_back(std::move(to));
  }
  return all;
}

/// Exact: scales are 1/4 to 2, x has four binary places.
/// No sum of 2048 terms needs more than 24 bits.
Int4Case random_case(Sizes s, std::uint64_t seed, bool exact, bool noise) {
  Int4Case c;
  c.name = size_text({s.m, s.n, s.k});
  c.m = s.m;
  c.shape = {s.n, s.k, least_pitch(s.k) + s.spare, s.group_size};
  c.exact = exact;
  c.padding = noise ? seed + 9 : 0;
  const auto scales = [&](int count, std::uint64_t salt) {
    if (!exact) return uniform_tensor(std::size_t(count), seed + salt, 0.01f, 0.1f);
    return each_of(code_tensor<int>(std::size_t(count), seed + salt, -2, 1),
                   [](int e) { return std::ldexp(1.0f, e); });
  };
  c.w = code_tensor<std::int8_t>(std::size_t(s.n) * s.k, seed, -8, 7);
  c.scales = scales(s.n * groups_of(c.shape), 1);
  c.a = code_tensor<std::int8_t>(std::size_t(s.m) * s.k, seed + 2, -128, 127);
  c.a_scales = scales(s.m, 3);
  const int most = exact ? 127 : 2047;
  for (const int step : code_tensor<int>(std::size_t(s.k), seed + 4, -most, most)) {
    c.x.push_back(static_cast<float>(step) / (exact ? 16.0f : 512.0f));
  }
  return c;
}

std::vector<Int4Case> random_cases(const std::vector<Sizes>& sizes,
                                   std::uint64_t (*seeds)(std::uint64_t), bool exact = true,
                                   bool noise = false) {
  return each_of(sizes, [&](Sizes s, std::uint64_t at) {
    return random_case(s, seeds(16 * at), exact, noise);
  });
}

// --- As it lies in memory ------------------------------------------------------------------------

Bytes packed(const Int4Case& c) {
  const auto [n, k, pitch, group_size] = c.shape;
  Bytes bytes(std::size_t(n) * pitch);
  if (c.padding != 0) bytes = code_tensor<std::uint8_t>(bytes.size(), c.padding, 0, 255);
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    for (std::ptrdiff_t p = 0; p < k; ++p) {
      std::uint8_t& byte = bytes[i * pitch + p / 2];
      const int nibble = c.w[i * k + p] & 0xf;
      byte = std::uint8_t(p % 2 == 0 ? (byte & 0xf0) | nibble : (byte & 0x0f) | nibble << 4);
    }
  }
  return bytes;
}

Codes padded_a(const Int4Case& c) {
  const std::ptrdiff_t k = c.shape.k, width = std::ptrdiff_t{2} * c.shape.pitch;
  Codes codes(std::size_t(c.m * width));
  if (c.padding != 0) codes = code_tensor<std::int8_t>(codes.size(), c.padding + 1, -128, 127);
  for (std::ptrdiff_t i = 0; i < c.m; ++i) {
    std::copy_n(c.a.begin() + i * k, k, codes.begin() + i * width);
  }
  return codes;
}

std::vector<std::uint16_t> padded_x(const Int4Case& c) {
  constexpr std::uint16_t kNan = 0x7e00;
  std::vector<std::uint16_t> bits(2 * std::size_t(c.shape.pitch), c.padding != 0 ? kNan : 0);
  std::transform(c.x.begin(), c.x.end(), bits.begin(), half_from_float);
  return bits;
}

/// [rows,columns] as [columns,rows].
Reals turned(const Reals& x, int rows, int columns) {
  Reals all;
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < rows; ++row) all.push_back(x[std::size_t(row) * columns + column]);
  }
  return all;
}

// --- The exercises: their arguments, and what they have to answer --------------------------------

std::size_t padded_size(const Int4Case& c) {
  return 2 * std::size_t(c.shape.n) * std::size_t(c.shape.pitch);
}

double scale_at(const Int4Case& c, std::ptrdiff_t i, std::ptrdiff_t p) {
  return c.scales[i * groups_of(c.shape) + p / c.shape.group_size];
}

/// value(i, p) for the n x k codes, and 0 behind them.
template <class T, class Value>
std::vector<T> padded(const Int4Case& c, const Value& value) {
  std::vector<T> all(padded_size(c));
  for (std::ptrdiff_t i = 0; i < c.shape.n; ++i) {
    for (std::ptrdiff_t p = 0; p < c.shape.k; ++p) {
      all[i * 2 * c.shape.pitch + p] = static_cast<T>(value(i, p));
    }
  }
  return all;
}

struct Unpack {
  static constexpr auto kCall = &unpack_int4;
  static constexpr const char* kWhat = "q";
  static auto arguments(const Int4Case& c) {
    return std::tuple(packed(c), out(padded_size(c)), c.shape);
  }
  static Codes want(const Int4Case& c) {
    return padded<std::int8_t>(
        c, [&](std::ptrdiff_t i, std::ptrdiff_t p) { return c.w[i * c.shape.k + p]; });
  }
  static Shape shape(const Int4Case& c) {
    return {std::size_t(c.shape.n), 2 * std::size_t(c.shape.pitch)};
  }
};

struct Dequantize {
  static constexpr auto kCall = &dequantize_int4;
  static constexpr const char* kWhat = "w_hat";
  static auto arguments(const Int4Case& c) {
    return std::tuple(packed(c), c.scales, out(padded_size(c)), c.shape);
  }
  // A double holds the product exactly; one rounding makes it a float.
  static Reals want(const Int4Case& c) {
    return padded<float>(c, [&](std::ptrdiff_t i, std::ptrdiff_t p) {
      return scale_at(c, i, p) * c.w[i * c.shape.k + p];
    });
  }
  static Shape shape(const Int4Case& c) { return Unpack::shape(c); }
};

/// A sum, and the sum of its terms without their signs.
struct Sum {
  double value = 0, magnitude = 0;
  void add(double term) {
    value += term;
    magnitude += std::fabs(term);
  }
};

struct Gemv {
  static constexpr auto kCall = &gemv_int4;
  static constexpr const char* kWhat = "y";
  static auto arguments(const Int4Case& c) {
    return std::tuple(packed(c), c.scales, padded_x(c), out(std::size_t(c.shape.n)), c.shape);
  }
  static std::vector<Sum> sums(const Int4Case& c) {
    std::vector<Sum> all(std::size_t(c.shape.n));
    for (std::ptrdiff_t i = 0; i < c.shape.n; ++i) {
      for (std::ptrdiff_t p = 0; p < c.shape.k; ++p) {
        all[i].add(scale_at(c, i, p) * c.w[i * c.shape.k + p] * c.x[p]);
      }
    }
    return all;
  }
  static int terms(const Int4Case& c) { return c.shape.k; }
  static Shape shape(const Int4Case& c) { return {std::size_t(c.shape.n)}; }
};

struct Matmul {
  static constexpr auto kCall = &matmul_int4;
  static constexpr const char* kWhat = "c";
  static auto arguments(const Int4Case& c) {
    return std::tuple(padded_a(c), c.a_scales, packed(c),
                      turned(c.scales, c.shape.n, groups_of(c.shape)),
                      out(std::size_t(c.m) * std::size_t(c.shape.n)), c.shape);
  }
  static std::vector<Sum> sums(const Int4Case& c) {
    std::vector<Sum> all;
    const std::ptrdiff_t k = c.shape.k;
    for (std::ptrdiff_t i = 0; i < c.m; ++i) {
      for (std::ptrdiff_t j = 0; j < c.shape.n; ++j) {
        all.emplace_back();
        for (std::ptrdiff_t p = 0; p < k; ++p) {
          all.back().add(double{c.a_scales[i]} * scale_at(c, j, p) * c.a[i * k + p] *
                         c.w[j * k + p]);
        }
      }
    }
    return all;
  }
  static int terms(const Int4Case& c) { return groups_of(c.shape); }
  static Shape shape(const Int4Case& c) { return {std::size_t(c.m), std::size_t(c.shape.n)}; }
};

template <class Exercise>
auto wanted(const Int4Case& c) {
  if constexpr (requires { Exercise::sums(c); }) {
    return each_of(Exercise::sums(c), [](Sum sum) { return static_cast<float>(sum.value); });
  } else {
    return Exercise::want(c);
  }
}

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

constexpr const char* kExchanged =
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
  suspect("N-SIGN", "a nibble from 8 on is read as a number above 0",
          misread(c, [&](auto at) { return nibble(at, 0, pitch); }));
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
  expect.suspect(
      "N-OVERFLOW", Exercise::kWhat,
      each_of(wanted<Exercise>(c),
              [](auto value) {
                return static_cast<decltype(value)>(static_cast<std::int16_t>(int(value)));
              }),
      "a sum is kept in 16 bits");
}

/// All that is wrong lies behind k.
template <class T>
bool is_wrong_behind_k(const Int4Case& c, const std::vector<T>& got, const std::vector<T>& right) {
  const std::size_t width = 2 * std::size_t(c.shape.pitch), k = std::size_t(c.shape.k);
  for (std::size_t at = 0; at < got.size(); ++at) {
    if (at % width < k && got[at] != right[at]) return false;
  }
  return got != right;
}

template <class Exercise>
const auto asking = kernel_exercise<Exercise::kCall>(
    Exercise::arguments, wanted<Exercise>,
    [](Expect& expect, const Int4Case& c, const auto& got, const auto& right) {
      Expect::healthy(std::min(right.size(), c.w.size()) < 200 || distinct(right) > 12,
                      "few values");
      if constexpr (requires { Exercise::sums(c); }) {
        if (!c.exact) {
          const auto is_right = [&, sums = Exercise::sums(c)](std::size_t i) {
            return is_near(got[i], sums[i].value,
                           sum_tolerance(sums[i].magnitude, Exercise::terms(c)));
          };
          expect.every(Exercise::kWhat, got, right, is_right, Exercise::shape(c));
          return;
        }
      }
      if (got != right) suspect_the_usual<Exercise>(c, expect);
      expect.equal(Exercise::kWhat, got, right, Exercise::shape(c));
      if constexpr (std::is_same_v<Exercise, Gemv>) {
        const bool has_nan = std::ranges::any_of(got, [](float y) { return std::isnan(y); });
        if (has_nan) expect.recall("x may be NaN behind k, and 0 times NaN is NaN");
      } else if constexpr (!std::is_same_v<Exercise, Matmul>) {
        if (is_wrong_behind_k(c, got, right)) expect.recall("from k on there are zeros");
      }
    });

// --- Values --------------------------------------------------------------------------------------

// All bytes in order, and in another, so that each is in every place of a word and beside others.
void check_every_byte() {
  std::vector<Int4Case> cases;
  for (const int step : {1, 37}) {
    Int4Case c = random_case({1, 1, 512, 64}, seed(0), true, false);
    c.name = step == 1 ? "AllBytes" : "AllBytesShuffled";
    c = misread(c, [&](std::size_t at) {
      const int byte = int(at) / 2 * step % 256;
      return std::int8_t((at % 2 == 0 ? byte << 4 : byte) & 0xf0) >> 4;
    });
    cases.push_back(c);
  }
  asking<Unpack>.is_right(cases);
}

// By hand, with scales that are powers of two: a word; one product; rows of two groups, all of
// whose scales differ; two groups; two rows whose pitch k does not explain; products of the largest
// codes, whose sum passes int16.
struct HandCase {
  Int4Case input;
  Reals w_hat, y, c;  ///< w_hat without padding
};

/// 64 times `first`, then `last`.
template <class T>
std::vector<T> two_groups(T first, T last) {
  std::vector<T> all(65, first);
  all.back() = last;
  return all;
}

template <class T>
std::vector<T> joined(std::vector<T> first, const std::vector<T>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// clang-format off
std::vector<HandCase> hand_cases() {
  const Codes word = {1, -2, 3, -4, 5, -6, 7, -8}, lows(100, -8), most(100, -128);
  return {
      {{"OneWord", 1, {1, 8, 16, 64}, word, {1.0f}, {1, 10, 2, 20, 3, 30, 4, 40}, {1.0f},
        {1, 2, 4, 8, 16, 32, 64, 128}}, Reals(word.begin(), word.end()), {-711.0f}, {-550.0f}},
      {{"OneProduct", 1, {1, 1, 16, 64}, {-3}, {0.5f}, {7}, {2.0f}, {4.0f}}, {-1.5f}, {-6.0f}, {-21.0f}},
      {{"TwoRowsOfTwoGroups", 1, {2, 65, 48, 64},
        joined(two_groups<std::int8_t>(1, 2), two_groups<std::int8_t>(-1, 3)), {1, 2, 4, 8},
        Codes(65, 1), {1.0f}, Reals(65, 1)},
       joined(two_groups(1.0f, 4.0f), two_groups(-4.0f, 24.0f)), {68, -232}, {68, -232}},
      {{"TwoGroups", 1, {1, 65, 48, 64}, two_groups<std::int8_t>(-1, 7), {0.5f, 2.0f},
        two_groups<std::int8_t>(3, -128), {1.0f}, two_groups(1.0f, 0.5f)},
       two_groups(-0.5f, 14.0f), {-25.0f}, {-1888.0f}},
      {{"TwoRows", 2, {2, 3, 32, 64}, {1, 2, 3, -4, -5, -6}, {1.0f, 2.0f}, {1, 1, 1, 2, 0, -1},
        {2.0f, 0.5f}, {1, 10, 100}}, {1, 2, 3, -8, -10, -12}, {321, -1308}, {12, -60, -0.5f, -2}},
      {{"Extremes", 1, {1, 100, 64, 128}, lows, {1.0f}, most, {1.0f}, Reals(100, 1.0f)},
       Reals(100, -8.0f), {-800}, {102400}}};
}
// clang-format on

template <class Exercise>
void check_formula(const Reals HandCase::*member) {
  std::vector<HandCase> cases = hand_cases();
  if (std::is_same_v<Exercise, Dequantize>) {
    cases.push_back(
        {{"AnyScale", 1, {1, 1, 16, 64}, {-7}, {0.1f}, {1}, {1.0f}, {1.0f}}, {-7 * 0.1f}, {}, {}});
  }
  std::vector<typename decltype(asking<Exercise>)::Row> rows;
  for (const HandCase& hand : cases) {
    const Int4Case& c = hand.input;
    Reals want = hand.*member;
    if constexpr (std::is_same_v<Exercise, Dequantize>) {
      want = padded<float>(c, [&](auto i, auto p) { return hand.w_hat[i * c.shape.k + p]; });
    }
    rows.push_back({c, want});
  }
  asking<Exercise>.gives(rows);
}

// One; one less than, as many as and one more than a word, a vector of 32 codes, a group, a warp's
// 256; odd k and primes; tall and flat; nothing to sum, with room for it and without.
const std::vector<Sizes> kSizes = {
    {1, 1, 1, 64},     {2, 3, 0, 64},     {2, 3, 0, 64, 16},   {3, 2, 7, 64},
    {2, 1, 8, 64},     {2, 3, 9, 64},     {1, 17, 31, 64, 32}, {9, 7, 32, 64},
    {7, 33, 33, 64},   {33, 8, 63, 64},   {31, 70, 64, 64},    {2, 5, 65, 64},
    {65, 3, 127, 64},  {3, 129, 66, 64},  {4, 6, 128, 128},    {5, 2, 129, 128},
    {64, 64, 192, 64}, {6, 31, 255, 192}, {2, 3, 256, 128},    {2, 2, 257, 256},
    {65, 67, 79, 64},  {3, 9, 511, 64},   {1, 2, 777, 64, 48}, {2, 3, 2048, 512},
    {2, 3, 70, 65536}};

/// Two halves of a group that nearly cancel, under scales that are no powers of two: whoever makes
/// floats of them one by one, or multiplies both scales first, has rounded something else.
void check_roundings_of_a_group() {
  constexpr int kHalf = 64;
  Int4Case c{"OneRounding", 1, {1, 2 * kHalf, kHalf, 2 * kHalf}, {}, {}, {}, {}, {}};
  c.a = Codes(std::size_t{2} * kHalf, 127);
  c.a.back() = 1;
  c.w = Codes(kHalf, 7);
  c.w.insert(c.w.end(), kHalf, -7);
  c.scales = {0.1f};
  c.a_scales = {0.3f};
  once([&](Expect& expect) {
    const std::int32_t sum = (127 - 1) * 7;
    expect.equal("c", asking<Matmul>(c), Reals{0.3f * (static_cast<float>(sum) * 0.1f)});
    expect.recall("a group becomes a float once, when it is whole; the scale of a comes last");
    expect.otherwise("N-FORMULA");
  });
}

/// A group's sum that passes what a float counts, of words that are odd, and then comes back: a
/// float has lost some of it on the way, however many it adds at once.
void check_long_group() {
  constexpr int kUp = 20000, kDown = 3200, kMost = 65536;
  Int4Case c{"LongGroup", 1, {1, kUp + kDown, least_pitch(kUp + kDown), kMost}, {}, {}, {}, {}, {}};
  for (int p = 0; p < kUp + kDown; ++p) c.a.push_back(p < kUp && p % 8 == 0 ? 126 : 127);
  c.w = Codes(kUp, 7);
  c.w.insert(c.w.end(), kDown, -7);
  c.scales = c.a_scales = {1};
  once([&](Expect& expect) {
    expect.that(asking<Matmul>(c) == wanted<Matmul>(c),
                "a group's sum of 23,200 products is not exact", "N-OVERFLOW");
  });
}

template <class Exercise>
void check_shapes() {
  asking<Exercise>.is_right(random_cases(kSizes, seed));
}

// Every length of a last word. And a pitch that is more than it has to be.
const std::vector<Sizes> kPadded = {{1, 1, 1, 64},      {2, 3, 2, 64},  {3, 2, 3, 64},
                                    {2, 2, 4, 64},      {2, 3, 5, 64},  {2, 2, 14, 64},
                                    {3, 3, 23, 64, 16}, {2, 9, 97, 64}, {2, 3, 0, 64, 16}};

template <class Exercise>
void check_padding() {
  asking<Exercise>.is_right(random_cases(kPadded, seed, true, true));
}

template <class Exercise>
void check_any_scale() {
  asking<Exercise>.is_right(
      random_cases({{3, 5, 3, 64}, {4, 9, 24, 64}, {5, 7, 70, 64}, {3, 6, 200, 64}}, seed, false));
}

// --- Accesses ------------------------------------------------------------------------------------

// A shape that no tile divides, and one that all usual tiles do.
const std::vector<Sizes> kCountedRows = {{1, 9, 509, 128}, {1, 16, 1024, 64}};
const std::vector<Sizes> kCountedProducts = {{45, 70, 130, 64}, {64, 64, 256, 128}};

template <class Exercise>
constexpr bool is_product = std::is_same_v<Exercise, Matmul>;

template <class Exercise>
const std::vector<Sizes>& counted_sizes() {
  return is_product<Exercise> ? kCountedProducts : kCountedRows;
}

template <class Exercise>
void check_runs_clean() {
  std::vector<Sizes> sizes = {{3, 5, 7, 64}, {3, 9, 65, 64}, {66, 3, 70, 64}, {3, 66, 33, 64, 16}};
  sizes.push_back(counted_sizes<Exercise>().front());
  asking<Exercise>.runs_clean(random_cases(sizes, seed));
}

/// Counted is only what is right.
template <class Exercise, class Judge>
void check_counts(const std::vector<Sizes>& sizes, const Judge& judge) {
  asking<Exercise>.each_counted(
      random_cases(sizes, counted_seed),
      [&](Expect& expect, const Int4Case& c, const Counted& counts) {
        Expect values;
        asking<Exercise>.look(values, c, asking<Exercise>(c));
        if (!expect.that(!values.failure(), "not counted before it is right", "N-FORMULA")) return;
        judge(expect, c, counts);
      });
}

template <class Exercise>
void check_at_most(const Measure& measure, double factor) {
  check_counts<Exercise>(counted_sizes<Exercise>(),
                         [&](Expect& expect, const Int4Case&, const Counted& counts) {
                           at_most(expect, measure, factor, counts);
                         });
}

std::uint64_t scale_bytes(const simt::Traffic& t) {
  return std::string_view(t.subject) == "scales_t" ? 32 * t.sectors : 0;
}
const Measure kScaleBytes{"bytes of scales_t", "N-LOADS", scale_bytes, nullptr};

/// Where it is too much, whoever has fetched scales for each warp is told so.
void check_bytes_of_products() {
  check_counts<Matmul>(kCountedProducts,
                       [](Expect& expect, const Int4Case&, const Counted& counts) {
                         Expect all;
                         if (at_most(all, kGlobalBytes, 1.1, counts)) return;
                         if (at_most(expect, kScaleBytes, 2.0, counts))
                           at_most(expect, kGlobalBytes, 1.1, counts);
                       });
}

// Whole tiles: at an edge, lanes without an output rest.
void check_lanes() {
  check_counts<Matmul>({kCountedProducts.back()},
                       [](Expect& expect, const Int4Case&, const Counted& counts) {
                         at_least(expect, kLanesAtWork, 0.25, counts);
                       });
}

// Tiles of up to 128 x 128 divide this, in steps of up to 64.
void check_dp4a() {
  check_counts<Matmul>({{128, 128, 64, 64}},
                       [](Expect& expect, const Int4Case& c, const Counted& counts) {
                         const std::uint64_t products = c.w.size() * std::uint64_t(c.m);
                         exactly(expect, kDp4a, products / 4, counts);
                       });
}

// --- The exercises -------------------------------------------------------------------------------

TEST(unpack_int4, EveryByte) { check_every_byte(); }
TEST(unpack_int4, EveryShape) { check_shapes<Unpack>(); }
TEST(unpack_int4, PaddingIsCutOff) { check_padding<Unpack>(); }
TEST(unpack_int4, RunsClean) { check_runs_clean<Unpack>(); }
TEST(unpack_int4, MovesNoMore) { check_at_most<Unpack>(kGlobalBytes, 1.1); }
TEST(unpack_int4, AsksAtMostTwice) { check_at_most<Unpack>(kGlobalRequests, 2.0); }
TEST(unpack_int4, AsksNoMore) { check_at_most<Unpack>(kGlobalRequests, 1.1); }

TEST(dequantize_int4, FollowsTheFormula) { check_formula<Dequantize>(&HandCase::w_hat); }
TEST(dequantize_int4, EveryShape) { check_shapes<Dequantize>(); }
TEST(dequantize_int4, PaddingIsCutOff) { check_padding<Dequantize>(); }
TEST(dequantize_int4, RunsClean) { check_runs_clean<Dequantize>(); }
TEST(dequantize_int4, MovesAtMostTwice) { check_at_most<Dequantize>(kGlobalBytes, 2.0); }
TEST(dequantize_int4, MovesNoMore) { check_at_most<Dequantize>(kGlobalBytes, 1.1); }
TEST(dequantize_int4, AsksNoMore) { check_at_most<Dequantize>(kGlobalRequests, 1.1); }

TEST(gemv_int4, FollowsTheFormula) { check_formula<Gemv>(&HandCase::y); }
TEST(gemv_int4, EveryShape) { check_shapes<Gemv>(); }
TEST(gemv_int4, PaddingIsCutOff) { check_padding<Gemv>(); }
TEST(gemv_int4, NearForAnyScale) { check_any_scale<Gemv>(); }
TEST(gemv_int4, RunsClean) { check_runs_clean<Gemv>(); }
TEST(gemv_int4, MovesAtMostTwice) { check_at_most<Gemv>(kGlobalBytes, 2.0); }
TEST(gemv_int4, MovesNoMore) { check_at_most<Gemv>(kGlobalBytes, 1.1); }
TEST(gemv_int4, AsksNoMore) { check_at_most<Gemv>(kGlobalRequests, 1.1); }

TEST(matmul_int4, FollowsTheFormula) { check_formula<Matmul>(&HandCase::c); }
TEST(matmul_int4, EveryShape) {
  check_shapes<Matmul>();
  check_long_group();
}
TEST(matmul_int4, PaddingIsCutOff) { check_padding<Matmul>(); }
TEST(matmul_int4, NearForAnyScale) {
  check_any_scale<Matmul>();
  check_roundings_of_a_group();
}
TEST(matmul_int4, RunsClean) { check_runs_clean<Matmul>(); }
TEST(matmul_int4, CountsDp4a) { check_dp4a(); }
TEST(matmul_int4, MovesAtMostTwice) { check_at_most<Matmul>(kGlobalBytes, 2.0); }
TEST(matmul_int4, MovesNoMore) { check_bytes_of_products(); }
TEST(matmul_int4, LanesWorkTogether) { check_lanes(); }
TEST(matmul_int4, NoBankConflicts) { check_at_most<Matmul>(kBankConflicts, 1.0); }

// NIBBLE-BEGIN-HIDDEN
// Not in a handout: the inputs follow from the course's secret salt.

// Odd k, one more than two tiles in each direction, and the shapes that are counted.
const std::vector<Sizes> kHiddenSizes = {
    {3, 5, 7, 64},    {2, 3, 1025, 64, 16}, {45, 70, 130, 64},  {1, 9, 509, 128},
    {9, 17, 35, 128}, {129, 65, 33, 64},    {65, 129, 67, 192}, {5, 6, 385, 320}};

template <class Exercise>
void check_unseen() {
  asking<Exercise>.is_right(random_cases(kHiddenSizes, hidden_seed));
}

TEST(unpack_int4, UnseenData) { check_unseen<Unpack>(); }
TEST(dequantize_int4, UnseenData) { check_unseen<Dequantize>(); }
TEST(gemv_int4, UnseenData) { check_unseen<Gemv>(); }
TEST(matmul_int4, UnseenData) { check_unseen<Matmul>(); }
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
