// Lab 08: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_08_requantization {

// clang-format off
constexpr Mark marks[] = {
    // exercise                          check                        points  code          sentence of the contract
    {"quantize_multiplier",              "TakesTheFactorApart",          4, "N-SHIFT",    "factor = mantissa * 2^shift, the mantissa in [1/2, 1)"},
    {"quantize_multiplier",              "RoundsTheMantissa",            3, "N-ROUND",    "multiplier is the nearest integer to mantissa * 2^31, a half is rounded up"},
    {"quantize_multiplier",              "NeverReachesTwoToThe31",       3, "N-CARRY",    "a mantissa rounded to 2^31 becomes 2^30, and shift is one more"},
    {"quantize_multiplier",              "VanishesBelowOneHalf",         2, "N-SHIFT",    "0 and 0 for a factor of 0, or a shift below -31 after rounding, not before"},
    {"quantize_multiplier",              "RefusesWhatHasNoShift",        2, "N-SHIFT",    "factors are >= 0, and shifts at most 30"},
    {"multiply_by_quantized_multiplier", "MultipliesByTheFactor",        4, "N-SHIFT",    "y is x * multiplier * 2^(shift - 31), a factor for each channel"},
    {"multiply_by_quantized_multiplier", "SingleRoundsHalvesUp",         4, "N-FORMULA",  "kSingle: floor(x * factor + 1/2)"},
    {"multiply_by_quantized_multiplier", "DoubleRoundsTwice",            4, "N-FORMULA",  "kDouble: a half up behind 31 bits, then away from 0"},
    {"multiply_by_quantized_multiplier", "Saturates",                    3, "N-FORMULA",  "kSingle clamps y to int32, kDouble clamps left"},
    {"multiply_by_quantized_multiplier", "EveryShift",                   4, "N-SHIFT",    "exact but for floor() and round(), for every shift"},
    {"multiply_by_quantized_multiplier", "RefusesWhatIsNoFactor",        1, "N-SHIFT",    "multipliers are normalised or 0, shifts in [-31, 30], sizes fit"},
    {"requantize",                       "AddsTheBiasFirst",             4, "N-BIAS",     "sum = acc + bias, then the factor"},
    {"requantize",                       "AddsTheZeroPointLast",         3, "N-ZERO",     "y + zero_point, when y is rounded"},
    {"requantize",                       "StaysOnTheGrid",               3, "N-FORMULA",  "clamped to [-128, 127], last"},
    {"requantize",                       "HoldsLargeSums",               3, "N-FORMULA",  "acc + bias saturates, and y + zero_point is exact"},
    {"requantize",                       "RefusesWhatDoesNotFit",        1, "N-SIZE",     "a bias for each channel or none, zero_point a code"},
    {"requantize_relu",                  "ReluEndsAtTheZeroPoint",       4, "N-FORMULA",  "kRelu clamps to [zero_point, 127]"},
    {"requantize_relu",                  "SixHasACode",                  3, "N-SCALE",    "kRelu6 clamps to [zero_point, zero_point + round(6 / c_scale)]"},
    {"requantize_relu",                  "SixMayLieOffTheGrid",          2, "N-FORMULA",  "six is at most 127, however small c_scale is"},
    {"requantize_relu",                  "RefusesAnUnusableScale",       1, "N-DIV0",     "c_scale is normal and > 0, and what requantize requires"},
    {"add_quantized",                    "AddsSteps",                    3, "N-SCALE",    "a and b in one unit, then in steps of c"},
    {"add_quantized",                    "KeepsTwentyBits",              3, "N-FORMULA",  "(q - zero_point) * 2^20, in a unit of 2 * max(a.scale, b.scale)"},
    {"add_quantized",                    "EveryPairOfCodes",             3, "N-FORMULA",  "factors are quotients in double, and all three products are rounded as asked"},
    {"add_quantized",                    "RefusesWhatDoesNotFit",        1, "N-SIZE",     "sizes, scales, zero points and the last factor are looked at, of empty tensors too"},
    {"average_quantized",                "AveragesEachChannel",          2, "N-AXIS",     "the mean of a channel over the rows of a window"},
    {"average_quantized",                "HalvesGoAwayFromZero",         2, "N-ROUND",    "the nearest integer, a half away from 0"},
    {"average_quantized",                "TheLastWindowMayBeShort",      1, "N-DENOM",    "divided by the number of rows that are there"},
    {"average_quantized",                "SumsAreExact",                 1, "N-OVERFLOW", "the sum is exact, however long the window"},
    {"average_quantized",                "RefusesWhatDoesNotFit",        1, "N-SIZE",     "channels and window >= 1, rows are whole"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("08_requantization", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"quantize_multiplier",              "EqualsTheReference",           4, "N-FORMULA",  "on factors nobody has seen"},
    {"multiply_by_quantized_multiplier", "EqualsTheReference",           7, "N-FORMULA",  "on numbers and factors nobody has seen"},
    {"requantize",                       "EqualsTheReference",           5, "N-FORMULA",  "on sums nobody has seen"},
    {"requantize_relu",                  "EqualsTheReference",           3, "N-FORMULA",  "on sums and scales nobody has seen"},
    {"add_quantized",                    "EqualsTheReference",           4, "N-FORMULA",  "on scales nobody has seen"},
    {"average_quantized",                "EqualsTheReference",           2, "N-FORMULA",  "on codes and sizes nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_08_requantization
