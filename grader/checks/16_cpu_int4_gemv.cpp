// Lab 16: the checks.
#include "cpu_int4_gemv.hpp"

#include <string>
#include <string_view>

#include "checks/marks/16_cpu_int4_gemv.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/named_case.hpp"
#include "judge/speed.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

std::size_t count_of(int a, int b) { return std::size_t(a) * std::size_t(b); }

/// The first `count` elements.
template <class List>
List first(const List& list, std::size_t count) {
  return {list.begin(), list.begin() + std::ptrdiff_t(count)};
}

/// Of results that are equal, one could be had for the other.
void expect_distinct(const Reals& results) {
  Expect::healthy(distinct(results) * 10 >= results.size() * 9, "results that are equal");
}

/// Takes `empty` on each isa, and `good` on none that is not here. What is empty has no value to
/// get wrong: values are for other checks.
template <class Exercise, class Case>
void refuses_other_isas(const Exercise& exercise, const Case& empty, const Case& good) {
  exercise.refuses({empty}, refused_isas(exercise, good));
}

// --- unpack_int4 --------------------------------------------------------------------------------

/// Codes in nibbles. Half of the last byte may mean nothing.
struct Nibbles {
  Bytes q4;
  std::size_t count;
  static constexpr std::array names{"q4", "count"};
};

std::vector<Named<Nibbles>> smaller(const Named<Nibbles>& c) {
  std::vector<Named<Nibbles>> all;
  for (const std::size_t count : {c.count / 2, c.count - 1}) {
    if (count > 0 && count < c.count) {
      all.push_back({std::to_string(count), {first(c.q4, (count + 1) / 2), count}});
    }
  }
  return all;
}

/// code(nibble, the other nibble of its byte) of every code.
template <class Code>
Codes codes_of(const Nibbles& c, const Code& code) {
  Codes q;
  for (std::size_t i = 0; i < c.count; ++i) {
    const int low = c.q4[i / 2] & 15, high = c.q4[i / 2] >> 4;
    q.push_back(static_cast<std::int8_t>(i % 2 == 0 ? code(low, high) : code(high, low)));
  }
  return q;
}

void suspect_nibbles(Expect& expect, const Nibbles& c) {
  expect.suspect("N-LAYOUT", "q", codes_of(c, [](int, int other) { return (other ^ 8) - 8; }),
                 "the high nibble of a byte is taken first");
  expect.suspect("N-SIGN", "q", codes_of(c, [](int own, int) { return own; }),
                 "a nibble from 8 on is read as a number above 0");
  expect.suspect("N-SIGN", "q", codes_of(c, [](int own, int) { return own - 8; }),
                 "8 is taken off a nibble, which is in two's complement");
}

const auto unpacking = kernel_exercise<&unpack_int4>(
    [](const Named<Nibbles>& c) { return std::tuple(c.q4, out(c.count)); },
    [](const Nibbles& c) { return codes_of(c, [](int own, int) { return (own ^ 8) - 8; }); },
    equals("q", suspect_nibbles));

// Codes below 8 only: order, and nothing else.
TEST(unpack_int4, LowNibbleIsEven) {
  unpacking.gives({{{"OneByte", {{0x21}, 2}}, {1, 2}},
                   {{"TwoBytes", {{0x70, 0x35}, 4}}, {0, 7, 5, 3}},
                   {{"Counting", {{0x10, 0x32, 0x54, 0x76}, 8}}, {0, 1, 2, 3, 4, 5, 6, 7}}});
}

TEST(unpack_int4, HighestBitIsNegative) {
  unpacking.gives({{{"Ends", {{0x87}, 2}}, {7, -8}},
                   {{"MinusOne", {{0xFF}, 2}}, {-1, -1}},
                   {{"Both", {{0xF8, 0x9A, 0xBC, 0xDE}, 8}}, {-8, -1, -6, -7, -4, -5, -2, -3}}});
}

std::vector<Named<Nibbles>> random_nibbles(const std::vector<std::size_t>& counts, Seed seed_of) {
  return each_of(counts, [&](std::size_t count) -> Named<Nibbles> {
    return {std::to_string(count),
            {code_tensor<std::uint8_t>((count + 1) / 2, seed_of(count), 0, 255), count}};
  });
}

// Nothing; half a byte, whose other half is noise; one less than, as many as and one more than the
// 32 and 64 codes of a vector.
TEST(unpack_int4, AnyCount) {
  unpacking.gives({{{"None", {{}, 0}}, {}},
                   {{"Half", {{0xA5}, 1}}, {5}},
                   {{"Three", {{0x1E, 0x7D}, 3}}, {-2, 1, -3}}});
  unpacking.is_right(random_nibbles({31, 32, 33, 63, 64, 65, 127}, seed));
}

TEST(unpack_int4, RefusesWrongSizes) {
  unpacking.refuses({{"Fits", {{0x43}, 2}}}, {{"", "1 byte for 3 codes", {Bytes(1), out(3)}},
                                              {"", "3 bytes for 4 codes", {Bytes(3), out(4)}},
                                              {"", "no byte for 1 code", {Bytes(), out(1)}},
                                              {"", "1 byte for no code", {Bytes(1), out(0)}}});
}

// --- gemv_int8 ----------------------------------------------------------------------------------

struct Int8Rows {
  Codes a;
  float a_scale;
  Codes w;
  Reals w_scales;
  static constexpr std::array names{"a", "a_scale", "w", "w_scales"};

  MatmulShape shape() const { return {1, int(w_scales.size()), int(a.size())}; }
};

/// The first rows, and of each the first codes.
std::vector<Named<Int8Rows>> smaller(const Named<Int8Rows>& c) {
  std::vector<Named<Int8Rows>> all;
  for (const auto [m, n, k] : smaller_shapes(c.shape())) {
    all.push_back(
        {std::to_string(n) + "x" + std::to_string(k),
         {first(c.a, k), c.a_scale, corner(c.w, std::ssize(c.a), n, k), first(c.w_scales, n)}});
  }
  return all;
}

/// The contract's formula for the first `end` codes of a row, with the sums of 64 bits.
template <class Term>
Reals int8_products(const Int8Rows& c, std::size_t end, const Term& term) {
  const std::size_t n = c.w_scales.size(), k = c.a.size();
  Reals products;
  for (std::size_t j = 0; j < n; ++j) {
    std::int64_t acc = 0;
    for (std::size_t p = 0; p < end; ++p) acc += term(c.a[p], c.w[j * k + p]);
    products.push_back(static_cast<float>(acc) * (c.a_scale * c.w_scales[j]));
  }
  return products;
}

Reals int8_products(const Int8Rows& c) { return int8_products(c, c.a.size(), std::multiplies<>()); }

