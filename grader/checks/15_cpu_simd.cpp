// Lab 15: the checks. Every check runs on each instruction set that this machine has, scalar at
// least, so it is worth its points anywhere.
#include "cpu_simd.hpp"

#include "checks/marks/15_cpu_simd.hpp"
#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/freivalds.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/shrink.hpp"
#include "judge/speed.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Codes = std::vector<std::int8_t>;
using Sums = std::vector<std::int32_t>;
using Reals = std::vector<float>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::size_t area(int rows, int columns) { return std::size_t(rows) * std::size_t(columns); }

Codes random_codes(std::size_t count, std::uint64_t seed) {
  return code_tensor<std::int8_t>(count, seed, -128, 127);
}

/// The kernels that can run here, the slowest first.
const std::vector<Isa>& isas_to_check() {
  static const std::vector<Isa> found = [] {
    std::vector<Isa> isas;
    for (const Isa isa : kKernelIsas) {
      if (cpu_has(isa)) isas.push_back(isa);
    }
    return isas;
  }();
  return found;
}

/// What no kernel may be run or replaced for: what this CPU lacks, what has no kernel,
/// what is no isa.
std::vector<Isa> isas_to_refuse() {
  std::vector<Isa> isas{Isa::kAmxInt8, static_cast<Isa>(6), static_cast<Isa>(-1)};
  for (const Isa isa : kKernelIsas) {
    if (!cpu_has(isa)) isas.push_back(isa);
  }
  return isas;
}

std::string title(Isa isa) {
  const std::string_view name = name_of(isa);
  return name == "unknown" ? "isa number " + std::to_string(static_cast<int>(isa))
                           : std::string(name);
}

// --- best_isa ------------------------------------------------------------------------------------

struct ChoiceCase {
  std::string name;
  std::uint32_t isas;
  Isa cap;
};

std::string show(const ChoiceCase& c) {
  std::string text = "isas = {";
  for (const Isa isa : kEveryIsa) {
    if ((c.isas & bit_of(isa)) != 0) text += " " + title(isa);
  }
  return text + " } = " + std::to_string(c.isas) + ", cap = " + title(c.cap);
}

/// The definition; kEveryIsa is not in this order.
std::optional<Isa> best_of(const ChoiceCase& c) {
  std::optional<Isa> best;
  for (const Isa isa : kKernelIsas) {
    if ((c.isas & bit_of(isa)) != 0) best = isa;
    if (isa == c.cap) break;
  }
  return best;
}

// Every set that has a kernel, with and without scalar: 2^6 of them, less two.
TEST(best_isa, TakesTheFastest) {
  std::vector<ChoiceCase> cases;
  for (std::uint32_t isas = 0; isas < 64; ++isas) {
    const ChoiceCase c{"Set" + std::to_string(isas), isas, Isa::kAmxInt8};
    if (best_of(c)) cases.push_back(c);
  }
  each_case(cases, [](const ChoiceCase& c, Expect& expect) {
    expect.equal("isa", static_cast<int>(call<&best_isa>(c.isas, c.cap)),
                 static_cast<int>(*best_of(c)));
  });
}

// Numbers do not tell the order: neon_dot has the largest, and is the second slowest.
TEST(best_isa, StopsAtTheCap) {
  std::vector<ChoiceCase> cases;
  for (const std::uint32_t isas : {63u, 47u, 31u, 15u, 11u, 9u, 33u, 41u, 1u, 17u}) {
    for (const Isa cap : kKernelIsas) {
      cases.push_back({"Set" + std::to_string(isas) + "_" + title(cap), isas, cap});
    }
  }
  each_case(cases, [](const ChoiceCase& c, Expect& expect) {
    expect.equal("isa", static_cast<int>(call<&best_isa>(c.isas, c.cap)),
                 static_cast<int>(*best_of(c)));
  });
}

TEST(best_isa, RefusesWhatItMust) {
  std::vector<ChoiceCase> cases{
      {"Nothing", 0, Isa::kAmxInt8},
      {"OnlyTiles", bit_of(Isa::kAmxInt8), Isa::kAmxInt8},
      {"AllBeyondTheCap", bit_of(Isa::kAvx512Vnni) | bit_of(Isa::kAvxVnni), Isa::kAvx2},
      {"NoScalar", bit_of(Isa::kAvx2), Isa::kScalar},
      {"UnknownBit", 1u << 6 | 1u, Isa::kAmxInt8},
      {"HighestBit", 1u << 31 | 1u, Isa::kAmxInt8},
      {"UnknownCap", 1, static_cast<Isa>(6)},
      {"NegativeCap", 1, static_cast<Isa>(-1)}};
  each_case(cases, [](const ChoiceCase& c, Expect& expect) {
    expect.equal("isa", static_cast<int>(call<&best_isa>(3u, Isa::kAvx512Vnni)),
                 static_cast<int>(Isa::kAvx2));
    expect.that(refuses<&best_isa>(c.isas, c.cap), "accepted " + show(c));
  });
}

// --- saturating_pair -----------------------------------------------------------------------------

struct WeightsCase {
  std::string name;
  int s0, s1;
};

std::string show(const WeightsCase& c) {
  return "s0 = " + std::to_string(c.s0) + ", s1 = " + std::to_string(c.s1);
}

WeightsCase weights(int s0, int s1) {
  return {std::to_string(s0) + "," + std::to_string(s1), s0, s1};
}

/// The range of u[0] * s0 + u[1] * s1 leaves that of int16.
bool can_saturate(int s0, int s1) {
  const int highest = 255 * (std::max(s0, 0) + std::max(s1, 0));
  const int lowest = 255 * (std::min(s0, 0) + std::min(s1, 0));
  return highest > 32767 || lowest < -32768;
}

// 255 * 128.5 is the first sum beyond int16: 129 is one more than it, 128 one less. One weight
// alone never reaches it, since 255 * -128 = -32640.
const std::vector<WeightsCase> kEdges = {weights(127, 127), weights(64, 65),     weights(2, 127),
                                         weights(127, 2),   weights(-128, -128), weights(-1, -128),
                                         weights(-128, -1), weights(-64, -65)};

TEST(saturating_pair, FindsAWrongPair) {
  std::vector<WeightsCase> cases = kEdges;
  const Codes random = random_codes(400, seed(1));
  for (std::size_t i = 0; i < random.size(); i += 2) {
    if (can_saturate(random[i], random[i + 1])) cases.push_back(weights(random[i], random[i + 1]));
  }
  Expect::healthy(cases.size() > 20, "few weights that saturate");
  each_case(cases, [](const WeightsCase& c, Expect& expect) {
    const auto u = call<&saturating_pair>(std::int8_t(c.s0), std::int8_t(c.s1));
    const int exact = u[0] * c.s0 + u[1] * c.s1;
    expect.that(std::clamp(exact, -32768, 32767) != exact,
                "u = {" + std::to_string(u[0]) + ", " + std::to_string(u[1]) + "} gives " +
                    std::to_string(exact) + ", which int16 holds");
  });
}

TEST(saturating_pair, RefusesSafeWeights) {
  std::vector<WeightsCase> cases{weights(0, 0),      weights(64, 64),    weights(1, 127),
                                 weights(127, -128), weights(-128, 127), weights(-128, 0),
                                 weights(0, 127),    weights(-64, -64),  weights(-127, -1)};
  const Codes random = random_codes(200, seed(2));
  for (std::size_t i = 0; i < random.size(); i += 2) {
    if (!can_saturate(random[i], random[i + 1])) cases.push_back(weights(random[i], random[i + 1]));
  }
  each_case(cases, [](const WeightsCase& c, Expect& expect) {
    const auto u = call<&saturating_pair>(std::int8_t{127}, std::int8_t{127});
    expect.that(u[0] + u[1] > 258,
                "u = {" + std::to_string(u[0]) + ", " + std::to_string(u[1]) +
                    "} for the weights 127 and 127 is not too much for int16",
                "N-OVERFLOW");
    expect.that(refuses<&saturating_pair>(std::int8_t(c.s0), std::int8_t(c.s1)),
                "accepted " + show(c));
  });
}

// --- dot -----------------------------------------------------------------------------------------

struct DotCase {
  std::string name;
  Isa isa;
  Codes a, b;
};

std::string show(const DotCase& c) {
  return title(c.isa) + ", " + std::to_string(c.a.size()) + " codes, a = " + show_values(c.a) +
         ", b = " + show_values(c.b);
}

std::vector<DotCase> smaller(const DotCase& c) {
  std::vector<DotCase> all;
  const auto middle = static_cast<std::ptrdiff_t>(c.a.size() / 2);
  const auto last = static_cast<std::ptrdiff_t>(c.a.size()) - 1;
  for (const auto& [from, to] : {std::pair(std::ptrdiff_t{0}, middle),
                                 {middle, last + 1},
                                 {std::ptrdiff_t{0}, last},
                                 {std::ptrdiff_t{1}, last + 1}}) {
    if (from >= to || to - from > last) continue;
    all.push_back({std::to_string(to - from),
                   c.isa,
                   {c.a.begin() + from, c.a.begin() + to},
                   {c.b.begin() + from, c.b.begin() + to}});
  }
  return all;
}

/// The sum over i < count of term(a[i], b[i]).
template <class Term>
std::int64_t sum_of(const DotCase& c, std::size_t count, const Term& term) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += term(int{c.a[i]}, int{c.b[i]});
  return sum;
}

int product_of(int a, int b) { return a * b; }

/// The sum of all pairs, each stopped at the ends of int16.
template <class Term>
std::int64_t saturated(const DotCase& c, const Term& term) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < c.a.size(); i += 2) {
    const int second = i + 1 < c.a.size() ? term(int{c.a[i + 1]}, int{c.b[i + 1]}) : 0;
    sum += std::clamp(term(int{c.a[i]}, int{c.b[i]}) + second, -32768, 32767);
  }
  return sum;
}

/// An answer of a known mistake; sums that differ from the right one only.
struct WrongSum {
  const char* code;
  std::int64_t sum;
};

