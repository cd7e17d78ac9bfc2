// Lab 16: the checks.
#include "cpu_int4_gemv.hpp"

#include "checks/marks/16_cpu_int4_gemv.hpp"
#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/speed.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Codes = std::vector<std::int8_t>;
using Reals = std::vector<float>;

std::size_t count_of(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

// --- Instruction sets ---------------------------------------------------------------------------

/// Those of the lab that this machine has, plain C++ first.
std::vector<Isa> isas_here() {
  std::vector<Isa> here;
  for (const Isa isa : kEveryIsa) {
    if (isa != Isa::kAmxInt8 && cpu_has(isa)) here.push_back(isa);
  }
  return here;
}

/// Each of `cases`, on each instruction set.
template <class Case>
std::vector<Case> on_every_isa(const std::vector<Case>& cases) {
  std::vector<Case> all;
  for (const Isa isa : isas_here()) {
    for (const Case& one : cases) {
      all.push_back(one);
      all.back().isa = isa;
      all.back().name = std::string(name_of(isa)) + "," + one.name;
    }
  }
  return all;
}

/// Refusing counts only where the same arguments are accepted with an isa that is here.
template <class Refuses>
void refuses_other_isas(const Refuses& refuses_with) {
  struct Other {
    std::string name;
    Isa isa;
  };
  std::vector<Other> others;
  for (const Isa isa : kEveryIsa) {
    const bool usable = isa != Isa::kAmxInt8 && cpu_has(isa);
    if (!usable) others.push_back({std::string(name_of(isa)), isa});
  }
  others.push_back({"number 6", static_cast<Isa>(6)});
  others.push_back({"number -1", static_cast<Isa>(-1)});
  each_case(others, [&](const Other& other, Expect& expect) {
    for (const Isa isa : isas_here()) {
      expect.that(!refuses_with(isa), "refused " + std::string(name_of(isa)) + ", which is here",
                  "N-REFUSED");
    }
    expect.that(refuses_with(other.isa),
                "accepted " + other.name + ": no kernel of it can run here");
  });
}

/// Says that something was accepted; a scale that is none has a diagnosis of its own.
void accepted(Expect& expect, bool refused, const std::string& what, bool is_scale) {
  expect.that(refused, "accepted what the contract refuses: " + what,
              is_scale ? "N-DIV0" : "N-SIZE");
}

struct BadScale {
  std::string name;
  float value;
};

/// Zero, its neighbours, the wrong side, and what is no number.
std::vector<BadScale> bad_scales() {
  const float infinity = std::numeric_limits<float>::infinity();
  return {{"Zero", 0.0f},
          {"Subnormal", 0x1p-127f},
          {"Negative", -0.5f},
          {"Infinite", infinity},
          {"NaN", std::numeric_limits<float>::quiet_NaN()}};
}

// --- unpack_int4 --------------------------------------------------------------------------------

struct UnpackCase {
  std::string name;
  Bytes q4;
  Codes want;
};

std::string show(const UnpackCase& c) { return "q4 = " + show_values(c.q4); }

/// Codes in nibbles: a copy of the format, for inputs and oracles.
Bytes in_nibbles(const Codes& codes) {
  Bytes q4((codes.size() + 1) / 2);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    q4[i / 2] = static_cast<std::uint8_t>(q4[i / 2] | (codes[i] & 15) << i % 2 * 4);
  }
  return q4;
}

UnpackCase unpack_case(const std::string& name, const Codes& codes) {
  return {name, in_nibbles(codes), codes};
}

std::vector<UnpackCase> smaller(const UnpackCase& c) {
  std::vector<UnpackCase> all;
  const std::size_t count = c.want.size();
  for (const std::size_t to : {count / 2, count - std::min<std::size_t>(count, 1)}) {
    if (to == 0 || to == count) continue;
    all.push_back(unpack_case(std::to_string(to), {c.want.begin(), c.want.begin() + long(to)}));
  }
  return all;
}

void unpacks(const UnpackCase& c, Expect& expect) {
  Codes exchanged, positive, excess;
  for (std::size_t i = 0; i < c.want.size(); ++i) {
    const int byte = c.q4[i / 2], other = byte >> (1 - i % 2) * 4 & 15, nibble = c.want[i] & 15;
    exchanged.push_back(static_cast<std::int8_t>((other ^ 8) - 8));
    positive.push_back(static_cast<std::int8_t>(nibble));
    excess.push_back(static_cast<std::int8_t>(nibble - 8));
  }
  expect.suspect("N-LAYOUT", "q", exchanged);
  expect.suspect("N-SIGN", "q", positive);
  expect.suspect("N-SIGN", "q", excess);
  expect.equal("q", call<&unpack_int4>(c.q4, out(c.want.size())), c.want);
}

// Codes below 8 only: order, and nothing else.
TEST(unpack_int4, LowNibbleIsEven) {
  each_case<UnpackCase>({{"OneByte", {0x21}, {1, 2}},
                         {"TwoBytes", {0x70, 0x35}, {0, 7, 5, 3}},
                         {"Counting", {0x10, 0x32, 0x54, 0x76}, {0, 1, 2, 3, 4, 5, 6, 7}}},
                        unpacks);
}

TEST(unpack_int4, HighestBitIsNegative) {
  each_case<UnpackCase>({{"Ends", {0x87}, {7, -8}},
                         {"MinusOne", {0xFF}, {-1, -1}},
                         {"Both", {0xF8, 0x9A, 0xBC, 0xDE}, {-8, -1, -6, -7, -4, -5, -2, -3}}},
                        unpacks);
}

// Nothing; half a byte, whose other half is noise; one less than, as many as and one more than the
// 32 and 64 codes of a vector.
TEST(unpack_int4, AnyCount) {
  std::vector<UnpackCase> cases = {
      {"None", {}, {}}, {"Half", {0xA5}, {5}}, {"Three", {0x1E, 0x7D}, {-2, 1, -3}}};
  for (const std::size_t count : {31, 32, 33, 63, 64, 65, 127}) {
    cases.push_back(
        unpack_case(std::to_string(count), code_tensor<std::int8_t>(count, seed(count), -8, 7)));
  }
  each_case(cases, unpacks);
}

TEST(unpack_int4, RefusesWrongSizes) {
  struct Sizes {
    std::string name;
    std::size_t bytes, codes;
  };
  each_case<Sizes>(
      {{"TooFew", 1, 3}, {"TooMany", 3, 4}, {"NoneForOne", 0, 1}, {"OneForNone", 1, 0}},
      [](const Sizes& sizes, Expect& expect) {
        expect.equal("q", call<&unpack_int4>(Bytes{0x43}, out(2)), Codes{3, 4});
        expect.that(refuses<&unpack_int4>(Bytes(sizes.bytes, 0x11), out(sizes.codes)),
                    "accepted " + std::to_string(sizes.bytes) + " bytes for " +
                        std::to_string(sizes.codes) + " codes");
      });
}

// --- gemv_int8 ----------------------------------------------------------------------------------

struct Int8Case {
  std::string name;
  Codes a;
  float a_scale;
  Codes w;
  Reals w_scales;
  Isa isa = Isa::kScalar;
};

std::string show(const Int8Case& c) {
  return std::string(name_of(c.isa)) + ", n x k = " + std::to_string(c.w_scales.size()) + "x" +
         std::to_string(c.a.size()) + ", a = " + show_values(c.a) + ", w = " + show_values(c.w) +
         ", a_scale = " + show_value(c.a_scale) + ", w_scales = " + show_values(c.w_scales);
}