void suspect_int8(Expect& expect, const Int8Rows& c) {
  const std::size_t k = c.a.size();
  const auto suspect = [&](std::string_view words, const auto& term) {
    expect.suspect("N-SIGN", "c", int8_products(c, k, term), words);
  };
  constexpr const char* kExcess =
      "128 is added to a code, and not taken off the sum as it should be";
  constexpr const char* kUnsigned = "codes below 0 are read as 256 more";
  suspect(kExcess, [](int a, int w) { return a * (w + 128); });
  suspect(kExcess, [](int a, int w) { return (a + 128) * w; });
  suspect(kUnsigned, [](int a, int w) { return a * (w & 255); });
  suspect(kUnsigned, [](int a, int w) { return (a & 255) * w; });
  Int8Rows bare{c.a, 1, c.w, Reals(c.w_scales.size(), 1)};
  Reals one_by_one = int8_products(bare);
  for (std::size_t j = 0; j < one_by_one.size(); ++j) {
    one_by_one[j] = one_by_one[j] * c.a_scale * c.w_scales[j];
  }
  expect.suspect("N-SCALE", "c", one_by_one, "the two scales are multiplied first");
  for (const std::size_t width : {16, 32, 64}) {
    const std::size_t whole = k / width * width;
    expect.suspect("N-TAIL", "c", int8_products(c, whole, std::multiplies<>()),
                   "the last of a sum's products are not added, " + std::to_string(k - whole) +
                       " of " + std::to_string(k));
  }
}

const auto multiplying_int8 = isa_exercise<&gemv_int8>(
    [](const OnIsa<Named<Int8Rows>>& c) {
      return std::tuple(c.isa, c.a, c.a_scale, c.w, c.w_scales, out(c.w_scales.size()));
    },
    [](const Int8Rows& c) { return int8_products(c); }, equals("c", suspect_int8));

TEST(gemv_int8, FollowsTheFormula) {
  multiplying_int8.is_right({{"OneByOne", {{3}, 1, {-5}, {1}}},
                             {"OneRow", {{1, 10, 100}, 1, {1, 2, 3}, {1}}},
                             {"TwoRows", {{1, 2}, 1, {3, 4, 5, -6}, {1, 1}}},
                             {"Tall", {{1, -2}, 1, {3, 4, 5, 7, 11, 13}, {1, 1, 1}}}});
}

// The last scales are no powers of two: which two are multiplied first decides on the last bit.
TEST(gemv_int8, ScalesEachRow) {
  multiplying_int8.is_right(
      {{"ActivationsOnly", {{3}, 0.5f, {8}, {1}}},
       {"WeightsOnly", {{3}, 1, {8, 8}, {0.25f, 4}}},
       {"Both", {{3, 1}, 2, {8, 0, 0, 8, 5, 5}, {0.25f, 4, 0.5f}}},
       {"Rounded", {{11, 3}, 0.3f, {91, 0, -69, -6, 110, 8}, {0.3f, 0.7f, 0.9f}}}});
}

Named<Int8Rows> constant_int8(const std::string& name, std::size_t k, int a, int w) {
  return {name, {Codes(k, std::int8_t(a)), 1, Codes(k, std::int8_t(w)), {1}}};
}

// 64 codes fill every vector: pairs of 255 * 127 saturate in int16, and so do 128 * 128. Then the
// longest k: half of its excess sum has left int32.
TEST(gemv_int8, EveryCodeIsExact) {
  multiplying_int8.is_right(
      {constant_int8("127*127", 64, 127, 127), constant_int8("127*-128", 64, 127, -128),
       constant_int8("-128*127", 64, -128, 127), constant_int8("-128*-128", 64, -128, -128),
       constant_int8("Longest,-128*-128", 131071, -128, -128),
       constant_int8("Longest,-128*127", 131071, -128, 127)});
}

Named<Int8Rows> random_int8(std::size_t n, std::size_t k, Seed seed_of) {
  const Int8Rows c{code_tensor<std::int8_t>(k, seed_of(1000 * n + k), -128, 127), 0.03f,
                   code_tensor<std::int8_t>(n * k, seed_of(2000 * n + k), -128, 127),
                   uniform_tensor(n, seed_of(3000 * n + k), 0.001f, 0.02f)};
  expect_distinct(int8_products(c));
  return {std::to_string(n) + "x" + std::to_string(k), c};
}

const Named<Int8Rows> kNoOutputs{"NoOutputs", {{1, 2}, 1, {}, {}}},
    kTwoByTwo{"TwoByTwo", {{1, 2}, 1, {3, 4, 5, 6}, {1, 1}}};

// No inputs and no outputs; one less than, as many as and one more than a vector of 16, 32 and 64
// codes; several vectors; a prime.
TEST(gemv_int8, EveryLength) {
  std::vector<Named<Int8Rows>> cases{{"NoInputs", {{}, 1, {}, {1, 2}}}, kNoOutputs};
  for (const std::size_t k : {7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 211}) {
    cases.push_back(random_int8(3, k, seed));
  }
  for (const std::size_t n : {1, 2, 4, 5, 7, 8, 9, 17}) cases.push_back(random_int8(n, 37, seed));
  multiplying_int8.is_right(cases);
}

TEST(gemv_int8, RefusesBadInput) {
  constexpr Isa any = Isa::kScalar;
  const Codes a{1, 2}, longest(131072);
  const Reals ones{1, 1};
  decltype(multiplying_int8)::Refusals rows{
      {"N-SIZE", "3 weights for 2x2", {any, a, 1, Codes(3), ones, out(2)}},
      {"N-SIZE", "5 weights for 2x2", {any, a, 1, Codes(5), ones, out(2)}},
      {"N-SIZE", "1 scale for 2 rows", {any, a, 1, Codes(4), {1}, out(2)}},
      {"N-SIZE", "3 scales for 2 rows", {any, a, 1, Codes(4), {1, 1, 1}, out(2)}},
      {"N-SIZE", "1 scale for no row", {any, a, 1, Codes(), {1}, out(0)}},
      {"N-SIZE", "k = 131072", {any, longest, 1, longest, {1}, out(1)}}};
  for (const float scale : kUnusableScales) {
    const std::string text = " = " + show_value(scale);
    rows.push_back({"N-DIV0", "a_scale" + text, {any, a, scale, Codes(4), ones, out(2)}});
    rows.push_back({"N-DIV0", "a scale" + text, {any, a, 1, Codes(4), {1, scale}, out(2)}});
  }
  multiplying_int8.refuses({kTwoByTwo}, rows);
}

TEST(gemv_int8, RefusesOtherIsas) { refuses_other_isas(multiplying_int8, kNoOutputs, kTwoByTwo); }

// --- pack_int4 ----------------------------------------------------------------------------------

std::string shape_text(Int4Shape s) {
  return std::to_string(s.n) + "x" + std::to_string(s.k) + "/" + std::to_string(s.group_size);
}

/// Codes [n,k], scales [n, k/group_size], and the contract's formula for their places.
struct Weights {
  Int4Shape shape;
  Codes w;
  Reals scales;
  static constexpr std::array names{"n", "k", "group_size", "codes", "scales"};

  std::size_t groups() const { return std::size_t(shape.k / shape.group_size); }
  std::size_t base(int j, int p) const {
    return (std::size_t(j / 16) * groups() + std::size_t(p / shape.group_size)) *
           (64 + 8 * std::size_t(shape.group_size));
  }
  std::size_t byte_of(int j, int p) const {
    return base(j, p) + std::size_t(64 + 64 * (p % shape.group_size / 8) + 4 * (j % 16) + p % 4);
  }
  std::size_t scale_of(int j, int group) const {
    return base(j, group * shape.group_size) + std::size_t(4 * (j % 16));
  }
};