std::vector<WrongSum> wrong_sums(const DotCase& c) {
  const std::size_t count = c.a.size();
  const auto flipped = [](int a, int b) { return (a + 128) * b; };
  const auto b_only = [](int, int b) { return b; };
  const std::int64_t right = sum_of(c, count, product_of), b_sum = sum_of(c, count, b_only);
  std::vector<WrongSum> all{
      {"N-OVERFLOW", saturated(c, product_of)},
      {"N-OVERFLOW", saturated(c, flipped) - 128 * b_sum},
      {"N-OVERFLOW", static_cast<std::int16_t>(right)},
      {"N-SIGN", sum_of(c, count, flipped)},  // the +128 never taken off
      {"N-SIGN", right + 256 * b_sum},        // put on once more
      {"N-SIGN", right - 128 * b_sum},        // taken off and never put on
      {"N-SIGN", sum_of(c, count, [](int a, int b) { return std::uint8_t(a) * b; })},
      {"N-SIGN", sum_of(c, count, [](int a, int b) { return (std::uint8_t(a) - 128) * b; })},
      {"N-SIGN", sum_of(c, count, [](int a, int b) { return a * std::uint8_t(b); })},
      {"N-SIGN", sum_of(c, count, [](int a, int b) { return std::uint8_t(a) * std::uint8_t(b); })},
      {"N-SIGN", sum_of(c, count, [](int a, int b) { return (a + 128) * (b + 128); })}};
  for (const std::size_t step : {4, 8, 16, 32, 64}) {
    all.push_back({"N-TAIL", sum_of(c, count / step * step, product_of)});
  }
  if (count > 0) all.push_back({"N-TAIL", sum_of(c, count - 1, product_of)});
  float rounded = 0;
  for (std::size_t i = 0; i < count; ++i) rounded += static_cast<float>(c.a[i] * c.b[i]);
  if (std::fabs(rounded) < 0x1p31f) all.push_back({"N-FLOAT32", std::int64_t(rounded)});
  std::erase_if(all, [&](const WrongSum& wrong) {
    return wrong.sum == right || wrong.sum != static_cast<std::int32_t>(wrong.sum);
  });
  return all;
}

void dots(const DotCase& c, Expect& expect) {
  for (const WrongSum& wrong : wrong_sums(c)) {
    expect.suspect(wrong.code, "the sum", static_cast<std::int32_t>(wrong.sum));
  }
  const std::int64_t want = sum_of(c, c.a.size(), product_of);
  expect.equal("the sum", call<&dot>(c.isa, c.a, c.b), static_cast<std::int32_t>(want));
}

/// Each of these on every isa that is here.
std::vector<DotCase> on_every_isa(const std::vector<DotCase>& cases) {
  std::vector<DotCase> all;
  for (const Isa isa : isas_to_check()) {
    for (DotCase c : cases) {
      c.name = title(isa) + "_" + c.name;
      c.isa = isa;
      all.push_back(std::move(c));
    }
  }
  return all;
}

TEST(dot, FollowsTheFormula) {
  each_case(on_every_isa({{"Empty", {}, {}, {}},
                          {"One", {}, {-7}, {9}},
                          {"Three", {}, {1, -2, 3}, {4, 5, 6}},
                          {"OneEach", {}, Codes(64, 1), Codes(64, 1)},
                          {"NegativeWeights", {}, Codes(64, 3), Codes(64, -2)}}),
            dots);
}

// Pairs that leave int16 up and down; (-128) * (-128) twice is 2^15, one too much for it. Nothing
// of random small codes would.
TEST(dot, NoPairSaturates) {
  Codes alternating(128);
  for (std::size_t i = 0; i < alternating.size(); ++i) alternating[i] = i % 4 < 2 ? 127 : -128;
  each_case(on_every_isa({{"AllLowest", {}, Codes(128, -128), Codes(128, -128)},
                          {"Highest", {}, Codes(128, 127), Codes(128, 127)},
                          {"LowestTimesHighest", {}, Codes(128, -128), Codes(128, 127)},
                          {"HighestTimesLowest", {}, Codes(128, 127), Codes(128, -128)},
                          {"Alternating", {}, alternating, Codes(128, 127)}}),
            dots);
}

// All lengths up to two vectors of 64 and one more: each leaves another rest.
TEST(dot, EveryLength) {
  std::vector<DotCase> cases;
  for (std::size_t count = 1; count <= 129; ++count) {
    cases.push_back({std::to_string(count),
                     {},
                     random_codes(count, seed(2 * count)),
                     random_codes(count, seed(2 * count + 1))});
  }
  each_case(on_every_isa(cases), dots);
}

// Far beyond 2^24, with an odd last digit, where a float32 would round. The largest sum of all,
// 131071 * 2^14 = 2^31 - 2^14: with 128 added to a it is no int32 on the way.
TEST(dot, ExactUpToTheLongest) {
  constexpr std::size_t longest = kLongestK;
  each_case(
      on_every_isa({{"Random", {}, random_codes(100'003, seed(1)), random_codes(100'003, seed(2))},
                    {"LargestSum", {}, Codes(longest, -128), Codes(longest, -128)},
                    {"SmallestSum", {}, Codes(longest, 127), Codes(longest, -128)},
                    {"OddAndLarge", {}, Codes(5001, 127), Codes(5001, 127)}}),
      dots);
}

TEST(dot, RefusesWhatItMust) {
  once([](Expect& expect) {
    for (const Isa isa : isas_to_check()) {
      dots({"", isa, {1, 2, -3}, {4, 5, 6}}, expect);
      expect.that(refuses<&dot>(isa, Codes(3), Codes(4)), title(isa) + ": accepted 3 codes and 4",
                  "N-SIZE");
      expect.that(refuses<&dot>(isa, Codes(kLongestK + 1), Codes(kLongestK + 1)),
                  title(isa) + ": accepted 131072 codes, whose sum may not be an int32",
                  "N-OVERFLOW");
    }
    for (const Isa isa : isas_to_refuse()) {
      expect.that(refuses<&dot>(isa, Codes(3), Codes(3)), "ran for " + title(isa));
    }
  });
}

// --- Packing, by the formula ---------------------------------------------------------------------

struct Packed {
  Sums sums;
  Codes panels;
};

/// Turns packed bytes into sums and panels.
Packed parts_of(const Codes& packed, Isa isa, int n) {
  Packed parts{Sums(rounded_up(n, panel_width(isa))), {}};
  std::memcpy(parts.sums.data(), packed.data(), 4 * parts.sums.size());
  parts.panels.assign(packed.begin() + std::ptrdiff_t(4 * parts.sums.size()), packed.end());
  return parts;
}

/// Sums and panels as another layout would have them: place(j, p) inside the panels.
template <class Place>
Packed packed_at(Isa isa, const Codes& b_t, int n, int k, const Place& place) {
  const std::size_t wide = rounded_up(n, panel_width(isa)), long_k = rounded_up(k, 4);
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
Packed packed_by_definition(Isa isa, const Codes& b_t, int n, int k) {
  const std::size_t w = panel_width(isa), long_k = rounded_up(k, 4);
  return packed_at(isa, b_t, n, k, [=](std::size_t j, std::size_t p) {
    return j / w * (w * long_k) + p / 4 * (4 * w) + j % w * 4 + p % 4;
  });
}

Codes bytes_of(const Packed& parts) {
  Codes bytes(4 * parts.sums.size());
  if (!bytes.empty()) std::memcpy(bytes.data(), parts.sums.data(), bytes.size());
  bytes.insert(bytes.end(), parts.panels.begin(), parts.panels.end());
  return bytes;
}

struct PackCase {
  std::string name;
  Isa isa;
  int n, k;
  Codes b_t;
};

std::string show(const PackCase& c) {
  return title(c.isa) + ", n x k = " + std::to_string(c.n) + "x" + std::to_string(c.k) +
         ", b_t = " + show_values(c.b_t);
}

std::vector<PackCase> smaller(const PackCase& c) {
  std::vector<PackCase> all;
  for (const auto& [n, k] :
       {std::pair(c.n / 2, c.k), {c.n, c.k / 2}, {c.n - 1, c.k}, {c.n, c.k - 1}}) {
    if (n < 1 || k < 1 || (n == c.n && k == c.k)) continue;
    PackCase small{std::to_string(n) + "x" + std::to_string(k), c.isa, n, k, {}};
    for (int j = 0; j < n; ++j) {
      const auto row = c.b_t.begin() + std::ptrdiff_t(j) * c.k;
      small.b_t.insert(small.b_t.end(), row, row + k);
    }
    all.push_back(std::move(small));
  }
  return all;
}

/// n columns of k codes, all different from their neighbours and from 0.
PackCase numbered(Isa isa, int n, int k) {
  PackCase c{title(isa) + "_" + std::to_string(n) + "x" + std::to_string(k), isa, n, k, {}};
  for (int at = 0; at < n * k; ++at) c.b_t.push_back(static_cast<std::int8_t>(at % 127 + 1));
  return c;
}

void suspect_layouts(const PackCase& c, Expect& expect) {
  const std::size_t w = panel_width(c.isa), long_k = rounded_up(c.k, 4);
  const std::size_t n = c.n, wide = rounded_up(c.n, panel_width(c.isa));
  const auto layout = [&](const auto& place) {
    expect.suspect("N-LAYOUT", "panels", packed_at(c.isa, c.b_t, c.n, c.k, place).panels);
  };
  layout([=](auto j, auto p) { return j * long_k + p; });
  layout([=](auto j, auto p) { return p / 4 * (4 * wide) + j * 4 + p % 4; });
  layout([=](auto j, auto p) { return j / w * (w * long_k) + p * w + j % w; });
  layout([=](auto j, auto p) { return p * wide + j; });
  if (c.n * c.k > 4) {  // b_t read as [k,n]
    Codes crossed(c.b_t.size());
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t p = 0; p < std::size_t(c.k); ++p) crossed[j * c.k + p] = c.b_t[p * n + j];
    }
    expect.suspect("N-TRANS", "panels", packed_by_definition(c.isa, crossed, c.n, c.k).panels);
  }
  Codes cut = c.b_t;
  for (std::size_t j = 0; j < n; ++j) {
    for (int p = c.k / 4 * 4; p < c.k; ++p) cut[j * c.k + p] = 0;
  }
  expect.suspect("N-TAIL", "panels", packed_by_definition(c.isa, cut, c.n, c.k).panels);
}

Codes packed_from(const PackCase& c) {
  const MatmulShape shape{1, c.n, c.k};
  return call<&pack_b>(c.isa, c.b_t, out(packed_size(c.isa, shape)), shape);
}