/// The first rows, and of each the first codes.
std::vector<Int8Case> smaller(const Int8Case& c) {
  std::vector<Int8Case> all;
  const std::size_t n = c.w_scales.size(), k = c.a.size();
  for (const auto& [rows, codes] :
       {std::pair(n / 2, k), {n, k / 2}, {n, k - std::min<std::size_t>(k, 1)}}) {
    if (rows == 0 || codes == 0 || rows * codes == n * k) continue;
    Int8Case small{
        std::string(name_of(c.isa)) + "," + std::to_string(rows) + "x" + std::to_string(codes),
        {},
        c.a_scale,
        {},
        {},
        c.isa};
    small.a.assign(c.a.begin(), c.a.begin() + long(codes));
    small.w_scales.assign(c.w_scales.begin(), c.w_scales.begin() + long(rows));
    for (std::size_t j = 0; j < rows; ++j) {
      const auto row = c.w.begin() + long(j * k);
      small.w.insert(small.w.end(), row, row + long(codes));
    }
    all.push_back(std::move(small));
  }
  return all;
}

/// The contract's formula, with the sums of 64 bits.
template <class Term>
Reals int8_products(const Int8Case& c, std::size_t end, const Term& term) {
  const std::size_t n = c.w_scales.size(), k = c.a.size();
  Reals products;
  for (std::size_t j = 0; j < n; ++j) {
    std::int64_t acc = 0;
    for (std::size_t p = 0; p < end; ++p) acc += term(c.a[p], c.w[j * k + p]);
    products.push_back(static_cast<float>(acc) * (c.a_scale * c.w_scales[j]));
  }
  return products;
}

constexpr auto product_of = [](int a, int w) { return a * w; };

void multiplies_int8(const Int8Case& c, Expect& expect) {
  const std::size_t k = c.a.size();
  expect.suspect("N-SIGN", "c", int8_products(c, k, [](int a, int w) { return a * (w + 128); }));
  expect.suspect("N-SIGN", "c", int8_products(c, k, [](int a, int w) { return (a + 128) * w; }));
  expect.suspect("N-SIGN", "c", int8_products(c, k, [](int a, int w) { return a * (w & 255); }));
  expect.suspect("N-SIGN", "c", int8_products(c, k, [](int a, int w) { return (a & 255) * w; }));
  for (const std::size_t width : {16, 32, 64}) {
    expect.suspect("N-TAIL", "c", int8_products(c, k / width * width, product_of));
  }
  expect.equal("c",
               call<&gemv_int8>(c.isa, c.a, c.a_scale, c.w, c.w_scales, out(c.w_scales.size())),
               int8_products(c, k, product_of));
}

TEST(gemv_int8, FollowsTheFormula) {
  each_case(on_every_isa<Int8Case>({{"OneByOne", {3}, 1, {-5}, {1}},
                                    {"OneRow", {1, 10, 100}, 1, {1, 2, 3}, {1}},
                                    {"TwoRows", {1, 2}, 1, {3, 4, 5, -6}, {1, 1}},
                                    {"Tall", {1, -2}, 1, {3, 4, 5, 7, 11, 13}, {1, 1, 1}}}),
            multiplies_int8);
}

// The last scales are no powers of two: which two are multiplied first decides on the last bit.
TEST(gemv_int8, ScalesEachRow) {
  each_case(on_every_isa<Int8Case>(
                {{"ActivationsOnly", {3}, 0.5f, {8}, {1}},
                 {"WeightsOnly", {3}, 1, {8, 8}, {0.25f, 4}},
                 {"Both", {3, 1}, 2, {8, 0, 0, 8, 5, 5}, {0.25f, 4, 0.5f}},
                 {"Rounded", {11, 3}, 0.3f, {91, 0, -69, -6, 110, 8}, {0.3f, 0.7f, 0.9f}}}),
            multiplies_int8);
}

Int8Case constant_int8(const std::string& name, std::size_t k, int a, int w) {
  return {
      name, Codes(k, static_cast<std::int8_t>(a)), 1, Codes(k, static_cast<std::int8_t>(w)), {1}};
}

// 64 codes fill every vector: pairs of 255 * 127 saturate in int16, and so do 128 * 128. Then the
// longest k: half of its excess sum has left int32.
TEST(gemv_int8, EveryCodeIsExact) {
  each_case(
      on_every_isa<Int8Case>(
          {constant_int8("127*127", 64, 127, 127), constant_int8("127*-128", 64, 127, -128),
           constant_int8("-128*127", 64, -128, 127), constant_int8("-128*-128", 64, -128, -128),
           constant_int8("Longest,-128*-128", 131071, -128, -128),
           constant_int8("Longest,-128*127", 131071, -128, 127)}),
      multiplies_int8);
}

Int8Case random_int8(std::size_t n, std::size_t k, std::uint64_t (*seed_of)(std::uint64_t)) {
  return {std::to_string(n) + "x" + std::to_string(k),
          code_tensor<std::int8_t>(k, seed_of(1000 * n + k), -128, 127), 0.03f,
          code_tensor<std::int8_t>(n * k, seed_of(2000 * n + k), -128, 127),
          uniform_tensor(n, seed_of(3000 * n + k), 0.001f, 0.02f)};
}

// No inputs and no outputs; one less than, as many as and one more than a vector of 16, 32 and 64
// codes; several vectors; a prime.
TEST(gemv_int8, EveryLength) {
  std::vector<Int8Case> cases = {{"NoInputs", {}, 1, {}, {1, 2}}, {"NoOutputs", {1, 2}, 1, {}, {}}};
  for (const std::size_t k : {7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 211}) {
    cases.push_back(random_int8(3, k, seed));
  }
  for (const std::size_t n : {1, 2, 4, 5, 7, 8, 9, 17}) cases.push_back(random_int8(n, 37, seed));
  each_case(on_every_isa(cases), [](const Int8Case& c, Expect& expect) {
    multiplies_int8(c, expect);
    if (c.w.size() < 50) return;
    Expect::healthy(distinct(int8_products(c, c.a.size(), product_of)) == c.w_scales.size(),
                    "products that are equal");
  });
}

bool refuses_int8(const Int8Case& c, std::size_t n) {
  return refuses<&gemv_int8>(c.isa, c.a, c.a_scale, c.w, c.w_scales, out(n));
}

TEST(gemv_int8, RefusesBadInput) {
  const Int8Case good{"good", {1, 2}, 1, {3, 4, 5, 6}, {1, 1}};
  std::vector<Int8Case> cases;
  const auto with = [&](const std::string& name, const auto& change) {
    cases.push_back(good);
    cases.back().name = name;
    change(cases.back());
  };
  with("ShortWeights", [](Int8Case& c) { c.w.pop_back(); });
  with("LongWeights", [](Int8Case& c) { c.w.push_back(1); });
  with("ShortScales", [](Int8Case& c) { c.w_scales.pop_back(); });
  with("LongInputs", [](Int8Case& c) {
    c.a = Codes(131072, 1);
    c.w = Codes(2 * 131072, 1);
  });
  for (const BadScale& scale : bad_scales()) {
    with(scale.name + "A", [&](Int8Case& c) { c.a_scale = scale.value; });
    with(scale.name + "W", [&](Int8Case& c) { c.w_scales[1] = scale.value; });
  }
  each_case(cases, [&](const Int8Case& c, Expect& expect) {
    multiplies_int8(good, expect);
    const bool sizes_fit = c.w.size() == 4 && c.w_scales.size() == 2;
    accepted(expect, refuses_int8(c, 2), c.name, sizes_fit);
  });
}

TEST(gemv_int8, RefusesOtherIsas) {
  refuses_other_isas([](Isa isa) { return refuses_int8({"", {1, 2}, 1, {3, 4}, {1}, isa}, 1); });
}