Bytes packed_by_definition(const Weights& c) {
  const auto [n, k, group_size] = c.shape;
  Bytes packed(packed_int4_size(c.shape), 0x88);
  const int padded = (n + 15) / 16 * 16;
  for (int j = 0; j < padded; ++j) {
    for (int group = 0; group < int(c.groups()); ++group) {
      const float scale = j < n ? c.scales[std::size_t(j) * c.groups() + std::size_t(group)] : 0.0f;
      std::memcpy(&packed[c.scale_of(j, group)], &scale, 4);
    }
    for (int p = 0; p < k && j < n; ++p) {
      const int nibble = c.w[count_of(j, k) + std::size_t(p)] + 8, shift = p % 8 < 4 ? 0 : 4;
      std::uint8_t& byte = packed[c.byte_of(j, p)];
      byte = static_cast<std::uint8_t>((byte & ~(15 << shift)) | nibble << shift);
    }
  }
  return packed;
}

/// Codes as unpack_int4 reads them. Half of the last byte may mean nothing, and is not 0.
Bytes in_nibbles(const Codes& codes) {
  Bytes q4((codes.size() + 1) / 2, 0xA0);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const int shift = i % 2 == 0 ? 0 : 4;
    q4[i / 2] = static_cast<std::uint8_t>((q4[i / 2] & ~(15 << shift)) | (codes[i] & 15) << shift);
  }
  return q4;
}

Named<Weights> random_weights(Int4Shape shape, Seed seed_of) {
  const std::uint64_t salt =
      std::uint64_t(shape.n) << 40 ^ std::uint64_t(shape.k) << 20 ^ std::uint64_t(shape.group_size);
  return {shape_text(shape),
          {shape, code_tensor<std::int8_t>(count_of(shape.n, shape.k), seed_of(salt), -8, 7),
           uniform_tensor(count_of(shape.n, shape.k / shape.group_size), seed_of(salt + 1), 0.001f,
                          0.02f)}};
}

/// The upper left corner: the first n rows, the first groups of each.
Weights crop(const Weights& c, int n, int groups) {
  const int k = groups * c.shape.group_size;
  return {{n, k, c.shape.group_size},
          corner(c.w, c.shape.k, n, k),
          corner(c.scales, std::ptrdiff_t(c.groups()), n, groups)};
}

std::vector<Named<Weights>> smaller(const Named<Weights>& c) {
  std::vector<Named<Weights>> all;
  for (const auto [m, n, groups] : smaller_shapes({1, c.shape.n, int(c.groups())})) {
    const Weights less = crop(c, n, groups);
    all.push_back({shape_text(less.shape), less});
  }
  return all;
}

struct Parts {
  std::vector<int> nibbles;
  Reals scales;
};

/// Of rows [begin, end), read back from where the contract puts them.
Parts parts_of(const Weights& c, const Bytes& packed, int begin, int end) {
  Parts parts;
  for (int j = begin; j < end; ++j) {
    for (int p = 0; p < c.shape.k; ++p) {
      parts.nibbles.push_back(packed[c.byte_of(j, p)] >> (p % 8 < 4 ? 0 : 4) & 15);
    }
    for (int group = 0; group < int(c.groups()); ++group) {
      parts.scales.push_back(0);
      std::memcpy(&parts.scales.back(), &packed[c.scale_of(j, group)], 4);
    }
  }
  return parts;
}

/// What the nibbles would be if code p of a row came from code p ^ other.
std::vector<int> nibbles_exchanged(Weights c, std::size_t other) {
  const Codes w = c.w;
  for (std::size_t at = 0; at < w.size(); ++at) c.w[at] = w[at ^ other];  // k is a multiple of 32
  return parts_of(c, packed_by_definition(c), 0, c.shape.n).nibbles;
}

void look_at_codes(Expect& expect, const Named<Weights>& c, const Bytes& got, const Bytes& right) {
  const int n = c.shape.n;
  const std::vector<int> want = parts_of(c, right, 0, n).nibbles;
  std::vector<int> as_they_are;  // two's complement
  for (const int nibble : want) as_they_are.push_back(nibble ^ 8);
  expect.suspect("N-SIGN", "nibbles", as_they_are, "8 is not added to a code");
  expect.suspect("N-LAYOUT", "nibbles", nibbles_exchanged(c, 1),
                 "the two nibbles of a byte are exchanged");
  expect.suspect("N-LAYOUT", "nibbles", nibbles_exchanged(c, 4),
                 "codes of the first and the second four are exchanged");
  expect.equal("nibbles", parts_of(c, got, 0, n).nibbles, want,
               {std::size_t(n), std::size_t(c.shape.k)});
}

void look_at_scales(Expect& expect, const Named<Weights>& c, const Bytes& got, const Bytes& right) {
  const int n = c.shape.n;
  expect.equal("scales", parts_of(c, got, 0, n).scales, parts_of(c, right, 0, n).scales,
               {std::size_t(n), c.groups()});
}

void look_at_missing_rows(Expect& expect, const Named<Weights>& c, const Bytes& got,
                          const Bytes& right) {
  const int n = c.shape.n, end = (n + 15) / 16 * 16;
  const Parts parts = parts_of(c, got, n, end), want = parts_of(c, right, n, end);
  expect.equal("scales of missing rows", parts.scales, want.scales);
  expect.equal("nibbles of missing rows", parts.nibbles, want.nibbles);
}

auto packing(void (*look)(Expect&, const Named<Weights>&, const Bytes& got, const Bytes& right)) {
  return kernel_exercise<&pack_int4>(
      [](const Named<Weights>& c) {
        return std::tuple(in_nibbles(c.w), c.scales, out(packed_int4_size(c.shape)), c.shape);
      },
      packed_by_definition, look);
}
const auto packed_codes = packing(look_at_codes);

/// A single code of 1 among zeros, and the byte where it has to be, worked out by hand.
Named<Weights> needle(Int4Shape shape, int j, int p, std::size_t byte, int value) {
  Weights c{shape, Codes(count_of(shape.n, shape.k), 0), {}};
  c.scales.assign(std::size_t(shape.n) * c.groups(), 1.0f);
  c.w[count_of(j, shape.k) + std::size_t(p)] = 1;
  Expect::healthy(packed_by_definition(c)[byte] == value, "the oracle is wrong");
  return {"Byte" + std::to_string(byte) + "of" + shape_text(shape), c};
}

TEST(pack_int4, CodesInTheirPlaces) {
  packed_codes.is_right(
      {needle({1, 32, 32}, 0, 0, 64, 0x89), needle({1, 32, 32}, 0, 1, 65, 0x89),
       needle({1, 32, 32}, 0, 3, 67, 0x89), needle({1, 32, 32}, 0, 4, 64, 0x98),  // high nibbles
       needle({1, 32, 32}, 0, 7, 67, 0x98),
       needle({1, 32, 32}, 0, 8, 128, 0x89),  // the second line, the last
       needle({1, 32, 32}, 0, 31, 259, 0x98),
       needle({2, 32, 32}, 1, 0, 68, 0x89),  // the second row, the last
       needle({16, 32, 32}, 15, 5, 125, 0x98),
       needle({1, 64, 32}, 0, 32, 384, 0x89),  // groups and panels
       needle({1, 64, 64}, 0, 32, 320, 0x89), needle({17, 32, 32}, 16, 0, 384, 0x89),
       needle({17, 64, 32}, 16, 0, 704, 0x89), needle({17, 64, 32}, 16, 33, 1025, 0x89)});
}

std::vector<Named<Weights>> random_weights(const std::vector<Int4Shape>& shapes, Seed seed_of) {
  return each_of(shapes, [&](Int4Shape shape) { return random_weights(shape, seed_of); });
}

