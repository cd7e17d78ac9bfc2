// Lab 15: the checks. Every check runs on each instruction set that this machine has, scalar at
// least, so it is worth its points anywhere.
#include "cpu_simd.hpp"

#include <string_view>

#include "checks/marks/15_cpu_simd.hpp"
#include "judge/code_rows.hpp"
#include "judge/exercise.hpp"
#include "judge/fused_product.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/speed.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_codes.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge {
namespace {

std::size_t area(int rows, int columns) { return std::size_t(rows) * std::size_t(columns); }

Codes random_codes(std::size_t count, std::uint64_t seed) {
  return code_tensor<std::int8_t>(count, seed, -128, 127);
}

// --- best_isa ------------------------------------------------------------------------------------

using Choosing = Exercise<&best_isa>;
const Choosing choosing{{"isas", "cap"}, {"isa"}};

/// The definition; kEveryIsa is not in this order.
std::optional<Isa> best_of(std::uint32_t isas, Isa cap) {
  std::optional<Isa> best;
  for (const Isa isa : kKernelIsas) {
    if ((isas & bit_of(isa)) != 0) best = isa;
    if (isa == cap) break;
  }
  return best;
}

/// Every one of these sets that has a kernel, with every cap.
std::vector<Choosing::Row> choices(const auto& sets, const auto& caps) {
  std::vector<Choosing::Row> rows;
  for (const std::uint32_t isas : sets) {
    std::string name;
    for (const Isa isa : kEveryIsa) {
      if ((isas & bit_of(isa)) != 0) name += (name.empty() ? "" : "+") + show(isa);
    }
    for (const Isa cap : caps) {
      if (const auto best = best_of(isas, cap)) {
        rows.push_back({name + ",to_" + show(cap),
                        {isas, cap},
                        *best,
                        "isas alone says what is there, and kKernelIsas the order"});
      }
    }
  }
  return rows;
}

// Every set that has a kernel, with and without scalar: 2^6 of them, less two.
TEST(best_isa, TakesTheFastest) {
  std::array<std::uint32_t, 64> sets;
  std::iota(sets.begin(), sets.end(), 0u);
  sets[0] = bit_of(Isa::kScalar) | bit_of(Isa::kNeonDot);  // no set without a kernel
  choosing.gives(choices(sets, std::array{Isa::kAmxInt8}));
}

// Numbers do not tell the order: neon_dot has the largest, and is the second slowest.
TEST(best_isa, StopsAtTheCap) {
  choosing.gives(choices(std::array{63u, 47u, 31u, 15u, 11u, 9u, 33u, 41u, 1u, 17u}, kKernelIsas));
}

TEST(best_isa, RefusesWhatItMust) {
  const std::uint32_t scalar = bit_of(Isa::kScalar), tiles = bit_of(Isa::kAmxInt8);
  choosing.refuses(
      {{"Avx2", {3, Isa::kAvx512Vnni}, Isa::kAvx2}},
      {{"", {0, Isa::kAmxInt8}},
       {"", {tiles, Isa::kAmxInt8}},
       {"", {bit_of(Isa::kAvx512Vnni) | bit_of(Isa::kAvxVnni), Isa::kAvx2}},  // beyond the cap
       {"", {bit_of(Isa::kAvx2), Isa::kScalar}},
       {"", {1u << 6 | scalar, Isa::kAmxInt8}},  // bits that stand for nothing
       {"", {1u << 31 | scalar, Isa::kAmxInt8}},
       {"", {scalar, static_cast<Isa>(6)}},
       {"", {scalar, static_cast<Isa>(-1)}}});
}

// --- saturating_pair -----------------------------------------------------------------------------

using Pairs = Exercise<&saturating_pair>;
const Pairs pairs{{"s0", "s1"}, {"u"}};

/// The range of u[0] * s0 + u[1] * s1 leaves that of int16.
bool can_saturate(int s0, int s1) {
  const int highest = 255 * (std::max(s0, 0) + std::max(s1, 0));
  const int lowest = 255 * (std::min(s0, 0) + std::min(s1, 0));
  return highest > 32767 || lowest < -32768;
}

void saturates_or_refuses(Expect& expect, const Pairs::Arguments& in) {
  const auto [s0, s1] = in;
  if (!can_saturate(s0, s1)) {
    expect.that(refuses<&saturating_pair>(s0, s1), "accepted " + pairs.text(in), "N-RANGE");
    return;
  }
  const auto u = pairs(in);
  const int exact = u[0] * s0 + u[1] * s1;
  expect.that(std::clamp(exact, -32768, 32767) != exact,
              "u = " + show_values(u) + " gives " + std::to_string(exact) + ", which int16 holds",
              "N-OVERFLOW");
}

std::vector<Pairs::Input> weights(const std::vector<std::pair<int, int>>& some) {
  std::vector<Pairs::Input> inputs;
  for (const auto& [s0, s1] : some) {
    inputs.push_back({std::to_string(s0) + "," + std::to_string(s1),
                      {static_cast<std::int8_t>(s0), static_cast<std::int8_t>(s1)}});
  }
  return inputs;
}

std::vector<std::pair<int, int>> random_weights(std::size_t count, std::uint64_t seed) {
  const Codes codes = random_codes(2 * count, seed);
  std::vector<std::pair<int, int>> all;
  for (std::size_t i = 0; i < codes.size(); i += 2) all.emplace_back(codes[i], codes[i + 1]);
  return all;
}

// 255 * 128.5 is the first sum beyond int16: 129 is one more than it, 128 one less. One weight
// alone never reaches it, since 255 * -128 = -32640.
TEST(saturating_pair, FindsAWrongPair) {
  std::vector<std::pair<int, int>> some{{127, 127},   {64, 65},   {2, 127},   {127, 2},
                                        {-128, -128}, {-1, -128}, {-128, -1}, {-64, -65}};
  for (const auto& [s0, s1] : random_weights(200, seed(1))) {
    if (can_saturate(s0, s1)) some.emplace_back(s0, s1);
  }
  Expect::healthy(some.size() > 20, "few weights that saturate");
  pairs.on_each(weights(some), saturates_or_refuses);
}

TEST(saturating_pair, RefusesSafeWeights) {
  std::vector<std::pair<int, int>> some{{127, 127},  {0, 0},    {64, 64}, {1, 127},   {127, -128},
                                        {-128, 127}, {-128, 0}, {0, 127}, {-64, -64}, {-127, -1}};
  for (const auto& [s0, s1] : random_weights(100, seed(2))) {
    if (!can_saturate(s0, s1)) some.emplace_back(s0, s1);
  }
  pairs.on_each(weights(some), saturates_or_refuses);
}

// --- dot -----------------------------------------------------------------------------------------

/// The magnitude of a, and its sign put on b: for vpmaddubsw, whose first factor has no sign.
void suspect_signs(Expect& expect, const Product& c) {
  std::int32_t sum = 0;
  for (std::size_t p = 0; p < c.a.size(); ++p) {
    const int a = c.a[p], b = c.b_t[p];
    sum += std::abs(a) * static_cast<std::int8_t>(a < 0 ? -b : a == 0 ? 0 : b);
  }
  expect.suspect("N-SIGN", "the sum", sum,
                 "as if the sign of a were put on b: -(-128) is -128 again in a byte");
}

// One sum is a product of one row and one column.
const auto dotting =
    isa_exercise<&dot>([](const OnIsa<Product>& c) { return std::tuple(c.isa, c.a, c.b_t); },
                       [](const Product& c) { return by_definition(c)[0]; },
                       [](Expect& expect, const Product& c, std::int32_t got, std::int32_t right) {
                         if (got != right) suspect_signs(expect, c);
                         if (got != right) suspect_sums(expect, c, "the sum");
                         expect.equal("the sum", got, right);
                       });

std::vector<Product> random_dots(const std::vector<int>& lengths, Seed seed_of) {
  return each_of(lengths, [&](int k, std::uint64_t at) {
    return random_product({1, 1, k}, seed_of(2 * at));
  });
}

TEST(dot, FollowsTheFormula) {
  dotting.is_right({{"Empty", {1, 1, 0}, {}, {}},
                    {"One", {1, 1, 1}, {-7}, {9}},
                    {"Three", {1, 1, 3}, {1, -2, 3}, {4, 5, 6}},
                    constant_product("OneEach", {1, 1, 64}, 1, 1),
                    constant_product("NegativeWeights", {1, 1, 64}, 3, -2)});
}

// Nothing of random small codes would leave int16.
TEST(dot, NoPairSaturates) {
  std::vector<Product> cases{constant_product("MinusOnes", {1, 1, 128}, -1, -128)};
  std::ranges::copy(extreme_products({1, 1, 128}), std::back_inserter(cases));
  cases.push_back(constant_product("Alternating", {1, 1, 128}, 127, 127));
  for (std::size_t p = 0; p < 128; ++p) cases.back().a[p] = p % 4 < 2 ? 127 : -128;
  dotting.is_right(cases);
}

// All lengths up to two vectors of 64 and one more: each leaves another rest.
TEST(dot, EveryLength) {
  std::vector<int> lengths(129);
  std::iota(lengths.begin(), lengths.end(), 1);
  dotting.is_right(random_dots(lengths, seed));
}

// With 128 added to a, the largest sum of all is no int32 on the way.
TEST(dot, ExactUpToTheLongest) {
  dotting.is_right(random_dots({100'003}, seed));
  dotting.is_right(long_products(1, 1));
}

TEST(dot, RefusesWhatItMust) {
  const Codes longest(kLongestK + 1);
  refuses_on_every_isa(
      dotting, random_product({1, 1, 3}, seed(0)), [&](Isa isa) -> decltype(dotting)::Refusals {
        return {
            {"N-SIZE", "3 codes and 4", {isa, Codes(3), Codes(4)}},
            {"N-OVERFLOW", "131072 codes: their sum may not be an int32", {isa, longest, longest}}};
      });
}

// --- pack_b --------------------------------------------------------------------------------------

/// Rows of b_t: columns of b.
using Packable = OnIsa<Named<CodeRows>>;

struct Packed {
  Sums sums;
  Codes panels;
};

/// Turns packed bytes into sums and panels.
Packed parts_of(const Codes& packed, const Packable& c) {
  Packed parts{Sums(rounded_up(c.rows, panel_width(c.isa))), {}};
  std::memcpy(parts.sums.data(), packed.data(), 4 * parts.sums.size());
  parts.panels.assign(packed.begin() + std::ptrdiff_t(4 * parts.sums.size()), packed.end());
  return parts;
}

/// Sums and panels as another layout would have them: place(j, p) inside the panels.
template <class Place>
Packed packed_at(const Packable& c, const Place& place) {
  const auto& [n, k, b_t] = static_cast<const CodeRows&>(c);
  const std::size_t wide = rounded_up(n, panel_width(c.isa)), long_k = rounded_up(k, 4);
  Packed parts{Sums(wide), Codes(wide * long_k)};
  for (std::size_t j = 0; j < std::size_t(n); ++j) {
    for (std::size_t p = 0; p < std::size_t(k); ++p) {
      parts.sums[j] += b_t[j * k + p];
      parts.panels[place(j, p)] = b_t[j * k + p];
    }
  }
  return parts;
}

/// The contract's formula.
Packed parts_by_definition(const Packable& c) {
  const std::size_t w = panel_width(c.isa), long_k = rounded_up(c.k, 4);
  return packed_at(c, [=](std::size_t j, std::size_t p) {
    return j / w * (w * long_k) + p / 4 * (4 * w) + j % w * 4 + p % 4;
  });
}

Codes packed_by_definition(const Packable& c) {
  const auto [sums, panels] = parts_by_definition(c);
  Codes bytes(4 * sums.size());
  if (!bytes.empty()) std::memcpy(bytes.data(), sums.data(), bytes.size());
  bytes.insert(bytes.end(), panels.begin(), panels.end());
  return bytes;
}

/// The codes from p = `from` on are 0.
Packable without_tail(Packable c, int from) {
  for (std::size_t at = 0; at < c.codes.size(); ++at) {
    if (int(at) % c.k >= from) c.codes[at] = 0;
  }
  return c;
}

void look_at_panels(Expect& expect, const Packable& c, const Codes& got, const Codes& right) {
  const std::size_t w = panel_width(c.isa), n = c.rows, k = c.k;
  const std::size_t long_k = rounded_up(c.k, 4), wide = rounded_up(c.rows, int(w));
  const auto layout = [&](std::string_view words, const auto& place) {
    expect.suspect("N-LAYOUT", "panels", packed_at(c, place).panels, words);
  };
  layout("columns lie one behind the other, and not in panels",
         [=](auto j, auto p) { return j * long_k + p; });
  layout("a row of quads goes over all columns, and not over those of a panel",
         [=](auto j, auto p) { return p / 4 * (4 * wide) + j * 4 + p % 4; });
  layout("codes of a column are one by one, and not in quads of four along k",
         [=](auto j, auto p) { return j / w * (w * long_k) + p * w + j % w; });
  layout("b is packed by rows of k, and not in panels of quads",
         [=](auto j, auto p) { return p * wide + j; });
  if (n * k > 4) {  // b_t read as [k,n]
    Packable crossed = c;
    for (std::size_t at = 0; at < n * k; ++at) crossed.codes[at] = c.codes[at % k * n + at / k];
    expect.suspect("N-TRANS", "panels", parts_by_definition(crossed).panels,
                   "b_t [n,k] is read as b [k,n]");
  }
  const auto cut = without_tail(c, c.k / 4 * 4);
  expect.suspect("N-TAIL", "panels", parts_by_definition(cut).panels,
                 "the last quad of a column is left at 0");
  expect.equal("panels", parts_of(got, c).panels, parts_of(right, c).panels,
               {k == 0 ? 0 : wide / w, long_k / 4, w, 4});
}

void look_at_sums(Expect& expect, const Packable& c, const Codes& got, const Codes& right) {
  const Sums want = parts_of(right, c).sums;
  const auto suspect = [&](const char* code, std::string_view words, const auto& wrong) {
    std::vector<std::int64_t> sums;
    for (const std::int32_t sum : want) sums.push_back(wrong(sum));
    expect.suspect(code, "sums", sums, words);
  };
  constexpr const char* kTimes128 = "sums are those of the codes, and not 128 times that";
  suspect("N-SIGN", kTimes128, [](std::int64_t sum) { return -128 * sum; });
  suspect("N-SIGN", kTimes128, [](std::int64_t sum) { return 128 * sum; });
  Sums of_bytes(want.size());
  for (std::size_t at = 0; at < c.codes.size(); ++at) {
    of_bytes[at / std::size_t(c.k)] += static_cast<std::uint8_t>(c.codes[at]);
  }
  expect.suspect("N-SIGN", "sums", of_bytes, "codes below 0 are read as 256 more");
  suspect("N-OVERFLOW", "the sum is kept in 16 bits",
          [](std::int32_t sum) { return static_cast<std::int16_t>(sum); });
  suspect("N-OVERFLOW", "the sum is kept in 8 bits",
          [](std::int32_t sum) { return static_cast<std::int8_t>(sum); });
  suspect("N-LAYOUT", "the bytes of a sum are in the other order",
          [](std::int32_t sum) -> std::int32_t { return __builtin_bswap32(sum); });
  const auto cut = without_tail(c, c.k / 4 * 4);
  expect.suspect("N-TAIL", "sums", parts_by_definition(cut).sums,
                 "the last codes of a column are not added");
  expect.equal("sums", parts_of(got, c).sums, want);
}

auto packing(void (*look)(Expect&, const Packable&, const Codes& got, const Codes& right)) {
  return isa_exercise<&pack_b>(
      [](const Packable& c) {
        const MatmulShape shape{0, c.rows, c.k};  // there need not be an a
        return std::tuple(c.isa, c.codes, out(packed_size(c.isa, shape)), shape);
      },
      packed_by_definition, look);
}
const auto panels = packing(look_at_panels), column_sums = packing(look_at_sums);

/// n columns of k codes, all different from their neighbours and from 0.
Named<CodeRows> numbered(int n, int k) {
  Codes codes;
  for (int at = 0; at < n * k; ++at) codes.push_back(static_cast<std::int8_t>(at % 127 + 1));
  return code_rows(n, k, codes);
}

/// Sizes are in panels: 3 stands for three panels of this isa.
std::vector<Packable> whole_panels(const std::vector<std::pair<int, int>>& sizes) {
  std::vector<Packable> all;
  for (const Isa isa : isas_to_check()) {
    for (const auto& [n, k] : sizes) all.emplace_back(isa, numbered(n * panel_width(isa), k));
  }
  return all;
}

TEST(pack_b, QuadsOfOnePanel) { panels.is_right(whole_panels({{1, 4}, {1, 8}, {1, 20}})); }

TEST(pack_b, PanelAfterPanel) { panels.is_right(whole_panels({{2, 4}, {2, 12}, {3, 8}})); }

/// Columns of rising sums, of both signs, beyond an int16.
TEST(pack_b, SumsOfColumns) {
  Codes rising;
  for (int j = 0; j < 20; ++j) {
    rising.insert(rising.end(), 1027, static_cast<std::int8_t>(j * 13 - 128));
  }
  column_sums.is_right(whole_panels({{1, 4}}));
  column_sums.is_right({code_rows(20, 1027, rising)});
}

// One column too many for a panel, one too few; every rest of a quad; nothing at all.
TEST(pack_b, PadsWithZeros) {
  std::vector<Packable> all;
  for (const Isa isa : isas_to_check()) {
    const int w = panel_width(isa);
    const std::vector<std::pair<int, int>> sizes = {{1, 1},         {w, 1}, {w - 1, 4}, {w + 1, 2},
                                                    {2 * w - 1, 7}, {3, 0}, {0, 3},     {0, 0}};
    for (const auto& [n, k] : sizes) all.emplace_back(isa, numbered(n, k));
  }
  panels.is_right(all);
  column_sums.is_right(all);
}

TEST(pack_b, RefusesWhatItMust) {
  const MatmulShape shape{0, 3, 5}, longer{1, 1, kLongestK + 1};
  refuses_on_every_isa(panels, numbered(3, 5), [&](Isa isa) -> decltype(panels)::Refusals {
    const std::size_t size = packed_size(isa, shape), long_size = packed_size(isa, longer);
    return {{"N-SIZE", "16 codes for 3x5", {isa, Codes(16), out(size), shape}},
            {"N-SIZE", "64 packed bytes too many", {isa, Codes(15), out(size + 64), shape}},
            {"N-SIZE", "n = -1", {isa, {}, out(0), {1, -1, 0}}},
            {"N-SIZE", "k = -1", {isa, {}, out(0), {1, 0, -1}}},
            {"N-OVERFLOW", "k = 131072", {isa, Codes(kLongestK + 1), out(long_size), longer}}};
  });
}

// --- multiply_packed -----------------------------------------------------------------------------

Codes packed_b(Isa isa, const Product& c) {
  return packed_by_definition({isa, code_rows(c.shape.n, c.shape.k, c.b_t)});
}

const auto multiplying = isa_exercise<&multiply_packed>(
    [](const OnIsa<Product>& c) {
      return std::tuple(c.isa, c.a, packed_b(c.isa, c), out(c.outputs()), c.shape);
    },
    by_definition,
    equals("c", [](Expect& expect, const Product& c) { suspect_sums(expect, c, "c"); }));

TEST(multiply_packed, EmptySumIsZero) {
  multiplying.is_right(
      random_products({{1, 1, 0}, {3, 5, 0}, {7, 65, 0}, {0, 3, 2}, {3, 0, 2}, {0, 0, 0}}, seed));
}

// By hand, then one whole tile of most kernels, and rows and columns past it.
TEST(multiply_packed, FollowsTheFormula) {
  multiplying.is_right(
      {{"OneProduct", {1, 1, 1}, {-3}, {7}},
       {"TwoByTwo", {2, 2, 4}, {1, 2, 3, 4, -5, 6, 7, 8}, {1, 0, 2, 0, 3, -1, 0, 5}},
       {"OneRow", {1, 3, 4}, {1, 10, 100, 0}, {1, 2, 1, 0, 0, 1, 0, 9, 2, 2, 0, 3}}});
  multiplying.is_right(random_products({{6, 64, 32}, {12, 128, 64}}, seed));
}

TEST(multiply_packed, ExactForEveryCode) {
  multiplying.is_right(extreme_products({2, 3, 64}));
  multiplying.is_right(long_products(1, 2));
  multiplying.is_right(long_products(7, 1));
}

// Every number of rows up to two groups of six and one more; columns one less than, as many as and
// one more than 8, 16, 32, 48 and 64; every rest of a quad, and of a vector of 64 codes.
std::vector<MatmulShape> tails() {
  std::vector<MatmulShape> shapes;
  for (int m = 1; m <= 13; ++m) shapes.push_back({m, 3, 5});
  for (const int n : {1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 79, 127, 129}) {
    shapes.push_back({2, n, 6});
  }
  for (const int k : {1, 2, 3, 4, 7, 15, 16, 17, 31, 33, 63, 64, 65, 127}) {
    shapes.push_back({3, 5, k});
    shapes.push_back({7, 17, k});
  }
  return shapes;
}

TEST(multiply_packed, EveryTail) { multiplying.is_right(random_products(tails(), seed)); }

// More rows and longer ones than fit in a block of any cache, and shapes far from square.
TEST(multiply_packed, LargeProducts) {
  multiplying.is_right(
      random_products({{61, 150, 130}, {1, 300, 1025}, {40, 7, 2050}, {330, 66, 1030}}, seed));
}

/// What is refused whatever becomes of the sums; with(isa, a, packed, c, shape) are the arguments.
template <class Exercise, class With>
typename Exercise::Refusals bad_products(const Exercise&, Isa isa, const With& with) {
  typename Exercise::Refusals rows;
  const auto b_size = [&](MatmulShape s) { return packed_size(isa, s); };
  for (const auto& [code, what, a, b, c, shape] : wrong_sizes({2, 3, 5}, b_size, /*more_b=*/64)) {
    rows.push_back({code, what, with(isa, Codes(a), Codes(b), out(c), shape)});
  }
  return rows;
}

TEST(multiply_packed, RefusesWhatItMust) {
  refuses_on_every_isa(multiplying, random_products({{2, 3, 5}}, seed)[0], [](Isa isa) {
    return bad_products(multiplying, isa, [](auto... each) { return std::tuple(each...); });
  });
}

/// Inputs of a timed product on the fastest kernel that is here.
struct TimedProduct {
  Isa isa = fastest_isa();
  MatmulShape shape{384, 384, 512};
  std::size_t packed_count = packed_size(isa, shape);
  std::size_t c_count = area(shape.m, shape.n);

  Codes a(FreshData& fresh) const {
    return fresh.codes<std::int8_t>(area(shape.m, shape.k), -128, 127);
  }
  Codes packed(FreshData& fresh) const {
    return packed_b(isa,
                    {"", shape, {}, fresh.codes<std::int8_t>(area(shape.n, shape.k), -128, 127)});
  }
  SpeedGoal goal(double zero_at, double full_at) const {
    return {.zero_at = zero_at,
            .full_at = full_at,
            .operations = 2.0 * shape.m * shape.n * shape.k,
            .bytes = double(area(shape.m, shape.k) + packed_count + 4 * c_count),
            .isa = isa};
  }
};

TEST(multiply_packed, Speed) {
  const TimedProduct p;
  speed<&multiply_packed>(p.goal(0.5, 0.75), [&](FreshData& fresh) {
    return std::tuple(p.isa, p.a(fresh), p.packed(fresh), out(p.c_count), p.shape);
  });
}

// --- multiply_packed_fused -----------------------------------------------------------------------

const auto fusing = isa_exercise<&multiply_packed_fused>(
    [](const OnIsa<FusedProduct>& c) {
      return std::tuple(c.isa, c.a, packed_b(c.isa, c), c.scale, c.bias, out(c.outputs()), c.shape);
    },
    fused_product, equals("c", suspect_finishes));

/// Two rows of three sums: 10, -20, 30 and 40, -50, 60.
FusedProduct by_hand(const std::string& name, const Reals& scale, const Reals& bias) {
  return {{name, {2, 3, 2}, {10, 0, 0, 10}, {1, 4, -2, -5, 3, 6}}, scale, bias};
}

// Whole numbers and powers of two, so that no rounding happens and every mistake is another number.
// The last has columns in several panels, each with a scale and a bias of its own.
TEST(multiply_packed_fused, ScalesAndShiftsEachColumn) {
  FusedProduct wide{random_products({{2, 130, 4}}, seed)[0], {}, {}};
  for (int j = 0; j < 130; ++j) {
    wide.scale.push_back(j % 3 == 0 ? 0.5f : j % 5 == 0 ? 2.0f : 1.0f);
    wide.bias.push_back(static_cast<float>(70'000 + 1000 * j));
  }
  fusing.is_right(
      {by_hand("Scales", {0.5f, -2, 4}, {0, 0, 0}), by_hand("Biases", {1, 1, 1}, {256, 128, 64}),
       by_hand("Both", {0.5f, -2, 0.25f}, {8, 16, 1024}),
       by_hand("Subnormal", {0x1p-140f, -0.0f, 0x1p-149f}, {-0.0f, 0x1p-130f, 0}), wide});
}

// float(acc) rounds beyond 2^24, the product of two 24-bit numbers rounds, the sum rounds again: a
// fused multiply-add leaves one of these out and differs in many elements.
TEST(multiply_packed_fused, RoundsTwice) {
  const auto cases = random_fused(random_products({{5, 33, 40}, {3, 5, 4000}}, seed), seed);
  Expect::healthy(fused_product(cases[0]) != product_rounded_once(cases[0]), "no sum rounds twice");
  fusing.is_right(cases);
}

// Below 0, exactly 0, and a -0: 0 times a negative scale plus -0.
TEST(multiply_packed_fused, ClipsAtZero) {
  const auto cases =
      on_every_isa<FusedProduct>({by_hand("Negative", {-1, 1, -2}, {0, 0, 0}),
                                  by_hand("Zero", {1, 1, 1}, {-10, 20, -30}),
                                  by_hand("BiasAlone", {0, 0, 0}, {-1, 2, -3}),
                                  {{"Empty", {2, 3, 0}, {}, {}}, {-1, -2, 1}, {-0.0f, 0, -0.0f}}});
  each_case(cases, [](const OnIsa<FusedProduct>& c, Expect& expect) {
    const Reals got = fusing(c);
    fusing.look(expect, c, got);
    for (const float v : got) {
      expect.that(!std::signbit(v), "c holds " + show_value(v) + ": its sign is that of -0");
    }
  });
}

TEST(multiply_packed_fused, EveryTail) {
  std::vector<MatmulShape> shapes = tails();
  shapes.push_back({0, 3, 4});
  shapes.push_back({3, 0, 4});
  shapes.push_back({330, 17, 1030});  // beyond every block
  fusing.is_right(random_fused(random_products(shapes, seed), seed));
}

TEST(multiply_packed_fused, RefusesWhatItMust) {
  const FusedProduct good = random_fused(random_products({{2, 3, 5}}, seed), seed)[0];
  const Reals ones(3, 1.0f);
  refuses_on_every_isa(fusing, good, [&](Isa isa) {
    auto rows = bad_products(
        fusing, isa, [](Isa on, const Codes& a, const Codes& packed, Out c, MatmulShape s) {
          const Reals fitting(static_cast<std::size_t>(std::max(0, s.n)), 1.0f);
          return std::tuple(on, a, packed, fitting, fitting, c, s);
        });
    const auto bad = [&](const char* code, const char* what, const Reals& scale,
                         const Reals& bias) {
      rows.push_back({code, what, fusing.arguments({isa, {good, scale, bias}})});
    };
    bad("N-SIZE", "4 scales for 3 columns", Reals(4), ones);
    bad("N-SIZE", "4 biases for 3 columns", ones, Reals(4));
    bad("N-NAN", "a scale that is NaN", {1, kNan, 1}, ones);
    bad("N-NAN", "a bias that is infinite", ones, {1, 1, -kInfinity});
    return rows;
  });
}

TEST(multiply_packed_fused, Speed) {
  const TimedProduct p;
  const auto n = static_cast<std::size_t>(p.shape.n);
  speed<&multiply_packed_fused>(p.goal(0.5, 0.75), [&](FreshData& fresh) {
    return std::tuple(p.isa, p.a(fresh), p.packed(fresh), fresh.uniform(n, 0.001f, 0.02f),
                      fresh.uniform(n, -1, 1), out(p.c_count), p.shape);
  });
}

// --- What goes element by element ----------------------------------------------------------------

Codes narrow(const std::vector<double>& codes) { return {codes.begin(), codes.end()}; }

Codes every_code() {
  Codes q(256);
  std::iota(q.begin(), q.end(), std::int8_t{-128});
  return q;
}

// Every length up to two vectors of 64 and one more; and a prime that is beyond a page.
std::vector<std::size_t> every_length() {
  std::vector<std::size_t> lengths;
  for (std::size_t count = 0; count <= 129; ++count) lengths.push_back(count);
  lengths.push_back(5003);
  return lengths;
}

/// A list, and the scale of its codes.
template <class List>
struct Scaled {
  List x;
  float scale;
  static constexpr std::array names{"x", "scale"};
};
using Values = Named<Scaled<Reals>>;
using Quantized = Named<Scaled<Codes>>;

template <class List>
Named<Scaled<List>> scaled(float scale, List x) {
  const std::string name = std::to_string(x.size()) + "," + show_value(scale);
  return {name, {std::move(x), scale}};
}

/// Two elements with each unusable scale, and for three.
template <class Exercise, class List>
typename Exercise::Refusals bad_lists(const Exercise&, const List& two) {
  typename Exercise::Refusals rows;
  for (const float scale : kUnusableScales) {
    rows.push_back({"", "scale = " + show_value(scale), {two, scale, out(2)}});
  }
  rows.push_back({"N-SIZE", "2 elements for 3", {two, 1.0f, out(3)}});
  return rows;
}

float fresh_scale(FreshData& fresh) { return fresh.uniform(0.02f, 0.03f); }

// --- quantize ------------------------------------------------------------------------------------

/// code(x) of every element, and `of_nan` for a NaN.
template <class Code>
std::vector<double> codes_of(const Reals& x, const Code& code, double of_nan = 0) {
  return each_of(x, [&](float value) { return std::isnan(value) ? of_nan : code(value); });
}

std::vector<double> by_quotient(const Values& c, double of_nan = 0) {
  return codes_of(
      c.x, [&](float x) { return clamp8(std::nearbyint(x / c.scale)); }, of_nan);
}
std::vector<double> by_product(const Values& c) {
  const float inverse = 1 / c.scale;
  return codes_of(c.x, [&](float x) { return clamp8(std::nearbyint(x * inverse)); });
}

void suspect_codes(Expect& expect, const Values& c) {
  // Of x / scale and x.
  const auto suspect = [&](const char* code, std::string_view words, const auto& code_of) {
    expect.suspect(code, "q", codes_of(c.x, [&](float x) { return code_of(x / c.scale, x); }),
                   words);
  };
  for (const double of_nan : {-128.0, 127.0, -1.0, 1.0}) {
    expect.suspect("N-NAN", "q", by_quotient(c, of_nan), "a NaN becomes 0");
  }
  each_wrong_rounding([&](const char* code, const auto& round) {
    suspect(code, "", [&](float steps, float) { return clamp8(round(steps)); });
  });
  expect.suspect("N-ROUND", "q", by_product(c), "x * (1 / scale) is rounded twice: divide");
  suspect("N-ROUND", "x / scale is one division of floats, and not of doubles",
          [&](float, double x) { return clamp8(std::nearbyint(x / c.scale)); });
  suspect("N-CLAMP", "the code is not clamped, and wraps around",
          [](float steps, float) { return wrap8(std::nearbyint(steps)); });
  suspect("N-RANGE", "codes end at -127, and should end at -128",
          [](float steps, float) { return std::max(-127.0, clamp8(std::nearbyint(steps))); });
  suspect("N-RANGE", "codes below 0 become 0: they go down to -128",
          [](double steps, float) { return std::clamp(std::nearbyint(steps), 0.0, 127.0); });
  suspect("N-SCALE", "x is multiplied by its scale, and should be divided",
          [&](float, float x) { return clamp8(std::nearbyint(x * c.scale)); });
}

const auto quantizing = kernel_exercise<&quantize>(
    [](const Values& c) { return std::tuple(c.x, c.scale, out(c.x.size())); },
    [](const Values& c) { return narrow(by_quotient(c)); }, equals("q", suspect_codes));

/// The list often enough to fill vectors, whole ones: what is left of a vector is EveryLength.
Values repeated(std::string name, float scale, const Reals& x) {
  Reals often;
  while (often.size() < 160) often.insert(often.end(), x.begin(), x.end());
  often.resize(160);
  return {std::move(name), {often, scale}};
}

TEST(quantize, RoundsToNearest) {
  quantizing.is_right({{"Empty", {{}, 1}},
                       {"Whole", {{1, -1, 0, 100, -0.0f}, 1}},
                       {"Quarters", {{1, -2.5f, 0, 20, 0.3f}, 0.25f}},
                       {"LargeScale", {{48, -80, 0, 112, 25}, 16}},
                       repeated("Repeated", 0.5f, {1, 2.3f, -3.1f, 4, 5.4f, -6, 0.2f})});
}

// All 256 ties there are, and the halves beside them that are none.
TEST(quantize, TiesGoToEven) {
  Reals ties;
  for (int q = -128; q < 128; ++q) ties.push_back((static_cast<float>(q) + 0.5f) * 4);
  Reals beside = ties;
  for (std::size_t i = 0; i < beside.size(); ++i) {
    beside[i] = std::nextafter(beside[i], i % 2 == 0 ? kInfinity : -kInfinity);
  }
  quantizing.is_right({{"Few", {{0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 126.5f}, 1}},
                       {"All", {ties, 4}},
                       {"Beside", {beside, 4}}});
}

/// Values whose quotient in float32 rounds onto a tie or off it, where a product with 1 / scale, or
/// a quotient in double, does the other thing.
Values disputed(float scale) {
  Reals all;
  for (int q = -128; q < 127; ++q) {
    float x = (static_cast<float>(q) + 0.5f) * scale;
    for (int step = -2; step < 0; ++step) x = std::nextafter(x, -kInfinity);
    for (int step = 0; step < 5; ++step, x = std::nextafter(x, kInfinity)) {
      if (std::isfinite(x)) all.push_back(x);
    }
  }
  all.resize((all.size() + 63) / 64 * 64);
  return scaled(scale, all);
}

TEST(quantize, RoundsTheQuotient) {
  std::vector<Values> all;
  for (const float scale : {0.1f, 0.023f, 3.0f, 7e-5f, 1e20f, 2e-38f, 0x1.8p127f}) {
    all.push_back(disputed(scale));
  }
  Expect::healthy(by_product(all[0]) != by_quotient(all[0]), "a product gives the same codes");
  for (const float scale : uniform_tensor(5, seed(3), 0.01f, 0.1f)) all.push_back(disputed(scale));
  quantizing.is_right(all);
}

// Just inside the grid and just past it; past int32; a quotient that overflows a float32.
TEST(quantize, StaysOnTheGrid) {
  const Reals past{127,  127.4f, 127.6f, 128,  -128,  -128.4f, -129, 200,
                   -200, 300,    -300,   1000, -1000, 5,       -6,   7};
  const Reals huge{3e9f, -3e9f, 1e20f, -1e20f, FLT_MAX, -FLT_MAX};
  quantizing.is_right({{"Past", {past, 1}},
                       {"Huge", {huge, 1}},
                       repeated("ManyPast", 1, past),
                       repeated("ManyHuge", 1, huge),
                       repeated("Overflowing", 0x1p-100f, {1e20f, -1e20f, FLT_MAX, -1})});
}

TEST(quantize, TakesNanAndInfinity) {
  Reals one_nan(64, 3);
  one_nan[37] = kNan;
  quantizing.is_right({{"Few", {{kNan, kInfinity, -kInfinity, -kNan, 5}, 1}},
                       {"OneNan", {one_nan, 0.5f}},
                       {"AllNan", {Reals(128, kNan), 1}},
                       repeated("Mixed", 2, {1, kInfinity, 3, -kInfinity, 9, kNan, -7})});
}

TEST(quantize, EveryLength) {
  quantizing.is_right(each_of(
      every_length(), [](std::size_t n) { return scaled(0.02f, normal_tensor(n, seed(n))); }));
}

TEST(quantize, RefusesWhatItMust) {
  quantizing.refuses({{"Smallest", {{FLT_MIN, -2 * FLT_MIN}, FLT_MIN}},
                      {"Largest", {{FLT_MAX, -FLT_MAX}, FLT_MAX}}},
                     bad_lists(quantizing, Reals{1, 2}));
}

/// To draw as much anew in every round would take longer than all that is measured.
TEST(quantize, Speed) {
  constexpr std::size_t count = 1 << 19;
  Reals x = FreshData().uniform(count, -3, 3);
  speed<&quantize>({.zero_at = 0.15, .full_at = 0.45, .operations = 0, .bytes = 5.0 * count},
                   [&](FreshData& fresh) {
                     const auto one = [&] { return fresh.uniform(-3, 3); };
                     return std::tuple(kept_but_some(x, fresh, one), fresh_scale(fresh),
                                       out(count));
                   });
}

// --- dequantize ----------------------------------------------------------------------------------

Reals dequantized(const Quantized& c) {
  return each_of(c.x, [&](float q) { return c.scale * q; });
}

void suspect_reals(Expect& expect, const Quantized& c) {
  expect.suspect("N-SIGN", "x", each_of(c.x, [&](std::uint8_t q) { return c.scale * q; }),
                 "codes below 0 are read as 256 more");
  expect.suspect("N-SCALE", "x", each_of(c.x, [&](float q) { return q / c.scale; }),
                 "a code is divided by its scale");
  Reals clamped = dequantized(c);
  for (float& value : clamped) value = std::max(value, -127 * c.scale);
  expect.suspect("N-RANGE", "x", clamped, "-128 is taken for -127");
}

const auto dequantizing = kernel_exercise<&dequantize>(
    [](const Quantized& c) { return std::tuple(c.x, c.scale, out(c.x.size())); }, dequantized,
    equals("x", suspect_reals));

TEST(dequantize, MultipliesByTheScale) {
  dequantizing.is_right({{"Empty", {{}, 1}},
                         {"Quarters", {{-128, -1, 0, 127, 2}, 0.25f}},
                         {"EveryCode", {every_code(), 0.1f}},
                         {"Smallest", {every_code(), FLT_MIN}},
                         {"Overflowing", {every_code(), 0x1p126f}}});
}

std::vector<Quantized> codes_of_every_length(float scale) {
  return each_of(every_length(),
                 [=](std::size_t n) { return scaled(scale, random_codes(n, seed(n))); });
}

TEST(dequantize, EveryLength) { dequantizing.is_right(codes_of_every_length(0.02f)); }

TEST(dequantize, RefusesWhatItMust) {
  dequantizing.refuses({{"Smallest", {{1, -2}, FLT_MIN}}}, bad_lists(dequantizing, Codes{1, 2}));
}

TEST(dequantize, Speed) {
  constexpr std::size_t count = 1 << 19;
  speed<&dequantize>({.zero_at = 0.1, .full_at = 0.3, .operations = 0, .bytes = 5.0 * count},
                     [](FreshData& fresh) {
                       return std::tuple(fresh.codes<std::int8_t>(count, -128, 127),
                                         fresh_scale(fresh), out(count));
                     });
}

// --- requantize ----------------------------------------------------------------------------------

/// Rows of sums, one for each multiplier.
struct Layer {
  Sums acc;
  Reals multiplier;
  int zero_point;
  static constexpr std::array names{"acc", "multiplier", "zero_point"};

  MatmulShape shape() const {
    const int n = static_cast<int>(multiplier.size());
    return {n == 0 ? 0 : static_cast<int>(acc.size()) / n, n, 1};
  }
};

std::vector<Named<Layer>> smaller(const Named<Layer>& c) {
  std::vector<Named<Layer>> all;
  for (const MatmulShape to : smaller_shapes(c.shape())) {
    all.push_back({size_text(to),
                   {corner(c.acc, c.shape().n, to.m, to.n),
                    {c.multiplier.begin(), c.multiplier.begin() + to.n},
                    c.zero_point}});
  }
  return all;
}

/// code(float(acc), i, j) of every element.
template <class Code>
std::vector<double> requantized(const Layer& c, const Code& code) {
  std::vector<double> q;
  for (std::size_t at = 0, n = c.multiplier.size(); at < c.acc.size(); ++at) {
    q.push_back(code(static_cast<float>(c.acc[at]), at / n, at % n));
  }
  return q;
}

/// code(float(acc) * multiplier[j]) of every element.
template <class Code>
std::vector<double> codes_of_products(const Layer& c, const Code& code) {
  return requantized(c, [&](float acc, auto, auto j) { return code(acc * c.multiplier[j]); });
}

void suspect_layers(Expect& expect, const Layer& c) {
  const double zp = c.zero_point;
  const auto at = [&](std::size_t i) { return i < c.multiplier.size() ? c.multiplier[i] : 0; };
  const auto element = [&](const char* code, std::string_view words, const auto& code_of) {
    expect.suspect(code, "q", requantized(c, code_of), words);
  };
  element("N-AXIS", "the multiplier is that of the row, and belongs to the column",
          [&](float acc, auto i, auto) { return clamp8(std::nearbyint(acc * at(i)) + zp); });
  element("N-AXIS", "the multiplier is that of column 0, for all columns",
          [&](float acc, auto, auto) { return clamp8(std::nearbyint(acc * at(0)) + zp); });
  element("N-SCALE", "the sum is divided by its multiplier",
          [&](float acc, auto, auto j) { return clamp8(std::nearbyint(acc / at(j)) + zp); });
  const auto suspect = [&](const char* code, std::string_view words, const auto& code_of) {
    expect.suspect(code, "q", codes_of_products(c, code_of), words);
  };
  each_wrong_code(zp, [&](const char* code, std::string_view words, const auto& from) {
    suspect(code, words, [&](float v) { return clamp8(from(v)); });
  });
  suspect("N-CLAMP", "the code is not clamped, and wraps around",
          [&](float v) { return wrap8(std::nearbyint(v) + zp); });
  constexpr const char* kTooEarly =
      "the code is clamped before the zero point is added, and not behind";
  suspect("N-CLAMP", kTooEarly, [&](float v) { return clamp8(std::nearbyint(v)) + zp; });
  suspect("N-CLAMP", kTooEarly, [&](float v) { return wrap8(clamp8(std::nearbyint(v)) + zp); });
  suspect("N-RANGE", "codes end at -127, and should end at -128",
          [&](float v) { return std::max(-127.0, clamp8(std::nearbyint(v) + zp)); });
  suspect("N-ROUND", "the zero point is added before the rounding, and should be added behind it",
          [&](float v) { return clamp8(std::nearbyint(v + static_cast<float>(zp))); });
}

const auto requantizing = kernel_exercise<&requantize>(
    [](const Named<Layer>& c) {
      return std::tuple(c.acc, c.multiplier, c.zero_point, out(c.acc.size()));
    },
    [](const Layer& c) {
      return narrow(
          codes_of_products(c, [&](float v) { return clamp8(std::nearbyint(v) + c.zero_point); }));
    },
    [](Expect& expect, const Layer& c, const Codes& got, const Codes& right) {
      if (got != right) suspect_layers(expect, c);
      expect.equal("q", got, right, {std::size_t(c.shape().m), std::size_t(c.shape().n)});
    });

TEST(requantize, ScalesEachColumn) {
  requantizing.is_right({{"Empty", {{}, {}, 3}},
                         {"NoRows", {{}, {1, 2}, 3}},
                         {"OneByTwo", {{10, 20}, {0.5f, 2}, 0}},
                         {"TwoByTwo", {{10, 20, -30, 40}, {0.5f, 2}, 0}},
                         {"ThreeByTwo", {{10, 20, -30, 40, 8, -9}, {0.25f, 1}, 0}},
                         {"OneColumn", {{10, 20, -30}, {0.5f}, 0}}});
}

/// The list `times` times.
Sums repeated(const Sums& list, std::size_t times) {
  Sums all;
  for (std::size_t i = 0; i < times; ++i) all.insert(all.end(), list.begin(), list.end());
  return all;
}

// Halves of both signs; with an odd zero point, rounding v + zero_point moves every tie.
TEST(requantize, RoundsThenAddsTheZeroPoint) {
  Sums halves(141);
  std::iota(halves.begin(), halves.end(), -70);
  const Reals half(halves.size(), 0.5f);
  requantizing.is_right({{"Few", {{1, 3, 5, 7, -1, -3}, Reals(6, 0.5f), 0}},
                         {"OddZeroPoint", {{1, 3, 5, 7, -1, -3}, Reals(6, 0.5f), 1}},
                         {"ZeroPoint", {{8, 16, -24}, {0.25f, 0.25f, 0.25f}, -20}},
                         // A sum, then a product, is a tie once it is a float32.
                         {"RoundedSums", {{16777217, -16777217}, {0x1p-25f, 0x1p-25f}, 0}},
                         {"RoundedProducts", {{3, -3}, {1 / 6.0f, 1 / 6.0f}, 0}},
                         {"Many", {repeated(halves, 2), half, 0}},
                         {"ManyOdd", {repeated(halves, 2), half, -7}}});
}

// Past the grid by themselves, by the zero point alone, and back inside by it; past int32.
TEST(requantize, StaysOnTheGrid) {
  const Sums past{100, -100, 127, -128, 150, -150, 250, -250, 1000, -1000};
  const Sums huge{2147483647, std::numeric_limits<std::int32_t>::min(), 16777217, -16777217};
  std::vector<Named<Layer>> all;
  for (const int zero_point : {0, 100, -100, 127, -128}) {
    for (const std::size_t times : {1, 9}) {
      const std::string name = std::to_string(zero_point) + "x" + std::to_string(times);
      all.push_back(
          {"Past" + name, {repeated(past, times), Reals(past.size() * times, 1), zero_point}});
      all.push_back(
          {"Huge" + name,
           {repeated(huge, 2 * times), Reals(huge.size() * times * 2, 0x1p100f), zero_point}});
    }
  }
  requantizing.is_right(all);
}

// One; one less than, as many as and one more than a vector of 16, 32 and 64; more rows; a prime.
const std::vector<MatmulShape> kLayers = {
    {1, 1, 1},  {5, 1, 1},  {3, 15, 1}, {2, 16, 1},  {3, 17, 1},  {2, 31, 1},  {2, 33, 1},
    {3, 63, 1}, {2, 64, 1}, {3, 65, 1}, {1, 129, 1}, {7, 200, 1}, {2, 1021, 1}};

std::vector<Named<Layer>> random_layers(Seed seed_of) {
  return each_of(kLayers, [&](MatmulShape s, std::size_t at) -> Named<Layer> {
    return {size_text(s),
            {code_tensor<std::int32_t>(area(s.m, s.n), seed_of(3 * at), -200'000, 200'000),
             uniform_tensor(std::size_t(s.n), seed_of(3 * at + 1), 1e-4f, 9e-4f),
             code_tensor<std::int8_t>(1, seed_of(3 * at + 2), -30, 30)[0]}};
  });
}

TEST(requantize, EveryShape) { requantizing.is_right(random_layers(seed)); }

TEST(requantize, RefusesWhatItMust) {
  decltype(requantizing)::Refusals rows;
  for (const float factor : kUnusableScales) {
    rows.push_back(
        {"N-DIV0", "a multiplier of " + show_value(factor), {{1, 2}, {1, factor}, 0, out(2)}});
  }
  rows.push_back({"N-RANGE", "zero_point = 128", {{1, 2}, {1, 1}, 128, out(2)}});
  rows.push_back({"N-RANGE", "zero_point = -129", {{1, 2}, {1, 1}, -129, out(2)}});
  rows.push_back({"N-SIZE", "2 sums and 3 codes", {{1, 2}, {1, 1}, 0, out(3)}});
  rows.push_back({"N-SIZE", "3 sums in rows of 2", {{1, 2, 3}, {1, 1}, 0, out(3)}});
  rows.push_back({"N-SIZE", "sums without a column", {{1}, {}, 0, out(1)}});
  requantizing.refuses({{"Fits", {{8, -16}, {0.5f, 0.25f}, 127}}}, rows);
}

// --- sigmoid -------------------------------------------------------------------------------------

/// code(1 / (1 + exp(-scale * of(x)))) of every x.
template <class Of, class Code>
std::vector<double> squashed(const Quantized& c, const Of& of, const Code& code) {
  return each_of(
      c.x, [&](int x) -> double { return code(1 / (1 + std::exp(-double{c.scale} * of(x)))); });
}

double itself(int x) { return x; }
double code_of_share(double s) { return clamp8(std::nearbyint(256 * s) - 128); }

void suspect_tables(Expect& expect, const Quantized& c) {
  const auto table = [&](const char* code, std::string_view words, const auto& code_of) {
    expect.suspect(code, "y", squashed(c, itself, code_of), words);
  };
  const auto input = [&](const char* code, std::string_view words, const auto& of) {
    expect.suspect(code, "y", squashed(c, of, code_of_share), words);
  };
  table("N-CLAMP", "the code is not clamped, and wraps around",
        [](double s) { return wrap8(std::nearbyint(256 * s) - 128); });
  table("N-SCALE", "a code is 1/256, and here 1/255",
        [](double s) { return clamp8(std::nearbyint(255 * s) - 128); });
  table("N-SCALE", "a code is 1/256, and here 1/127",
        [](double s) { return clamp8(std::nearbyint(127 * s)); });
  table("N-ZERO", "128 is not taken off", [](double s) { return clamp8(std::nearbyint(256 * s)); });
  table("N-TRUNC", "256 * s is cut off, and has to be rounded",
        [](double s) { return clamp8(std::floor(256 * s) - 128); });
  input("N-SIGN", "codes below 0 are read as 256 more", [](int x) { return x & 255; });
  input("N-SIGN", "the table is read at the byte of a code, and begins at -128",
        [](int x) { return (x & 255) - 128; });
  table("N-SIGN", "s is made of -x", [](double s) { return code_of_share(1 - s); });
  input("N-SCALE", "a code is divided by its scale", [&](int x) { return x / double{c.scale}; });
}

// Two libraries' exp may differ in the last bit. That moves a code only where 256 * s is within
// 2^-40 of a tie, and no scale of these checks comes as near. Those of NearTie come within 2^-21:
// further than a double is off, nearer than a float32.
const auto squashing = kernel_exercise<&sigmoid>(
    [](const Quantized& c) { return std::tuple(c.x, c.scale, out(c.x.size())); },
    [](const Quantized& c) { return narrow(squashed(c, itself, code_of_share)); },
    equals("y", suspect_tables));

TEST(sigmoid, EveryCode) {
  const Codes near{3, 1, -2, 8, -5};  // the first is near a tie
  squashing.is_right({{"Few", {{0, 1, -1, 20, -20, 127, -128}, 0.05f}},
                      {"Every", {every_code(), 0.05f}},
                      {"Flat", {every_code(), 0.001f}},
                      {"Smallest", {every_code(), FLT_MIN}},
                      {"NearTie142", {near, 0x1.36aab4p-4f}},
                      {"NearTie146", {near, 0x1.8d7322p-4f}},
                      {"NearTie147", {near, 0x1.a3438ap-4f}},
                      {"NearTie149", {near, 0x1.cf0e02p-4f}},
                      {"NearTie193", {near, 0x1.81be9ap-2f}},
                      {"Steep", {every_code(), 1.0f}},
                      {"Step", {every_code(), 1e30f}},
                      {"AtRandom", {every_code(), uniform_tensor(1, seed(9), 0.01f, 0.1f)[0]}}});
}

TEST(sigmoid, EveryLength) { squashing.is_right(codes_of_every_length(0.03f)); }

TEST(sigmoid, RefusesWhatItMust) {
  squashing.refuses({{"Fits", {{3, -2}, 0.5f}}}, bad_lists(squashing, Codes{1, 2}));
}

TEST(sigmoid, Speed) {
  constexpr std::size_t count = 1 << 22;
  Codes x = FreshData().codes<std::int8_t>(count, -128, 127);
  speed<&sigmoid>({.zero_at = 0.1, .full_at = 0.3, .operations = 0, .bytes = 2.0 * count},
                  [&](FreshData& fresh) {
                    const auto one = [&] { return fresh.codes<std::int8_t>(1, -128, 127)[0]; };
                    return std::tuple(kept_but_some(x, fresh, one), fresh_scale(fresh), out(count));
                  });
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout: the public checks' exercises, on inputs that follow from the course's secret
// salt. (That the published solution agrees with them is proven by the kit's own tests.)

/// `count` numbers from 0 to below - 1.
std::vector<int> drawn(std::size_t count, std::uint64_t salt, int below) {
  return code_tensor<int>(count, hidden_seed(salt), 0, below - 1);
}

TEST(best_isa, EqualsTheReference) {
  const auto sets = drawn(40, 0, 64), caps = drawn(40, 1, 6);
  std::vector<Choosing::Row> rows;
  std::vector<Choosing::Refused> refused;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::uint32_t isas = static_cast<std::uint32_t>(sets[i]) | i % 2;
    const Isa cap = kEveryIsa.at(std::size_t(caps[i]));
    std::ranges::copy(choices(std::array{isas}, std::array{cap}), std::back_inserter(rows));
    if (!best_of(isas, cap)) refused.push_back({"", {isas, cap}});
  }
  choosing.gives(rows);
  choosing.refuses({rows[0]}, refused);
}

TEST(saturating_pair, EveryPairOfWeights) {
  pairs.on_each(weights(random_weights(400, hidden_seed(100))), saturates_or_refuses);
}

TEST(dot, EqualsTheReference) {
  std::vector<int> lengths = drawn(16, 200, 300);
  std::ranges::copy(drawn(8, 201, 30'000), std::back_inserter(lengths));
  dotting.is_right(random_dots(lengths, hidden_seed));
}

std::vector<MatmulShape> hidden_shapes(std::size_t count, std::uint64_t salt, MatmulShape most) {
  const auto m = drawn(count, salt, most.m), n = drawn(count, salt + 1, most.n),
             k = drawn(count, salt + 2, most.k);
  std::vector<MatmulShape> shapes;
  for (std::size_t i = 0; i < count; ++i) shapes.push_back({m[i] + 1, n[i] + 1, k[i] + 1});
  return shapes;
}

TEST(pack_b, EqualsTheReference) {
  const auto all = each_of(
      hidden_shapes(8, 400, {1, 200, 130}),
      [](MatmulShape s, std::uint64_t at) { return random_rows(s.n, s.k, hidden_seed(430 + at)); });
  panels.is_right(all);
  column_sums.is_right(all);
}

std::vector<Product> hidden_products() {
  auto shapes = hidden_shapes(12, 500, {20, 140, 140});
  std::ranges::copy(hidden_shapes(2, 510, {400, 90, 1200}), std::back_inserter(shapes));
  return random_products(shapes, hidden_seed);
}

TEST(multiply_packed, EqualsTheReference) { multiplying.is_right(hidden_products()); }

TEST(multiply_packed_fused, EqualsTheReference) {
  fusing.is_right(random_fused(hidden_products(), hidden_seed));
}

/// Lists of some length up to `most`, with some scale.
template <class Random>
auto hidden_lists(int count, int most, float low, float high, const Random& random) {
  std::vector<decltype(scaled(low, random(1, 1)))> all;
  const Reals scales = uniform_tensor(std::size_t(count), hidden_seed(0), low, high);
  for (const int length : drawn(std::size_t(count), 1, most)) {
    const std::uint64_t salt = 2 + all.size();
    all.push_back(scaled(scales[all.size()], random(std::size_t(length) + 1, hidden_seed(salt))));
  }
  return all;
}

TEST(quantize, EqualsTheReference) {
  quantizing.is_right(hidden_lists(
      12, 9000, 0.005f, 0.05f, [](std::size_t n, auto seed) { return normal_tensor(n, seed); }));
}

TEST(dequantize, EqualsTheReference) {
  dequantizing.is_right(hidden_lists(8, 9000, 1e-6f, 50, random_codes));
}

TEST(requantize, EqualsTheReference) { requantizing.is_right(random_layers(hidden_seed)); }

TEST(sigmoid, EqualsTheReference) {
  squashing.is_right(hidden_lists(8, 3000, 0.004f, 0.2f, random_codes));
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