// --- Packed int4 --------------------------------------------------------------------------------

std::string shape_text(Int4Shape s) {
  return std::to_string(s.n) + "x" + std::to_string(s.k) + "/" + std::to_string(s.group_size);
}

/// Codes [n,k], scales [n, k/group_size], and the contract's formula for their places.
struct Weights {
  Int4Shape shape;
  Codes w;
  Reals scales;

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

Weights random_weights(Int4Shape shape, std::uint64_t (*seed_of)(std::uint64_t)) {
  const std::uint64_t salt =
      std::uint64_t(shape.n) << 40 ^ std::uint64_t(shape.k) << 20 ^ std::uint64_t(shape.group_size);
  return {shape, code_tensor<std::int8_t>(count_of(shape.n, shape.k), seed_of(salt), -8, 7),
          uniform_tensor(count_of(shape.n, shape.k / shape.group_size), seed_of(salt + 1), 0.001f,
                         0.02f)};
}

/// The upper left corner: the first n rows, the first groups of each.
Weights crop(const Weights& c, int n, int groups) {
  const int g = c.shape.group_size;
  Weights small{{n, groups * g, g}, {}, {}};
  for (int j = 0; j < n; ++j) {
    const auto w = c.w.begin() + long(j) * c.shape.k;
    const auto scale = c.scales.begin() + long(j) * long(c.groups());
    small.w.insert(small.w.end(), w, w + long(groups) * g);
    small.scales.insert(small.scales.end(), scale, scale + groups);
  }
  return small;
}

struct PackCase {
  std::string name;
  Weights weights;
};

std::string show(const PackCase& c) {
  return "n x k / group_size = " + shape_text(c.weights.shape) + ", codes " +
         show_values(c.weights.w) + ", scales " + show_values(c.weights.scales);
}

std::vector<PackCase> smaller(const PackCase& c) {
  std::vector<PackCase> all;
  const int n = c.weights.shape.n, groups = int(c.weights.groups());
  for (const auto& [rows, some] : {std::pair(n / 2, groups), {n - 1, groups}, {n, groups / 2}}) {
    if (rows < 1 || some < 1 || rows * some == n * groups) continue;
    const Weights small = crop(c.weights, rows, some);
    all.push_back({shape_text(small.shape), small});
  }
  return all;
}

Bytes pack(const Weights& c) {
  return call<&pack_int4>(in_nibbles(c.w), c.scales, out(packed_int4_size(c.shape)), c.shape);
}

/// The codes of rows [begin, end), read back from where the contract puts them, as nibbles.
std::vector<int> nibbles_in(const Weights& c, const Bytes& packed, int begin, int end) {
  std::vector<int> nibbles;
  for (int j = begin; j < end; ++j) {
    for (int p = 0; p < c.shape.k; ++p) {
      nibbles.push_back(packed[c.byte_of(j, p)] >> (p % 8 < 4 ? 0 : 4) & 15);
    }
  }
  return nibbles;
}

/// The scales of rows [begin, end), read back likewise.
Reals scales_in(const Weights& c, const Bytes& packed, int begin, int end) {
  Reals scales;
  for (int j = begin; j < end; ++j) {
    for (int group = 0; group < int(c.groups()); ++group) {
      scales.push_back(0);
      std::memcpy(&scales.back(), &packed[c.scale_of(j, group)], 4);
    }
  }
  return scales;
}

/// What the nibbles would be if code p of a row came from code from(p).
template <class From>
std::vector<int> nibbles_from(const Weights& c, const From& from) {
  std::vector<int> nibbles;
  for (int j = 0; j < c.shape.n; ++j) {
    for (int p = 0; p < c.shape.k; ++p) {
      nibbles.push_back(c.w[count_of(j, c.shape.k) + std::size_t(from(p))] + 8);
    }
  }
  return nibbles;
}

void packs_codes(const PackCase& c, Expect& expect) {
  const Weights& weights = c.weights;
  const std::vector<int> want = nibbles_from(weights, [](int p) { return p; });
  std::vector<int> as_they_are;  // two's complement
  for (const int nibble : want) as_they_are.push_back(nibble ^ 8);
  expect.suspect("N-SIGN", "nibbles", as_they_are);
  expect.suspect("N-LAYOUT", "nibbles", nibbles_from(weights, [](int p) { return p ^ 1; }));
  expect.suspect("N-LAYOUT", "nibbles", nibbles_from(weights, [](int p) { return p ^ 4; }));
  expect.equal("nibbles", nibbles_in(weights, pack(weights), 0, weights.shape.n), want,
               {std::size_t(weights.shape.n), std::size_t(weights.shape.k)});
}

// A single code of 1 among zeros, and the byte where it has to be, worked out by hand.
TEST(pack_int4, CodesInTheirPlaces) {
  struct Needle {
    std::string name;
    Int4Shape shape;
    int j, p;
    std::size_t byte;
    int value;
  };
  each_case<Needle>({{"First", {1, 32, 32}, 0, 0, 64, 0x89},
                     {"Second", {1, 32, 32}, 0, 1, 65, 0x89},
                     {"Fourth", {1, 32, 32}, 0, 3, 67, 0x89},
                     {"HighNibble", {1, 32, 32}, 0, 4, 64, 0x98},
                     {"HighNibbleOdd", {1, 32, 32}, 0, 7, 67, 0x98},
                     {"SecondLine", {1, 32, 32}, 0, 8, 128, 0x89},
                     {"LastLine", {1, 32, 32}, 0, 31, 259, 0x98},
                     {"SecondRow", {2, 32, 32}, 1, 0, 68, 0x89},
                     {"LastRow", {16, 32, 32}, 15, 5, 125, 0x98},
                     {"SecondGroup", {1, 64, 32}, 0, 32, 384, 0x89},
                     {"LongGroup", {1, 64, 64}, 0, 32, 320, 0x89},
                     {"SecondPanel", {17, 32, 32}, 16, 0, 384, 0x89},
                     {"SecondPanelSecondGroup", {17, 64, 32}, 16, 33, 1025, 0x89}},
                    [](const Needle& c, Expect& expect) {
                      Weights weights{c.shape, Codes(count_of(c.shape.n, c.shape.k), 0), {}};
                      weights.scales.assign(std::size_t(c.shape.n) * weights.groups(), 1.0f);
                      weights.w[count_of(c.j, c.shape.k) + std::size_t(c.p)] = 1;
                      packs_codes({c.name, weights}, expect);
                      const int got = pack(weights)[c.byte];
                      expect.equal("packed[" + std::to_string(c.byte) + "]", got, c.value);
                    });
}

// All sixteen codes, in low and high nibbles, then whole panels at random.
TEST(pack_int4, NibblesAreExcessEight) {
  std::vector<PackCase> cases = {{"EachCode", {{1, 32, 32}, {}, {1.0f}}}};
  for (int p = 0; p < 32; ++p) {
    cases[0].weights.w.push_back(static_cast<std::int8_t>(p < 16 ? p - 8 : 23 - p));
  }
  for (const Int4Shape shape : {Int4Shape{16, 64, 64}, {32, 64, 32}, {5, 192, 96}, {33, 128, 32}}) {
    cases.push_back({shape_text(shape), random_weights(shape, seed)});
  }
  each_case(cases, packs_codes);
}

// Powers of two, then any: one panel, two, and more groups than one.
TEST(pack_int4, ScalesLeadTheirGroup) {
  std::vector<PackCase> cases = {{"OneRow", {{1, 32, 32}, Codes(32, 1), {0.5f}}},
                                 {"TwoRows", {{2, 32, 32}, Codes(64, 1), {0.5f, 2}}},
                                 {"TwoGroups", {{1, 64, 32}, Codes(64, 1), {0.5f, 2}}},
                                 {"Both", {{2, 64, 32}, Codes(128, 1), {1, 2, 4, 8}}}};
  for (const Int4Shape shape : {Int4Shape{16, 128, 64}, {17, 96, 32}, {40, 256, 64}}) {
    cases.push_back({shape_text(shape), random_weights(shape, seed)});
  }
  each_case(cases, [](const PackCase& c, Expect& expect) {
    expect.equal("scales", scales_in(c.weights, pack(c.weights), 0, c.weights.shape.n),
                 c.weights.scales, {std::size_t(c.weights.shape.n), c.weights.groups()});
  });
}

// One row in the last panel, and all but one.
TEST(pack_int4, FillsTheLastPanel) {
  std::vector<PackCase> cases;
  for (const Int4Shape shape : {Int4Shape{1, 32, 32}, {15, 64, 32}, {17, 32, 32}, {31, 128, 64}}) {
    cases.push_back({shape_text(shape), random_weights(shape, seed)});
  }
  each_case(cases, [](const PackCase& c, Expect& expect) {
    const Bytes got = pack(c.weights);
    const int n = c.weights.shape.n, end = (n + 15) / 16 * 16;
    const Reals scales = scales_in(c.weights, got, n, end);
    const std::vector<int> nibbles = nibbles_in(c.weights, got, n, end);
    expect.equal("scales of missing rows", scales, Reals(scales.size(), 0.0f));
    expect.equal("nibbles of missing rows", nibbles, std::vector<int>(nibbles.size(), 8));
  });
}

/// A shape, what is wrong with the sizes of the spans, and one scale.
struct BadPack {
  std::string name;
  Int4Shape shape;
  int more_codes = 0, more_scales = 0, more_packed = 0;  // bytes, floats, bytes
  float scale = 1.0f;
};

/// Shapes that no function of this lab takes.
std::vector<BadPack> bad_shapes() {
  return {{"NoGroupSize", {1, 32, 0}},
          {"NegativeGroupSize", {1, 32, -32}},
          {"ShortGroup", {1, 32, 16}},
          {"OddGroup", {1, 48, 48}},
          {"LongGroup", {1, (1 << 20) + 32, (1 << 20) + 32}},
          {"HalfAGroup", {1, 96, 64}},
          {"NegativeRows", {-1, 32, 32}},
          {"NegativeInputs", {1, -32, 32}}};
}

/// Sizes that would fit if the shape were legal, as far as anything can be said.
std::size_t plausible_size(Int4Shape shape) {
  return shape.n < 0 || shape.k < 0 || shape.group_size < 1 ? 320 : packed_int4_size(shape);
}

TEST(pack_int4, RefusesBadInput) {
  std::vector<BadPack> cases = bad_shapes();
  const Int4Shape good{2, 64, 32};
  cases.push_back({"ShortCodes", good, -1});
  cases.push_back({"LongCodes", good, 1});
  cases.push_back({"ShortScales", good, 0, -1});
  cases.push_back({"LongScales", good, 0, 1});
  cases.push_back({"ShortPacked", good, 0, 0, -64});
  cases.push_back({"LongPacked", good, 0, 0, 64});
  for (const BadScale& bad : bad_scales()) cases.push_back({bad.name, good, 0, 0, 0, bad.value});
  each_case(cases, [&](const BadPack& c, Expect& expect) {
    packs_codes({"good", random_weights(good, seed)}, expect);
    const int n = std::abs(c.shape.n), k = std::abs(c.shape.k);
    const int groups = c.shape.group_size == 0 ? 1 : k / std::abs(c.shape.group_size);
    Reals scales(std::size_t(n * groups + c.more_scales), 1.0f);
    scales.back() = c.scale;
    const Bytes q4(count_of(n, k) / 2 + std::size_t(c.more_codes));
    const std::size_t bytes = plausible_size(c.shape) + std::size_t(c.more_packed);
    accepted(expect, refuses<&pack_int4>(q4, scales, out(bytes), c.shape),
             c.name + " " + shape_text(c.shape), c.scale != 1.0f);
  });
}

// --- gemv_int4 ----------------------------------------------------------------------------------

/// Activations [m,k] and weights. The packed form that the judge hands over is the definition's: no
/// exercise depends on another.
struct ProductCase {
  std::string name;
  Codes a;
  Reals a_scales;
  Weights weights;
  Isa isa = Isa::kScalar;