// All sixteen codes, in low and high nibbles, then whole panels at random.
TEST(pack_int4, NibblesAreExcessEight) {
  Codes each;
  for (int p = 0; p < 32; ++p) each.push_back(static_cast<std::int8_t>(p < 16 ? p - 8 : 23 - p));
  packed_codes.is_right({{"EachCode", {{1, 32, 32}, each, {1.0f}}}});
  packed_codes.is_right(
      random_weights({{16, 64, 64}, {32, 64, 32}, {5, 192, 96}, {33, 128, 32}}, seed));
}

// Powers of two, then any: one panel, two, and more groups than one.
TEST(pack_int4, ScalesLeadTheirGroup) {
  const auto packed_scales = packing(look_at_scales);
  packed_scales.is_right({{"OneRow", {{1, 32, 32}, Codes(32, 1), {0.5f}}},
                          {"TwoRows", {{2, 32, 32}, Codes(64, 1), {0.5f, 2}}},
                          {"TwoGroups", {{1, 64, 32}, Codes(64, 1), {0.5f, 2}}},
                          {"Both", {{2, 64, 32}, Codes(128, 1), {1, 2, 4, 8}}}});
  packed_scales.is_right(random_weights({{16, 128, 64}, {17, 96, 32}, {40, 256, 64}}, seed));
}

// One row in the last panel, and all but one.
TEST(pack_int4, FillsTheLastPanel) {
  packing(look_at_missing_rows)
      .is_right(random_weights({{1, 32, 32}, {15, 64, 32}, {17, 32, 32}, {31, 128, 64}}, seed));
}

/// What is wrong with a call: the shape, how much longer a list is than it should be, a scale.
struct Bad {
  const char* what;
  Int4Shape shape{2, 64, 32};
  int more_codes = 0, more_packed = 0, more_results = 0, more_scales = 0;
  float scale = 1.0f;

  const char* code() const { return scale == 1.0f ? "N-SIZE" : "N-DIV0"; }
  std::string text() const {
    return std::string(what) + " (" + shape_text(shape) + ", scale " + show_value(scale) + ")";
  }
  std::size_t n() const { return std::size_t(std::abs(shape.n)); }
  std::size_t k() const { return std::size_t(std::abs(shape.k)); }
  /// Sizes that would fit if the shape were legal, as far as anything can be said.
  std::size_t packed() const {
    const std::size_t fits = shape.group_size < 1         ? 320
                             : shape.n < 0 || shape.k < 0 ? 0
                                                          : packed_int4_size(shape);
    return fits + std::size_t(more_packed);
  }
};

/// What no function of packed weights takes, and more of them.
std::vector<Bad> bad_calls(const std::vector<Bad>& more) {
  std::vector<Bad> all{{"no group_size", {1, 32, 0}},
                       {"a negative group_size", {1, 32, -32}},
                       {"groups of 16", {1, 32, 16}},
                       {"groups that are no multiple of 32", {1, 48, 48}},
                       {"a group_size beyond 2^20", {1, (1 << 20) + 32, (1 << 20) + 32}},
                       {"half a group", {1, 96, 64}},
                       {"a negative n", {-1, 0, 32}},
                       {"a negative k", {0, -32, 32}},
                       {.what = "64 packed bytes too few", .more_packed = -64},
                       {.what = "64 packed bytes too many", .more_packed = 64}};
  all.insert(all.end(), more.begin(), more.end());
  for (const float scale : kUnusableScales) all.push_back({.what = "a scale", .scale = scale});
  return all;
}

TEST(pack_int4, RefusesBadInput) {
  decltype(packed_codes)::Refusals rows;
  for (const Bad& bad : bad_calls({{.what = "a byte of codes too few", .more_codes = -1},
                                   {.what = "a byte of codes too many", .more_codes = 1},
                                   {.what = "a scale too few", .more_scales = -1},
                                   {.what = "a scale too many", .more_scales = 1}})) {
    const int group = std::abs(bad.shape.group_size);
    const std::size_t groups = group == 0 ? 1 : bad.k() / std::size_t(group);
    Reals scales(bad.n() * groups + std::size_t(bad.more_scales), 1.0f);
    if (!scales.empty()) scales.back() = bad.scale;
    const Bytes q4(bad.n() * bad.k() / 2 + std::size_t(bad.more_codes));
    rows.push_back({bad.code(), bad.text(), {q4, scales, out(bad.packed()), bad.shape}});
  }
  packed_codes.refuses(random_weights({{2, 64, 32}}, seed), rows);
}

// --- gemv_int4 and gemm_int4: data, oracle, and what goes wrong ---------------------------------

/// Activations [m,k] and weights. The packed form that the judge hands over is the definition's: no
/// exercise depends on another.
struct Batch {
  Codes a;
  Reals a_scales;
  Weights weights;
  static constexpr std::array names{"a", "a_scales", "n", "k", "group_size", "codes", "scales"};

  std::size_t m() const { return a_scales.size(); }
  std::size_t n() const { return std::size_t(weights.shape.n); }
  std::size_t k() const { return std::size_t(weights.shape.k); }
};

std::vector<Named<Batch>> smaller(const Named<Batch>& c) {
  std::vector<Named<Batch>> all;
  const auto& [shape, w, scales] = c.weights;
  for (const auto [m, n, groups] : smaller_shapes({int(c.m()), shape.n, int(c.weights.groups())})) {
    const Weights less = crop(c.weights, n, groups);
    all.push_back({std::to_string(m) + "x" + shape_text(less.shape),
                   {corner(c.a, shape.k, m, less.shape.k), first(c.a_scales, m), less}});
  }
  return all;
}

/// The contract's formulas: term(p, a, w) is what is summed over a group, scale(j, G) what its sum
/// is multiplied by.
template <class Sum = std::int64_t, class Real = float, class Term, class Scale>
Reals products(const Batch& c, const Term& term, const Scale& scale) {
  const std::size_t n = c.n(), k = c.k();
  const std::size_t size = std::size_t(c.weights.shape.group_size);
  Reals all;
  for (std::size_t i = 0; i < c.m(); ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      Real y = 0;
      for (std::size_t p = 0; p < k;) {
        const std::size_t group = p / size;
        Sum acc = 0;
        for (; p < (group + 1) * size; ++p) {
          acc = static_cast<Sum>(acc + term(p, c.a[i * k + p], c.weights.w[j * k + p]));
        }
        const Real scaled = static_cast<Real>(acc) * scale(j, group);
        y += scaled;
      }
      all.push_back(static_cast<float>(y * c.a_scales[i]));
    }
  }
  return all;
}

Reals products(const Batch& c) {
  return products(
      c, [](std::size_t, int a, int w) { return a * w; },
      [&](std::size_t j, std::size_t group) {
        return c.weights.scales[j * c.weights.groups() + group];
      });
}

