// Lab 35: the checks.
#include "roofline.hpp"

#include "checks/marks/35_roofline.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Times = std::vector<double>;

double mean_of(const Times& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

// --- product_cost -------------------------------------------------------------------------------

using Costing = Exercise<&product_cost>;
constexpr std::int64_t kMost = 1 << 20;

std::int64_t whole_bytes(std::int64_t bits) { return bits / 8 + (bits % 8 == 0 ? 0 : 1); }

void suspect_costs(Expect& expect, const Costing::Arguments& in, const Cost& right) {
  const Product& p = in.a;
  const std::int64_t a = p.m * p.k * p.a_bits, b = p.b_cached ? 0 : p.k * p.n * p.b_bits,
                     c = p.m * p.n * p.c_bits;
  expect.suspect("N-OVERFLOW", "operations",
                 std::int64_t{static_cast<std::int32_t>(right.operations)});
  if (p.k == 0) expect.suspect("N-FORMULA", "bytes", 0);
  const auto bytes = [&](const char* code, const char* words, std::int64_t count) {
    if (count != right.bytes) expect.suspect(code, "bytes", count, words);
  };
  const std::int64_t fetched = p.b_cached ? 0 : 1, all_b = whole_bytes(p.k * p.n * p.b_bits);
  const std::int64_t of_a = whole_bytes(a), of_c = whole_bytes(c);
  bytes("N-UNITS", "bits are told: eight of them are a byte", a + b + c);
  bytes("N-UNITS", "every element is a byte: it has its bits",
        p.m * p.k + fetched * p.k * p.n + p.m * p.n);
  bytes("N-TAIL", "a byte that is not full is left out: it is a whole one", a / 8 + b / 8 + c / 8);
  bytes("N-TAIL", "a byte that is not full is left out: it is a whole one", (a + b + c) / 8);
  bytes("N-TAIL", "the matrices are one piece: each begins with a byte of its own",
        whole_bytes(a + b + c));
  bytes("N-TAIL", "each row begins with a byte of its own: a matrix does, its rows need not",
        p.m * whole_bytes(p.k * p.a_bits) + fetched * p.k * whole_bytes(p.n * p.b_bits) +
            p.m * whole_bytes(p.n * p.c_bits));
  bytes("N-TAIL", "each column of b begins with a byte of its own: a matrix does",
        p.m * whole_bytes(p.k * p.a_bits) + fetched * p.n * whole_bytes(p.k * p.b_bits) +
            p.m * whole_bytes(p.n * p.c_bits));
  bytes("N-TAIL", "each element takes whole bytes: a matrix does",
        p.m * p.k * whole_bytes(p.a_bits) + fetched * p.k * p.n * whole_bytes(p.b_bits) +
            p.m * p.n * whole_bytes(p.c_bits));
  bytes("N-UNITS", "c has the bits of a: it has c_bits an element",
        of_a + whole_bytes(b) + whole_bytes(p.m * p.n * p.a_bits));
  bytes("N-UNITS", "b has the bits of a: it has b_bits an element",
        of_a + fetched * whole_bytes(p.k * p.n * p.a_bits) + of_c);
  bytes("N-FORMULA", "b is counted, though it is cached", of_a + all_b + of_c);
  bytes("N-FORMULA", "b is counted where it is cached, and left out where it is not",
        of_a + (p.b_cached ? all_b : 0) + of_c);
  bytes("N-FORMULA", "a is left out where b is cached", whole_bytes(p.k * p.n * p.b_bits) + of_c);
  bytes("N-FORMULA", "c is not counted: it is written", of_a + whole_bytes(b));
  expect.suspect("N-OVERFLOW", "bytes", std::int64_t{static_cast<std::int32_t>(right.bytes)});
}

const Costing costing{{"m", "n", "k", "a_bits", "b_bits", "c_bits", "b_cached"},
                      {"operations", "bytes"},
                      suspect_costs};

TEST(product_cost, CountsTwoAProduct) {
  costing.gives({{"Cube", {{Product{2, 3, 5, 8, 8, 32, false}}}, {60, 49}},
                 {"OneRow", {{Product{1, 4, 16, 8, 8, 32, false}}}, {128, 96}},
                 {"NoSum", {{Product{3, 2, 0, 8, 8, 32, false}}}, {0, 24}},
                 {"NoRows", {{Product{0, 2, 4, 8, 8, 32, false}}}, {0, 8}}},
                costing.only({"operations"}));
}

// In "FiveCodes" a has 20 bits, b 12 and c 32: three bytes, two and four; eight in one piece.
TEST(product_cost, CountsWholeBytes) {
  costing.gives({{"Bytes", {{Product{2, 3, 5, 8, 8, 8, false}}}, {60, 10 + 15 + 6}},
                 {"Int8",
                  {{Product{2, 3, 5, 8, 8, 32, false}}},
                  {60, 10 + 15 + 24},
                  "c has c_bits an element, whatever a and b have"},
                 {"Float", {{Product{2, 3, 5, 32, 32, 32, false}}}, {60, 40 + 60 + 24}},
                 {"Mixed", {{Product{2, 4, 8, 16, 4, 32, false}}}, {128, 32 + 16 + 32}},
                 {"RowsTogether",
                  {{Product{2, 1, 1, 4, 8, 8, false}}},
                  {4, 1 + 1 + 2},
                  "a matrix has whole bytes, its rows need not"},
                 {"FiveCodes",
                  {{Product{1, 1, 5, 4, 3, 32, false}}},
                  {10, 3 + 2 + 4},
                  "each matrix has whole bytes of its own"},
                 {"OneBit", {{Product{3, 3, 3, 1, 1, 1, false}}}, {54, 2 + 2 + 2}},
                 {"NoSum",
                  {{Product{3, 2, 0, 8, 8, 32, false}}},
                  {0, 24},
                  "sums of nothing are zeros, and are written all the same"},
                 {"NoRows",
                  {{Product{0, 2, 4, 8, 8, 32, false}}},
                  {0, 8},
                  "each matrix is counted by its own sizes, whatever is computed"}});
}

TEST(product_cost, LeavesOutWhatIsCached) {
  costing.gives({{"Computed",
                  {{Product{2, 3, 5, 8, 16, 32, true}}},
                  {60, 10 + 24},
                  "what is not fetched is multiplied all the same"}},
                costing.only({"operations"}));
  costing.gives({{"Cached", {{Product{2, 3, 5, 8, 16, 32, true}}}, {60, 10 + 24}},
                 {"Fetched", {{Product{2, 3, 5, 8, 16, 32, false}}}, {60, 10 + 30 + 24}}});
}

TEST(product_cost, HoldsLargeCounts) {
  costing.gives({{"Billions",
                  {{Product{4096, 4096, 4096, 8, 8, 32, false}}},
                  {std::int64_t{1} << 37, std::int64_t{96} << 20}},
                 {"Odd",
                  {{Product{999'983, 999'979, 999'961, 8, 8, 32, false}}},
                  {std::int64_t{2} * 999'983 * 999'979 * 999'961,
                   std::int64_t{999'983} * 999'961 + std::int64_t{999'961} * 999'979 +
                       std::int64_t{4} * 999'983 * 999'979}},
                 {"Most",
                  {{Product{kMost, kMost, kMost, 64, 64, 64, false}}},
                  {std::int64_t{1} << 61, std::int64_t{24} << 40}}});
}

TEST(product_cost, RefusesWhatIsNoProduct) {
  costing.refuses({{"Fits", {{Product{2, 3, 5, 1, 64, 32, false}}}, {60, 2 + 120 + 24}}},
                  {{"", {{Product{-1, 3, 5, 8, 8, 32, false}}}},
                   {"", {{Product{2, kMost + 1, 5, 8, 8, 32, false}}}},
                   {"", {{Product{2, 3, 5, 0, 8, 32, false}}}},
                   {"", {{Product{2, 3, 5, 8, 8, 65, false}}}}});
}

// --- attainable ---------------------------------------------------------------------------------

using Roofing = Exercise<&attainable>;

void suspect_roofs(Expect& expect, const Roofing::Arguments& in, const Roof& right) {
  const auto& [cost, machine] = in;
  if (cost.bytes > 0) expect.suspect("N-INVERSE", "intensity", 1 / right.intensity);
  expect.suspect("N-INVERSE", "ridge", machine.bandwidth / machine.peak);
  const auto narrow = static_cast<std::int32_t>(cost.bytes);
  if (narrow != cost.bytes) {
    expect.suspect("N-OVERFLOW", "intensity", static_cast<double>(cost.operations) / narrow);
  }
  expect.suspect("N-UNITS", "intensity", right.intensity * 8);
  expect.suspect("N-UNITS", "intensity", right.intensity / 8);
  if (cost.bytes > 0) {
    expect.suspect("N-TRUNC", "intensity", std::trunc(right.intensity));
  }
  const double computes = static_cast<double>(cost.operations) / machine.peak,
               waits = static_cast<double>(cost.bytes) / machine.bandwidth;
  expect.suspect("N-FORMULA", "rate", std::max(machine.peak, right.intensity * machine.bandwidth),
                 "the higher of two roofs: it is the lower");
  expect.suspect("N-FORMULA", "rate", right.intensity * machine.bandwidth,
                 "the peak is left out: no rate is above it");
  expect.suspect("N-FORMULA", "rate", machine.peak,
                 "the slope is left out: left of the ridge it is lower");
  expect.suspect("N-FORMULA", "seconds", computes + waits,
                 "one after the other: both happen at the same time, and the longer counts");
  expect.suspect("N-FORMULA", "seconds", std::min(computes, waits),
                 "the shorter of two times: it is the longer");
  expect.suspect("N-FORMULA", "seconds", computes, "bytes take no time");
  expect.suspect("N-FORMULA", "seconds", waits, "operations take no time");
}

const Roofing roofing{{"operations", "bytes", "peak", "bandwidth"},
                      {"intensity", "ridge", "rate", "seconds", "memory_bound"},
                      suspect_roofs,
                      {.tolerance = metric_tolerance()}};

/// 1000 operations and 125 bytes a second: the ridge is at 8.
constexpr Machine kEight{1000, 125};

TEST(attainable, LiesBelowTheRoof) {
  roofing.gives({{"Slope", {Cost{250, 125}, kEight}, {2, 8, 250, 1, true}},
                 {"Flat", {Cost{2000, 125}, kEight}, {16, 8, 1000, 2, false}},
                 {"NoInteger", {Cost{500, 1000}, kEight}, {0.5, 8, 62.5, 8, true}},
                 {"LittleMemory", {Cost{500, 1000}, {100, 400}}, {0.5, 0.25, 100, 5, false}},
                 {"Large",
                  {Cost{std::int64_t{1} << 61, 1}, {1e12, 1e11}},
                  {0x1p61, 10, 1e12, 0x1p61 / 1e12, false}},
                 {"ManyBytes",
                  {Cost{1, (std::int64_t{1} << 61) + 3}, {1e12, 1e11}},
                  {0x1p-61, 10, 0x1p-61 * 1e11, 0x1p61 / 1e11, true},
                  "counts have 64 bits, and a tiny intensity is none of 0"}});
}

TEST(attainable, NamesTheBound) {
  const std::string same =
      "intensity and ridge are the same number: compare these two, for products and times are "
      "rounded once more";
  roofing.gives(
      {{"AtTheRidge",
        {Cost{1000, 125}, kEight},
        {8, 8, 1000, 1, false},
        "what lies at the ridge does not wait for memory"},
       {"Left", {Cost{999, 125}, kEight}, {7.992, 8, 999, 1, true}},
       {"Right", {Cost{1001, 125}, kEight}, {8.008, 8, 1000, 1.001, false}},
       {"RidgeOfOne49th", {Cost{1, 49}, {1, 49}}, {1 / 49.0, 1 / 49.0, 1, 1, false}, same},
       {"RidgeOf7By25", {Cost{7, 25}, {7, 25}}, {0.28, 0.28, 7, 1, false}, same},
       {"LongerToMove", {Cost{30, 42}, {1, 1.4}}, {30 / 42.0, 1 / 1.4, 1, 30, false}, same}},
      roofing.only({"memory_bound"}));
}

TEST(attainable, NothingToMoveOrCompute) {
  roofing.gives({{"NoBytes", {Cost{2000, 0}, kEight}, {double{kInfinity}, 8, 1000, 2, false}},
                 {"NoOperations", {Cost{0, 250}, kEight}, {0, 8, 0, 2, true}}});
}

TEST(attainable, RefusesWhatHasNoRoof) {
  const std::string any_count =
      "any count from 0 on is one, whose sum with the other may be more than 64 bits hold";
  roofing.gives(
      {{"MostOperations", {Cost{INT64_MAX, 1}, {1, 1}}, {0x1p63, 1, 1, 0x1p63, false}, any_count},
       {"MostBytes",
        {Cost{1, INT64_MAX}, {1, 1}},
        {0x1p-63, 1, 0x1p-63, 0x1p63, true},
        any_count}});
  roofing.refuses({{"Slope", {Cost{250, 125}, kEight}, {2, 8, 250, 1, true}},
                   {"NoBytes", {Cost{2000, 0}, kEight}, {double{kInfinity}, 8, 1000, 2, false}},
                   {"NoOperations", {Cost{0, 250}, kEight}, {0, 8, 0, 2, true}}},
                  {{"", {Cost{-1, 125}, kEight}},
                   {"", {Cost{250, -1}, kEight}},
                   {"N-DIV0", {Cost{0, 0}, kEight}},
                   {"", {Cost{250, 125}, {0, 125}}},
                   {"", {Cost{250, 125}, {1000, -1}}},
                   {"N-NAN", {Cost{250, 125}, {double{kNan}, 125}}},
                   {"N-NAN", {Cost{250, 125}, {1000, double{kInfinity}}}}});
}

// --- summarize ----------------------------------------------------------------------------------

using Summing = Exercise<&summarize>;

Summary summary_of(Times t, std::size_t cut) {
  if (cut >= t.size()) throw std::invalid_argument("nothing is left");
  t.erase(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(cut));
  std::ranges::sort(t);
  const std::size_t n = t.size();
  const auto ranked = [&](std::size_t rank) { return t[rank - 1]; };
  const double median = n % 2 == 1 ? ranked((n + 1) / 2) : (ranked(n / 2) + ranked(n / 2 + 1)) / 2;
  const double low = ranked((n + 3) / 4), high = ranked((3 * n + 3) / 4);
  return {median, low, high, (high - low) / median};
}

Summary summary_by_definition(const Summing::Arguments& in) {
  if (in.b < 0) throw std::invalid_argument("no warm-up");
  return summary_of(in.a, static_cast<std::size_t>(in.b));
}

void suspect_summaries(Expect& expect, const Summing::Arguments& in, const Summary& right) {
  expect.suspect("N-UNITS", "spread", right.spread * 100, "in percent: it is a share");
  expect.suspect("N-UNITS", "spread", right.high - right.low,
                 "in seconds: it is divided by the median");
  if (in.b < 0 || static_cast<std::size_t>(in.b) >= in.a.size()) return;
  const std::size_t cut = static_cast<std::size_t>(in.b), n = in.a.size() - cut;
  const auto suspect = [&](const char* what, const char* words, double value) {
    expect.suspect("N-FORMULA", what, value, words);
  };
  const auto from = in.a.begin() + static_cast<std::ptrdiff_t>(cut);
  const Times unsorted(from, in.a.end());
  Times t = unsorted, sorted_first = in.a;
  std::ranges::sort(t);
  std::ranges::sort(sorted_first);
  const Times without_fastest(sorted_first.begin() + static_cast<std::ptrdiff_t>(cut),
                              sorted_first.end());
  const Times without_last(in.a.begin(), in.a.end() - static_cast<std::ptrdiff_t>(cut));
  const double mean = mean_of(t);
  suspect("median", "the times are not in order: the middle of a list is no median",
          n % 2 == 1 ? unsorted[n / 2] : (unsorted[n / 2 - 1] + unsorted[n / 2]) / 2);
  suspect("median", "the times are not in order: the middle of a list is no median",
          unsorted[n / 2]);
  suspect("median", "the mean of the times: a median is the middle of them", mean);
  suspect("median", "the least of the times: a median is the middle of them", t[0]);
  suspect("median", "of two middles the greater: it is the mean of both", t[n / 2]);
  suspect("median", "of two middles the lesser: it is the mean of both", t[(n - 1) / 2]);
  suspect("median", "the first runs count: they are left out", summary_of(in.a, 0).median);
  suspect("median", "the fastest runs are left out: the first are, so cut before you sort",
          summary_of(without_fastest, 0).median);
  suspect("median", "the last runs are left out: the first are",
          summary_of(without_last, 0).median);
  const auto at = [&](double place) {  // between two times, as other programs have it
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, n - 1);
    return t[below] + (place - std::floor(place)) * (t[above] - t[below]);
  };
  const auto last = static_cast<double>(n - 1);
  constexpr const char* kBetween = "a time between two times: it is one of them, t[rank]";
  suspect("low", kBetween, at(last / 4));
  suspect("high", kBetween, at(last * 3 / 4));
  constexpr const char* kDown = "a rank is rounded down: it is rounded up";
  suspect("low", kDown, t[std::max<std::size_t>(n / 4, 1) - 1]);
  suspect("high", kDown, t[std::max<std::size_t>(3 * n / 4, 1) - 1]);
  constexpr const char* kFromZero = "one time too far: a rank counts from 1, a vector from 0";
  suspect("low", kFromZero, t[std::min((n + 3) / 4, n - 1)]);
  suspect("high", kFromZero, t[std::min((3 * n + 3) / 4, n - 1)]);
  suspect("high", "3 * ceil(n / 4) is the rank: it is ceil(3 * n / 4)",
          t[std::min(3 * ((n + 3) / 4), n) - 1]);
  suspect("high", "as far from the greatest as low is from the least: its rank is ceil(3 * n / 4)",
          t[n - (n + 3) / 4]);
  suspect("low", "the least of the times", t[0]);
  suspect("high", "the greatest of the times", t[n - 1]);
  suspect("spread", "by the mean: it is by the median", (right.high - right.low) / mean);
  suspect("spread", "of the least and the greatest time: it is of low and high",
          (t[n - 1] - t[0]) / right.median);
  suspect("spread", "by low: it is by the median", (right.high - right.low) / right.low);
}

const Summing summing{{"seconds", "warm_up"},
                      {"median", "low", "high", "spread"},
                      suspect_summaries,
                      {.tolerance = metric_tolerance()}};

/// Times as a clock gives them: most of them alike, some of them much longer.
Times times(std::size_t n, std::uint64_t seed, float usual) {
  Times all;
  for (const float x : normal_tensor(n, seed)) {
    all.push_back(double{usual} * std::exp(0.05 * double{x} * double{x} * double{x}));
  }
  return all;
}

std::vector<Summing::Input> runs(Seed seed_of, int longest) {
  std::vector<Summing::Input> inputs;
  for (const int n : {1, 2, 3, 4, 5, 30, 101, longest}) {
    inputs.push_back(
        {std::to_string(n),
         {times(static_cast<std::size_t>(n), seed_of(static_cast<std::size_t>(n)), 0.01f), n / 3}});
  }
  return inputs;
}

TEST(summarize, TakesTheMiddle) {
  summing.gives(
      {{"Odd", {{3, 20, 1}, 0}, {3, 1, 20, 19.0 / 3}, "t holds the times in ascending order"},
       {"Even",
        {{1, 5, 8, 2}, 0},
        {3.5, 1, 5, 4 / 3.5},
        "of an even number the median is the mean of both middles"},
       {"One", {{0.25}, 0}, {0.25, 0.25, 0.25, 0}, "one time is enough"},
       {"Two", {{3, 1}, 0}, {2, 1, 3, 1}}},
      summing.only({"median"}));
}

TEST(summarize, CutsTheWarmUp) {
  summing.gives({{"Cold", {{90, 70, 2, 8, 1, 2, 3}, 2}, {2, 2, 3, 0.5}},
                 {"AllButOne", {{90, 70, 2}, 2}, {2, 2, 2, 0}, "one run that is left is enough"},
                 {"FastFirst", {{1, 2, 9, 8, 7}, 2}, {8, 7, 9, 0.25}},
                 {"SlowLast", {{5, 1, 2, 3, 90}, 1}, {2.5, 1, 3, 0.8}}},
                summing.only({"median"}));
}

TEST(summarize, TakesQuarters) {
  const auto ranks = summing.only({"low", "high"});
  summing.gives({{"Four", {{4, 3, 2, 1}, 0}, {2.5, 1, 3, 0.8}},
                 {"Five",
                  {{5, 1, 2, 4, 3}, 0},
                  {3, 2, 4, 2.0 / 3},
                  "5 / 4 and 15 / 4 are rounded up: low is t[2], high is t[4]"},
                 {"Six", {{6, 5, 1, 2, 4, 3}, 0}, {3.5, 2, 5, 3 / 3.5}},
                 {"Seven", {{7, 6, 5, 1, 2, 4, 3}, 0}, {4, 2, 6, 1}},
                 {"Eight", {{8, 7, 6, 5, 1, 2, 4, 3}, 0}, {4.5, 2, 6, 4 / 4.5}},
                 {"One", {{0.25}, 0}, {0.25, 0.25, 0.25, 0}},
                 {"Equal", {{3, 3, 3}, 1}, {3, 3, 3, 0}}},
                ranks);
  summing.gives({{"OfLowAndHigh",
                  {{8, 6, 4, 2}, 0},
                  {5, 2, 6, 0.8},
                  "spread is high - low by median, not the least and the greatest time"},
                 {"OfTheMedian",
                  {{2, 4, 6, 180}, 0},
                  {5, 2, 6, 0.8},
                  "spread is by the median, not by the mean"}},
                summing.only({"spread"}));
  summing.agrees_with(summary_by_definition, runs(seed, 202));
}

TEST(summarize, RefusesWhatIsNoTime) {
  summing.refuses({{"Fine", {{2, 1}, 1}, {1, 1, 1, 0}}}, {{"", {{2, 1}, 2}},
                                                          {"", {{2, 1}, 3}},
                                                          {"", {{2, 1}, -1}},
                                                          {"N-SIZE", {Times{}, 0}},
                                                          {"", {{2, 0}, 0}},
                                                          {"", {{-2, 1}, 1}},
                                                          {"N-NAN", {{1, double{kNan}}, 0}},
                                                          {"N-NAN", {{double{kInfinity}, 1}, 1}}});
}

// --- compare_pairs ------------------------------------------------------------------------------

using Comparing = Exercise<&compare_pairs>;

/// What is drawn, in ascending order.
template <class Draw>
Times draws_with(const Comparing::Arguments& in, const Draw& draw) {
  const auto& [ours, theirs, seed] = in;
  if (ours.size() != theirs.size() || ours.empty()) throw std::invalid_argument("no pairs");
  Times draws;
  SplitMix random(seed);
  const auto below = [&] { return random.below(static_cast<std::uint32_t>(ours.size())); };
  for (int r = 0; r < kResamples; ++r) {
    Times drawn;
    for (std::size_t i = 0; i < ours.size(); ++i) drawn.push_back(draw(below));
    draws.push_back(mean_of(drawn));
  }
  std::ranges::sort(draws);
  return draws;
}
Times draws_of(const Comparing::Arguments& in) {
  return draws_with(in, [&](const auto& below) {
    const auto i = below();
    return std::log(in.a[i] / in.b[i]);
  });
}

/// Interval of draws in which pairs are torn: ours of one pair, theirs of another.
bool is_torn(const Comparing::Arguments& in, const Comparison& got) {
  const auto is = [&](const Times& draws) {
    return is_near(got.low, std::exp(draws[24]), metric_tolerance()) &&
           is_near(got.high, std::exp(draws[975]), metric_tolerance());
  };
  Times apart;  // all of ours first, then all of theirs
  SplitMix random(in.c);
  const auto n = static_cast<std::uint32_t>(in.a.size());
  for (int r = 0; r < kResamples; ++r) {
    double sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) sum += std::log(in.a[random.below(n)]);
    for (std::uint32_t i = 0; i < n; ++i) sum -= std::log(in.b[random.below(n)]);
    apart.push_back(sum / n);
  }
  std::ranges::sort(apart);
  return is(apart) || is(draws_with(in, [&](const auto& below) {
           const double ours = in.a[below()];
           return std::log(ours / in.b[below()]);
         }));
}

Comparison comparison_by_definition(const Comparing::Arguments& in) {
  const Times draws = draws_of(in);
  Times l;
  for (std::size_t i = 0; i < in.a.size(); ++i) l.push_back(std::log(in.a[i] / in.b[i]));
  const double low = std::exp(draws[24]), high = std::exp(draws[975]);
  return {std::exp(mean_of(l)), low, high, high < 1 ? -1 : low > 1 ? 1 : 0};
}

Times sorted(Times x) {
  std::ranges::sort(x);
  return x;
}

void suspect_comparisons(Expect& expect, const Comparing::Arguments& in, const Comparison& right) {
  const auto& [ours, theirs, seed] = in;
  if (ours.size() != theirs.size() || ours.empty()) return;
  expect.suspect("N-INVERSE", "ratio", 1 / right.ratio);
  expect.suspect("N-UNITS", "ratio", std::log(right.ratio));
  expect.suspect("N-ORDER", "low", right.high);
  expect.suspect("N-UNITS", "low", std::log(right.low));
  expect.suspect("N-ORDER", "verdict", -right.verdict);
  const auto ratio = [&](const char* words, double value) {
    expect.suspect("N-FORMULA", "ratio", value, words);
  };
  const double n = static_cast<double>(ours.size());
  double quotients = 0, turned = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    quotients += ours[i] / theirs[i], turned += theirs[i] / ours[i];
  }
  ratio("the mean of the quotients: it is that of their logarithms", quotients / n);
  ratio("one over the mean of the quotients: it is the mean of their logarithms", n / turned);
  ratio("the quotient of two means: a long pair would count for more",
        mean_of(ours) / mean_of(theirs));
  ratio("all factors are multiplied: there is no root of as many", std::pow(right.ratio, n));
  const Times ours_in_order = sorted(ours), theirs_in_order = sorted(theirs);
  ratio("the quotient of two medians: it is the mean of the logarithms of all",
        ours_in_order[ours.size() / 2] / theirs_in_order[ours.size() / 2]);
  Times each;
  for (std::size_t i = 0; i < ours.size(); ++i) each.push_back(ours[i] / theirs[i]);
  ratio("the median of the quotients: it is the mean of their logarithms",
        sorted(each)[ours.size() / 2]);
}

const Comparing comparing{{"ours", "theirs", "seed"},
                          {"ratio", "low", "high", "verdict"},
                          suspect_comparisons,
                          {.tolerance = metric_tolerance()}};

bool is_same(double got, double want) { return is_near(got, want, metric_tolerance()); }

/// A ratio that was drawn is told as such.
const auto kRatio = [](Expect& expect, const Comparing::Arguments& in, const Comparison& got,
                       const Comparison& want) {
  const Times draws = draws_of(in);
  const double middle = std::exp((draws[499] + draws[500]) / 2);
  expect.that(is_same(got.ratio, want.ratio) || !is_same(got.ratio, middle),
              "ratio is the middle of the draws: it is of the pairs themselves");
  comparing.only({"ratio"})(expect, in, got, want);
};

/// The product of these quotients is no double, though their mean is one.
const auto kFarRatio = [](Expect& expect, const Comparing::Arguments& in, const Comparison& got,
                          const Comparison& want) {
  expect.that(got.ratio != 0 && !std::isinf(got.ratio),
              "ratio is " + show_value(got.ratio) +
                  ": looks like a product of all quotients, which may be so; the mean of their "
                  "logarithms is not",
              "N-OVERFLOW");
  kRatio(expect, in, got, want);
};

/// Of a wrong interval is told what it is, where that is known; with a code, so that fewer pairs
/// say the same.
const auto kInterval = [](Expect& expect, const Comparing::Arguments& in, const Comparison& got,
                          const Comparison& want) {
  if (!is_same(got.low, want.low) || !is_same(got.high, want.high)) {
    const Times draws = draws_of(in);
    const auto is_draw = [&](double factor, std::size_t at) {
      return is_same(factor, std::exp(draws[at]));
    };
    expect.that(got.low != got.high || want.low == want.high,
                "low is high: all draws are one and the same, since the random numbers begin anew",
                "N-FORMULA");
    expect.that(!is_torn(in, got),
                "a pair is torn: ours of one and theirs of another, which no load has met together",
                "N-FORMULA");
    expect.that(is_same(got.low, want.low) || !is_draw(got.low, 23),
                "low is the 24th least draw, not the 25th", "N-FORMULA");
    expect.that(is_same(got.low, want.low) || !is_draw(got.low, 25),
                "low is the 26th least draw, not the 25th", "N-FORMULA");
    expect.that(is_same(got.high, want.high) || !is_draw(got.high, 976),
                "high is the 24th greatest draw, not the 25th", "N-FORMULA");
    expect.that(is_same(got.high, want.high) || !is_draw(got.high, 974),
                "high is the 26th greatest draw, not the 25th", "N-FORMULA");
    expect.that(!is_same(got.low, want.ratio * want.ratio / want.high),
                "the interval is turned round the ratio: low is the 25th least draw itself",
                "N-FORMULA");
    const Comparison narrow = comparison_by_definition({in.a, in.b, in.c & 0xFFFFFFFF});
    expect.that(!is_same(got.low, narrow.low) || !is_same(got.high, narrow.high),
                "32 bits of the seed are used: it has 64", "N-OVERFLOW");
  }
  comparing.only({"low", "high"})(expect, in, got, want);
};

/// Two lists of times in which each time is `factor` of its partner, but for some noise.
Comparing::Arguments pairs(std::size_t n, double factor, std::uint64_t seed) {
  Comparing::Arguments in{times(n, seed, 0.01f), times(n, seed, 0.01f), seed};
  const Reals noise = normal_tensor(n, seed + 1);
  for (std::size_t i = 0; i < n; ++i) in.a[i] *= factor * std::exp(0.03 * double{noise[i]});
  return in;
}

std::vector<Comparing::Input> many_pairs(Seed seed_of, std::size_t longest) {
  std::vector<Comparing::Input> inputs;
  for (const std::size_t n :
       {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{33}, longest}) {
    for (const double factor : {0.5, 1.0, 1.7}) {
      inputs.push_back(
          {std::to_string(n) + " pairs, " + std::to_string(factor), pairs(n, factor, seed_of(n))});
    }
  }
  return inputs;
}

// Of two pairs, twice and half, all that is not an average of factors says who measured first.
TEST(compare_pairs, AveragesFactors) {
  const auto row = [](const char* name, const Times& ours, const Times& theirs, double ratio,
                      const char* rule =
                          "the logarithm of each quotient is averaged: twice and "
                          "half make 1, and a long pair counts as much as a short "
                          "one") {
    return Comparing::Row{name, {ours, theirs, 1}, {ratio, 0, 0, 0}, rule};
  };
  const std::vector<Comparing::Row> rows = {
      row("TwiceAndHalf", {2, 1}, {1, 2}, 1),
      row("TwiceAndHalfOfMore", {4, 10}, {2, 20}, 1),
      row("Half", {1, 2, 4}, {2, 4, 8}, 0.5),
      row("FourTimesOnce", {8, 3, 5}, {1, 3, 5}, 2),
      row("FourPairs", {1, 2, 5, 30}, {1, 1, 1, 1}, std::pow(300, 0.25),
          "ratio is of all pairs; what is drawn makes low and high alone"),
      row("One", {3}, {2}, 1.5, "one pair is enough")};
  comparing.gives(rows, kRatio);
  comparing.gives({row("FarSlower", Times(30, 1e12), Times(30, 1e-12), 1e24, ""),
                   row("FarFaster", Times(30, 1e-12), Times(30, 1e12), 1e-24, "")},
                  kFarRatio);
}

TEST(compare_pairs, DrawsAgain) {
  std::vector<Comparing::Input> inputs;
  for (const double factor : {0.5, 1.0, 1.7}) {
    inputs.push_back({std::to_string(factor), pairs(8, factor, seed(8))});
  }
  inputs.push_back({"OtherSeed", {inputs[0].in.a, inputs[0].in.b, seed(9)}});
  comparing.agrees_with(comparison_by_definition, inputs, kInterval);
}

TEST(compare_pairs, SaysWhatIsSure) {
  comparing.gives({{"Faster", {{1, 2, 4}, {2, 4, 8}, 7}, {0.5, 0.5, 0.5, -1}},
                   {"Slower",
                    {{2, 4, 8}, {1, 2, 4}, 7},
                    {2, 2, 2, 1},
                    "low is a factor, 2, and its logarithm 0.7: above 1 is the factor"},
                   {"Equal",
                    {{2, 4, 8}, {2, 4, 8}, 7},
                    {1, 1, 1, 0},
                    "an interval that ends at 1 holds it: no difference was found"},
                   {"NobodyKnows", {{2, 1}, {1, 2}, 7}, {1, 0.5, 2, 0}},
                   {"FasterOnce",
                    {{1, 4, 8}, {2, 4, 8}, 7},
                    {std::cbrt(0.5), 0.5, 1, 0},
                    "the interval decides, not the ratio, and this one ends at 1"},
                   {"SlowerOnce",
                    {{2, 4, 8}, {1, 4, 8}, 7},
                    {std::cbrt(2.0), 1, 2, 0},
                    "the interval decides, not the ratio, and this one begins at 1"}},
                  comparing.only({"verdict"}));
}

TEST(compare_pairs, HoldsAtAnyLength) {
  comparing.agrees_with(comparison_by_definition, many_pairs(seed, 100));
}

TEST(compare_pairs, RefusesWhatIsNoPair) {
  comparing.refuses({{"Fine", {{1}, {2}, 7}, {0.5, 0.5, 0.5, -1}}},
                    {{"", {{1, 2}, {1, 2, 3}, 7}},
                     {"", {{1, 2, 3}, {1, 2}, 7}},
                     {"", {Times{}, Times{}, 7}},
                     {"N-RANGE", {{1, 0}, {1, 1}, 7}},
                     {"N-RANGE", {{1, 1}, {-1, 1}, 7}},
                     {"N-NAN", {{1, double{kNan}}, {1, 1}, 7}},
                     {"N-NAN", {{1, 1}, {1, double{kInfinity}}, 7}}});
}

// --- tokens_per_second --------------------------------------------------------------------------

using Writing = Exercise<&tokens_per_second>;

void suspect_tokens(Expect& expect, const Writing::Arguments& in, double right) {
  const Decoder& decoder = in.a;
  const Machine& machine = in.b;
  const auto batch = static_cast<double>(decoder.batch);
  const double weights = static_cast<double>(decoder.parameters) * decoder.bits_per_weight;
  const double cache = static_cast<double>(decoder.context * decoder.cache_bytes);
  const double computes = 2 * static_cast<double>(decoder.parameters) * batch / machine.peak;
  const auto tokens = [&](double bytes) {
    return batch / std::max(computes, bytes / machine.bandwidth);
  };
  const std::uint64_t texts = static_cast<std::uint64_t>(decoder.batch);
  const std::uint64_t read =
      texts * static_cast<std::uint64_t>(decoder.context * decoder.cache_bytes);
  const std::uint64_t done = 2 * texts * static_cast<std::uint64_t>(decoder.parameters);
  const double waits = (weights / 8 + batch * cache) / machine.bandwidth;
  expect.suspect("N-OVERFLOW", "tokens",
                 tokens(weights / 8 + static_cast<double>(static_cast<std::int64_t>(read))));
  expect.suspect(
      "N-OVERFLOW", "tokens",
      batch / std::max(waits, static_cast<double>(static_cast<std::int64_t>(done)) / machine.peak));
  expect.suspect("N-UNITS", "tokens", tokens(weights + batch * cache),
                 "bits of weights are taken for bytes");
  expect.suspect("N-UNITS", "tokens", tokens((weights + batch * cache) / 8),
                 "bytes of caches are taken for bits");
  if (decoder.batch > 1) expect.suspect("N-DENOM", "tokens", right / batch);
  expect.suspect("N-INVERSE", "tokens", 1 / right);
  const auto suspect = [&](const char* words, double value) {
    if (value != right) expect.suspect("N-FORMULA", "tokens", value, words);
  };
  suspect("caches are not read", tokens(weights / 8));
  suspect("one text's cache is read for all: each has its own", tokens(weights / 8 + cache));
  suspect("a cache is of one token: a text has as many as context says",
          tokens(weights / 8 + batch * static_cast<double>(decoder.cache_bytes)));
  suspect("weights are read for every text: they are once a step",
          tokens(batch * (weights / 8 + cache)));
  suspect("one after the other: both happen at the same time, and the longer counts",
          batch / (computes + waits));
  suspect("the shorter of two times: it is the longer", batch / std::min(computes, waits));
  suspect("bytes take no time", batch / computes);
  suspect("operations take no time", batch / waits);
  suspect("a multiplication and an addition are one operation: they are two",
          batch / std::max(computes / 2, waits));
  suspect("operations are those of one text: each text has its own",
          batch / std::max(computes / batch, waits));
}

const Writing writing{
    {"parameters", "bits_per_weight", "cache_bytes", "context", "batch", "peak", "bandwidth"},
    {"tokens"},
    suspect_tokens,
    {.tolerance = metric_tolerance()}};

/// So much arithmetic that only memory counts; 1000 bytes a second.
constexpr Machine kSlowMemory{1e15, 1000};
/// So much memory that only arithmetic counts; 1000 operations a second.
constexpr Machine kSlowArithmetic{1000, 1e15};

TEST(tokens_per_second, ReadsAllWeights) {
  writing.gives({{"Int8", {Decoder{100, 8, 0, 0, 1}, kSlowMemory}, 10},
                 {"Half", {Decoder{100, 16, 0, 0, 1}, kSlowMemory}, 5},
                 {"Blocks", {Decoder{400, 4.5, 0, 0, 1}, kSlowMemory}, 1000.0 / 225},
                 {"OnceForAll", {Decoder{100, 8, 0, 0, 4}, kSlowMemory}, 40},
                 {"PartOfAByte",
                  {Decoder{1, 0.5, 0, 0, 1}, kSlowMemory},
                  16'000,
                  "half a bit is a sixteenth of a byte: no bytes are rounded here"},
                 {"OddBytes",
                  {Decoder{101, 4.25, 0, 0, 1}, kSlowMemory},
                  8000 / (101 * 4.25),
                  "no bytes are rounded here"}});
}

TEST(tokens_per_second, EveryTextHasItsCache) {
  writing.gives({{"OneText",
                  {Decoder{100, 8, 2, 50, 1}, kSlowMemory},
                  5,
                  "a text of 50 tokens has 50 times cache_bytes"},
                 {"FourTexts", {Decoder{100, 8, 2, 50, 4}, kSlowMemory}, 8},
                 {"NoContext", {Decoder{100, 8, 2, 0, 4}, kSlowMemory}, 40},
                 {"Long",
                  {Decoder{1, 8, 1 << 30, 1 << 30, 1 << 20}, kSlowMemory},
                  1000 / (0x1p60 + 0x1p-20)}});
}

TEST(tokens_per_second, ComputesForEveryText) {
  writing.gives(
      {{"OneText",
        {Decoder{100, 8, 0, 0, 1}, kSlowArithmetic},
        5,
        "200 operations at 1000 a second: arithmetic may take longer than memory"},
       {"FourTexts", {Decoder{100, 8, 2, 50, 4}, kSlowArithmetic}, 5},
       {"Ridge",
        {Decoder{100, 8, 0, 0, 4}, {8000, 1000}},
        40,
        "memory and arithmetic work at the same time: the longer time counts, not the sum"},
       {"BeyondTheRidge", {Decoder{100, 8, 0, 0, 4}, {4000, 1000}}, 20},
       {"Huge", {Decoder{std::int64_t{1} << 50, 64, 0, 0, 1 << 20}, {1e12, 1e30}}, 1e12 / 0x1p51}});
}

TEST(tokens_per_second, RefusesWhatWritesNothing) {
  writing.refuses({{"Fine", {Decoder{100, 8, 0, 0, 1}, kSlowMemory}, 10}},
                  {{"", {Decoder{0, 8, 0, 0, 1}, kSlowMemory}},
                   {"", {Decoder{100, 0, 0, 0, 1}, kSlowMemory}},
                   {"", {Decoder{100, 8, -1, 0, 1}, kSlowMemory}},
                   {"", {Decoder{100, 8, 0, -1, 1}, kSlowMemory}},
                   {"", {Decoder{100, 8, 0, 0, 0}, kSlowMemory}},
                   {"", {Decoder{100, 8, 0, 0, 1}, {0, 1000}}},
                   {"", {Decoder{100, 8, 0, 0, 1}, {1000, 0}}},
                   {"N-NAN", {Decoder{100, double{kNan}, 0, 0, 1}, kSlowMemory}}});
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

std::vector<Costing::Input> products() {
  std::vector<Costing::Input> inputs;
  for (std::size_t i = 0; i < 24; ++i) {
    const auto size = code_tensor<std::int32_t>(3, hidden_seed(i), 1, i < 12 ? 99 : 99'999);
    const auto bits = code_tensor<std::int32_t>(3, hidden_seed(i + 100), 1, 64);
    const Product product{size[0], size[1], size[2], bits[0], bits[1], bits[2], i % 2 == 1};
    inputs.push_back({std::to_string(i), {product}});
  }
  return inputs;
}

TEST(product_cost, EqualsTheReference) { costing.agrees_with(costing.reference, products()); }

std::vector<Roofing::Input> costs() {
  std::vector<Roofing::Input> inputs;
  for (std::size_t i = 0; i < 24; ++i) {
    const auto of = code_tensor<std::int32_t>(4, hidden_seed(i), 1, 1'000'000);
    inputs.push_back({std::to_string(i),
                      {Cost{of[0], i % 8 == 7 ? 0 : of[1]}, {double{1e6} * of[2], 1e5 * of[3]}}});
  }
  return inputs;
}

TEST(attainable, EqualsTheReference) { roofing.agrees_with(roofing.reference, costs()); }

TEST(summarize, EqualsTheReference) {
  summing.agrees_with(summary_by_definition, runs(hidden_seed, 403));
}

TEST(compare_pairs, EqualsTheReference) {
  comparing.agrees_with(comparison_by_definition, many_pairs(hidden_seed, 257));
}

/// Some of them wait for memory, some for arithmetic.
std::vector<Writing::Input> decoders() {
  std::vector<Writing::Input> inputs;
  for (std::size_t i = 0; i < 24; ++i) {
    const auto of = code_tensor<std::int32_t>(6, hidden_seed(i), 1, 1'000'000);
    const Decoder decoder{std::int64_t{of[0]} * 7000, 0.5 + of[1] / 4e4, of[2] / 8, of[3] / 50,
                          of[4] / (i % 2 == 0 ? 1 : 60'000) + 1};
    inputs.push_back({std::to_string(i), {decoder, {1e6 * of[5], 1e11}}});
  }
  return inputs;
}

TEST(tokens_per_second, EqualsTheReference) { writing.agrees_with(writing.reference, decoders()); }
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