  std::size_t m() const { return a_scales.size(); }
};

std::string show(const ProductCase& c) {
  return std::string(name_of(c.isa)) + ", m = " + std::to_string(c.m()) +
         ", n x k / group_size = " + shape_text(c.weights.shape) + ", a = " + show_values(c.a) +
         ", a_scales = " + show_values(c.a_scales) + ", codes " + show_values(c.weights.w) +
         ", scales " + show_values(c.weights.scales);
}

std::vector<ProductCase> smaller(const ProductCase& c) {
  std::vector<ProductCase> all;
  const int n = c.weights.shape.n, groups = int(c.weights.groups()), m = int(c.m());
  for (const auto& [batch, rows, some] : {std::array{m / 2, n, groups},
                                          {m - 1, n, groups},
                                          {m, n / 2, groups},
                                          {m, n - 1, groups},
                                          {m, n, groups / 2},
                                          {m, n, groups - 1}}) {
    if (batch < 1 || rows < 1 || some < 1 || batch * rows * some == m * n * groups) continue;
    ProductCase small{"", {}, {}, crop(c.weights, rows, some), c.isa};
    small.name = std::string(name_of(c.isa)) + "," + std::to_string(batch) + "x" +
                 shape_text(small.weights.shape);
    small.a_scales.assign(c.a_scales.begin(), c.a_scales.begin() + batch);
    for (int i = 0; i < batch; ++i) {
      const auto row = c.a.begin() + long(i) * c.weights.shape.k;
      small.a.insert(small.a.end(), row, row + small.weights.shape.k);
    }
    all.push_back(std::move(small));
  }
  return all;
}

/// The contract's formulas: term(p, a, w) is what is summed over a group, scale(j, G) what its sum
/// is multiplied by.
template <class Term, class Scale>
Reals products(const ProductCase& c, const Term& term, const Scale& scale) {
  const std::size_t n = std::size_t(c.weights.shape.n), k = std::size_t(c.weights.shape.k);
  const std::size_t size = std::size_t(c.weights.shape.group_size);
  Reals all;
  for (std::size_t i = 0; i < c.m(); ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      float y = 0.0f;
      for (std::size_t p = 0; p < k;) {
        const std::size_t group = p / size;
        std::int64_t acc = 0;
        for (; p < (group + 1) * size; ++p) acc += term(p, c.a[i * k + p], c.weights.w[j * k + p]);
        const float scaled = static_cast<float>(acc) * scale(j, group);
        y += scaled;
      }
      all.push_back(y * c.a_scales[i]);
    }
  }
  return all;
}

Reals by_definition(const ProductCase& c) {
  return products(
      c, [](std::size_t, int a, int w) { return a * w; },
      [&](std::size_t j, std::size_t group) {
        return c.weights.scales[j * c.weights.groups() + group];
      });
}