/// What known mistakes make of this input.
void suspect_products(Expect& expect, const Batch& c) {
  const std::size_t groups = c.weights.groups(), size = std::size_t(c.weights.shape.group_size);
  const auto right = [](std::size_t, int a, int w) { return a * w; };
  const auto own = [&](std::size_t j, std::size_t group) {
    return c.weights.scales[j * groups + group];
  };
  const auto term = [&](const char* code, std::string_view words, const auto& wrong) {
    expect.suspect(code, "c", products(c, wrong, own), words);
  };
  const auto scale = [&](std::string_view words, const auto& wrong) {
    expect.suspect("N-SCALE", "c", products(c, right, wrong), words);
  };
  expect.suspect("N-OVERFLOW", "c", products<std::int16_t>(c, right, own),
                 "a group's sum is kept in 16 bits");
  expect.suspect("N-FORMULA", "c", products<std::int64_t, double>(c, right, own),
                 "as if products and sums of groups were doubles");
  int sum_a = 0;  // 8 times what 16 bits lose of it stays in the sum of excess codes
  term("N-OVERFLOW", "what the activations of a group add up to is kept in 16 bits",
       [&](std::size_t p, int a, int w) {
         sum_a = p % size == 0 ? a : sum_a + a;
         const bool last = p % size + 1 == size;
         return a * w + (last ? 8 * (sum_a - static_cast<std::int16_t>(sum_a)) : 0);
       });
  term("N-SIGN", "8 is added to a code, and not taken off the sum",
       [](std::size_t, int a, int w) { return a * (w + 8); });
  term("N-SIGN", "8 is taken off a nibble that has no 8 more",
       [](std::size_t, int a, int w) { return a * ((w & 15) - 8); });
  term("N-SIGN", "codes below 0 are read as 256 more",
       [](std::size_t, int a, int w) { return (a & 255) * w; });
  for (const std::size_t lost : {8, 16}) {
    term("N-TAIL", "the last products of each group are not added",
         [&](std::size_t p, int a, int w) { return p % size + lost < size ? a * w : 0; });
  }
  scale("the sum of a group is not scaled", [](auto, auto) { return 1.0f; });
  scale("a row has one scale for all of its groups",
        [&](std::size_t j, std::size_t) { return own(j, 0); });
  scale("a group has the scale of the next one",
        [&](std::size_t j, std::size_t group) { return own(j, std::min(group + 1, groups - 1)); });
  const auto changed = [&](const char* code, std::string_view words, const auto& change) {
    Batch wrong = c;
    change(wrong);
    expect.suspect(code, "c", products(wrong), words);
  };
  changed("N-SCALE", "the scale of a is missing",
          [](Batch& wrong) { std::ranges::fill(wrong.a_scales, 1.0f); });
  changed("N-SCALE", "all rows of a have the scale of row 0", [](Batch& wrong) {
    std::ranges::fill(wrong.a_scales, wrong.m() == 0 ? 1.0f : wrong.a_scales[0]);
  });
  for (const std::size_t block : {2, 4, 8, 16}) {
    changed("N-SCALE", "rows that are left behind blocks have the scale of row 0",
            [&](Batch& wrong) {
              for (std::size_t i = c.m() / block * block; i < c.m(); ++i) {
                wrong.a_scales[i] = wrong.a_scales[0];
              }
            });
  }
  changed("N-LAYOUT", "every row of a is taken for the first", [k = c.k()](Batch& wrong) {
    for (std::size_t at = k; at < wrong.a.size(); ++at) wrong.a[at] = wrong.a[at % k];
  });
  for (const std::size_t block : {1, 2, 4, 8}) {
    Reals wrong;
    for (std::size_t i = 0; i < c.m(); ++i) {
      const auto row = std::span(c.a).subspan(i * c.k(), c.k());
      const auto lent = std::span(c.a).subspan(i % block * c.k(), c.k());
      const Batch one{{row.begin(), row.end()}, {c.a_scales[i]}, c.weights};
      std::ranges::copy(
          products(
              one, [&](std::size_t p, int a, int w) { return a * w + 8 * (a - lent[p]); }, own),
          std::back_inserter(wrong));
    }
    expect.suspect("N-LAYOUT", "c", wrong, "8 is taken off with the sum of another row of a");
  }
  const Reals want = products(c);
  Reals turned(want.size());
  for (std::size_t at = 0; at < want.size(); ++at)
    turned[at % c.n() * c.m() + at / c.n()] = want[at];
  if (c.m() > 1 && c.n() > 1) {
    expect.suspect("N-LAYOUT", "c", turned, "c[i,j] is written where c[j,i] belongs");
  }
}

void look_at_products(Expect& expect, const OnIsa<Named<Batch>>& c, const Reals& got,
                      const Reals& right) {
  if (got != right) suspect_products(expect, c);
  expect.equal("c", got, right, c.m() == 1 ? Shape{} : Shape{c.m(), c.n()});
}

Named<Batch> random_batch(std::size_t m, Int4Shape shape, Seed seed_of) {
  const std::uint64_t salt = std::uint64_t(shape.n) * 7919 + std::uint64_t(shape.k) + (m << 50);
  const Batch c{code_tensor<std::int8_t>(m * std::size_t(shape.k), seed_of(salt), -128, 127),
                uniform_tensor(m, seed_of(salt + 1), 0.01f, 0.05f), random_weights(shape, seed_of)};
  expect_distinct(products(c));
  return {std::to_string(m) + "x" + shape_text(shape), c};
}

// --- gemv_int4 ----------------------------------------------------------------------------------

const auto multiplying = isa_exercise<&gemv_int4>(
    [](const OnIsa<Named<Batch>>& c) {
      return std::tuple(c.isa, c.a, c.a_scales[0], packed_by_definition(c.weights), out(c.n()),
                        c.weights.shape);
    },
    [](const Batch& c) { return products(c); }, look_at_products);

/// A list of zeros, but for some.
Codes sparse(std::size_t count, const std::vector<std::pair<std::size_t, int>>& some) {
  Codes codes(count, 0);
  for (const auto& [at, value] : some) codes[at] = static_cast<std::int8_t>(value);
  return codes;
}

// By hand: a code in the low nibble, one in the high; which belongs to which activation; a row
// each; and weights of 0, whose nibbles are not.
TEST(gemv_int4, MultipliesOneGroup) {
  const Int4Shape one{1, 32, 32}, three{3, 32, 32};
  const Weights rows{
      three, sparse(96, {{0, 1}, {1, 2}, {32, 3}, {33, 4}, {64, 5}, {65, 6}}), {1, 1, 1}};
  multiplying.is_right(
      {{"OneCode", {sparse(32, {{0, 3}}), {1}, {one, sparse(32, {{0, -5}}), {1}}}},
       {"HighNibble", {sparse(32, {{4, 3}}), {1}, {one, sparse(32, {{4, 7}}), {1}}}},
       {"Places",
        {sparse(32, {{0, 1}, {1, 10}, {4, 100}}),
         {1},
         {one, sparse(32, {{0, 1}, {1, 2}, {4, 3}}), {1}}}},
       {"LastLine",
        {sparse(32, {{24, 1}, {31, 10}}), {1}, {one, sparse(32, {{24, 6}, {31, -7}}), {1}}}},
       {"ZeroWeights", {Codes(32, 100), {1}, {one, Codes(32, 0), {1}}}},
       {"Rows", {sparse(32, {{0, 1}, {1, 10}}), {1}, rows}},
       {"Scaled", {sparse(32, {{5, 3}}), {2}, {one, sparse(32, {{5, -4}}), {0.125f}}}}});
}