void packs_panels(const PackCase& c, Expect& expect) {
  suspect_layouts(c, expect);
  expect.equal("panels", parts_of(packed_from(c), c.isa, c.n).panels,
               packed_by_definition(c.isa, c.b_t, c.n, c.k).panels,
               {rounded_up(c.n * c.k == 0 ? 0 : c.n, panel_width(c.isa)) / panel_width(c.isa),
                rounded_up(c.k, 4) / 4, std::size_t(panel_width(c.isa)), 4});
}

template <class Body>
void each_pack(const std::vector<std::pair<int, int>>& sizes, const Body& body) {
  std::vector<PackCase> cases;
  for (const Isa isa : isas_to_check()) {
    for (const auto& [n, k] : sizes) {
      // Sizes are in panels: 3 stands for three panels of this isa.
      cases.push_back(numbered(isa, n * panel_width(isa), k));
    }
  }
  each_case(cases, body);
}

TEST(pack_b, QuadsOfOnePanel) { each_pack({{1, 4}, {1, 8}, {1, 20}}, packs_panels); }

TEST(pack_b, PanelAfterPanel) { each_pack({{2, 4}, {2, 12}, {3, 8}}, packs_panels); }

/// Columns of rising sums, of both signs, beyond an int16.
TEST(pack_b, SumsOfColumns) {
  std::vector<PackCase> cases;
  for (const Isa isa : isas_to_check()) {
    cases.push_back(numbered(isa, panel_width(isa), 4));
    PackCase c{title(isa) + "_Long", isa, 20, 1027, {}};
    for (int j = 0; j < c.n; ++j) {
      c.b_t.insert(c.b_t.end(), 1027, static_cast<std::int8_t>(j * 13 - 128));
    }
    cases.push_back(c);
  }
  each_case(cases, [](const PackCase& c, Expect& expect) {
    const Packed want = packed_by_definition(c.isa, c.b_t, c.n, c.k);
    const auto suspect = [&](const char* code, const auto& wrong) {
      std::vector<std::int64_t> sums;
      for (std::size_t j = 0; j < want.sums.size(); ++j) sums.push_back(wrong(j));
      expect.suspect(code, "sums", sums);
    };
    suspect("N-SIGN", [&](std::size_t j) { return std::int64_t{-128} * want.sums[j]; });
    suspect("N-SIGN", [&](std::size_t j) { return std::int64_t{128} * want.sums[j]; });
    suspect("N-SIGN", [&](std::size_t j) {
      std::int64_t sum = 0;
      if (j < std::size_t(c.n)) {
        for (int p = 0; p < c.k; ++p) sum += std::uint8_t(c.b_t[j * c.k + p]);
      }
      return sum;
    });
    suspect("N-OVERFLOW", [&](std::size_t j) { return std::int16_t(want.sums[j]); });
    suspect("N-OVERFLOW", [&](std::size_t j) { return std::int8_t(want.sums[j]); });
    suspect("N-TAIL", [&](std::size_t j) {
      std::int64_t sum = want.sums[j];
      if (j < std::size_t(c.n)) {
        for (int p = c.k / 4 * 4; p < c.k; ++p) sum -= c.b_t[j * c.k + p];
      }
      return sum;
    });
    expect.equal("sums", parts_of(packed_from(c), c.isa, c.n).sums, want.sums);
  });
}

// One column too many for a panel, one too few; every rest of a quad; nothing at all.
TEST(pack_b, PadsWithZeros) {
  std::vector<PackCase> cases;
  for (const Isa isa : isas_to_check()) {
    const int w = panel_width(isa);
    for (const auto& [n, k] : {std::pair(1, 1),
                               {w, 1},
                               {w - 1, 4},
                               {w + 1, 2},
                               {2 * w - 1, 7},
                               {3, 0},
                               {0, 3},
                               {0, 0}}) {
      cases.push_back(numbered(isa, n, k));
    }
  }
  each_case(cases, [](const PackCase& c, Expect& expect) {
    packs_panels(c, expect);
    expect.equal("sums", parts_of(packed_from(c), c.isa, c.n).sums,
                 packed_by_definition(c.isa, c.b_t, c.n, c.k).sums);
  });
}

TEST(pack_b, RefusesWhatItMust) {
  once([](Expect& expect) {
    const auto refused = [&](Isa isa, const std::string& what, const char* code, std::size_t count,
                             std::size_t size, MatmulShape shape) {
      expect.that(refuses<&pack_b>(isa, Codes(count), out(size), shape),
                  title(isa) + ": accepted " + what, code);
    };
    for (const Isa isa : isas_to_check()) {
      packs_panels(numbered(isa, 3, 5), expect);
      const MatmulShape shape{0, 3, 5};
      const std::size_t size = packed_size(isa, shape);
      refused(isa, "16 codes for 3x5", "N-SIZE", 16, size, shape);
      refused(isa, "64 bytes too many for the packed weights", "N-SIZE", 15, size + 64, shape);
      refused(isa, "n = -1", "N-SIZE", 0, 0, {1, -1, 0});
      refused(isa, "k = -1", "N-SIZE", 0, 0, {1, 0, -1});
      const MatmulShape long_shape{1, 1, kLongestK + 1};
      refused(isa, "k = 131072", "N-OVERFLOW", kLongestK + 1, packed_size(isa, long_shape),
              long_shape);
    }
    for (const Isa isa : isas_to_refuse()) {
      const MatmulShape shape{1, 16, 4};
      expect.that(refuses<&pack_b>(isa, Codes(64), out(packed_size(isa, shape)), shape),
                  "packed for " + title(isa), "N-ISA");
    }
  });
}

// --- A product -----------------------------------------------------------------------------------

struct ProductCase {
  std::string name;
  Isa isa;
  MatmulShape shape;
  Codes a, b_t;

  DotCase sum_at(std::size_t i, std::size_t j) const {
    const auto row = [this](const Codes& rows, std::size_t at) {
      const auto first = rows.begin() + std::ptrdiff_t(at) * shape.k;
      return Codes(first, first + shape.k);
    };
    return {"", isa, row(a, i), row(b_t, j)};
  }
  Codes packed() const { return bytes_of(packed_by_definition(isa, b_t, shape.n, shape.k)); }
};

std::string show(const ProductCase& c) {
  return title(c.isa) + ", m x n x k = " + size_text(c.shape) + ", a = " + show_values(c.a) +
         ", b_t = " + show_values(c.b_t);
}

ProductCase crop(const ProductCase& c, MatmulShape to) {
  return {size_text(to), c.isa, to, corner(c.a, c.shape.k, to.m, to.k),
          corner(c.b_t, c.shape.k, to.n, to.k)};
}

std::vector<ProductCase> smaller(const ProductCase& c) {
  std::vector<ProductCase> all;
  for (const MatmulShape s : smaller_shapes(c.shape)) all.push_back(crop(c, s));
  return all;
}

/// The contract's formula, in 64 bits.
Sums by_definition(const ProductCase& c) {
  Sums sums;
  const std::size_t m = c.shape.m, n = c.shape.n, k = c.shape.k;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      std::int64_t sum = 0;
      for (std::size_t p = 0; p < k; ++p) sum += c.a[i * k + p] * c.b_t[j * k + p];
      sums.push_back(static_cast<std::int32_t>(sum));
    }
  }
  return sums;
}

/// Whole answers of known mistakes: the sums of each element, gone wrong in the same way. `name` is
/// what is compared, and `as` turns sums into it.
template <class As>
void suspect_sums(const ProductCase& c, Expect& expect, std::string_view name, const As& as) {
  const std::size_t m = c.shape.m, n = c.shape.n, k = c.shape.k;
  if (m * n * k == 0 || m * n * k > 40'000) return;
  const auto flipped = [](int a, int b) { return (a + 128) * b; };
  const auto each = [&](const char* code, const auto& sum) {
    std::vector<std::int64_t> sums;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) sums.push_back(sum(c.sum_at(i, j)));
    }
    expect.suspect(code, name, as(sums));
  };
  const auto b_sum = [](const DotCase& d) {
    return sum_of(d, d.b.size(), [](int, int b) { return b; });
  };
  each("N-OVERFLOW", [](const DotCase& d) { return saturated(d, product_of); });
  each("N-OVERFLOW", [&](const DotCase& d) { return saturated(d, flipped) - 128 * b_sum(d); });
  each("N-OVERFLOW",
       [](const DotCase& d) { return std::int16_t(sum_of(d, d.a.size(), product_of)); });
  each("N-SIGN", [&](const DotCase& d) { return sum_of(d, d.a.size(), flipped); });
  each("N-SIGN",
       [&](const DotCase& d) { return sum_of(d, d.a.size(), product_of) - 128 * b_sum(d); });
  each("N-SIGN",
       [&](const DotCase& d) { return sum_of(d, d.a.size(), product_of) + 256 * b_sum(d); });
  each("N-SIGN", [](const DotCase& d) {
    return sum_of(d, d.a.size(), [](int a, int b) { return std::uint8_t(a) * b; });
  });
  each("N-SIGN", [](const DotCase& d) {
    return sum_of(d, d.a.size(), [](int a, int b) { return (std::uint8_t(a) - 128) * b; });
  });
  each("N-SIGN", [](const DotCase& d) {
    return sum_of(d, d.a.size(), [](int a, int b) { return a * std::uint8_t(b); });
  });
  for (const std::size_t step : {4, 8, 16, 32, 64}) {
    each("N-TAIL",
         [&](const DotCase& d) { return sum_of(d, d.a.size() / step * step, product_of); });
  }
  const Sums right = by_definition(c);
  std::vector<std::int64_t> crossed(m * n);
  for (std::size_t at = 0; at < m * n; ++at) crossed[at % n * m + at / n] = right[at];
  if (m > 1 && n > 1) expect.suspect("N-LAYOUT", name, as(crossed));
}

Sums product_from(const ProductCase& c) {
  return call<&multiply_packed>(c.isa, c.a, c.packed(), out(area(c.shape.m, c.shape.n)), c.shape);
}

void multiplies(const ProductCase& c, Expect& expect) {
  suspect_sums(c, expect, "c", [](const auto& sums) { return sums; });
  expect.equal("c", product_from(c), by_definition(c),
               {std::size_t(c.shape.m), std::size_t(c.shape.n)});
}