/// What known mistakes make of this input.
void suspect_products(const ProductCase& c, Expect& expect) {
  const std::size_t groups = c.weights.groups(), size = std::size_t(c.weights.shape.group_size);
  const auto right = [](std::size_t, int a, int w) { return a * w; };
  const auto own = [&](std::size_t j, std::size_t group) {
    return c.weights.scales[j * groups + group];
  };
  expect.suspect("N-SIGN", "c",
                 products(
                     c, [](std::size_t, int a, int w) { return a * (w + 8); }, own));
  expect.suspect("N-SIGN", "c",
                 products(
                     c, [](std::size_t, int a, int w) { return a * ((w & 15) - 8); }, own));
  expect.suspect("N-SIGN", "c",
                 products(
                     c, [](std::size_t, int a, int w) { return (a & 255) * w; }, own));
  for (const std::size_t lost : {8, 16}) {
    expect.suspect(
        "N-TAIL", "c",
        products(
            c, [&](std::size_t p, int a, int w) { return p % size + lost < size ? a * w : 0; },
            own));
  }
  expect.suspect("N-SCALE", "c", products(c, right, [](auto, auto) { return 1.0f; }));
  expect.suspect("N-SCALE", "c",
                 products(c, right, [&](std::size_t j, std::size_t) { return own(j, 0); }));
  expect.suspect("N-SCALE", "c", products(c, right, [&](std::size_t j, std::size_t group) {
                   return own(j, group + 1 < groups ? group + 1 : group);
                 }));
  ProductCase unscaled = c;
  unscaled.a_scales.assign(c.m(), 1.0f);
  expect.suspect("N-SCALE", "c", by_definition(unscaled));
}

void multiplies_exactly(const ProductCase& c, Expect& expect) {
  const Weights& weights = c.weights;
  const Bytes packed = packed_by_definition(weights);
  const std::size_t n = std::size_t(weights.shape.n);
  expect.equal("c", call<&gemv_int4>(c.isa, c.a, c.a_scales[0], packed, out(n), weights.shape),
               by_definition(c));
}

void multiplies(const ProductCase& c, Expect& expect) {
  suspect_products(c, expect);
  multiplies_exactly(c, expect);
}

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
  each_case(
      on_every_isa<ProductCase>(
          {{"OneCode", sparse(32, {{0, 3}}), {1}, {one, sparse(32, {{0, -5}}), {1}}},
           {"HighNibble", sparse(32, {{4, 3}}), {1}, {one, sparse(32, {{4, 7}}), {1}}},
           {"Places",
            sparse(32, {{0, 1}, {1, 10}, {4, 100}}),
            {1},
            {one, sparse(32, {{0, 1}, {1, 2}, {4, 3}}), {1}}},
           {"LastLine",
            sparse(32, {{24, 1}, {31, 10}}),
            {1},
            {one, sparse(32, {{24, 6}, {31, -7}}), {1}}},
           {"ZeroWeights", Codes(32, 100), {1}, {one, Codes(32, 0), {1}}},
           {"Rows",
            sparse(32, {{0, 1}, {1, 10}}),
            {1},
            {three, sparse(96, {{0, 1}, {1, 2}, {32, 3}, {33, 4}, {64, 5}, {65, 6}}), {1, 1, 1}}},
           {"Scaled", sparse(32, {{5, 3}}), {2}, {one, sparse(32, {{5, -4}}), {0.125f}}}}),
      multiplies);
}

// Powers of two, so that only the place of a scale is asked for: 1 in each group of a row gives the
// sum of its scales.
TEST(gemv_int4, EachGroupHasItsScale) {
  const auto ones = [](std::size_t n, std::size_t groups) {
    Codes w(n * groups * 32);
    for (std::size_t at = 0; at < w.size(); at += 32) w[at] = 1;
    return w;
  };
  each_case(
      on_every_isa<ProductCase>(
          {{"TwoGroups", sparse(64, {{0, 1}, {32, 4}}), {1}, {{1, 64, 32}, ones(1, 2), {1, 8}}},
           {"FirstOnly", sparse(64, {{0, 1}}), {1}, {{1, 64, 32}, ones(1, 2), {2, 16}}},
           {"LastOnly", sparse(96, {{64, 1}}), {1}, {{1, 96, 32}, ones(1, 3), {2, 16, 128}}},
           {"TwoRows", sparse(64, {{0, 1}, {32, 1}}), {1}, {{2, 64, 32}, ones(2, 2), {1, 2, 4, 8}}},
           {"GroupOf64",
            sparse(128, {{32, 1}, {64, 1}}),
            {0.5f},
            {{1, 128, 64}, ones(1, 4), {1, 32}}}}),
      multiplies);
}

/// One weight of 1 in each group of 32; the activations there; the scales.
ProductCase in_order(const std::string& name, const std::vector<int>& a, float a_scale,
                     Reals scales) {
  ProductCase c{
      name, Codes(32 * a.size()), {a_scale}, {{1, int(32 * a.size()), 32}, {}, std::move(scales)}};
  c.weights.w = Codes(c.a.size());
  for (std::size_t group = 0; group < a.size(); ++group) {
    c.a[32 * group] = static_cast<std::int8_t>(a[group]);
    c.weights.w[32 * group] = 1;
  }
  return c;
}

// 2^24 + 1 is no float32: what is small must be lost exactly where the contract loses it. 3 * 0.1f
// and 5 * 0.1f are inexact, so that a fused multiply-add, a sum in double and a scale applied too
// early end in another last bit.
TEST(gemv_int4, AddsGroupsInOrder) {
  each_case(
      on_every_isa<ProductCase>({in_order("SmallIsLost", {1, 1, -1}, 1, {0x1p24f, 1, 0x1p24f}),
                                 in_order("SmallIsKept", {1, -1, 1}, 1, {0x1p24f, 0x1p24f, 1}),
                                 in_order("TwoRoundings", {3, -3}, 1, {0.1f, 0.1f}),
                                 in_order("NotFused", {3, -5, 7}, 1, {0.1f, 0.06f, 0.3f}),
                                 in_order("ScaleLast", {3, 5, 7}, 0.3f, {0.1f, 0.7f, 0.9f})}),
      multiplies);
}

ProductCase constant_product(const std::string& name, Int4Shape shape, int a, int w) {
  const std::size_t groups = count_of(shape.n, shape.k / shape.group_size);
  return {
      name,
      Codes(std::size_t(shape.k), static_cast<std::int8_t>(a)),
      {1},
      {shape, Codes(count_of(shape.n, shape.k), static_cast<std::int8_t>(w)), Reals(groups, 1.0f)}};
}

// Codes at their ends, in groups just as long as int16 sums of nibbles hold, twice and four times
// as long; then the longest: products that are odd, whose sum no float32 can follow and which, with
// nibbles instead of codes, nearly leaves int32.
TEST(gemv_int4, EveryCodeIsExact) {
  std::vector<ProductCase> cases;
  for (const int size : {32, 64, 128}) {
    for (const auto& [a, w] : {std::pair(-128, -8), {-128, 7}, {127, -8}, {127, 7}}) {
      cases.push_back(
          constant_product(std::to_string(size) + "," + std::to_string(a) + "*" + std::to_string(w),
                           {1, size, size}, a, w));
    }
  }
  cases.push_back(constant_product("Longest", {1, 1 << 20, 1 << 20}, -127, 7));
  each_case(on_every_isa(cases), multiplies_exactly);
}

ProductCase random_product(std::size_t m, Int4Shape shape,
                           std::uint64_t (*seed_of)(std::uint64_t)) {
  const std::uint64_t salt = std::uint64_t(shape.n) * 7919 + std::uint64_t(shape.k) + (m << 50);
  return {std::to_string(m) + "x" + shape_text(shape),
          code_tensor<std::int8_t>(m * std::size_t(shape.k), seed_of(salt), -128, 127),
          uniform_tensor(m, seed_of(salt + 1), 0.01f, 0.05f), random_weights(shape, seed_of)};
}