// Powers of two, so that only the place of a scale is asked for: 1 in each group of a row gives the
// sum of its scales.
TEST(gemv_int4, EachGroupHasItsScale) {
  const auto ones = [](Int4Shape shape, Reals scales) {
    Weights all{shape, Codes(count_of(shape.n, shape.k)), std::move(scales)};
    for (std::size_t at = 0; at < all.w.size(); at += 32) all.w[at] = 1;
    return all;
  };
  multiplying.is_right(
      {{"TwoGroups", {sparse(64, {{0, 1}, {32, 4}}), {1}, ones({1, 64, 32}, {1, 8})}},
       {"FirstOnly", {sparse(64, {{0, 1}}), {1}, ones({1, 64, 32}, {2, 16})}},
       {"LastOnly", {sparse(96, {{64, 1}}), {1}, ones({1, 96, 32}, {2, 16, 128})}},
       {"TwoRows", {sparse(64, {{0, 1}, {32, 1}}), {1}, ones({2, 64, 32}, {1, 2, 4, 8})}},
       {"GroupOf64", {sparse(128, {{32, 1}, {64, 1}}), {0.5f}, ones({1, 128, 64}, {1, 32})}}});
}

/// One weight of 1 in each group of 32; the activations there; the scales.
Named<Batch> in_order(const std::string& name, const std::vector<int>& a, float a_scale,
                      const Reals& scales) {
  const std::size_t k = 32 * a.size();
  Batch c{Codes(k), {a_scale}, {{1, int(k), 32}, Codes(k), scales}};
  for (std::size_t group = 0; group < a.size(); ++group) {
    c.a[32 * group] = static_cast<std::int8_t>(a[group]);
    c.weights.w[32 * group] = 1;
  }
  return {name, c};
}

// 2^24 + 1 is no float32: what is small must be lost exactly where the contract loses it. 3 * 0.1f
// and 5 * 0.1f are inexact, so that a fused multiply-add, a sum in double and a scale applied too
// early end in another last bit.
TEST(gemv_int4, AddsGroupsInOrder) {
  multiplying.is_right({in_order("SmallIsLost", {1, 2, -1}, 1, {0x1p24f, 0.5f, 0x1p24f}),
                        in_order("SmallIsKept", {1, -1, 1}, 1, {0x1p24f, 0x1p24f, 1}),
                        in_order("TwoRoundings", {3, -3}, 1, {0.1f, 0.1f}),
                        in_order("NotFused", {3, -5, 7}, 1, {0.1f, 0.06f, 0.3f}),
                        in_order("ScaleLast", {3, 5, 7}, 0.3f, {0.1f, 0.7f, 0.9f})});
}

/// One group of equal codes, as long as k.
Named<Batch> constant_batch(int k, int a, int w) {
  return {std::to_string(k) + "," + std::to_string(a) + "*" + std::to_string(w),
          {Codes(std::size_t(k), std::int8_t(a)),
           {1},
           {{1, k, k}, Codes(std::size_t(k), std::int8_t(w)), {1}}}};
}

// Codes at their ends, in groups just as long as int16 sums of nibbles hold, twice and four times
// as long, and longer than int16 sums of activations; then the longest: products that are odd,
// whose sum no float32 can follow and which, with nibbles instead of codes, nearly leaves int32.
TEST(gemv_int4, EveryCodeIsExact) {
  std::vector<Named<Batch>> cases;
  for (const int k : {32, 64, 128, 512}) {
    for (const auto& [a, w] : {std::pair(-128, -8), {-128, 7}, {127, -8}, {127, 7}}) {
      cases.push_back(constant_batch(k, a, w));
    }
  }
  cases.push_back(constant_batch(1 << 20, -127, 7));
  multiplying.is_right(cases);
}

const Named<Batch> kNoResults{"NoOutputs", {Codes(32, 1), {1}, {{0, 32, 32}, {}, {}}}};

// No inputs and no outputs; one row less than, as many as and one more than a panel, and two; every
// length of a group up to 128, an uneven one, a scale per channel; many groups.
TEST(gemv_int4, EveryShape) {
  const std::vector<Int4Shape> shapes = {
      {1, 64, 32},  {15, 64, 32},  {16, 64, 32}, {17, 64, 32},  {31, 96, 32},  {32, 64, 64},
      {33, 96, 96}, {5, 128, 128}, {7, 256, 64}, {3, 480, 160}, {2, 1024, 32}, {4, 1024, 1024}};
  std::vector<Named<Batch>> cases{{"NoInputs", {{}, {1}, {{3, 0, 32}, {}, {}}}}, kNoResults};
  for (const Int4Shape shape : shapes) cases.push_back(random_batch(1, shape, seed));
  multiplying.is_right(cases);
}

/// Rows for m rows of activations; with(a, scale, packed, c, shape) are the arguments.
template <class Exercise, class With>
auto bad_products(const Exercise&, int m, const With& with) {
  typename Exercise::Refusals rows;
  for (const Bad& bad : bad_calls({{.what = "a code of a too few", .more_codes = -1},
                                   {.what = "a row of a too many", .more_codes = 64},
                                   {.what = "a result too few", .more_results = -1},
                                   {.what = "two results too many", .more_results = 2}})) {
    const Codes a(std::size_t(m) * bad.k() + std::size_t(bad.more_codes), 1);
    const Out c = out(std::size_t(m) * bad.n() + std::size_t(bad.more_results));
    rows.push_back(
        {bad.code(), bad.text(), with(a, bad.scale, Bytes(bad.packed(), 0x88), c, bad.shape)});
  }
  return rows;
}

TEST(gemv_int4, RefusesBadInput) {
  multiplying.refuses(
      {random_batch(1, {2, 64, 32}, seed)},
      bad_products(multiplying, 1, [](auto... each) { return std::tuple(Isa::kScalar, each...); }));
}

TEST(gemv_int4, RefusesOtherIsas) {
  refuses_other_isas(multiplying, kNoResults, random_batch(1, {2, 64, 32}, seed));
}

// --- gemm_int4 ----------------------------------------------------------------------------------

const auto multiplying_batches = isa_exercise<&gemm_int4>(
    [](const OnIsa<Named<Batch>>& c) {
      return std::tuple(c.isa, c.a, c.a_scales, packed_by_definition(c.weights), out(c.m() * c.n()),
                        c.weights.shape);
    },
    [](const Batch& c) { return products(c); }, look_at_products);

// By hand: rows of activations 1, 10, 100 times the first weights, and a power of two for each row.
TEST(gemm_int4, EachRowHasItsScale) {
  const auto rows = [](const std::vector<int>& firsts) {
    Codes a(32 * firsts.size());
    for (std::size_t i = 0; i < firsts.size(); ++i) a[32 * i] = static_cast<std::int8_t>(firsts[i]);
    return a;
  };
  const Weights one{{1, 32, 32}, sparse(32, {{0, 3}}), {1}};
  const Weights two{{2, 32, 32}, sparse(64, {{0, 3}, {32, -5}}), {1, 0.5f}};
  multiplying_batches.is_right({{"OneRow", {rows({10}), {2}, one}},
                                {"TwoRows", {rows({1, 10}), {1, 1}, two}},
                                {"TwoScales", {rows({1, 10}), {4, 0.5f}, one}},
                                {"ThreeByTwo", {rows({1, 10, 100}), {1, 2, 4}, two}}});
}

// No row; every size of a batch up to 17, so that blocks of 2, 4, 8 and 16 rows all leave a rest;
// with one panel short of a row, and with two panels.
TEST(gemm_int4, EveryBatch) {
  std::vector<Named<Batch>> cases{{"NoRows", {{}, {}, random_weights({3, 64, 32}, seed)}},
                                  {"NoInputs", {{}, {1, 2}, {{3, 0, 32}, {}, {}}}}};
  for (std::size_t m = 1; m <= 17; ++m) {
    cases.push_back(
        random_batch(m, m % 2 == 0 ? Int4Shape{15, 128, 64} : Int4Shape{18, 96, 32}, seed));
  }
  cases.push_back(random_batch(33, {5, 64, 64}, seed));
  multiplying_batches.is_right(cases);
}

