// Lab 30: choose_bits and best_bits: the checks.
#include "checks/30_mixed_precision/choose_bits.hpp"

namespace nibble::judge::lab_30_mixed_precision {
namespace {

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
       {"Astray",
        {kAstray, 9},
        {1, 1},
        "a step is to the next place: what a leap would gain is not asked"},
       {"All", {Candidates{{4, 8}, {1, 1}, {5, 1, 9, 2}}, 17}, {1, 1}}},
      look_at_choice<Choosing::Arguments>);
}

TEST(choose_bits, OfEqualOnesTheLowest) {
  constexpr const char* kLowest = "of equal gains that of the lowest layer comes first";
  choosing.gives({{"Two", {Candidates{{4, 8}, {1, 1}, {5, 1, 5, 1}}, 13}, {1, 0}, kLowest},
                  {"Four",
                   {Candidates{{4, 8}, {1, 2, 1, 1}, {3, 2, 4, 2, 4, 3, 2, 1}}, 33},
                   {1, 1, 0, 0},
                   kLowest}},
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
  constexpr const char* kNoGain = "a step that gains nothing is not taken, whatever the budget";
  choosing.gives({{"NoGain", {Candidates{{4, 8}, {1, 1}, {5, 5, 2, 3}}, 100}, {0, 0}, kNoGain},
                  {"OneGain", {Candidates{{2, 4, 8}, {1}, {5, 4, 4}}, 100}, {1}, kNoGain},
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
                   {"All",
                    {Candidates{{4, 8}, {1, 1}, {5, 1, 9, 2}}, 17},
                    {1, 1},
                    "each layer has its choices, and the last is not the only one to try them"},
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
  constexpr const char* kCheapest = "of equal sums of errors the one of fewer bits is chosen";
  searching.gives(
      {{"Cheapest", {Candidates{{4, 8}, {3, 1}, {4, 2, 4, 2}}, 20}, {0, 1}, kCheapest},
       {"CheapestLater", {Candidates{{4, 8}, {1, 3}, {4, 2, 4, 2}}, 28}, {1, 0}, kCheapest},
       {"First",
        {Candidates{{4, 8}, {1, 1}, {4, 2, 4, 2}}, 12},
        {0, 1},
        "of equal sums and bits the first is chosen: 0 1 comes before 1 0"},
       {"NoGain", {Candidates{{4, 8}, {1, 1}, {4, 4, 4, 4}}, 16}, {0, 0}, kCheapest}},
      look_at_choice<Searching::Arguments>);
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

}  // namespace
}  // namespace nibble::judge::lab_30_mixed_precision