ProductCase random_product(Isa isa, MatmulShape shape, std::uint64_t seed_a, std::uint64_t seed_b) {
  return {title(isa) + "_" + size_text(shape), isa, shape,
          random_codes(area(shape.m, shape.k), seed_a),
          random_codes(area(shape.n, shape.k), seed_b)};
}

std::vector<ProductCase> random_products(const std::vector<MatmulShape>& shapes) {
  std::vector<ProductCase> cases;
  for (const Isa isa : isas_to_check()) {
    for (const MatmulShape shape : shapes) {
      cases.push_back(random_product(isa, shape, seed(cases.size()), seed(~cases.size())));
    }
  }
  return cases;
}

std::vector<ProductCase> on_every_isa(const std::vector<ProductCase>& cases) {
  std::vector<ProductCase> all;
  for (const Isa isa : isas_to_check()) {
    for (ProductCase c : cases) {
      c.name = title(isa) + "_" + c.name;
      c.isa = isa;
      all.push_back(std::move(c));
    }
  }
  return all;
}

TEST(multiply_packed, EmptySumIsZero) {
  each_case(random_products({{1, 1, 0}, {3, 5, 0}, {7, 65, 0}, {0, 3, 2}, {3, 0, 2}, {0, 0, 0}}),
            multiplies);
}

// By hand, then one whole tile of most kernels, and rows and columns past it.
TEST(multiply_packed, FollowsTheFormula) {
  std::vector<ProductCase> cases = on_every_isa(
      {{"OneProduct", {}, {1, 1, 1}, {-3}, {7}},
       {"TwoByTwo", {}, {2, 2, 4}, {1, 2, 3, 4, -5, 6, 7, 8}, {1, 0, 2, 0, 3, -1, 0, 5}},
       {"OneRow", {}, {1, 3, 4}, {1, 10, 100, 0}, {1, 2, 1, 0, 0, 1, 0, 9, 2, 2, 0, 3}}});
  const std::vector<ProductCase> random = random_products({{6, 64, 32}, {12, 128, 64}});
  cases.insert(cases.end(), random.begin(), random.end());
  each_case(cases, multiplies);
}

// All lowest, all highest, pairs beyond int16, and the longest k with the largest sum there is.
TEST(multiply_packed, ExactForEveryCode) {
  std::vector<ProductCase> cases;
  const auto add = [&](const char* name, MatmulShape shape, std::int8_t a, std::int8_t b) {
    cases.push_back(
        {name, {}, shape, Codes(area(shape.m, shape.k), a), Codes(area(shape.n, shape.k), b)});
  };
  add("AllLowest", {2, 3, 64}, -128, -128);
  add("Highest", {2, 3, 64}, 127, 127);
  add("LowestTimesHighest", {2, 3, 64}, -128, 127);
  add("HighestTimesLowest", {2, 3, 64}, 127, -128);
  add("LargestSum", {1, 2, kLongestK}, -128, -128);
  add("SmallestSum", {7, 1, kLongestK}, 127, -128);
  each_case(on_every_isa(cases), multiplies);
}

// Every number of rows up to two groups of six and one more; columns one less than, as many as and
// one more than 8, 16, 32, 48 and 64; every rest of a quad, and of a vector of 64 codes.
TEST(multiply_packed, EveryTail) {
  std::vector<MatmulShape> shapes;
  for (int m = 1; m <= 13; ++m) shapes.push_back({m, 3, 5});
  for (const int n : {1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 79, 127, 129}) {
    shapes.push_back({2, n, 6});
  }
  for (const int k : {1, 2, 3, 4, 7, 15, 16, 17, 31, 33, 63, 64, 65, 127}) {
    shapes.push_back({3, 5, k});
    shapes.push_back({7, 17, k});
  }
  each_case(random_products(shapes), multiplies);
}

// More rows and longer ones than fit in a block of any cache, and shapes far from square.
TEST(multiply_packed, LargeProducts) {
  std::vector<ProductCase> cases =
      random_products({{61, 150, 130}, {1, 300, 1025}, {40, 7, 2050}, {330, 66, 1030}});
  each_case(cases, [](const ProductCase& c, Expect& expect) {
    const Sums got = product_from(c);
    Expect::healthy(distinct(c.a) > 100 && distinct(c.b_t) > 100, "few different codes");
    expect.equal("c", got,
                 corrected_product<std::int8_t, std::int8_t>(c.a, c.b_t, got, c.shape, seed(77)),
                 {std::size_t(c.shape.m), std::size_t(c.shape.n)});
  });
}

/// What is refused whatever becomes of the sums. `multiply(isa, a, packed, c, shape)` says whether.
template <class Refuses>
void refuses_bad_products(Expect& expect, const Refuses& refused_call) {
  for (const Isa isa : isas_to_check()) {
    const auto refused = [&](const std::string& what, const char* code, std::size_t a,
                             std::size_t packed, std::size_t c, MatmulShape shape) {
      expect.that(refused_call(isa, a, packed, c, shape), title(isa) + ": accepted " + what, code);
    };
    const MatmulShape shape{2, 3, 5};
    const std::size_t size = packed_size(isa, shape);
    refused("an a of 11 codes for 2x5", "N-SIZE", 11, size, 6, shape);
    refused("64 packed bytes too many", "N-SIZE", 10, size + 64, 6, shape);
    refused("a c of 7 elements for 2x3", "N-SIZE", 10, size, 7, shape);
    refused("m = -1", "N-SIZE", 0, 0, 0, {-1, 0, 0});
    refused("n = -1", "N-SIZE", 0, 0, 0, {0, -1, 0});
    refused("k = -1", "N-SIZE", 0, 0, 0, {0, 0, -1});
    const MatmulShape long_shape{1, 1, kLongestK + 1};
    refused("k = 131072", "N-OVERFLOW", kLongestK + 1, packed_size(isa, long_shape), 1, long_shape);
  }
  for (const Isa isa : isas_to_refuse()) {
    const MatmulShape shape{1, 16, 4};
    expect.that(refused_call(isa, 4, packed_size(isa, shape), 16, shape),
                "multiplied for " + title(isa), "N-ISA");
  }
}

TEST(multiply_packed, RefusesWhatItMust) {
  once([](Expect& expect) {
    for (const ProductCase& c : random_products({{2, 3, 5}})) multiplies(c, expect);
    refuses_bad_products(
        expect, [](Isa isa, std::size_t a, std::size_t packed, std::size_t c, MatmulShape shape) {
          return refuses<&multiply_packed>(isa, Codes(a), Codes(packed), out(c), shape);
        });
  });
}

/// Inputs of a timed product on the fastest kernel that is here.
struct TimedProduct {
  Isa isa = isas_to_check().back();
  MatmulShape shape{384, 384, 512};
  std::size_t packed_count = packed_size(isa, shape);
  std::size_t c_count = area(shape.m, shape.n);