TEST(gemm_int4, RefusesBadInput) {
  multiplying_batches.refuses(
      {random_batch(3, {2, 64, 32}, seed)},
      bad_products(multiplying_batches, 3, [](const Codes& a, float scale, auto... others) {
        return std::tuple(Isa::kScalar, a, Reals{1.0f, 1.0f, scale}, others...);
      }));
}

TEST(gemm_int4, RefusesOtherIsas) {
  refuses_other_isas(multiplying_batches, kNoResults, random_batch(2, {2, 64, 32}, seed));
}

// --- dequantize_code_book -----------------------------------------------------------------------

struct Looked {
  std::vector<int> nibbles;  // 0 .. 15
  CodeBook book;
  Reals scales;
  int group_size;
  static constexpr std::array names{"nibbles", "code_book", "scales", "group_size"};
};

std::vector<Named<Looked>> smaller(const Named<Looked>& c) {
  std::vector<Named<Looked>> all;
  for (const auto& nibbles : smaller_lists(c.nibbles)) {
    const std::size_t size = std::size_t(c.group_size), groups = (nibbles.size() + size - 1) / size;
    all.push_back(
        {std::to_string(nibbles.size()), {nibbles, c.book, first(c.scales, groups), c.group_size}});
  }
  return all;
}

template <class Entry, class Scale>
Reals looked_up(const Looked& c, const Entry& entry, const Scale& scale) {
  Reals x_hat;
  for (std::size_t i = 0; i < c.nibbles.size(); ++i) {
    x_hat.push_back(c.book[std::size_t(entry(i))] * scale(i / std::size_t(c.group_size)));
  }
  return x_hat;
}

Reals looked_up(const Looked& c) {
  return looked_up(
      c, [&](std::size_t i) { return c.nibbles[i]; },
      [&](std::size_t group) { return c.scales[group]; });
}

void suspect_lookups(Expect& expect, const Looked& c) {
  const auto right_entry = [&](std::size_t i) { return c.nibbles[i]; };
  const auto right_scale = [&](std::size_t group) { return c.scales[group]; };
  const auto entry = [&](const char* code, std::string_view words, const auto& wrong) {
    expect.suspect(code, "x_hat", looked_up(c, wrong, right_scale), words);
  };
  entry("N-LAYOUT", "the high nibble of a byte is taken first",
        [&](std::size_t i) { return (i ^ 1) < c.nibbles.size() ? c.nibbles[i ^ 1] : 0; });
  entry("N-SIGN", "a nibble is read as a code with a sign, and is a place in the book",
        [&](std::size_t i) { return c.nibbles[i] ^ 8; });
  entry("N-SIGN", "a nibble from 8 on is taken for 8 less",
        [&](std::size_t i) { return c.nibbles[i] & 7; });
  const auto scale = [&](std::string_view words, const auto& wrong) {
    expect.suspect("N-SCALE", "x_hat", looked_up(c, right_entry, wrong), words);
  };
  scale("what the book has is not scaled", [](std::size_t) { return 1.0f; });
  scale("all groups have the scale of group 0", [&](std::size_t) { return c.scales[0]; });
}

const auto looking_up = isa_exercise<&dequantize_code_book>(
    [](const OnIsa<Named<Looked>>& c) {
      return std::tuple(c.isa, in_nibbles({c.nibbles.begin(), c.nibbles.end()}), c.book, c.scales,
                        out(c.nibbles.size()), c.group_size);
    },
    [](const Looked& c) { return looked_up(c); }, equals("x_hat", suspect_lookups));

/// Squares with a sign: entries that are in no line, and none equal to its number.
CodeBook squares() {
  CodeBook book;
  for (int i = 0; i < 16; ++i) book[std::size_t(i)] = float((i - 8) * std::abs(i - 8)) / 64.0f;
  return book;
}

std::vector<int> counting(std::size_t count, int step) {
  std::vector<int> nibbles;
  for (std::size_t i = 0; i < count; ++i) nibbles.push_back(int(i) * step % 16);
  return nibbles;
}

// The order of a byte, every entry, and a book that is not sorted.
TEST(dequantize_code_book, LooksUp) {
  CodeBook shuffled, with_equals;
  for (std::size_t i = 0; i < 16; ++i) {
    const std::size_t three_alike = i / 3;
    shuffled[i] = float((i * 5 + 3) % 16);
    with_equals[i] = float(three_alike);
  }
  looking_up.is_right({{"OneByte", {{2, 5}, squares(), {1}, 32}},
                       {"HighBit", {{9, 15}, squares(), {1}, 32}},
                       {"EachEntry", {counting(32, 1), squares(), {1}, 32}},
                       {"EachEntryBackwards", {counting(32, 15), squares(), {1}, 32}},
                       {"Shuffled", {counting(64, 7), shuffled, {1}, 64}},
                       {"WithEquals", {counting(32, 1), with_equals, {1}, 32}}});
}

// Powers of two; then scales that round.
TEST(dequantize_code_book, ScalesEachGroup) {
  CodeBook thirds;
  for (std::size_t i = 0; i < 16; ++i) thirds[i] = float(i) / 3.0f - 2.0f;
  looking_up.is_right({{"OneGroup", {counting(32, 1), squares(), {4}, 32}},
                       {"TwoGroups", {counting(64, 3), squares(), {0.5f, 8}, 32}},
                       {"GroupsOf64", {counting(192, 5), squares(), {2, 0.25f, 16}, 64}},
                       {"Rounded", {counting(96, 7), thirds, {0.1f, 0.3f, 0.7f}, 32}}});
}

Named<Looked> random_book(std::size_t count, int group_size, Seed seed_of) {
  const std::uint64_t salt = count * 4096 + std::uint64_t(group_size);
  const std::size_t groups = (count + std::size_t(group_size) - 1) / std::size_t(group_size);
  Looked c{code_tensor<int>(count, seed_of(salt), 0, 15),
           {},
           uniform_tensor(groups, seed_of(salt + 2), 0.001f, 0.02f),
           group_size};
  std::ranges::copy(normal_tensor(16, seed_of(salt + 1)), c.book.begin());
  return {std::to_string(count) + "/" + std::to_string(group_size), c};
}

const Named<Looked> kNoCodes{"None", {{}, squares(), {}, 32}},
    kGoodBook{"Good", {counting(32, 1), squares(), {1}, 32}};

// None; one; one less than, as many as and one more than a vector of 8, 16 and 32; a short last
// group of every kind; the longest group.
TEST(dequantize_code_book, EveryCount) {
  std::vector<Named<Looked>> cases{kNoCodes};
  for (const std::size_t count : {1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 63, 65, 127, 145}) {
    cases.push_back(random_book(count, 32, seed));
  }
  cases.push_back(random_book(200, 96, seed));
  cases.push_back(random_book(257, 1 << 20, seed));
  looking_up.is_right(cases);
}

