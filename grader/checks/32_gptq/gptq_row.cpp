// Lab 32, gptq_row: the checks.
#include "checks/32_gptq/gptq_row.hpp"

namespace nibble::judge::lab_32_gptq {
namespace {

/// The same, and says which slip gives this answer: where a row is about no other rule.
const auto kNamedRow = [](Expect& expect, const Rowing::Arguments& in, const QuantizedRow& got,
                          const QuantizedRow& want) {
  for (const NamedSlip& one : kSlips) {
    if (are_alike(got, want)) break;
    const bool is_it = are_alike(got, row_by_definition(in.a, in.b, in.c, in.d, one.slip));
    expect.that(!is_it, one.words, one.code);
  }
  kSameRow(expect, in, got, want);
};

TEST(gptq_row, RoundsToNearest) {
  rowing.gives(
      {{"Ties", {{3, 1.5, -2.5, 0.5, -0.5, 2.5}, factor(6), 3, 6}, {{3, 2, -2, 0, 0, 2}, {1}}},
       {"Others", {{-6, 2.5, 3.5, -1.5}, factor(4), 3, 4}, {{-3, 1, 2, -1}, {2}}},
       {"EightBits", {{127, 63.5, -0.75, 1.25}, factor(4), 8, 9}, {{127, 64, -1, 1}, {1}}}},
      kNamedRow);
}

// The first weight is the scale and has no error, the second leaves 0.25 behind.
TEST(gptq_row, HandsErrorsOn) {
  rowing.gives(
      {{"OneStep", {{3, 1.25, 1.25}, factor(3, {{1, 2, -4}, {2, 1, 16}}), 3, 3}, {{3, 1, 2}, {1}}}},
      kNamedRow);
  rowing.gives({{"HalfOfU",
                 {{127, 1.25, 1.25}, factor(3, {{1, 1, 0.5}, {1, 2, -16}}), 8, 3},
                 {{127, 1, 9}, {1}},
                 "the error is divided by u[1,1], which is 0.5"},
                {"TwiceU",
                 {{127, 1.25, 1.25}, factor(3, {{1, 1, 2}, {1, 2, -16}}), 8, 3},
                 {{127, 1, 3}, {1}},
                 "the error is divided by u[1,1], which is 2"},
                {"Below",
                 {{3, 1.25, 1.25}, factor(3, {{1, 2, -1}, {1, 0, 7}, {2, 0, 8}, {2, 1, 9}}), 3, 3},
                 {{3, 1, 2}, {1}},
                 "what u holds below its diagonal changes nothing"},
                {"RealUnits",
                 {{6, 2.5, 2.5}, factor(3, {{1, 2, -1}}), 3, 3},
                 {{3, 1, 2}, {2}},
                 "an error is in real units: 2.5 - 2 * 1, not 1.25 - 1"},
                {"AndOn",
                 {{3, 1.25, 1.25, 1.25}, factor(4, {{1, 2, -1}, {2, 3, -1}}), 3, 4},
                 {{3, 1, 2, 1}, {1}},
                 "the error of the third weight is that of what it has become, 1.5"},
                {"ToAll",
                 {{3, 1.25, 1.25, 1.25}, factor(4, {{1, 2, 4}, {1, 3, -4}}), 3, 4},
                 {{3, 1, 0, 2}, {1}},
                 "all weights that are to come get their share, not the next alone"}},
               kSameRow);
}

// The third weight has become 6 when its group begins.
TEST(gptq_row, ScalesOfTheMoment) {
  rowing.gives(
      {{"Groups", {{3, 1, 6, 2, -12}, factor(5), 3, 2}, {{3, 1, 3, 1, -3}, {1, 2, 4}}},
       {"Shrunk", {{3, 1.25, 6, 2}, factor(4, {{1, 2, 12}}), 3, 2}, {{3, 1, 3, 2}, {1, 1}}},
       {"Grown", {{3, 1.25, 3, 1}, factor(4, {{1, 2, -12}}), 3, 2}, {{3, 1, 3, 0}, {1, 2}}},
       {"LongestGroup",
        {{6, 2}, factor(2), 3, INT_MAX},
        {{3, 1}, {2}},
        "a group may be longer than any row"}},
      kNamedRow);
}

TEST(gptq_row, Saturates) {
  rowing.gives(
      {{"Above", {{3, 1.25, 2.75}, factor(3, {{1, 2, -4}}), 3, 3}, {{3, 1, 3}, {1}}},
       {"Lowest",
        {{3, 1.25, -2.75}, factor(3, {{1, 2, 5}}), 3, 3},
        {{3, 1, -4}, {1}},
        "qmin is a code, one below -qmax"},
       {"Below",
        {{3, 1.25, -2.75}, factor(3, {{1, 2, 16}}), 3, 3},
        {{3, 1, -4}, {1}},
        "no code is below qmin"},
       {"EightBits", {{127, 1.25, 120}, factor(3, {{1, 2, -100}}), 8, 3}, {{127, 1, 127}, {1}}},
       {"ErrorBeyond",
        {{3, 1.25, 2.75, 0}, factor(4, {{1, 2, -13}, {2, 3, -1}}), 3, 4},
        {{3, 1, 3, 3}, {1}},
        "the error is that of the code behind the clamp"}},
      kSameRow);
}

TEST(gptq_row, ZerosAndTinies) {
  rowing.gives({{"Zeros", {{0, 0, 3}, factor(3), 3, 2}, {{0, 0, 3}, {1, 1}}},
                {"Tiny", {{64 * DBL_MIN, -3 * DBL_MIN}, factor(2), 8, 2}, {{64, -3}, {DBL_MIN}}},
                {"Tiniest",
                 {{0x1p-1074}, factor(1), 8, 1},
                 {{0}, {DBL_MIN}},
                 "a group has scale 1 where all of it is 0: a quotient that underflows is raised"}},
               kSameRow);
}

const auto kRowByDefinition = [](const Rowing::Arguments& in) {
  return row_by_definition(in.a, in.b, in.c, in.d);
};

TEST(gptq_row, EveryShape) {
  rowing.agrees_with(kRowByDefinition, rows(seed, {1, 2, 3, 8, 33, 48}), kNamedRow);
}

TEST(gptq_row, RefusesWhatIsNoRow) {
  rowing.refuses({{"Fine", {{3, 1}, factor(2), 3, 1000}, {{3, 1}, {1}}}},
                 {{"", {{3, 1}, factor(2), 1, 2}},
                  {"", {{3, 1}, factor(2), 9, 2}},
                  {"", {{3, 1}, factor(2), 3, 0}},
                  {"", {{3, 1}, factor(2, {{0, 0, 0}}), 3, 2}},
                  {"", {{3, 1}, factor(2, {{1, 1, -1}}), 3, 2}},
                  {"N-NAN", {{3, 1}, factor(2, {{0, 1, double{kNan}}}), 3, 2}},
                  {"N-NAN", {{3, 1}, factor(2, {{1, 0, double{kNan}}}), 3, 2}},
                  {"N-NAN", {{3, double{kInfinity}}, factor(2), 3, 2}},
                  {"N-SIZE", {{3, 1}, {1, 0, 0, 1, 0, 0}, 3, 2}},
                  {"N-SIZE", {Doubles{}, Doubles{}, 3, 2}}},
                 kSameRow);
}

}  // namespace
}  // namespace nibble::judge::lab_32_gptq