void random_multiplies(const ProductCase& c, Expect& expect) {
  multiplies(c, expect);
  if (c.weights.w.empty()) return;
  Expect::healthy(distinct(by_definition(c)) == by_definition(c).size(), "products that are equal");
}

// No inputs and no outputs; one row less than, as many as and one more than a panel, and two; every
// length of a group up to 128, an uneven one, a scale per channel; many groups.
TEST(gemv_int4, EveryShape) {
  std::vector<ProductCase> cases = {{"NoInputs", {}, {1}, {{3, 0, 32}, {}, {}}},
                                    {"NoOutputs", Codes(32, 1), {1}, {{0, 32, 32}, {}, {}}}};
  for (const Int4Shape shape : {Int4Shape{1, 64, 32},
                                {15, 64, 32},
                                {16, 64, 32},
                                {17, 64, 32},
                                {31, 96, 32},
                                {32, 64, 64},
                                {33, 96, 96},
                                {5, 128, 128},
                                {7, 256, 64},
                                {3, 480, 160},
                                {2, 1024, 32},
                                {4, 1024, 1024}}) {
    cases.push_back(random_product(1, shape, seed));
  }
  each_case(on_every_isa(cases), random_multiplies);
}

/// What is wrong with a product: the shape, the sizes of the spans, a scale of the activations.
struct BadProduct {
  std::string name;
  Int4Shape shape;
  int more_a = 0, more_packed = 0, more_c = 0;
  float a_scale = 1.0f;
};

std::vector<BadProduct> bad_products() {
  const Int4Shape good{2, 64, 32};
  std::vector<BadProduct> all;
  for (const BadPack& bad : bad_shapes()) all.push_back({bad.name, bad.shape});
  all.push_back({"ShortInputs", good, -1});
  all.push_back({"LongInputs", good, 64});
  all.push_back({"ShortPacked", good, 0, -64});
  all.push_back({"LongPacked", good, 0, 64});
  all.push_back({"ShortResult", good, 0, 0, -1});
  all.push_back({"LongResult", good, 0, 0, 2});
  for (const BadScale& bad : bad_scales()) all.push_back({bad.name, good, 0, 0, 0, bad.value});
  return all;
}

/// Asks refuses_it(a, packed, size of c, the case), for m rows of activations.
template <class Refuses>
void refuses_bad_products(int m, const ProductCase& good, const Refuses& refuses_it,
                          void (*multiplies_good)(const ProductCase&, Expect&)) {
  each_case(bad_products(), [&](const BadProduct& c, Expect& expect) {
    multiplies_good(good, expect);
    const int n = std::abs(c.shape.n), k = std::abs(c.shape.k);
    const Codes a(std::size_t(m) * std::size_t(k) + std::size_t(c.more_a), 1);
    const Bytes packed(plausible_size(c.shape) + std::size_t(c.more_packed), 0x88);
    accepted(expect,
             refuses_it(a, packed, std::size_t(m) * std::size_t(n) + std::size_t(c.more_c), c),
             c.name + " " + shape_text(c.shape), c.a_scale != 1.0f);
  });
}

TEST(gemv_int4, RefusesBadInput) {
  refuses_bad_products(
      1, random_product(1, {2, 64, 32}, seed),
      [](const Codes& a, const Bytes& packed, std::size_t size, const BadProduct& c) {
        return refuses<&gemv_int4>(Isa::kScalar, a, c.a_scale, packed, out(size), c.shape);
      },
      multiplies);
}

TEST(gemv_int4, RefusesOtherIsas) {
  const ProductCase c = random_product(1, {2, 64, 32}, seed);
  refuses_other_isas([&](Isa isa) {
    return refuses<&gemv_int4>(isa, c.a, 1.0f, packed_by_definition(c.weights), out(2),
                               c.weights.shape);
  });
}

// --- gemm_int4 ----------------------------------------------------------------------------------

void multiplies_batch(const ProductCase& c, Expect& expect) {
  suspect_products(c, expect);
  ProductCase first_scale = c;
  if (c.m() > 0) first_scale.a_scales.assign(c.m(), c.a_scales[0]);
  expect.suspect("N-SCALE", "c", by_definition(first_scale));
  ProductCase first_row = c;  // every row of a is taken for the first
  const std::size_t k = std::size_t(c.weights.shape.k);
  for (std::size_t at = k; at < c.a.size(); ++at) first_row.a[at] = c.a[at - k * (at / k)];
  expect.suspect("N-LAYOUT", "c", by_definition(first_row));
  const std::size_t n = std::size_t(c.weights.shape.n);
  const Reals want = by_definition(c);
  Reals turned(want.size());
  for (std::size_t at = 0; at < want.size(); ++at) turned[at % n * c.m() + at / n] = want[at];
  if (c.m() > 1 && n > 1) expect.suspect("N-LAYOUT", "c", turned);
  expect.equal("c",
               call<&gemm_int4>(c.isa, c.a, c.a_scales, packed_by_definition(c.weights),
                                out(c.m() * n), c.weights.shape),
               want, {c.m(), n});
}

// By hand: rows of activations 1, 10, 100 times the first weights, and a power of two for each row.
TEST(gemm_int4, EachRowHasItsScale) {
  const auto rows = [](const std::vector<int>& firsts) {
    Codes a(32 * firsts.size());
    for (std::size_t i = 0; i < firsts.size(); ++i) a[32 * i] = static_cast<std::int8_t>(firsts[i]);
    return a;
  };
  const Weights one{{1, 32, 32}, sparse(32, {{0, 3}}), {1}};
  const Weights two{{2, 32, 32}, sparse(64, {{0, 3}, {32, -5}}), {1, 0.5f}};
  each_case(on_every_isa<ProductCase>({{"OneRow", rows({10}), {2}, one},
                                       {"TwoRows", rows({1, 10}), {1, 1}, two},
                                       {"TwoScales", rows({1, 10}), {4, 0.5f}, one},
                                       {"ThreeByTwo", rows({1, 10, 100}), {1, 2, 4}, two}}),
            multiplies_batch);
}

// No row; every size of a batch up to 17, so that blocks of 2, 4, 8 and 16 rows all leave a rest;
// with one panel short of a row, and with two panels.
TEST(gemm_int4, EveryBatch) {
  std::vector<ProductCase> cases = {{"NoRows", {}, {}, random_weights({3, 64, 32}, seed)},
                                    {"NoInputs", {}, {1, 2}, {{3, 0, 32}, {}, {}}}};
  for (std::size_t m = 1; m <= 17; ++m) {
    cases.push_back(
        random_product(m, m % 2 == 0 ? Int4Shape{15, 128, 64} : Int4Shape{18, 96, 32}, seed));
  }
  cases.push_back(random_product(33, {5, 64, 64}, seed));
  each_case(on_every_isa(cases), [](const ProductCase& c, Expect& expect) {
    multiplies_batch(c, expect);
    Expect::healthy(c.m() == 0 || c.weights.shape.k == 0 ||
                        distinct(by_definition(c)) + 2 >= by_definition(c).size(),
                    "products that are equal");
  });
}

TEST(gemm_int4, RefusesBadInput) {
  refuses_bad_products(
      3, random_product(3, {2, 64, 32}, seed),
      [](const Codes& a, const Bytes& packed, std::size_t size, const BadProduct& c) {
        return refuses<&gemm_int4>(Isa::kScalar, a, Reals{1.0f, 1.0f, c.a_scale}, packed, out(size),
                                   c.shape);
      },
      multiplies_batch);
}