TEST(dequantize_code_book, RefusesBadInput) {
  decltype(looking_up)::Refusals rows;
  const auto bad = [&](const char* code, const std::string& what, std::size_t bytes, Reals scales,
                       std::size_t count, int group_size, float entry = 1) {
    CodeBook book = squares();
    book[11] = entry;
    const Bytes q4(bytes, 0x21);
    rows.push_back({code, what, {Isa::kScalar, q4, book, scales, out(count), group_size}});
  };
  bad("N-SIZE", "15 bytes for 32 codes", 15, {1}, 32, 32);
  bad("N-SIZE", "17 bytes for 32 codes", 17, {1}, 32, 32);
  bad("N-SIZE", "1 scale for 33 codes in groups of 32", 17, {1}, 33, 32);
  bad("N-SIZE", "2 scales for 32 codes in groups of 32", 16, {1, 1}, 32, 32);
  bad("N-SIZE", "no group_size", 16, {1}, 32, 0);
  bad("N-SIZE", "a negative group_size", 16, {1}, 32, -32);
  bad("N-SIZE", "groups of 16", 16, {1, 1}, 32, 16);
  bad("N-SIZE", "groups that are no multiple of 32", 16, {1}, 32, 48);
  bad("N-SIZE", "a group_size beyond 2^20", 16, {1}, 32, (1 << 20) + 32);
  for (const float entry : {kInfinity, kNan}) {
    bad("N-NAN", "a book with " + show_value(entry), 16, {1}, 32, 32, entry);
  }
  for (const float scale : kUnusableScales) {
    bad("N-DIV0", "a scale of " + show_value(scale), 16, {scale}, 32, 32);
  }
  looking_up.refuses({kGoodBook}, rows);
}

TEST(dequantize_code_book, RefusesOtherIsas) {
  refuses_other_isas(looking_up, kNoCodes, kGoodBook);
}

// --- Speed --------------------------------------------------------------------------------------

/// Packed weights straight from the cipher: every byte of a line of codes is legal. They are too
/// large to be drawn for every round, so that in each a few lines of codes become others.
/// n is whole panels here.
class FreshWeights {
 public:
  explicit FreshWeights(Int4Shape shape)
      : group_bytes_(64 + 8 * std::size_t(shape.group_size)),
        packed_(FreshData().codes<std::uint8_t>(packed_int4_size(shape), 0, 255)) {
    FreshData fresh;
    const std::size_t groups = packed_.size() / group_bytes_;
    const Reals scales = fresh.uniform(16 * groups, 0x1p-30f, 0x1p-6f);
    for (std::size_t g = 0; g < groups; ++g) {
      std::memcpy(&packed_[g * group_bytes_], &scales[16 * g], 64);
    }
  }

  std::size_t bytes() const { return packed_.size(); }

  auto next(FreshData& fresh) {
    std::vector<std::size_t> changed;
    for (int i = 0; i < kChanges; ++i) {
      const std::size_t group = fresh.below(packed_.size() / group_bytes_);
      const std::size_t at = group * group_bytes_ + 64 + fresh.below(group_bytes_ - 64);
      packed_[at] = static_cast<std::uint8_t>(packed_[at] + 1 + fresh.below(255));
      changed.push_back(at);
    }
    return kept(packed_, std::move(changed));
  }

 private:
  std::size_t group_bytes_;
  Bytes packed_;
};

/// `bytes` have to come from memory.
SpeedGoal goal(double operations, std::size_t bytes) {
  return {.zero_at = 0.3,
          .full_at = 0.6,
          .operations = operations,
          .bytes = double(bytes),
          .isa = fastest_isa()};
}

// 34 MB of weights: more than the caches between two calls keep.
constexpr Int4Shape kLarge{8192, 8192, 128};

TEST(gemv_int4, Speed) {
  FreshWeights weights(kLarge);
  speed<&gemv_int4>(goal(2.0 * 8192 * 8192, weights.bytes()), [&](FreshData& fresh) {
    return std::tuple(fastest_isa(), fresh.codes<std::int8_t>(8192, -128, 127), 0.02f,
                      weights.next(fresh), out(8192), kLarge);
  });
}

// A batch of 8: the weights are read once, and multiplied as fast as the instructions allow.
TEST(gemm_int4, Speed) {
  FreshWeights weights(kLarge);
  speed<&gemm_int4>(goal(16.0 * 8192 * 8192, weights.bytes()), [&](FreshData& fresh) {
    return std::tuple(fastest_isa(), fresh.codes<std::int8_t>(8 * 8192, -128, 127),
                      fresh.uniform(8, 0.02f, 0.024f), weights.next(fresh), out(8 * 8192), kLarge);
  });
}

// The same number of weights as for gemv_int4 would be 64 MiB; half of it is as far from a cache.
TEST(gemv_int8, Speed) {
  constexpr std::size_t n = 4096, k = 8192;
  Codes w = FreshData().codes<std::int8_t>(n * k, -128, 127);
  speed<&gemv_int8>(goal(2.0 * n * k, n * k), [&](FreshData& fresh) {
    const auto one = [&] { return fresh.codes<std::int8_t>(1, -128, 127)[0]; };
    return std::tuple(fastest_isa(), fresh.codes<std::int8_t>(k, -128, 127), 0.02f,
                      kept_but_some(w, fresh, one), fresh.uniform(n, 0.01f, 0.012f), out(n));
  });
}

TEST(dequantize_code_book, Speed) {
  constexpr std::size_t count = 1 << 20;
  speed<&dequantize_code_book>(goal(count, count * 9 / 2), [](FreshData& fresh) {
    return std::tuple(fastest_isa(), fresh.codes<std::uint8_t>(count / 2, 0, 255), squares(),
                      fresh.uniform(count / 64, 0.01f, 0.012f), out(count), 64);
  });
}

// NIBBLE-BEGIN-HIDDEN
// --- Hidden: the same exercises, on data that the course's secret makes -------------------------

TEST(unpack_int4, MatchesReference) {
  unpacking.is_right(random_nibbles({5, 14, 77, 1001, 4099}, hidden_seed));
}

TEST(gemv_int8, MatchesReference) {
  const std::vector<std::array<std::size_t, 2>> sizes = {
      {1, 5}, {6, 59}, {3, 333}, {11, 1024}, {2, 40001}};
  multiplying_int8.is_right(
      each_of(sizes, [](auto size) { return random_int8(size[0], size[1], hidden_seed); }));
}

const std::vector<Int4Shape> kHiddenShapes = {{6, 32, 32},    {19, 160, 32},  {16, 192, 64},
                                              {47, 384, 128}, {9, 2240, 224}, {64, 512, 512}};

TEST(pack_int4, MatchesReference) {
  const auto bytes = [](Expect& expect, const Named<Weights>&, const Bytes& got,
                        const Bytes& right) { expect.equal("packed", got, right); };
  packing(bytes).is_right(random_weights(kHiddenShapes, hidden_seed));
}

/// Batches of `first` rows, and of as many more as `step` says with each shape.
std::vector<Named<Batch>> hidden_batches(std::size_t first, std::size_t step) {
  return each_of(kHiddenShapes, [&](Int4Shape shape, std::size_t at) {
    return random_batch(first + step * at, shape, hidden_seed);
  });
}

TEST(gemv_int4, MatchesReference) { multiplying.is_right(hidden_batches(1, 0)); }

TEST(gemm_int4, MatchesReference) { multiplying_batches.is_right(hidden_batches(2, 3)); }

TEST(dequantize_code_book, MatchesReference) {
  std::vector<Named<Looked>> cases;
  for (const std::size_t count : {3, 50, 321, 1000, 4097}) {
    cases.push_back(random_book(count, 64, hidden_seed));
  }
  looking_up.is_right(cases);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
