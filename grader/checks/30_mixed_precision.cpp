// Lab 30: the checks.
#include "mixed_precision.hpp"

#include "checks/marks/30_mixed_precision.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/reals.hpp"
#include "judge/rows.hpp"

namespace nibble::judge {
namespace {

using Places = std::vector<std::int32_t>;

double largest_of(std::span<const double> row) { return largest({row.begin(), row.end()}); }

constexpr const char* kTinyIsNoZero = "a scale is 1 for zeros, and not for what is tiny";

// --- layer_sensitivity --------------------------------------------------------------------------

using Sensing = Exercise<&layer_sensitivity>;

/// How weights are rounded: rightly, or as a known mistake has it.
enum class Rounding { kRight, kByLayer, kOneStepMore, kAway, kCut, kFirstRow, kSigned };

/// The weights of the layers from `first` to `last`, rounded.
Network rounded(Network net, std::size_t first, std::size_t last, int num_bits,
                Rounding how = Rounding::kRight) {
  std::span<double> rest = net.weights;
  for (std::size_t l = 0; l + 1 < net.sizes.size(); ++l) {
    const auto n = std::size_t(net.sizes[l]), count = n * std::size_t(net.sizes[l + 1]);
    const auto layer = rest.first(count);
    rest = rest.subspan(count);
    if (l < first || l > last) continue;
    const std::size_t each = how == Rounding::kByLayer ? count : n;
    for (std::size_t at = 0; at < (how == Rounding::kFirstRow ? each : count); at += each) {
      const auto row = layer.subspan(at, each);
      const double amax = how == Rounding::kSigned ? std::max(0.0, *std::ranges::max_element(row))
                                                   : largest_of(row);
      const int qmax = signed_range(num_bits).qmax + (how == Rounding::kOneStepMore ? 1 : 0);
      const double step = amax == 0 ? 1 : amax / qmax;
      for (double& w : row) {
        const double v = w / step;
        w = step * (how == Rounding::kAway  ? std::round(v)
                    : how == Rounding::kCut ? std::trunc(v)
                                            : std::nearbyint(v));
      }
    }
  }
  return net;
}

double mean_square(const Doubles& a, const Doubles& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

Doubles sensitivity_by_definition(const Sensing::Arguments& in) {
  expects_network(in.a);
  rows_of(in.b, in.a.sizes[0]);
  Doubles errors;
  for (std::size_t l = 0; l + 1 < in.a.sizes.size(); ++l) {
    errors.push_back(mean_square(forward(rounded(in.a, l, l, in.c), in.b), forward(in.a, in.b)));
  }
  return errors;
}

const auto kSameErrors = [](Expect& expect, const Sensing::Arguments& in, const Doubles& got,
                            const Doubles& want) {
  const double off = factor_tolerance(largest(want)).absolute;
  const auto outputs = static_cast<double>(forward(in.a, in.b).size());
  const Doubles sums = each_of(want, [=](double v) { return v * outputs; });
  expect.that(!all_near(got, sums, off * outputs) || all_near(got, want, off),
              "errors are sums where means are wanted", "N-DENOM");
  const Doubles roots = each_of(want, [](double v) { return std::sqrt(v); });
  expect.that(
      !all_near(got, roots, factor_tolerance(largest(roots)).absolute) || all_near(got, want, off),
      "errors are roots where mean squares are wanted");
  const std::size_t layers = want.size();
  const Doubles right = forward(in.a, in.b);
  const auto suspect = [&](const char* code, const char* words, const auto& error) {
    Doubles errors;
    for (std::size_t l = 0; l < layers; ++l) errors.push_back(error(l));
    expect.suspect(code, "error", errors, words);
  };
  const auto of = [&](std::size_t first, std::size_t last, Rounding how = Rounding::kRight) {
    return mean_square(forward(rounded(in.a, first, last, in.c, how), in.b), right);
  };
  const auto each = [&](const char* code, const char* words, Rounding how) {
    suspect(code, words, [&](std::size_t l) { return of(l, l, how); });
  };
  each("N-AXIS", "a layer has one scale: each of its rows has its own", Rounding::kByLayer);
  each("N-FORMULA", "qmax is 2^(num_bits-1): it is one less", Rounding::kOneStepMore);
  each("N-ROUND", "ties go away from 0: they go to the even neighbour", Rounding::kAway);
  each("N-TRUNC", "codes are cut: they are rounded", Rounding::kCut);
  each("N-FORMULA", "the first row of a layer is rounded: all of them are", Rounding::kFirstRow);
  each("N-FORMULA", "the scale is of the largest weight: it is of the largest |weight|",
       Rounding::kSigned);
  suspect("N-FORMULA", "the layers in front are rounded, too: they stay as they are",
          [&](std::size_t l) { return of(0, l); });
  suspect("N-FORMULA", "the layers behind are rounded, too: they stay as they are",
          [&](std::size_t l) { return of(l, layers); });
  suspect("N-FORMULA", "all layers are rounded each time: one alone is",
          [&](std::size_t) { return of(0, layers); });
  suspect("N-FORMULA", "the first layer is rounded each time: it is layer l",
          [&](std::size_t) { return of(0, 0); });
  suspect("N-FORMULA", "how far the weights are off: it is how far the outputs of the network are",
          [&](std::size_t l) {
            const double all = static_cast<double>(in.a.weights.size());
            const double of_layer = double(in.a.sizes[l]) * in.a.sizes[l + 1];
            return mean_square(rounded(in.a, l, l, in.c).weights, in.a.weights) * all / of_layer;
          });
  const double samples = static_cast<double>(rows_of(in.b, in.a.sizes[0]));
  for (const double count : {samples, outputs / samples}) {
    if (count > 1) {
      expect.suspect("N-DENOM", "error", each_of(want, [=](double v) { return v * count; }),
                     "a mean is over samples and outputs");
    }
  }
  expect_reals(expect, "error", got, want);
};

const Sensing sensing{{"sizes", "weights", "x", "num_bits"}, {"error"}};

TEST(layer_sensitivity, OneLayerAtATime) {
  sensing.gives({{"One", {Network{{2, 1}, {3, 1.25}}, {1, 2}, 3}, {0.25}},
                 {"Two", {Network{{2, 1, 1}, {3, 1.25, 2}}, {1, 2, 1, 2}, 3}, {1, 0}},
                 {"Wide",
                  {Network{{1, 2, 2}, {1, 2, 3, 1.25, 1.75, 3}}, {1}, 3},
                  {0, (0.5 * 0.5 + 0.25 * 0.25) / 2}},
                 {"BehindReLU", {Network{{1, 2, 1}, {1, -2, 3, 1.25}}, {1}, 3}, {0, 0}},
                 {"SmallBesideOutputs",
                  {Network{{2, 1}, {127, 0.3}}, {1000.1, 1}, 8},
                  {0.3 * 0.3},
                  "outputs are subtracted before they are squared: squares of large ones cancel"}},
                kSameErrors);
}

TEST(layer_sensitivity, RoundsRows) {
  sensing.gives({{"Rows", {Network{{2, 2}, {3, 1.25, 6, 1.5}}, {1, 1}, 3}, {(0.0625 + 0.25) / 2}},
                 {"Zeros", {Network{{2, 2}, {0, 0, 6, 2}}, {1, 1}, 3}, {0}},
                 {"Ties", {Network{{3, 1}, {3, 0.5, 1.5}}, {0, 1, 1}, 3}, {0}},
                 {"Tiny",
                  {Network{{2, 1}, {0x3p-1000, 0x1.4p-1000}}, {0x1p1000, 0x1p1001}, 3},
                  {0.25},
                  kTinyIsNoZero}},
                kSameErrors);
}

Network some_network(const Places& sizes, std::uint64_t seed) {
  std::size_t count = 0;
  for (std::size_t l = 1; l < sizes.size(); ++l) count += std::size_t(sizes[l - 1] * sizes[l]);
  return {sizes, normals(count, seed)};
}

std::vector<Sensing::Input> networks(Seed seed_of, const std::vector<Places>& sizes) {
  return each_of(sizes, [&](const Places& one, std::size_t at) -> Sensing::Input {
    return {std::to_string(one.size() - 1) + " layers",
            {some_network(one, seed_of(at)), normals(7 * std::size_t(one[0]), seed_of(at + 9)),
             2 + static_cast<int>(at % 3)}};
  });
}

TEST(layer_sensitivity, AnyNetwork) {
  sensing.agrees_with(sensitivity_by_definition,
                      networks(seed, {{1, 1}, {5, 3}, {4, 6, 2}, {3, 8, 5, 4, 2}}), kSameErrors);
}

TEST(layer_sensitivity, RefusesWhatIsNoNetwork) {
  const Network fine{{2, 1}, {3, 1.25}};
  sensing.refuses({{"Fine", {fine, {1, 2}, 3}, {0.25}}},
                  {{"", {fine, {1, 2}, 1}},
                   {"", {fine, {1, 2}, 9}},
                   {"", {Network{{2}, {}}, {1, 2}, 3}},
                   {"", {Network{{2, 0}, {}}, {1, 2}, 3}},
                   {"N-SIZE", {Network{{2, 1}, {3}}, {1, 2}, 3}},
                   {"N-SIZE", {fine, {1, 2, 3}, 3}},
                   {"N-SIZE", {fine, Doubles{}, 3}},
                   {"N-NAN", {fine, {1, double{kNan}}, 3}},
                   {"N-NAN", {Network{{2, 1}, {3, double{kInfinity}}}, {1, 2}, 3}}},
                  kSameErrors);
}

// --- choose_bits and best_bits ------------------------------------------------------------------

using Choosing = Exercise<&choose_bits>;
using Searching = Exercise<&best_bits>;

std::int64_t total_of(const Candidates& from, const Places& choice) {
  std::int64_t bits = 0;
  for (std::size_t l = 0; l < choice.size(); ++l) {
    bits += std::int64_t{from.counts[l]} * from.bits[std::size_t(choice[l])];
  }
  return bits;
}

/// Two layers whose bits no int32 counts, and a budget for 8 bits in one of them.
const Candidates kTwoLarge{{4, 8}, {2'000'000'000, 2'000'000'000}, {5, 1, 9, 2}};
constexpr std::int64_t kBitsForOne = 24'000'000'000;
constexpr const char* kTotalsAreLong =
    "sixteen thousand millions of bits and more: totals need 64 bits, and what a step costs";

double error_of(const Candidates& from, std::size_t l, std::int32_t place) {
  return from.errors[l * from.bits.size() + std::size_t(place)];
}

/// Every choice, told by a number whose digits it is.
Places best_by_definition(const Searching::Arguments& in) {
  const Candidates& from = in.a;
  expects_candidates(from);
  std::size_t count = 1;
  for (std::size_t l = 0; l < from.counts.size(); ++l) count *= from.bits.size();
  std::tuple<double, std::int64_t, Places> best{kInfinity, 0, {}};
  for (std::size_t number = 0; number < count; ++number) {
    Places choice(from.counts.size());
    double sum = 0;
    for (std::size_t l = choice.size(), rest = number; l-- > 0; rest /= from.bits.size()) {
      choice[l] = static_cast<std::int32_t>(rest % from.bits.size());
      sum += error_of(from, l, choice[l]);
    }
    if (total_of(from, choice) <= in.b)
      best = std::min(best, {sum, total_of(from, choice), choice});
  }
  if (std::get<2>(best).empty()) throw std::invalid_argument("no budget");
  return std::get<2>(best);
}

bool is_choice(const Candidates& from, const Places& got) {
  return got.size() == from.counts.size() && std::ranges::all_of(got, [&](std::int32_t place) {
           return 0 <= place && place < std::ssize(from.bits);
         });
}

/// Beyond the budget is told first; then where the choice differs.
template <class Arguments>
void look_at_choice(Expect& expect, const Arguments& in, const Places& got, const Places& want) {
  expect.suspect("N-FORMULA", "choice",
                 each_of(want, [&](std::int32_t place) { return in.a.bits[std::size_t(place)]; }),
                 "bits are told: their places in `bits` are wanted");
  if (is_choice(in.a, got)) {
    const std::int64_t bits = total_of(in.a, got);
    expect.that(bits <= in.b, "the choice takes " + std::to_string(bits) + " bits", "N-RANGE");
  }
  expect.equal("choice", got, want);
}

const Choosing choosing{{"bits", "counts", "errors", "budget_bits"}, {"choice"}};
const Searching searching{{"bits", "counts", "errors", "budget_bits"}, {"choice"}};

/// Two layers of one weight, where one step at a time leads astray.
const Candidates kAstray{{2, 4, 6}, {1, 1}, {9, 5, 4.5, 9, 8, 0}};

TEST(choose_bits, TakesTheLargestGain) {
  choosing.gives(
      {{"OfTwo",
        {Candidates{{4, 8}, {1, 1}, {5, 1, 9, 2}}, 13},
        {0, 1},
        "layer 1 gains 7 and layer 0 gains 4: the larger gain is first"},
       {"PerBit",
        {Candidates{{4, 8}, {10, 1}, {9, 1, 4, 2}}, 84},
        {0, 1},
        "gain is by bit, of all weights of the layer: 8 for 40 bits are less than 2 for 4"},
       {"ByBit",
        {Candidates{{2, 4, 16}, {1, 1}, {20, 6, 0, 9, 7, 6}}, 18},
        {1, 1},
        "gain is by bit: a step from 4 to 16 costs six times one from 2 to 4"},
       {"StepByStep",
        {Candidates{{2, 4, 8}, {1, 1}, {9, 5, 0, 8, 2, 1}}, 14},
        {2, 1},
        "who took a step asks again: its next one may gain most"},
       {"UnevenSteps", {Candidates{{2, 4, 16}, {1, 1}, {9, 8, 0, 9, 5, 4}}, 21}, {2, 1}},
       {"OfTinyOnes",
        {Candidates{{4, 8}, {1, 1}, {0x3p-1000, 0x2p-1000, 0x4p-1000, 0x2p-1000}}, 13},
        {0, 1},
        "of tiny gains, too, the largest"},
       {"NotTheWorst",
        {Candidates{{4, 8}, {1, 1}, {9, 8, 5, 1}}, 13},
        {0, 1},
        "who gains most takes its step, not who has the largest error"},
       {"Astray", {kAstray, 9}, {1, 1}},
       {"All", {Candidates{{4, 8}, {1, 1}, {5, 1, 9, 2}}, 17}, {1, 1}}},
      look_at_choice<Choosing::Arguments>);
}

TEST(choose_bits, OfEqualOnesTheLowest) {
  choosing.gives(
      {{"Two", {Candidates{{4, 8}, {1, 1}, {5, 1, 5, 1}}, 13}, {1, 0}},
       {"Four", {Candidates{{4, 8}, {1, 2, 1, 1}, {3, 2, 4, 2, 4, 3, 2, 1}}, 33}, {1, 1, 0, 0}}},
      look_at_choice<Choosing::Arguments>);
}

TEST(choose_bits, KeepsTheBudget) {
  choosing.gives({{"Exactly",
                   {Candidates{{4, 8}, {1, 1}, {5, 1, 9, 2}}, 12},
                   {0, 1},
                   "a budget may be used up"},
                  {"NothingLeft",
                   {Candidates{{4, 8}, {1, 1}, {5, 1, 9, 2}}, 11},
                   {0, 0},
                   "a step of 4 bits does not fit into 3"},
                  {"PassesOver",
                   {Candidates{{4, 8}, {10, 1}, {90, 1, 4, 2}}, 50},
                   {0, 1},
                   "the search goes on where the largest gain does not fit: a smaller layer may"},
                  {"Many", {kTwoLarge, kBitsForOne}, {0, 1}, kTotalsAreLong}},
                 look_at_choice<Choosing::Arguments>);
}

TEST(choose_bits, StopsWithoutGain) {
  choosing.gives({{"NoGain", {Candidates{{4, 8}, {1, 1}, {5, 5, 2, 3}}, 100}, {0, 0}},
                  {"OneGain", {Candidates{{2, 4, 8}, {1}, {5, 4, 4}}, 100}, {1}},
                  {"TinyGain",
                   {Candidates{{4, 8}, {1}, {0x1p-1000, 0x1p-1001}}, 100},
                   {1},
                   "every gain above 0 counts, however small it is"}},
                 look_at_choice<Choosing::Arguments>);
}

TEST(choose_bits, RefusesWhatCannotBe) {
  choosing.refuses({{"Fine", {Candidates{{4, 8}, {1}, {5, 1}}, 8}, {1}}},
                   {{"", {Candidates{{4, 8}, {1}, {5, 1}}, 3}},
                    {"", {Candidates{{8, 4}, {1}, {5, 1}}, 8}},
                    {"", {Candidates{{4, 33}, {1}, {5, 1}}, 8}},
                    {"", {Candidates{{4, 8}, {0}, {5, 1}}, 8}},
                    {"", {Candidates{{4, 8}, {1}, {5, -1}}, 8}},
                    {"N-SIZE", {Candidates{{4, 8}, {1}, {5}}, 8}},
                    {"N-SIZE", {Candidates{{}, {}, {}}, 8}},
                    {"N-NAN", {Candidates{{4, 8}, {1}, {5, double{kNan}}}, 8}}});
}

TEST(best_bits, FindsTheLeastSum) {
  searching.gives({{"Astray",
                    {kAstray, 9},
                    {0, 2},
                    "step by step the sum is 13: every choice is looked at, and one has 9"},
                   {"OfTwo", {Candidates{{4, 8}, {1, 1}, {5, 1, 9, 2}}, 13}, {0, 1}},
                   {"All", {Candidates{{4, 8}, {1, 1}, {5, 1, 9, 2}}, 17}, {1, 1}},
                   {"Exactly",
                    {Candidates{{4, 8}, {1, 1}, {5, 1, 9, 2}}, 12},
                    {0, 1},
                    "a budget may be used up"},
                   {"WithoutGain", {Candidates{{4, 8}, {1, 1}, {5, 6, 9, 2}}, 16}, {0, 1}},
                   {"TinyErrors",
                    {Candidates{{4, 8}, {1, 1}, {0x2p-1000, 0x1p-1000, 0x4p-1000, 0x1p-1000}}, 13},
                    {0, 1},
                    "a sum that is less counts, however little less it is"},
                   {"OverAHill",
                    {Candidates{{2, 4, 8}, {1}, {5, 7, 1}}, 9},
                    {2},
                    "errors need not fall: 4 bits are worse here than 2, and 8 are best"},
                   {"Many", {kTwoLarge, kBitsForOne}, {0, 1}, kTotalsAreLong}},
                  look_at_choice<Searching::Arguments>);
}

TEST(best_bits, OfEqualSumsTheCheapest) {
  searching.gives({{"Cheapest", {Candidates{{4, 8}, {3, 1}, {4, 2, 4, 2}}, 20}, {0, 1}},
                   {"CheapestLater", {Candidates{{4, 8}, {1, 3}, {4, 2, 4, 2}}, 28}, {1, 0}},
                   {"First", {Candidates{{4, 8}, {1, 1}, {4, 2, 4, 2}}, 12}, {0, 1}},
                   {"NoGain", {Candidates{{4, 8}, {1, 1}, {4, 4, 4, 4}}, 16}, {0, 0}}},
                  look_at_choice<Searching::Arguments>);
}

/// Errors that fall with the bits, mostly; no two gains and no two sums are equal.
template <class E>
std::vector<typename E::Input> candidates(Seed seed_of, const std::vector<std::size_t>& layers) {
  return each_of(layers, [&](std::size_t count, std::size_t at) -> typename E::Input {
    const std::size_t choices = 2 + at % 3;
    Candidates from{{2, 4, 8, 16}, code_tensor<std::int32_t>(count, seed_of(at), 1, 50), {}};
    from.bits.resize(choices);
    const Reals errors = uniform_tensor(count * choices, seed_of(at + 50), 0.0f, 25.0f);
    from.errors = each_of(errors, [&](float error, std::size_t i) {
      return double{error} / static_cast<double>(1 + i % choices * 3);
    });
    const std::int64_t least = total_of(from, Places(count)),
                       most = least / from.bits.front() * from.bits.back();
    return {std::to_string(count) + " layers", {from, least + (most - least) * 2 / 5}};
  });
}

TEST(best_bits, EveryChoice) {
  searching.agrees_with(best_by_definition, candidates<Searching>(seed, {1, 2, 3, 5, 6, 4}),
                        look_at_choice<Searching::Arguments>);
}

TEST(best_bits, RefusesWhatCannotBe) {
  const Candidates many{{4}, Places(9, 1), Doubles(9, 1)},
      wide{{2, 3, 4, 5, 6}, {1}, {5, 4, 3, 2, 1}};
  searching.refuses({{"Fine", {Candidates{{4, 8}, {1}, {5, 1}}, 8}, {1}}},
                    {{"", {Candidates{{4, 8}, {1}, {5, 1}}, 3}},
                     {"", {many, 100}},
                     {"", {wide, 100}},
                     {"N-SIZE", {Candidates{{4, 8}, {1}, {5}}, 8}}});
}

// --- split_outliers -----------------------------------------------------------------------------

using Splitting = Exercise<&split_outliers>;

Places outliers_by_definition(const Doubles& x, std::int32_t inputs, double threshold) {
  rows_of(x, inputs);
  Places all;
  for (std::int32_t i = 0; i < inputs; ++i) {
    double most = 0;
    for (std::size_t at = std::size_t(i); at < x.size(); at += std::size_t(inputs)) {
      most = std::max(most, std::fabs(x[at]));
    }
    if (most >= threshold) all.push_back(i);
  }
  return all;
}

/// The first input that is told and has none, or has one and is not told.
const auto kSameColumns = [](Expect& expect, const Splitting::Arguments& in, const Places& got,
                             const Places& want) {
  for (const std::int32_t one : got) {
    expect.that(0 <= one && one < in.b, std::to_string(one) + " is told, and is no input");
  }
  for (std::int32_t i = 0; i < in.b; ++i) {
    const bool told = std::ranges::count(got, i) > 0, is_one = std::ranges::count(want, i) > 0;
    expect.that(told == is_one,
                "input " + std::to_string(i) +
                    (is_one ? " has an outlier, and is not told" : " is told, and has no outlier"));
  }
  expect.equal("outliers", got, want);
};

const Splitting splitting{{"x", "inputs", "threshold"}, {"outliers"}};

TEST(split_outliers, FindsColumns) {
  const std::string any_row = "one row is enough, and it may be any of them";
  splitting.gives({{"Negative", {{1, -7, 2}, 3, 6}, {1}, "-7 is as far from 0 as 7: |x| counts"},
                   {"FirstRow", {{9, 1, 1, 1, 1, 1}, 2, 6}, {0}, any_row},
                   {"LastRow", {{1, 1, 1, 1, 8, 1}, 2, 6}, {0}, any_row},
                   {"Two", {{1, 9, 2, 1, 1, -7}, 3, 6}, {1, 2}, "in ascending order"},
                   {"None", {{1, 2, 3}, 3, 6}, {}},
                   {"All", {{7, -8}, 2, 6}, {0, 1}},
                   {"NeverAny", {{1e300, 2}, 2, double{kInfinity}}, {}}},
                  kSameColumns);
}

TEST(split_outliers, TheThresholdCounts) {
  splitting.gives({{"At", {{6, 5.75, -6}, 3, 6}, {0, 2}}, {"Half", {{0.5, 0.25}, 2, 0.5}, {0}}},
                  kSameColumns);
}

TEST(split_outliers, RefusesWhatIsNoThreshold) {
  splitting.refuses({{"Fine", {{7, 1}, 2, 6}, {0}}}, {{"", {{7, 1}, 2, 0}},
                                                      {"", {{7, 1}, 2, -6}},
                                                      {"", {{7, 1}, 0, 6}},
                                                      {"N-NAN", {{7, 1}, 2, double{kNan}}},
                                                      {"N-NAN", {{7, double{kNan}}, 2, 6}},
                                                      {"N-SIZE", {{7, 1, 2}, 2, 6}},
                                                      {"N-SIZE", {Doubles{}, 2, 6}}});
}

// --- matmul_with_outliers -----------------------------------------------------------------------

using Multiplying = Exercise<&matmul_with_outliers>;

/// The slips that have a name.
enum class Slip {
  kNone,
  kTinyForZeros,
  kWideScales,
  kWideScaleOfX,
  kWideScaleOfW,
  kDropped,
  kTwice,
  kRoundedOutliers,
  kExact,
  kExactWeights,
  kOneStepMore,
  kOneScale,
  kOneOfX,
  kScaleOfXAlone,
  kScaleOfWAlone,
  kWideWeights,
  kAway,
  kCut
};
struct NamedSlip {
  Slip slip;
  const char *code, *words;
};
constexpr NamedSlip kSlips[] = {
    {Slip::kTinyForZeros, "N-RANGE", kTinyIsNoZero},
    {Slip::kWideScales, "N-RANGE", "scales have room for the outliers, which are not rounded"},
    {Slip::kWideScaleOfX, "N-RANGE",
     "scales of x have room for the outliers, which are not rounded"},
    {Slip::kWideScaleOfW, "N-RANGE",
     "scales of w have room for columns of outliers, which are not rounded"},
    {Slip::kDropped, "N-FORMULA",
     "inputs with outliers are left out: they are multiplied as they are"},
    {Slip::kTwice, "N-FORMULA", "inputs with outliers count twice: as they are, and as codes"},
    {Slip::kRoundedOutliers, "N-FORMULA",
     "inputs with outliers are rounded: they stay as they are"},
    {Slip::kExact, "N-FORMULA", "nothing is rounded: the others are multiplied as codes"},
    {Slip::kExactWeights, "N-FORMULA", "weights are not rounded: codes are of x and of w"},
    {Slip::kOneStepMore, "N-FORMULA", "a scale is max / 128: it is max / 127"},
    {Slip::kOneScale, "N-AXIS", "all of w has one scale: each row of it has its own"},
    {Slip::kOneOfX, "N-AXIS", "all of x has one scale: each row of it has its own"},
    {Slip::kScaleOfXAlone, "N-SCALE", "sums of codes are not multiplied by w_scale"},
    {Slip::kScaleOfWAlone, "N-SCALE", "sums of codes are not multiplied by x_scale"},
    {Slip::kWideWeights, "N-FORMULA", "large weights are outliers, too: x alone says who is one"},
    {Slip::kAway, "N-ROUND", "ties go away from 0: they go to the even neighbour"},
    {Slip::kCut, "N-TRUNC", "codes are cut: they are rounded"}};

Doubles product_by_definition(const Multiplying::Arguments& in, Slip slip = Slip::kNone) {
  const std::size_t n = std::size_t(in.c), samples = rows_of(in.a, in.c),
                    outputs = rows_of(in.b, in.c);
  Doubles both = in.a;
  if (slip == Slip::kWideWeights) both.insert(both.end(), in.b.begin(), in.b.end());
  const Places wide = outliers_by_definition(both, in.c, in.d);
  const auto is_wide = [&](std::size_t i) {
    return std::ranges::count(wide, static_cast<std::int32_t>(i)) > 0;
  };
  const auto scale_of = [&](const Doubles& a, std::size_t r, bool of_all) {
    const bool of_wide = slip == Slip::kWideScales ||
                         slip == (&a == &in.a ? Slip::kWideScaleOfX : Slip::kWideScaleOfW);
    double most = 0;
    for (std::size_t at = of_all ? 0 : r * n; at < (of_all ? a.size() : (r + 1) * n); ++at) {
      if (of_wide || !is_wide(at % n)) most = std::max(most, std::fabs(a[at]));
    }
    const bool is_zero = most == 0 || (slip == Slip::kTinyForZeros && most < DBL_EPSILON);
    return is_zero ? 1 : most / (slip == Slip::kOneStepMore ? 128 : 127);
  };
  const auto code_of = [&](double v) {
    return slip == Slip::kAway  ? std::round(v)
           : slip == Slip::kCut ? std::trunc(v)
                                : std::nearbyint(v);
  };
  Doubles y;
  for (std::size_t at = 0; at < samples * outputs; ++at) {
    const std::size_t s = at / outputs, o = at % outputs;
    const double a = scale_of(in.a, s, slip == Slip::kOneOfX),
                 b = scale_of(in.b, o, slip == Slip::kOneScale);
    double exact = 0, codes = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = in.a[s * n + i], w = in.b[o * n + i];
      const double code = slip == Slip::kExact          ? x / a * (w / b)
                          : slip == Slip::kExactWeights ? code_of(x / a) * (w / b)
                                                        : code_of(x / a) * code_of(w / b);
      if (is_wide(i) && slip == Slip::kRoundedOutliers)
        exact += std::nearbyint(x) * std::nearbyint(w);
      if (is_wide(i) && slip != Slip::kRoundedOutliers && slip != Slip::kDropped) exact += x * w;
      if (!is_wide(i) || slip == Slip::kTwice) codes += code;
    }
    y.push_back(exact + (slip == Slip::kScaleOfWAlone ? 1 : a) *
                            (slip == Slip::kScaleOfXAlone ? 1 : b) * codes);
  }
  return y;
}

const auto kSameProduct = [](Expect& expect, const Multiplying::Arguments& in, const Doubles& got,
                             const Doubles& want) {
  expect_reals(expect, "y", got, want, {rows_of(in.a, in.c), rows_of(in.b, in.c)});
};

const Multiplying multiplying{
    {"x", "w", "inputs", "threshold"},
    {"y"},
    [](Expect& expect, const auto& in, const Doubles& want) {
      for (const NamedSlip& one : kSlips) {
        expect.suspect(one.code, "y", product_by_definition(in, one.slip), one.words);
      }
      const std::size_t outputs = rows_of(in.b, in.c), samples = rows_of(in.a, in.c);
      expect.suspect("N-LAYOUT", "y",
                     each_of(want,
                             [&](double, std::size_t at) {
                               return want[at % samples * outputs + at / samples];
                             }),
                     "y is [outputs, samples]: it is [samples, outputs]");
      if (largest(want) < 0x1p31 || largest(want) > 0x1p53) return;
      expect.suspect(
          "N-OVERFLOW", "y", each_of(want, [](double v) {
            return static_cast<double>(static_cast<std::int32_t>(static_cast<std::int64_t>(v)));
          }));
    }};

TEST(matmul_with_outliers, OutliersAreExact) {
  multiplying.gives(
      {{"AllOutliers", {{8.3, -7.1}, {0.3, 0.7}, 2, 6}, {8.3 * 0.3 - 7.1 * 0.7}},
       {"NoOutliers", {{127, 63.4}, {127, 63.4}, 2, 1000}, {127 * 127 + 63 * 63}},
       {"One", {{127, 1000.5, 3.25}, {127, 0.5, 64}, 3, 500}, {127 * 127 + 500.25 + 3 * 64}},
       {"TheirColumn", {{127, 1000.5, 0, 3.4}, {127, 0.5}, 2, 500}, {127 * 127 + 500.25, 1.7}},
       {"LargeWeights",
        {{127, 3.25}, {1270, 13.4}, 2, 500},
        {10 * (127 * 127 + 3)},
        "outliers are those of x: a weight is rounded, however large it is"}},
      kSameProduct);
}

TEST(matmul_with_outliers, ScalesOfTheRest) {
  multiplying.gives({{"Inputs", {{1000, 127, 3.25}, {0, 1, 127}, 3, 500}, {127 + 3 * 127}},
                     {"Weights", {{1000, 1, 127}, {500, 127, 3.25}, 3, 500}, {500'127 + 3 * 127}},
                     {"SmallBelowAnOutlier",
                      {{1000, 127, 1, 400, 127, 3.25}, {0, 1, 127}, 3, 500},
                      {127 + 127, 127 + 3 * 127},
                      "an input with an outlier widens no scale, in the other rows neither"},
                     {"Rows", {{127, 1, 254, 3.25}, {1, 127}, 2, 500}, {254, 254 + 4 * 127}},
                     {"Zeros", {{0, 0}, {1, 127}, 2, 500}, {0}},
                     {"Tie", {{127, 2.5}, {0, 127}, 2, 500}, {2 * 127}},
                     {"TinyInputs",
                      {{0x7fp-1000, 0x3.4p-1000}, {0x7fp1000, 0x7fp1000}, 2, double{kInfinity}},
                      {127 * 127 + 3 * 127},
                      kTinyIsNoZero},
                     {"TinyWeights",
                      {{0x7fp1000, 0x7fp1000}, {0x7fp-1000, 0x3.4p-1000}, 2, double{kInfinity}},
                      {127 * 127 + 3 * 127},
                      kTinyIsNoZero}},
                    kSameProduct);
}

struct ProductSize {
  std::size_t samples, n, outputs;
};

/// Every fourth input or so has an outlier, in one row.
std::vector<Multiplying::Input> products(Seed seed_of, const std::vector<ProductSize>& sizes) {
  return each_of(sizes, [&](const ProductSize& size, std::size_t at) -> Multiplying::Input {
    Doubles x = normals(size.samples * size.n, seed_of(at));
    for (std::size_t i = 1; i < size.n; i += 4) x[i % size.samples * size.n + i] *= 60;
    return {
        size_text(size.samples, static_cast<int>(size.n)),
        {x, normals(size.outputs * size.n, seed_of(at + 9)), static_cast<std::int32_t>(size.n), 6}};
  });
}

const auto kProductByDefinition = [](const Multiplying::Arguments& in) {
  return product_by_definition(in);
};

/// Of a net with outliers the second layer is multiplied by the submission, the first one in W8A8.
/// The threshold is far from both kinds of channels: a few units, and a thousand.
void tames_nets(const Exam& exam, std::uint64_t seed) {
  keeps_nets(kLessonWithOutliers, exam, seed, [](const LearntNet& one) {
    const Linear& second = one.net.layers[1];
    Reals between = linear_in_int8(one.net.layers[0], one.x);
    relu(between);
    const Doubles y = multiplying({as_doubles(between), as_doubles(second.weight),
                                   static_cast<std::int32_t>(second.inputs), 100});
    return each_of(y, [&](double v, std::size_t at) {
      return static_cast<float>(v) + second.bias[at % second.outputs];
    });
  });
}

TEST(matmul_with_outliers, AnyShape) {
  multiplying.gives({{"Long",
                      {Doubles(140'000, 127), Doubles(140'000, 127), 140'000, 500},
                      {140'000.0 * 127 * 127},
                      "a sum of many products of codes is more than 32 bits hold"}},
                    kSameProduct);
  multiplying.agrees_with(kProductByDefinition,
                          products(seed, {{1, 1, 1}, {3, 5, 2}, {2, 9, 7}, {8, 16, 5}}),
                          kSameProduct);
  tames_nets({2, 2000, 10}, this_run().seed);
}

TEST(matmul_with_outliers, RefusesWhatIsNoLayer) {
  multiplying.refuses({{"Fine", {{127}, {127}, 1, 500}, {127 * 127}}},
                      {{"", {{1, 2}, {1, 2, 3}, 2, 6}},
                       {"", {{1, 2, 3}, {1, 2}, 2, 6}},
                       {"", {{1, 2}, Doubles{}, 2, 6}},
                       {"N-RANGE", {{1, 2}, {1, 2}, 2, 0}},
                       {"N-NAN", {{1, 2}, {1, double{kNan}}, 2, 6}},
                       {"N-NAN", {{1, double{kInfinity}}, {1, 2}, 2, 6}}},
                      kSameProduct);
}

// --- autocast -----------------------------------------------------------------------------------

using Casting = Exercise<&autocast>;

/// What a known mistake makes of the types: is(first is half, second is half, there is a second).
template <class IsHalf>
Places types_with(const Operations& program, const IsHalf& is_half) {
  Places half;
  const auto of = [&](std::int32_t operand) {
    return operand >= 0 && operand < std::ssize(half) && half[std::size_t(operand)] == 1;
  };
  for (std::size_t op = 0; op < program.kinds.size(); ++op) {
    const std::int32_t first = program.first[op], second = program.second[op];
    half.push_back(is_half(program.kinds[op], of(first), of(second), second != kNothing) ? 1 : 0);
  }
  return half;
}

/// For each operand that is in the other type: `count(reader, operand)`, where 0 is the first.
template <class Count>
void each_cast(const Operations& program, const Places& half, const Count& count) {
  for (std::size_t op = 0; op < half.size(); ++op) {
    for (const bool is_second : {false, true}) {
      const std::int32_t from = is_second ? program.second[op] : program.first[op];
      if (from == kNothing || from >= std::ssize(half)) continue;
      const std::int32_t type = from == kInput ? 0 : half[std::size_t(from)];
      if (type != half[op]) count(op, from, is_second);
    }
  }
}

void suspect_casts(Expect& expect, const Casting::Arguments& in, const Autocast& right) {
  const Operations& program = in.a;
  if (program.first.size() != program.kinds.size()) throw std::invalid_argument("sizes");
  if (program.second.size() != program.kinds.size()) throw std::invalid_argument("sizes");
  const auto types = [&](const char* words, const auto& is_half) {
    expect.suspect("N-FORMULA", "half", types_with(program, is_half), words);
  };
  types("everything is in half: a reduction is in float", [](auto...) { return true; });
  types("elementwise operations are in half, whatever they read",
        [](int kind, auto...) { return kind != kReduction; });
  types("elementwise operations are in float, whatever they read",
        [](int kind, auto...) { return kind == kProduct; });
  types("elementwise is in half where one operand is: all have to be",
        [](int kind, bool a, bool b, bool) { return kind == 0 || (kind == 2 && (a || b)); });
  types("the first operand decides: all have to be in half",
        [](int kind, bool a, bool, bool) { return kind == 0 || (kind == 2 && a); });
  types("an operand that is not there is taken for a float",
        [](int kind, bool a, bool b, bool) { return kind == 0 || (kind == 2 && a && b); });
  types("a product is in half where what it reads is: it always is",
        [](int kind, bool a, bool b, bool two) { return kind != 1 && a && (b || !two); });
  types("the input is taken for a half: it is float",
        [](int kind, auto...) { return kind == 0 || kind == 2; });
  std::int32_t each = 0, firsts = 0, no_input = 0, readers = 0;
  std::vector<std::size_t> who;
  std::vector<std::int32_t> seen, of_first, but_input;
  const auto once = [](std::vector<std::int32_t>& all, std::int32_t one) {
    if (std::ranges::count(all, one) > 0) return 0;
    all.push_back(one);
    return 1;
  };
  each_cast(program, right.half, [&](std::size_t op, std::int32_t from, bool is_second) {
    ++each;
    if (!is_second) firsts += once(of_first, from);
    if (from != kInput) no_input += once(but_input, from);
    if (who.empty() || who.back() != op) who.push_back(op), ++readers;
  });
  const auto casts = [&](const char* words, std::int32_t count) {
    expect.suspect("N-FORMULA", "casts", count, words);
  };
  casts("a value is cast anew for each that reads it: once is enough", each);
  casts("casts of second operands are not counted", firsts);
  casts("casts of the input are not counted: it is float", no_input);
  casts("operations that cast are counted: it is values that are cast", readers);
}

const Casting casting{{"kinds", "first", "second"}, {"half", "casts"}, suspect_casts};

TEST(autocast, TypesFollowTheKind) {
  casting.gives({{"Layer", {Operations{{0, 1}, {-1, 0}, {-2, -2}}}, {{1, 0}, 2}},
                 {"Products", {Operations{{0, 0, 0}, {-1, 0, 1}, {-2, -2, 0}}}, {{1, 1, 1}, 1}},
                 {"Reductions", {Operations{{1, 1}, {-1, 0}, {-2, -1}}}, {{0, 0}, 0}},
                 {"None", {Operations{{}, {}, {}}}, {{}, 0}}},
                casting.only({"half"}));
}

TEST(autocast, ElementwiseFollows) {
  casting.gives(
      {{"Half", {Operations{{0, 2}, {-1, 0}, {-2, -2}}}, {{1, 1}, 1}},
       {"Float", {Operations{{1, 2}, {-1, 0}, {-2, -2}}}, {{0, 0}, 0}},
       {"Mixed", {Operations{{0, 1, 2, 2}, {-1, 0, 0, 1}, {-2, -2, 1, 0}}}, {{1, 0, 0, 0}, 2}},
       {"Both", {Operations{{0, 0, 2}, {-1, -1, 0}, {-2, -2, 1}}}, {{1, 1, 1}, 1}},
       {"OfTheInput", {Operations{{2, 0, 2}, {-1, 0, 1}, {-2, -2, -1}}}, {{0, 1, 0}, 2}}},
      casting.only({"half"}));
}

TEST(autocast, CastsOnce) {
  casting.gives({{"Example", {Operations{{0, 2, 1}, {-1, 0, 1}, {-2, -2, -2}}}, {{1, 1, 0}, 2}},
                 {"Second", {Operations{{0, 1, 2}, {-1, 0, 1}, {-2, -2, 0}}}, {{1, 0, 0}, 2}},
                 {"NoOperations", {Operations{{}, {}, {}}}, {{}, 0}},
                 {"ElementwiseInFloat",
                  {Operations{{0, 0, 2, 2}, {-1, 0, 0, 1}, {-2, -2, -1, -1}}},
                  {{1, 1, 0, 0}, 3},
                  "an elementwise operation in float casts the half that it reads"},
                 {"ReadTwice", {Operations{{0, 0, 0}, {-1, -1, -1}, {-2, -2, -2}}}, {{1, 1, 1}, 1}},
                 {"SameTwice", {Operations{{1, 0}, {-1, 0}, {-2, 0}}}, {{0, 1}, 1}},
                 {"TwoReaders", {Operations{{0, 1, 1}, {-1, 0, 0}, {-2, -2, -2}}}, {{1, 0, 0}, 2}},
                 {"StillThere",
                  {Operations{{0, 1, 0}, {-1, 0, 0}, {-2, -2, -2}}},
                  {{1, 0, 1}, 2},
                  "a value that was cast is still there in its own type"},
                 {"OneReader", {Operations{{0, 0, 1}, {-1, 0, 0}, {-2, -2, 1}}}, {{1, 1, 0}, 3}}});
}

TEST(autocast, RefusesWhatCannotRun) {
  casting.refuses({{"Fine", {Operations{{0}, {-1}, {-2}}}, {{1}, 1}}},
                  {{"", {Operations{{3}, {-1}, {-2}}}},
                   {"", {Operations{{-1}, {-1}, {-2}}}},
                   {"", {Operations{{0}, {-2}, {-2}}}},
                   {"", {Operations{{0}, {-1}, {-3}}}},
                   {"", {Operations{{0}, {0}, {-2}}}},
                   {"", {Operations{{0, 0}, {-1, 0}, {-2, 1}}}},
                   {"N-SIZE", {Operations{{0}, {-1, -1}, {-2}}}},
                   {"N-SIZE", {Operations{{0, 0}, {-1, -1}, {-2}}}}});
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

TEST(layer_sensitivity, EqualsTheReference) {
  sensing.agrees_with(sensing.reference, networks(hidden_seed, {{6, 2}, {9, 12, 3}, {2, 7, 7, 5}}),
                      kSameErrors);
}

TEST(choose_bits, EqualsTheReference) {
  choosing.agrees_with(choosing.reference,
                       candidates<Choosing>(hidden_seed, {2, 5, 9, 20, 3, 7, 40}),
                       look_at_choice<Choosing::Arguments>);
}

TEST(best_bits, EqualsTheReference) {
  searching.agrees_with(searching.reference, candidates<Searching>(hidden_seed, {8, 3, 6, 7, 5, 6}),
                        look_at_choice<Searching::Arguments>);
}

TEST(split_outliers, EqualsTheReference) {
  std::vector<Splitting::Input> inputs;
  for (const std::size_t n : {4, 13, 40}) {
    inputs.push_back({std::to_string(n) + " inputs",
                      {normals(5 * n, hidden_seed(n)), static_cast<std::int32_t>(n), 1.5}});
  }
  splitting.agrees_with(splitting.reference, inputs, kSameColumns);
}

TEST(matmul_with_outliers, EqualsTheReference) {
  multiplying.agrees_with(multiplying.reference,
                          products(hidden_seed, {{4, 6, 3}, {5, 21, 4}, {16, 33, 9}}),
                          kSameProduct);
  tames_nets({3, 4000, 5}, hidden_seed(99));
}

TEST(autocast, EqualsTheReference) {
  std::vector<Casting::Input> inputs;
  for (const std::size_t count : {5, 20, 60}) {
    Operations program{code_tensor<std::int32_t>(count, hidden_seed(count), 0, 2), {}, {}};
    const auto back = code_tensor<std::int32_t>(2 * count, hidden_seed(count + 1), 1, 6);
    for (std::int32_t op = 0; op < static_cast<std::int32_t>(count); ++op) {
      program.first.push_back(std::max(kInput, op - back[std::size_t(op)]));
      program.second.push_back(op % 2 == 0 ? kNothing
                                           : std::max(kInput, op - back[count + std::size_t(op)]));
    }
    inputs.push_back({std::to_string(count) + " operations", {program}});
  }
  casting.agrees_with(casting.reference, inputs);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