TEST(gemm_int4, RefusesOtherIsas) {
  const ProductCase c = random_product(2, {2, 64, 32}, seed);
  refuses_other_isas([&](Isa isa) {
    return refuses<&gemm_int4>(isa, c.a, c.a_scales, packed_by_definition(c.weights), out(4),
                               c.weights.shape);
  });
}

// --- dequantize_code_book -----------------------------------------------------------------------

struct BookCase {
  std::string name;
  std::vector<int> nibbles;  // 0 .. 15
  CodeBook book;
  Reals scales;
  int group_size;
  Isa isa = Isa::kScalar;

  Bytes q4() const { return in_nibbles({nibbles.begin(), nibbles.end()}); }
};

std::string show(const BookCase& c) {
  return std::string(name_of(c.isa)) + ", group_size = " + std::to_string(c.group_size) +
         ", nibbles " + show_values(c.nibbles) + ", code_book " + show_values(c.book) +
         ", scales " + show_values(c.scales);
}

std::vector<BookCase> smaller(const BookCase& c) {
  std::vector<BookCase> all;
  const std::size_t count = c.nibbles.size();
  for (const std::size_t to : {count / 2, count - std::min<std::size_t>(count, 1)}) {
    if (to == 0 || to == count) continue;
    all.push_back(c);
    all.back().name = std::string(name_of(c.isa)) + "," + std::to_string(to);
    all.back().nibbles.resize(to);
    all.back().scales.resize((to + std::size_t(c.group_size) - 1) / std::size_t(c.group_size));
  }
  return all;
}

template <class Entry, class Scale>
Reals looked_up(const BookCase& c, const Entry& entry, const Scale& scale) {
  Reals x_hat;
  for (std::size_t i = 0; i < c.nibbles.size(); ++i) {
    x_hat.push_back(c.book[std::size_t(entry(i))] * scale(i));
  }
  return x_hat;
}

Reals by_definition(const BookCase& c) {
  return looked_up(
      c, [&](std::size_t i) { return c.nibbles[i]; },
      [&](std::size_t i) { return c.scales[i / std::size_t(c.group_size)]; });
}

void looks_up(const BookCase& c, Expect& expect) {
  const auto entry = [&](std::size_t i) { return c.nibbles[i]; };
  const auto scale = [&](std::size_t i) { return c.scales[i / std::size_t(c.group_size)]; };
  const auto exchanged = [&](std::size_t i) {
    return (i ^ 1) < c.nibbles.size() ? c.nibbles[i ^ 1] : 0;
  };
  expect.suspect("N-LAYOUT", "x_hat", looked_up(c, exchanged, scale));
  expect.suspect("N-SIGN", "x_hat",
                 looked_up(
                     c, [&](std::size_t i) { return c.nibbles[i] ^ 8; }, scale));
  expect.suspect("N-SIGN", "x_hat",
                 looked_up(
                     c, [&](std::size_t i) { return c.nibbles[i] & 7; }, scale));
  expect.suspect("N-SCALE", "x_hat", looked_up(c, entry, [](std::size_t) { return 1.0f; }));
  expect.suspect("N-SCALE", "x_hat", looked_up(c, entry, [&](std::size_t) { return c.scales[0]; }));
  expect.equal("x_hat",
               call<&dequantize_code_book>(c.isa, c.q4(), c.book, c.scales, out(c.nibbles.size()),
                                           c.group_size),
               by_definition(c));
}

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
  CodeBook shuffled;
  for (std::size_t i = 0; i < 16; ++i) shuffled[i] = float((i * 5 + 3) % 16);
  each_case(on_every_isa<BookCase>({{"OneByte", {2, 5}, squares(), {1}, 32},
                                    {"HighBit", {9, 15}, squares(), {1}, 32},
                                    {"EachEntry", counting(32, 1), squares(), {1}, 32},
                                    {"EachEntryBackwards", counting(32, 15), squares(), {1}, 32},
                                    {"Shuffled", counting(64, 7), shuffled, {1}, 64}}),
            looks_up);
}

// Powers of two; then scales that round.
TEST(dequantize_code_book, ScalesEachGroup) {
  CodeBook thirds;
  for (std::size_t i = 0; i < 16; ++i) thirds[i] = float(i) / 3.0f - 2.0f;
  each_case(on_every_isa<BookCase>({{"OneGroup", counting(32, 1), squares(), {4}, 32},
                                    {"TwoGroups", counting(64, 3), squares(), {0.5f, 8}, 32},
                                    {"GroupsOf64", counting(192, 5), squares(), {2, 0.25f, 16}, 64},
                                    {"Rounded", counting(96, 7), thirds, {0.1f, 0.3f, 0.7f}, 32}}),
            looks_up);
}

BookCase random_book(std::size_t count, int group_size, std::uint64_t (*seed_of)(std::uint64_t)) {
  const std::uint64_t salt = count * 4096 + std::uint64_t(group_size);
  BookCase c{std::to_string(count) + "/" + std::to_string(group_size),
             code_tensor<int>(count, seed_of(salt), 0, 15),
             {},
             {},
             group_size};
  const Reals entries = normal_tensor(16, seed_of(salt + 1));
  std::ranges::copy(entries, c.book.begin());
  const std::size_t groups = (count + std::size_t(group_size) - 1) / std::size_t(group_size);
  c.scales = uniform_tensor(groups, seed_of(salt + 2), 0.001f, 0.02f);
  return c;
}

// None; one; one less than, as many as and one more than a vector of 8, 16 and 32; a short last
// group of every kind; the longest group.
TEST(dequantize_code_book, EveryCount) {
  std::vector<BookCase> cases = {{"None", {}, squares(), {}, 32}};
  for (const std::size_t count : {1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 63, 65, 127, 145}) {
    cases.push_back(random_book(count, 32, seed));
  }
  cases.push_back(random_book(200, 96, seed));
  cases.push_back(random_book(257, 1 << 20, seed));
  each_case(on_every_isa(cases), looks_up);
}

TEST(dequantize_code_book, RefusesBadInput) {
  struct Bad {
    std::string name;
    std::size_t bytes, scales, count;
    int group_size;
    float entry = 1.0f, scale = 1.0f;
  };
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<Bad> cases = {{"ShortCodes", 15, 1, 32, 32},
                            {"LongCodes", 17, 1, 32, 32},
                            {"ShortScales", 17, 1, 33, 32},
                            {"LongScales", 16, 2, 32, 32},
                            {"NoGroupSize", 16, 1, 32, 0},
                            {"NegativeGroupSize", 16, 1, 32, -32},
                            {"ShortGroup", 16, 2, 32, 16},
                            {"OddGroup", 16, 1, 32, 48},
                            {"LongGroup", 16, 1, 32, (1 << 20) + 32},
                            {"InfiniteEntry", 16, 1, 32, 32, infinity},
                            {"NaNEntry", 16, 1, 32, 32, std::numeric_limits<float>::quiet_NaN()}};
  for (const BadScale& bad : bad_scales()) cases.push_back({bad.name, 16, 1, 32, 32, 1, bad.value});
  each_case(cases, [](const Bad& bad, Expect& expect) {
    looks_up({"good", counting(32, 1), squares(), {1}, 32}, expect);
    CodeBook book = squares();
    book[11] = bad.entry;
    Reals scales(bad.scales, 1.0f);
    scales.back() = bad.scale;
    const bool refused = refuses<&dequantize_code_book>(Isa::kScalar, Bytes(bad.bytes, 0x21), book,
                                                        scales, out(bad.count), bad.group_size);
    if (bad.entry != 1.0f) {
      expect.that(refused, "accepted a book with " + show_value(bad.entry), "N-NAN");
    } else {
      accepted(expect, refused, bad.name, bad.scale != 1.0f);
    }
  });
}