  Codes a(FreshData& fresh) const {
    return fresh.codes<std::int8_t>(area(shape.m, shape.k), -128, 127);
  }
  Codes packed(FreshData& fresh) const {
    const Codes b_t = fresh.codes<std::int8_t>(area(shape.n, shape.k), -128, 127);
    return bytes_of(packed_by_definition(isa, b_t, shape.n, shape.k));
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

struct FusedCase {
  std::string name;
  ProductCase product;
  Reals scale, bias;
};

std::string show(const FusedCase& c) {
  return show(c.product) + ", scale = " + show_values(c.scale) + ", bias = " + show_values(c.bias);
}

std::vector<FusedCase> smaller(const FusedCase& c) {
  std::vector<FusedCase> all;
  for (ProductCase& product : smaller(c.product)) {
    const auto n = product.shape.n;
    std::string name = product.name;
    all.push_back({std::move(name),
                   std::move(product),
                   {c.scale.begin(), c.scale.begin() + n},
                   {c.bias.begin(), c.bias.begin() + n}});
  }
  return all;
}

/// finish(acc, i, j) of every element.
template <class Sums, class Finish>
Reals finished(const FusedCase& c, const Sums& sums, const Finish& finish) {
  Reals real;
  const std::size_t n = c.product.shape.n;
  for (std::size_t at = 0; at < sums.size(); ++at) {
    real.push_back(finish(sums[at], at / n, at % n));
  }
  return real;
}

/// The contract's formula.
float fused(float acc, float scale, float bias) {
  const float scaled = acc * scale, v = scaled + bias;
  return v > 0 ? v : 0;
}

Reals fused_by_definition(const FusedCase& c) {
  return finished(c, by_definition(c.product), [&](std::int32_t acc, std::size_t, std::size_t j) {
    return fused(static_cast<float>(acc), c.scale[j], c.bias[j]);
  });
}

void suspect_finishes(const FusedCase& c, Expect& expect) {
  const Sums sums = by_definition(c.product);
  const auto suspect = [&](const char* code, const auto& finish) {
    expect.suspect(code, "c", finished(c, sums, finish));
  };
  const auto clip = [](float v) { return v > 0 ? v : 0; };
  const auto at = [](const Reals& values, std::size_t i) {
    return i < values.size() ? values[i] : 0;
  };
  suspect("N-CLAMP", [&](float acc, auto, auto j) {
    const float scaled = acc * c.scale[j];
    return scaled + c.bias[j];
  });
  suspect("N-CLAMP", [&](float acc, auto, auto j) { return clip(acc * c.scale[j]) + c.bias[j]; });
  suspect("N-ROUND",
          [&](float acc, auto, auto j) { return clip(std::fma(acc, c.scale[j], c.bias[j])); });
  suspect("N-ROUND", [&](double acc, auto, auto j) {
    return static_cast<float>(std::max(0.0, acc * c.scale[j] + c.bias[j]));
  });
  suspect("N-BIAS", [&](float acc, auto, auto j) { return clip(acc * c.scale[j]); });
  suspect("N-BIAS", [&](float acc, auto, auto j) { return clip((acc + c.bias[j]) * c.scale[j]); });
  suspect("N-AXIS",
          [&](float acc, auto i, auto j) { return fused(acc, at(c.scale, i), c.bias[j]); });
  suspect("N-AXIS",
          [&](float acc, auto i, auto j) { return fused(acc, c.scale[j], at(c.bias, i)); });
  suspect("N-AXIS",
          [&](float acc, auto i, auto) { return fused(acc, at(c.scale, i), at(c.bias, i)); });
  suspect("N-AXIS", [&](float acc, auto, auto j) { return fused(acc, c.scale[0], c.bias[j]); });
  suspect("N-AXIS", [&](float acc, auto, auto j) { return fused(acc, c.scale[j], c.bias[0]); });
  const std::size_t w = panel_width(c.product.isa);
  suspect("N-AXIS",
          [&](float acc, auto, auto j) { return fused(acc, c.scale[j % w], c.bias[j % w]); });
  suspect("N-AXIS", [&](float acc, auto, auto j) { return fused(acc, c.scale[j % w], c.bias[j]); });
  suspect("N-AXIS", [&](float acc, auto, auto j) { return fused(acc, c.scale[j], c.bias[j % w]); });
  suspect("N-SCALE", [&](float acc, auto, auto j) { return fused(acc, 1, c.bias[j]); });
  suspect("N-SCALE", [&](float acc, auto, auto j) { return clip(acc / c.scale[j] + c.bias[j]); });
  suspect_sums(c.product, expect, "c", [&](const auto& wrong) {
    const Reals real = finished(c, wrong, [&](std::int64_t acc, auto, auto j) {
      return fused(static_cast<float>(acc), c.scale[j], c.bias[j]);
    });
    // What is clipped everywhere tells nothing.
    return std::ranges::count(real, 0.0f) == std::ssize(real) ? Reals{} : real;
  });
}

Reals reals_from(const FusedCase& c) {
  const ProductCase& p = c.product;
  return call<&multiply_packed_fused>(p.isa, p.a, p.packed(), c.scale, c.bias,
                                      out(area(p.shape.m, p.shape.n)), p.shape);
}

void fuses(const FusedCase& c, Expect& expect) {
  suspect_finishes(c, expect);
  expect.equal("c", reals_from(c), fused_by_definition(c),
               {std::size_t(c.product.shape.m), std::size_t(c.product.shape.n)});
}

/// Scales of both signs, biases as large as the scaled sums.
std::vector<FusedCase> random_fused(const std::vector<ProductCase>& products,
                                    std::uint64_t (*seed_of)(std::uint64_t)) {
  std::vector<FusedCase> cases;
  for (const ProductCase& product : products) {
    const std::size_t n = product.shape.n, at = cases.size();
    const float size = 16384.0f * std::sqrt(static_cast<float>(product.shape.k)) / 3;
    cases.push_back({product.name, product, uniform_tensor(n, seed_of(500 + 2 * at), -0.01f, 0.04f),
                     uniform_tensor(n, seed_of(501 + 2 * at), -0.01f * size, 0.03f * size)});
  }
  return cases;
}

/// Two rows of three sums: 10, -20, 30 and 40, -50, 60.
std::vector<FusedCase> by_hand(
    const std::vector<std::pair<std::string, std::pair<Reals, Reals>>>& each) {
  std::vector<FusedCase> cases;
  for (const auto& [name, numbers] : each) {
    for (const ProductCase& product : on_every_isa(std::vector<ProductCase>{
             {name, {}, {2, 3, 2}, {10, 0, 0, 10}, {1, 4, -2, -5, 3, 6}}})) {
      cases.push_back({product.name, product, numbers.first, numbers.second});
    }
  }
  return cases;
}

// Whole numbers and powers of two, so that no rounding happens and every mistake is another number.
// The last has columns in several panels, each with a scale and a bias of its own.
TEST(multiply_packed_fused, ScalesAndShiftsEachColumn) {
  std::vector<FusedCase> cases = by_hand({{"Scales", {{0.5f, -2, 4}, {0, 0, 0}}},
                                          {"Biases", {{1, 1, 1}, {256, 128, 64}}},
                                          {"Both", {{0.5f, -2, 0.25f}, {8, 16, 1024}}}});
  for (const ProductCase& product : random_products({{2, 130, 4}})) {
    FusedCase c{product.name, product, {}, {}};
    for (int j = 0; j < 130; ++j) {
      c.scale.push_back(j % 3 == 0 ? 0.5f : j % 5 == 0 ? 2.0f : 1.0f);
      c.bias.push_back(static_cast<float>(70'000 + 1000 * j));
    }
    cases.push_back(std::move(c));
  }
  each_case(cases, fuses);
}

// float(acc) rounds beyond 2^24, the product of two 24-bit numbers rounds, the sum rounds again: a
// fused multiply-add leaves one of these out and differs in many elements.
TEST(multiply_packed_fused, RoundsTwice) {
  std::vector<FusedCase> cases = random_fused(random_products({{5, 33, 40}, {3, 5, 4000}}), seed);
  each_case(cases, [](const FusedCase& c, Expect& expect) {
    const Reals want = fused_by_definition(c);
    const Reals once_rounded = finished(c, by_definition(c.product), [&](float acc, auto, auto j) {
      return std::max(0.0f, std::fma(acc, c.scale[j], c.bias[j]));
    });
    if (c.product.shape.n == 33) Expect::healthy(want != once_rounded, "no sum rounds twice");
    fuses(c, expect);
  });
}

// Below 0, exactly 0, and a -0: 0 times a negative scale plus -0.
TEST(multiply_packed_fused, ClipsAtZero) {
  std::vector<FusedCase> cases = by_hand({{"Negative", {{-1, 1, -2}, {0, 0, 0}}},
                                          {"Zero", {{1, 1, 1}, {-10, 20, -30}}},
                                          {"BiasAlone", {{0, 0, 0}, {-1, 2, -3}}}});
  for (const ProductCase& product : random_products({{2, 3, 0}})) {
    cases.push_back({product.name, product, {-1, -2, 1}, {-0.0f, 0, -0.0f}});
  }
  each_case(cases, [](const FusedCase& c, Expect& expect) {
    fuses(c, expect);
    for (const float v : reals_from(c)) {
      expect.that(!std::signbit(v), "c holds " + show_value(v) + ": its sign is that of -0");
    }
  });
}

TEST(multiply_packed_fused, EveryTail) {
  std::vector<MatmulShape> shapes;
  for (int m = 1; m <= 13; ++m) shapes.push_back({m, 3, 5});
  for (const int n : {1, 7, 8, 9, 15, 17, 31, 33, 47, 49, 63, 64, 65, 129}) {
    shapes.push_back({2, n, 7});
  }
  for (const int k : {1, 2, 3, 63, 65}) shapes.push_back({7, 17, k});
  shapes.push_back({0, 3, 4});
  shapes.push_back({3, 0, 4});
  shapes.push_back({330, 17, 1030});  // beyond every block
  each_case(random_fused(random_products(shapes), seed), fuses);
}

TEST(multiply_packed_fused, RefusesWhatItMust) {
  once([](Expect& expect) {
    for (const FusedCase& c : random_fused(random_products({{2, 3, 5}}), seed)) fuses(c, expect);
    const auto run = [](Isa isa, std::size_t a, std::size_t packed, std::size_t c,
                        MatmulShape shape, const Reals& scale, const Reals& bias) {
      return refuses<&multiply_packed_fused>(isa, Codes(a), Codes(packed), scale, bias, out(c),
                                             shape);
    };
    for (const Isa isa : isas_to_check()) {
      const MatmulShape shape{2, 3, 5};
      const auto refused = [&](const char* what, const char* code, const Reals& scale,
                               const Reals& bias) {
        expect.that(run(isa, 10, packed_size(isa, shape), 6, shape, scale, bias),
                    title(isa) + ": accepted " + what, code);
      };
      const Reals ones(3, 1.0f);
      refused("4 scales for 3 columns", "N-SIZE", Reals(4), ones);
      refused("4 biases for 3 columns", "N-SIZE", ones, Reals(4));
      refused("a scale that is NaN", "N-NAN", {1, kNan, 1}, ones);
      refused("a bias that is infinite", "N-NAN", ones, {1, 1, -kInfinity});
    }
    refuses_bad_products(
        expect, [&](Isa isa, std::size_t a, std::size_t packed, std::size_t c, MatmulShape shape) {
          const Reals ones(static_cast<std::size_t>(std::max(0, shape.n)), 1.0f);
          return run(isa, a, packed, c, shape, ones, ones);
        });
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

// --- quantize ------------------------------------------------------------------------------------

struct QuantizeCase {
  std::string name;
  float scale;
  Reals x;
};

std::string show(const QuantizeCase& c) {
  return "scale = " + show_value(c.scale) + ", x = " + show_values(c.x);
}

std::vector<QuantizeCase> smaller(const QuantizeCase& c) {
  std::vector<QuantizeCase> all;
  for (Reals& x : smaller_lists(c.x)) {
    all.push_back({std::to_string(x.size()) + " values", c.scale, std::move(x)});
  }
  return all;
}

double clamp8(double v) { return std::clamp(v, -128.0, 127.0); }
double wrap8(double v) {
  return static_cast<std::int8_t>(std::int64_t(std::clamp(v, -1e15, 1e15)));
}

/// code(x) of every element; what it gives for a NaN is 0.
template <class Code>
std::vector<double> codes_of(const Reals& x, const Code& code) {
  std::vector<double> q;
  for (const float value : x) q.push_back(std::isnan(value) ? 0 : code(value));
  return q;
}

void quantizes(const QuantizeCase& c, Expect& expect) {
  const float inverse = 1 / c.scale;
  const auto suspect = [&](const char* code, const auto& code_of) {
    expect.suspect(code, "q", codes_of(c.x, code_of));
  };
  const auto steps = [&](float x) { return x / c.scale; };
  suspect("N-TRUNC", [&](float x) { return clamp8(std::trunc(steps(x))); });
  suspect("N-TRUNC", [&](float x) { return clamp8(std::floor(steps(x))); });
  suspect("N-ROUND", [&](float x) { return clamp8(std::round(steps(x))); });
  suspect("N-ROUND", [&](float x) { return clamp8(std::floor(steps(x) + 0.5f)); });
  suspect("N-ROUND", [&](float x) { return clamp8(std::nearbyint(x * inverse)); });
  suspect("N-ROUND", [&](float x) { return clamp8(std::nearbyint(double(x) / c.scale)); });
  suspect("N-CLAMP", [&](float x) { return wrap8(std::nearbyint(steps(x))); });
  suspect("N-RANGE", [&](float x) { return std::max(-127.0, clamp8(std::nearbyint(steps(x)))); });
  suspect("N-RANGE",
          [&](float x) { return std::clamp(std::nearbyint(double(steps(x))), 0.0, 127.0); });
  suspect("N-SCALE", [&](float x) { return clamp8(std::nearbyint(x * c.scale)); });
  const auto right = codes_of(c.x, [&](float x) { return clamp8(std::nearbyint(steps(x))); });
  expect.equal("q", call<&quantize>(c.x, c.scale, out(c.x.size())),
               Codes(right.begin(), right.end()));
}

/// The list often enough to fill vectors, whole ones: what is left of a vector is EveryLength.
QuantizeCase repeated(std::string name, float scale, const Reals& x) {
  QuantizeCase c{std::move(name), scale, {}};
  while (c.x.size() < 160) c.x.insert(c.x.end(), x.begin(), x.end());
  c.x.resize(160);
  return c;
}

TEST(quantize, RoundsToNearest) {
  each_case<QuantizeCase>({{"Empty", 1, {}},
                           {"Whole", 1, {1, -1, 0, 100, -0.0f}},
                           {"Quarters", 0.25f, {1, -2.5f, 0, 20, 0.3f}},
                           {"LargeScale", 16, {48, -80, 0, 112, 25}},
                           repeated("Repeated", 0.5f, {1, 2.3f, -3.1f, 4, 5.4f, -6, 0.2f})},
                          quantizes);
}

// All 256 ties there are, and the halves beside them that are none.
TEST(quantize, TiesGoToEven) {
  Reals ties;
  for (int q = -128; q < 128; ++q) ties.push_back((static_cast<float>(q) + 0.5f) * 4);
  Reals beside = ties;
  for (std::size_t i = 0; i < beside.size(); ++i) {
    beside[i] = std::nextafter(beside[i], i % 2 == 0 ? kInfinity : -kInfinity);
  }
  each_case<QuantizeCase>({{"Few", 1, {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 126.5f}},
                           {"All", 4, ties},
                           {"Beside", 4, beside}},
                          quantizes);
}

/// Values whose quotient in float32 rounds onto a tie or off it, where a product with 1 / scale, or
/// a quotient in double, does the other thing.
QuantizeCase disputed(float scale) {
  QuantizeCase c{"scale" + show_value(scale), scale, {}};
  for (int q = -128; q < 127; ++q) {
    float x = (static_cast<float>(q) + 0.5f) * scale;
    for (int step = -2; step < 0; ++step) x = std::nextafter(x, -kInfinity);
    for (int step = 0; step < 5; ++step, x = std::nextafter(x, kInfinity)) {
      if (std::isfinite(x)) c.x.push_back(x);
    }
  }
  c.x.resize((c.x.size() + 63) / 64 * 64);
  return c;
}

TEST(quantize, RoundsTheQuotient) {
  std::vector<QuantizeCase> cases;
  for (const float scale : {0.1f, 0.023f, 3.0f, 7e-5f, 1e20f, 2e-38f, 0x1.8p127f}) {
    cases.push_back(disputed(scale));
  }
  const Reals random = uniform_tensor(5, seed(3), 0.01f, 0.1f);
  for (const float scale : random) cases.push_back(disputed(scale));
  each_case(cases, [](const QuantizeCase& c, Expect& expect) {
    if (c.scale == 0.1f) {
      const auto by_product =
          codes_of(c.x, [&](float x) { return clamp8(std::nearbyint(x * (1 / c.scale))); });
      const auto right =
          codes_of(c.x, [&](float x) { return clamp8(std::nearbyint(x / c.scale)); });
      Expect::healthy(by_product != right, "a product gives the same codes");
    }
    quantizes(c, expect);
  });
}

// Just inside the grid and just past it; past int32; a quotient that overflows a float32.
TEST(quantize, StaysOnTheGrid) {
  const Reals past{127,  127.4f, 127.6f, 128,  -128,  -128.4f, -129, 200,
                   -200, 300,    -300,   1000, -1000, 5,       -6,   7};
  const Reals huge{3e9f, -3e9f, 1e20f, -1e20f, FLT_MAX, -FLT_MAX};
  each_case<QuantizeCase>({{"Past", 1, past},
                           {"Huge", 1, huge},
                           repeated("ManyPast", 1, past),
                           repeated("ManyHuge", 1, huge),
                           repeated("Overflowing", 0x1p-100f, {1e20f, -1e20f, FLT_MAX, -1})},
                          quantizes);
}

TEST(quantize, TakesNanAndInfinity) {
  Reals one_nan(64, 3);
  one_nan[37] = kNan;
  each_case<QuantizeCase>({{"Few", 1, {kNan, kInfinity, -kInfinity, -kNan, 5}},
                           {"OneNan", 0.5f, one_nan},
                           {"AllNan", 1, Reals(128, kNan)},
                           repeated("Mixed", 2, {1, kInfinity, 3, -kInfinity, 9, kNan, -7})},
                          [](const QuantizeCase& c, Expect& expect) {
                            for (const double instead : {-128.0, 127.0, -1.0, 1.0}) {
                              std::vector<double> q = codes_of(c.x, [&](float x) {
                                return clamp8(std::nearbyint(x / c.scale));
                              });
                              for (std::size_t i = 0; i < q.size(); ++i) {
                                if (std::isnan(c.x[i])) q[i] = instead;
                              }
                              expect.suspect("N-NAN", "q", q);
                            }
                            quantizes(c, expect);
                          });
}

// Every length up to two vectors of 64 and one more; and a prime that is beyond a page.
std::vector<std::size_t> every_length() {
  std::vector<std::size_t> lengths;
  for (std::size_t count = 1; count <= 129; ++count) lengths.push_back(count);
  lengths.push_back(5003);
  return lengths;
}

TEST(quantize, EveryLength) {
  std::vector<QuantizeCase> cases;
  for (const std::size_t count : every_length()) {
    cases.push_back({std::to_string(count), 0.02f, normal_tensor(count, seed(count))});
  }
  each_case(cases, quantizes);
}

const std::vector<float> kUnusableScales = {0.0f, -0.0f, -1.0f, kNan, kInfinity, FLT_MIN / 2};

TEST(quantize, RefusesWhatItMust) {
  once([](Expect& expect) {
    quantizes({"", FLT_MIN, {FLT_MIN, -2 * FLT_MIN}}, expect);
    quantizes({"", FLT_MAX, {FLT_MAX, -FLT_MAX}}, expect);
    for (const float scale : kUnusableScales) {
      expect.that(refuses<&quantize>(Reals{1, 2}, scale, out(2)),
                  "accepted scale = " + show_value(scale));
    }
    expect.that(refuses<&quantize>(Reals{1, 2}, 1.0f, out(3)), "accepted 2 values and 3 codes",
                "N-SIZE");
  });
}

float fresh_scale(FreshData& fresh) { return fresh.uniform(0.02f, 0.03f); }

/// To draw as much anew in every round would take longer than all that is measured.
TEST(quantize, Speed) {
  constexpr std::size_t count = 1 << 19;
  Reals x = FreshData().uniform(count, -3, 3);
  speed<&quantize>({.zero_at = 0.1, .full_at = 0.18, .operations = 0, .bytes = 5.0 * count},
                   [&](FreshData& fresh) {
                     const auto one = [&] { return fresh.uniform(-3, 3); };
                     return std::tuple(kept_but_some(x, fresh, one), fresh_scale(fresh),
                                       out(count));
                   });
}

// --- dequantize ----------------------------------------------------------------------------------

struct DequantizeCase {
  std::string name;
  float scale;
  Codes q;
};

std::string show(const DequantizeCase& c) {
  return "scale = " + show_value(c.scale) + ", q = " + show_values(c.q);
}

std::vector<DequantizeCase> smaller(const DequantizeCase& c) {
  std::vector<DequantizeCase> all;
  for (Codes& q : smaller_lists(c.q)) {
    all.push_back({std::to_string(q.size()) + " codes", c.scale, std::move(q)});
  }
  return all;
}

void dequantizes(const DequantizeCase& c, Expect& expect) {
  Reals real, as_unsigned, divided;
  for (const std::int8_t q : c.q) {
    real.push_back(c.scale * static_cast<float>(q));
    as_unsigned.push_back(c.scale * static_cast<float>(static_cast<std::uint8_t>(q)));
    divided.push_back(static_cast<float>(q) / c.scale);
  }
  expect.suspect("N-SIGN", "x", as_unsigned);
  expect.suspect("N-SCALE", "x", divided);
  Reals clamped = real;
  for (float& value : clamped) value = std::max(value, -127 * c.scale);
  expect.suspect("N-RANGE", "x", clamped);
  expect.equal("x", call<&dequantize>(c.q, c.scale, out(c.q.size())), real);
}

Codes every_code() {
  Codes q(256);
  std::iota(q.begin(), q.end(), std::int8_t{-128});
  return q;
}

TEST(dequantize, MultipliesByTheScale) {
  each_case<DequantizeCase>({{"Empty", 1, {}},
                             {"Quarters", 0.25f, {-128, -1, 0, 127, 2}},
                             {"EveryCode", 0.1f, every_code()},
                             {"Smallest", FLT_MIN, every_code()},
                             {"Overflowing", 0x1p126f, every_code()}},
                            dequantizes);
}

TEST(dequantize, EveryLength) {
  std::vector<DequantizeCase> cases;
  for (const std::size_t count : every_length()) {
    cases.push_back({std::to_string(count), 0.02f, random_codes(count, seed(count))});
  }
  each_case(cases, dequantizes);
}

TEST(dequantize, RefusesWhatItMust) {
  once([](Expect& expect) {
    dequantizes({"", FLT_MIN, {1, -2}}, expect);
    for (const float scale : kUnusableScales) {
      expect.that(refuses<&dequantize>(Codes{1, 2}, scale, out(2)),
                  "accepted scale = " + show_value(scale));
    }
    expect.that(refuses<&dequantize>(Codes{1, 2}, 1.0f, out(3)), "accepted 2 codes and 3 values",
                "N-SIZE");
  });
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

struct RequantizeCase {
  std::string name;
  Sums acc;
  Reals multiplier;
  int zero_point;
};

std::string show(const RequantizeCase& c) {
  return "acc = " + show_values(c.acc) + ", multiplier = " + show_values(c.multiplier) +
         ", zero_point = " + std::to_string(c.zero_point);
}

/// Fewer rows, then fewer columns.
std::vector<RequantizeCase> smaller(const RequantizeCase& c) {
  std::vector<RequantizeCase> all;
  const std::size_t n = c.multiplier.size(), m = c.acc.size() / std::max<std::size_t>(1, n);
  for (const auto& [rows, columns] : {std::pair(m / 2, n), {m, n / 2}, {m - 1, n}, {m, n - 1}}) {
    if (rows < 1 || columns < 1 || rows > m || rows * columns == m * n) continue;
    RequantizeCase small{
        std::to_string(rows) + "x" + std::to_string(columns), {}, {}, c.zero_point};
    small.multiplier.assign(c.multiplier.begin(), c.multiplier.begin() + std::ptrdiff_t(columns));
    for (std::size_t i = 0; i < rows; ++i) {
      const auto row = c.acc.begin() + std::ptrdiff_t(i * n);
      small.acc.insert(small.acc.end(), row, row + std::ptrdiff_t(columns));
    }
    all.push_back(std::move(small));
  }
  return all;
}

void requantizes(const RequantizeCase& c, Expect& expect) {
  const std::size_t n = c.multiplier.size();
  const double zp = c.zero_point;
  const auto codes = [&](const auto& code) {
    std::vector<double> q;
    for (std::size_t at = 0; at < c.acc.size(); ++at) {
      q.push_back(code(static_cast<float>(c.acc[at]), at / n, at % n));
    }
    return q;
  };
  const auto suspect = [&](const char* code, const auto& code_of) {
    expect.suspect(code, "q", codes(code_of));
  };
  const auto v = [&](float acc, std::size_t j) { return acc * c.multiplier[j]; };
  const auto at = [&](std::size_t i) { return i < n ? c.multiplier[i] : 0; };
  suspect("N-AXIS",
          [&](float acc, auto i, auto) { return clamp8(std::nearbyint(acc * at(i)) + zp); });
  suspect("N-AXIS",
          [&](float acc, auto, auto) { return clamp8(std::nearbyint(acc * at(0)) + zp); });
  suspect("N-SCALE",
          [&](float acc, auto, auto j) { return clamp8(std::nearbyint(acc / at(j)) + zp); });
  suspect("N-ROUND", [&](float acc, auto, auto j) { return clamp8(std::round(v(acc, j)) + zp); });
  suspect("N-ROUND",
          [&](float acc, auto, auto j) { return clamp8(std::floor(v(acc, j) + 0.5f) + zp); });
  suspect("N-ROUND",
          [&](float acc, auto, auto j) { return clamp8(std::nearbyint(v(acc, j) + float(zp))); });
  suspect("N-TRUNC", [&](float acc, auto, auto j) { return clamp8(std::trunc(v(acc, j)) + zp); });
  suspect("N-ZERO", [&](float acc, auto, auto j) { return clamp8(std::nearbyint(v(acc, j))); });
  suspect("N-ZP-SIGN",
          [&](float acc, auto, auto j) { return clamp8(std::nearbyint(v(acc, j)) - zp); });
  suspect("N-CLAMP",
          [&](float acc, auto, auto j) { return wrap8(std::nearbyint(v(acc, j)) + zp); });
  suspect("N-CLAMP",
          [&](float acc, auto, auto j) { return clamp8(std::nearbyint(v(acc, j))) + zp; });
  suspect("N-CLAMP",
          [&](float acc, auto, auto j) { return wrap8(clamp8(std::nearbyint(v(acc, j))) + zp); });
  suspect("N-RANGE", [&](float acc, auto, auto j) {
    return std::max(-127.0, clamp8(std::nearbyint(v(acc, j)) + zp));
  });
  const auto right =
      codes([&](float acc, auto, auto j) { return clamp8(std::nearbyint(v(acc, j)) + zp); });
  const std::size_t m = n == 0 ? 0 : c.acc.size() / n;
  expect.equal("q", call<&requantize>(c.acc, c.multiplier, c.zero_point, out(c.acc.size())),
               Codes(right.begin(), right.end()), {m, n});
}

/// A row of sums for n columns, `rows` times.
RequantizeCase row_of_sums(std::string name, Sums row, Reals multiplier, int zero_point,
                           std::size_t rows) {
  RequantizeCase c{std::move(name), {}, std::move(multiplier), zero_point};
  for (std::size_t i = 0; i < rows; ++i) c.acc.insert(c.acc.end(), row.begin(), row.end());
  return c;
}

TEST(requantize, ScalesEachColumn) {
  each_case<RequantizeCase>({{"Empty", {}, {}, 3},
                             {"NoRows", {}, {1, 2}, 3},
                             {"OneByTwo", {10, 20}, {0.5f, 2}, 0},
                             {"TwoByTwo", {10, 20, -30, 40}, {0.5f, 2}, 0},
                             {"ThreeByTwo", {10, 20, -30, 40, 8, -9}, {0.25f, 1}, 0},
                             {"OneColumn", {10, 20, -30}, {0.5f}, 0}},
                            requantizes);
}

// Halves of both signs; with an odd zero point, rounding v + zero_point moves every tie.
TEST(requantize, RoundsThenAddsTheZeroPoint) {
  Sums halves;
  for (int acc = -70; acc <= 70; ++acc) halves.push_back(acc);
  const Reals half(halves.size(), 0.5f);
  each_case<RequantizeCase>({{"Few", {1, 3, 5, 7, -1, -3}, Reals(6, 0.5f), 0},
                             {"OddZeroPoint", {1, 3, 5, 7, -1, -3}, Reals(6, 0.5f), 1},
                             {"ZeroPoint", {8, 16, -24}, {0.25f, 0.25f, 0.25f}, -20},
                             row_of_sums("Many", halves, half, 0, 2),
                             row_of_sums("ManyOdd", halves, half, -7, 2)},
                            requantizes);
}

// Past the grid by themselves, by the zero point alone, and back inside by it; past int32.
TEST(requantize, StaysOnTheGrid) {
  const Sums sums{100, -100, 127, -128, 150, -150, 250, -250, 1000, -1000};
  const Sums huge{2147483647, std::numeric_limits<std::int32_t>::min(), 16777217, -16777217};
  std::vector<RequantizeCase> cases;
  for (const int zero_point : {0, 100, -100, 127, -128}) {
    for (const std::size_t times : {1, 9}) {
      const std::string name = std::to_string(zero_point) + "x" + std::to_string(times);
      const auto wide = [&](const Sums& row) { return row_of_sums("", row, {}, 0, times).acc; };
      const std::size_t n = sums.size() * times, large = huge.size() * times * 2;
      cases.push_back({"Past" + name, wide(sums), Reals(n, 1), zero_point});
      cases.push_back({"Huge" + name, row_of_sums("", wide(huge), {}, 0, 2).acc,
                       Reals(large, 0x1p100f), zero_point});
    }
  }
  each_case(cases, requantizes);
}

std::vector<RequantizeCase> random_sums(std::uint64_t (*seed_of)(std::uint64_t)) {
  std::vector<RequantizeCase> cases;
  for (const auto& [m, n] : {std::pair(1, 1),
                             {5, 1},
                             {3, 15},
                             {2, 16},
                             {3, 17},
                             {2, 31},
                             {2, 33},
                             {3, 63},
                             {2, 64},
                             {3, 65},
                             {1, 129},
                             {7, 200},
                             {2, 1021}}) {
    const std::size_t at = cases.size();
    cases.push_back({std::to_string(m) + "x" + std::to_string(n),
                     code_tensor<std::int32_t>(area(m, n), seed_of(3 * at), -200'000, 200'000),
                     uniform_tensor(std::size_t(n), seed_of(3 * at + 1), 1e-4f, 9e-4f),
                     code_tensor<std::int8_t>(1, seed_of(3 * at + 2), -30, 30)[0]});
  }
  return cases;
}

TEST(requantize, EveryShape) { each_case(random_sums(seed), requantizes); }

TEST(requantize, RefusesWhatItMust) {
  once([](Expect& expect) {
    requantizes({"", {8, -16}, {0.5f, 0.25f}, 127}, expect);
    const auto refused = [&](const std::string& what, const char* code, const Sums& acc,
                             const Reals& multiplier, int zero_point, std::size_t count) {
      expect.that(refuses<&requantize>(acc, multiplier, zero_point, out(count)), "accepted " + what,
                  code);
    };
    for (const float factor : kUnusableScales) {
      refused("a multiplier of " + show_value(factor), "N-DIV0", {1, 2}, {1, factor}, 0, 2);
    }
    refused("zero_point = 128", "N-RANGE", {1, 2}, {1, 1}, 128, 2);
    refused("zero_point = -129", "N-RANGE", {1, 2}, {1, 1}, -129, 2);
    refused("2 sums and 3 codes", "N-SIZE", {1, 2}, {1, 1}, 0, 3);
    refused("3 sums in rows of 2", "N-SIZE", {1, 2, 3}, {1, 1}, 0, 3);
    refused("sums without a column", "N-SIZE", {1}, {}, 0, 1);
  });
}

// --- sigmoid -------------------------------------------------------------------------------------

struct SigmoidCase {
  std::string name;
  float scale;
  Codes x;
};

std::string show(const SigmoidCase& c) {
  return "scale = " + show_value(c.scale) + ", x = " + show_values(c.x);
}

std::vector<SigmoidCase> smaller(const SigmoidCase& c) {
  std::vector<SigmoidCase> all;
  for (Codes& x : smaller_lists(c.x)) {
    all.push_back({std::to_string(x.size()) + " codes", c.scale, std::move(x)});
  }
  return all;
}

/// Two libraries' exp may differ in the last bit. That moves a code only where 256 * s is within
/// 2^-40 of a tie, and no scale of these checks comes as near.
void squashes(const SigmoidCase& c, Expect& expect) {
  const auto codes = [&](const auto& code) {
    std::vector<double> y;
    for (const std::int8_t x : c.x) {
      y.push_back(code(1 / (1 + std::exp(-double{c.scale} * x)), x));
    }
    return y;
  };
  const auto suspect = [&](const char* code, const auto& code_of) {
    expect.suspect(code, "y", codes(code_of));
  };
  suspect("N-CLAMP", [](double s, int) { return wrap8(std::nearbyint(256 * s) - 128); });
  suspect("N-SCALE", [](double s, int) { return clamp8(std::nearbyint(255 * s) - 128); });
  suspect("N-SCALE", [](double s, int) { return clamp8(std::nearbyint(127 * s)); });
  suspect("N-ZERO", [](double s, int) { return clamp8(std::nearbyint(256 * s)); });
  suspect("N-TRUNC", [](double s, int) { return clamp8(std::floor(256 * s) - 128); });
  suspect("N-SIGN", [&](double, int x) {
    const double s = 1 / (1 + std::exp(-double{c.scale} * static_cast<std::uint8_t>(x)));
    return clamp8(std::nearbyint(256 * s) - 128);
  });
  suspect("N-SIGN", [&](double, int x) {  // as if the table began at -128
    const double s = 1 / (1 + std::exp(-double{c.scale} * (static_cast<std::uint8_t>(x) - 128)));
    return clamp8(std::nearbyint(256 * s) - 128);
  });
  suspect("N-SIGN", [&](double s, int) { return clamp8(std::nearbyint(256 * (1 - s)) - 128); });
  suspect("N-SCALE", [](double, int x) {
    return clamp8(std::nearbyint(256 / (1 + std::exp(-double(x)))) - 128);
  });
  const auto want = codes([](double s, int) { return clamp8(std::nearbyint(256 * s) - 128); });
  expect.equal("y", call<&sigmoid>(c.x, c.scale, out(c.x.size())), Codes(want.begin(), want.end()));
}

TEST(sigmoid, EveryCode) {
  each_case<SigmoidCase>({{"Few", 0.05f, {0, 1, -1, 20, -20, 127, -128}},
                          {"Every", 0.05f, every_code()},
                          {"Flat", 0.001f, every_code()},
                          {"Smallest", FLT_MIN, every_code()},
                          {"Steep", 1.0f, every_code()},
                          {"Step", 1e30f, every_code()},
                          {"AtRandom", uniform_tensor(1, seed(9), 0.01f, 0.1f)[0], every_code()}},
                         squashes);
}

TEST(sigmoid, EveryLength) {
  std::vector<SigmoidCase> cases{{"Empty", 1, {}}};
  for (const std::size_t count : every_length()) {
    cases.push_back({std::to_string(count), 0.03f, random_codes(count, seed(count))});
  }
  each_case(cases, squashes);
}

TEST(sigmoid, RefusesWhatItMust) {
  once([](Expect& expect) {
    squashes({"", 0.5f, {3, -2}}, expect);
    for (const float scale : kUnusableScales) {
      expect.that(refuses<&sigmoid>(Codes{1, 2}, scale, out(2)),
                  "accepted scale = " + show_value(scale));
    }
    expect.that(refuses<&sigmoid>(Codes{1, 2}, 1.0f, out(3)), "accepted 2 codes and 3", "N-SIZE");
  });
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
// Not in a handout. A contract function called plainly is the reference, linked in for its values;
// the inputs follow from the course's secret salt.

std::uint64_t draw_below(std::uint64_t number, std::uint64_t below) {
  return std::mt19937_64(hidden_seed(number))() % below;
}

TEST(best_isa, EqualsTheReference) {
  std::vector<ChoiceCase> cases;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const auto isas = static_cast<std::uint32_t>(draw_below(2 * i, 64) | (i % 2));
    const Isa cap = kEveryIsa.at(draw_below(2 * i + 1, kEveryIsa.size()));
    cases.push_back({"Set" + std::to_string(isas) + "_" + title(cap), isas, cap});
  }
  each_case(cases, [](const ChoiceCase& c, Expect& expect) {
    if (const auto best = best_of(c)) {
      expect.equal("isa", static_cast<int>(call<&best_isa>(c.isas, c.cap)),
                   static_cast<int>(best_isa(c.isas, c.cap)));
      expect.equal("isa", static_cast<int>(best_isa(c.isas, c.cap)), static_cast<int>(*best));
    } else {
      expect.that(refuses<&best_isa>(c.isas, c.cap), "accepted " + show(c));
    }
  });
}

TEST(saturating_pair, EveryPairOfWeights) {
  const Codes random = random_codes(800, hidden_seed(100));
  std::vector<WeightsCase> cases;
  for (std::size_t i = 0; i < random.size(); i += 2) {
    cases.push_back(weights(random[i], random[i + 1]));
  }
  each_case(cases, [](const WeightsCase& c, Expect& expect) {
    const std::int8_t s0 = std::int8_t(c.s0), s1 = std::int8_t(c.s1);
    if (!can_saturate(c.s0, c.s1)) {
      expect.that(refuses<&saturating_pair>(s0, s1), "accepted " + show(c), "N-RANGE");
      return;
    }
    const auto u = call<&saturating_pair>(s0, s1);
    const int exact = u[0] * c.s0 + u[1] * c.s1;
    expect.that(std::clamp(exact, -32768, 32767) != exact,
                "u gives " + std::to_string(exact) + ", which int16 holds");
  });
}

TEST(dot, EqualsTheReference) {
  std::vector<DotCase> cases;
  for (std::uint64_t i = 0; i < 24; ++i) {
    const std::size_t count = 1 + draw_below(200 + i, i < 16 ? 300 : 30'000);
    cases.push_back({std::to_string(count),
                     {},
                     random_codes(count, hidden_seed(230 + i)),
                     random_codes(count, hidden_seed(260 + i))});
  }
  each_case(on_every_isa(cases), [](const DotCase& c, Expect& expect) {
    expect.equal("the sum", dot(c.isa, c.a, c.b), dot(Isa::kScalar, c.a, c.b));
    dots(c, expect);
  });
}

MatmulShape hidden_shape(std::uint64_t number, int m, int n, int k) {
  return {1 + int(draw_below(number, m)), 1 + int(draw_below(number + 1, n)),
          1 + int(draw_below(number + 2, k))};
}

TEST(pack_b, EqualsTheReference) {
  std::vector<PackCase> cases;
  for (const Isa isa : isas_to_check()) {
    for (std::uint64_t i = 0; i < 8; ++i) {
      const auto [m, n, k] = hidden_shape(400 + 3 * i, 1, 200, 130);
      cases.push_back({title(isa) + "_" + std::to_string(n) + "x" + std::to_string(k), isa, n, k,
                       random_codes(area(n, k), hidden_seed(430 + i))});
    }
  }
  each_case(cases, [](const PackCase& c, Expect& expect) {
    const MatmulShape shape{1, c.n, c.k};
    const std::size_t size = packed_size(c.isa, shape);
    // Aligned, as the reference asks for it.
    std::vector<std::array<std::int8_t, 64>> lines(size / 64 + 1);
    auto* const first = lines.front().data();
    const std::size_t off = (64 - reinterpret_cast<std::uintptr_t>(first) % 64) % 64;
    const std::span<std::int8_t> want(first + off, size);
    pack_b(c.isa, c.b_t, want, shape);
    const Codes bytes(want.begin(), want.end()), got = packed_from(c);
    const Packed right = parts_of(bytes, c.isa, c.n), found = parts_of(got, c.isa, c.n);
    suspect_layouts(c, expect);
    expect.equal("panels", found.panels, right.panels);
    expect.equal("sums", found.sums, right.sums);
  });
}

std::vector<ProductCase> hidden_products() {
  std::vector<ProductCase> cases;
  for (const Isa isa : isas_to_check()) {
    for (std::uint64_t i = 0; i < 14; ++i) {
      const MatmulShape shape = i < 12 ? hidden_shape(500 + 3 * i, 20, 140, 140)
                                       : hidden_shape(500 + 3 * i, 400, 90, 1200);
      cases.push_back(random_product(isa, shape, hidden_seed(550 + i), hidden_seed(570 + i)));
    }
  }
  return cases;
}

TEST(multiply_packed, EqualsTheReference) { each_case(hidden_products(), multiplies); }

TEST(multiply_packed_fused, EqualsTheReference) {
  each_case(random_fused(hidden_products(), hidden_seed), fuses);
}

TEST(quantize, EqualsTheReference) {
  std::vector<QuantizeCase> cases;
  for (std::uint64_t i = 0; i < 12; ++i) {
    const std::size_t count = 1 + draw_below(700 + i, 9000);
    cases.push_back({std::to_string(count),
                     uniform_tensor(1, hidden_seed(720 + i), 0.005f, 0.05f)[0],
                     normal_tensor(count, hidden_seed(740 + i))});
  }
  each_case(cases, [](const QuantizeCase& c, Expect& expect) {
    Codes want(c.x.size());
    quantize(c.x, c.scale, want);
    quantizes(c, expect);
    expect.equal("q", call<&quantize>(c.x, c.scale, out(c.x.size())), want);
  });
}

TEST(dequantize, EqualsTheReference) {
  std::vector<DequantizeCase> cases;
  for (std::uint64_t i = 0; i < 8; ++i) {
    const std::size_t count = 1 + draw_below(800 + i, 9000);
    cases.push_back({std::to_string(count), uniform_tensor(1, hidden_seed(820 + i), 1e-6f, 50)[0],
                     random_codes(count, hidden_seed(840 + i))});
  }
  each_case(cases, [](const DequantizeCase& c, Expect& expect) {
    Reals want(c.q.size());
    dequantize(c.q, c.scale, want);
    dequantizes(c, expect);
    expect.equal("x", call<&dequantize>(c.q, c.scale, out(c.q.size())), want);
  });
}

TEST(requantize, EqualsTheReference) {
  each_case(random_sums(hidden_seed), [](const RequantizeCase& c, Expect& expect) {
    Codes want(c.acc.size());
    requantize(c.acc, c.multiplier, c.zero_point, want);
    requantizes(c, expect);
    expect.equal("q", call<&requantize>(c.acc, c.multiplier, c.zero_point, out(c.acc.size())),
                 want);
  });
}

TEST(sigmoid, EqualsTheReference) {
  std::vector<SigmoidCase> cases;
  for (std::uint64_t i = 0; i < 8; ++i) {
    cases.push_back({"Scale" + std::to_string(i),
                     uniform_tensor(1, hidden_seed(900 + i), 0.004f, 0.2f)[0],
                     random_codes(1 + draw_below(920 + i, 3000), hidden_seed(940 + i))});
  }
  each_case(cases, [](const SigmoidCase& c, Expect& expect) {
    Codes want(c.x.size());
    sigmoid(c.x, c.scale, want);
    expect.equal("y", call<&sigmoid>(c.x, c.scale, out(c.x.size())), want);
  });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