TEST(dequantize_code_book, RefusesOtherIsas) {
  refuses_other_isas([](Isa isa) {
    return refuses<&dequantize_code_book>(isa, Bytes(16, 0x21), squares(), Reals{1.0f}, out(32),
                                          32);
  });
}

// --- Speed --------------------------------------------------------------------------------------

Isa best_isa() {
  const std::vector<Isa> here = isas_here();
  return here.back();
}

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

double operations(int m, Int4Shape shape) { return 2.0 * m * shape.n * shape.k; }

// 34 MB of weights: more than the caches between two calls keep.
TEST(gemv_int4, Speed) {
  const Int4Shape shape{8192, 8192, 128};
  FreshWeights weights(shape);
  speed<&gemv_int4>({.zero_at = 0.3,
                     .full_at = 0.6,
                     .operations = operations(1, shape),
                     .bytes = double(weights.bytes()),
                     .isa = best_isa()},
                    [&](FreshData& fresh) {
                      return std::tuple(best_isa(), fresh.codes<std::int8_t>(8192, -128, 127),
                                        0.02f, weights.next(fresh), out(8192), shape);
                    });
}

// A batch of 8: the weights are read once, and multiplied as fast as the instructions allow.
TEST(gemm_int4, Speed) {
  const Int4Shape shape{8192, 8192, 128};
  FreshWeights weights(shape);
  speed<&gemm_int4>({.zero_at = 0.3,
                     .full_at = 0.6,
                     .operations = operations(8, shape),
                     .bytes = double(weights.bytes()),
                     .isa = best_isa()},
                    [&](FreshData& fresh) {
                      return std::tuple(best_isa(), fresh.codes<std::int8_t>(8 * 8192, -128, 127),
                                        fresh.uniform(8, 0.02f, 0.024f), weights.next(fresh),
                                        out(8 * 8192), shape);
                    });
}

// The same number of weights as for gemv_int4 would be 64 MiB; half of it is as far from a cache.
TEST(gemv_int8, Speed) {
  const std::size_t n = 4096, k = 8192;
  Codes w = FreshData().codes<std::int8_t>(n * k, -128, 127);
  speed<&gemv_int8>({.zero_at = 0.3,
                     .full_at = 0.6,
                     .operations = 2.0 * n * k,
                     .bytes = double(n * k),
                     .isa = best_isa()},
                    [&](FreshData& fresh) {
                      const auto one = [&] { return fresh.codes<std::int8_t>(1, -128, 127)[0]; };
                      return std::tuple(best_isa(), fresh.codes<std::int8_t>(k, -128, 127), 0.02f,
                                        kept_but_some(w, fresh, one),
                                        fresh.uniform(n, 0.01f, 0.012f), out(n));
                    });
}

TEST(dequantize_code_book, Speed) {
  constexpr std::size_t count = 1 << 20;
  speed<&dequantize_code_book>(
      {.zero_at = 0.3,
       .full_at = 0.6,
       .operations = double(count),
       .bytes = 4.5 * count,
       .isa = best_isa()},
      [](FreshData& fresh) {
        return std::tuple(best_isa(), fresh.codes<std::uint8_t>(count / 2, 0, 255), squares(),
                          fresh.uniform(count / 64, 0.01f, 0.012f), out(count), 64);
      });
}

// NIBBLE-BEGIN-HIDDEN
// --- Hidden: against the reference, on data that the course's secret makes ----------------------

TEST(unpack_int4, MatchesReference) {
  std::vector<UnpackCase> cases;
  for (const std::size_t count : {5, 14, 77, 1001, 4099}) {
    const std::size_t bytes = (count + 1) / 2;
    cases.push_back({std::to_string(count),
                     code_tensor<std::uint8_t>(bytes, hidden_seed(count), 0, 255), Codes(count)});
    unpack_int4(cases.back().q4, cases.back().want);
  }
  each_case(cases, unpacks);
}

TEST(gemv_int8, MatchesReference) {
  std::vector<Int8Case> cases;
  for (const auto& [n, k] : {std::pair(1, 5), {6, 59}, {3, 333}, {11, 1024}, {2, 40001}}) {
    cases.push_back(random_int8(std::size_t(n), std::size_t(k), hidden_seed));
  }
  each_case(on_every_isa(cases), [](const Int8Case& c, Expect& expect) {
    Reals want(c.w_scales.size());
    gemv_int8(Isa::kScalar, c.a, c.a_scale, c.w, c.w_scales, want);
    expect.equal("c", call<&gemv_int8>(c.isa, c.a, c.a_scale, c.w, c.w_scales, out(want.size())),
                 want);
  });
}

std::vector<Int4Shape> hidden_shapes() {
  return {{6, 32, 32},    {19, 160, 32},  {16, 192, 64},
          {47, 384, 128}, {9, 2240, 224}, {64, 512, 512}};
}

TEST(pack_int4, MatchesReference) {
  std::vector<PackCase> cases;
  for (const Int4Shape shape : hidden_shapes()) {
    cases.push_back({shape_text(shape), random_weights(shape, hidden_seed)});
  }
  each_case(cases, [](const PackCase& c, Expect& expect) {
    Bytes want(packed_int4_size(c.weights.shape));
    pack_int4(in_nibbles(c.weights.w), c.weights.scales, want, c.weights.shape);
    expect.equal("packed", pack(c.weights), want);
  });
}

Reals reference(const ProductCase& c) {
  Reals want(c.m() * std::size_t(c.weights.shape.n));
  gemm_int4(Isa::kScalar, c.a, c.a_scales, packed_by_definition(c.weights), want, c.weights.shape);
  return want;
}

TEST(gemv_int4, MatchesReference) {
  std::vector<ProductCase> cases;
  for (const Int4Shape shape : hidden_shapes())
    cases.push_back(random_product(1, shape, hidden_seed));
  each_case(on_every_isa(cases), [](const ProductCase& c, Expect& expect) {
    const Bytes packed = packed_by_definition(c.weights);
    expect.equal("c",
                 call<&gemv_int4>(c.isa, c.a, c.a_scales[0], packed,
                                  out(std::size_t(c.weights.shape.n)), c.weights.shape),
                 reference(c));
  });
}

TEST(gemm_int4, MatchesReference) {
  std::vector<ProductCase> cases;
  std::size_t m = 2;
  for (const Int4Shape shape : hidden_shapes()) {
    cases.push_back(random_product(m, shape, hidden_seed));
    m += 3;  // 2, 5, 8, 11, 14, 17
  }
  each_case(on_every_isa(cases), [](const ProductCase& c, Expect& expect) {
    const Bytes packed = packed_by_definition(c.weights);
    const std::size_t n = std::size_t(c.weights.shape.n);
    expect.equal("c",
                 call<&gemm_int4>(c.isa, c.a, c.a_scales, packed, out(c.m() * n), c.weights.shape),
                 reference(c), {c.m(), n});
  });
}

TEST(dequantize_code_book, MatchesReference) {
  std::vector<BookCase> cases;
  for (const std::size_t count : {3, 50, 321, 1000, 4097})
    cases.push_back(random_book(count, 64, hidden_seed));
  each_case(on_every_isa(cases), [](const BookCase& c, Expect& expect) {
    Reals want(c.nibbles.size());
    dequantize_code_book(Isa::kScalar, c.q4(), c.book, c.scales, want, c.group_size);
    expect.equal("x_hat",
                 call<&dequantize_code_book>(c.isa, c.q4(), c.book, c.scales, out(want.size()),
                                             c.group_size),
                 want);
  });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
