// Lab 10: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_10_half {

// clang-format off
constexpr Mark marks[] = {
    // exercise           check                       points  code         sentence of the contract
    {"float_to_half",     "RoundsToNearest",               4, "N-FORMULA", "the nearest half, with the sign of x"},
    {"float_to_half",     "TiesGoToEven",                  4, "N-ROUND",   "of two that are equally near, the one whose last bit is 0"},
    {"float_to_half",     "CarriesIntoTheExponent",        4, "N-CARRY",   "2047.5 becomes 2048"},
    {"float_to_half",     "KeepsSubnormals",               4, "N-FORMULA", "below 2^-14 halves are 2^-24 apart, all the way down to 0"},
    {"float_to_half",     "OverflowsAt65520",              3, "N-INF",     "65520 and all beyond it become infinity"},
    {"float_to_half",     "KeepsNan",                      3, "N-NAN",     "a NaN keeps its sign and its first ten bits, and is a quiet one"},
    {"float_to_half",     "EveryTieAndBothSides",          2, "N-FORMULA", "each of 63,488 ties, and the floats on both sides of it"},
    {"half_to_float",     "NormalNumbers",                 3, "N-FORMULA", "(1024 + fraction) * 2^(exponent - 25); 0 keeps its sign"},
    {"half_to_float",     "SubnormalNumbers",              3, "N-FLUSH",   "fraction * 2^-24"},
    {"half_to_float",     "InfinityAndNan",                2, "N-NAN",     "infinity keeps its sign, a NaN its bits, and is a quiet one"},
    {"half_to_float",     "EveryCode",                     2, "N-FORMULA", "all 65,536 codes"},
    {"float_to_bfloat16", "RoundsToNearest",               3, "N-FORMULA", "the nearest bfloat16, with the sign of x"},
    {"float_to_bfloat16", "TiesGoToEven",                  3, "N-ROUND",   "of two that are equally near, the one whose last bit is 0"},
    {"float_to_bfloat16", "CarriesIntoTheExponent",        1, "N-CARRY",   "255.5 becomes 256"},
    {"float_to_bfloat16", "KeepsSubnormals",               1, "N-FORMULA", "subnormal numbers are kept"},
    {"float_to_bfloat16", "OverflowsAtTheLastTie",         1, "N-INF",     "from (2 - 2^-8) * 2^127 on, infinity"},
    {"float_to_bfloat16", "KeepsNan",                      2, "N-NAN",     "a NaN keeps its sign and its first seven bits, and is a quiet one"},
    {"float_to_bfloat16", "EveryTieAndBothSides",          2, "N-FORMULA", "each of 65,280 ties, and the floats on both sides of it"},
    {"bfloat16_to_float", "IsTheUpperHalf",                2, "N-FORMULA", "the float32 whose lower half is 0"},
    {"bfloat16_to_float", "KeepsSubnormals",               1, "N-FLUSH",   "of those below 2^-126, too"},
    {"bfloat16_to_float", "EveryCode",                     2, "N-NAN",     "all 65,536 codes, and no bit changes"},
    {"dot_half",          "SumsInFloat",                   2, "N-FORMULA", "s + a[i] * b[i] in float32, from the first to the last"},
    {"dot_half",          "RoundsToHalfEachTime",          3, "N-FORMULA", "half(h + half(a[i] * b[i])), from the first to the last"},
    {"dot_half",          "AnyLength",                     2, "N-FORMULA", "both sums, of one product or of a thousand"},
    {"dot_half",          "TakesInfinityAndNan",           1, "N-NAN",     "sums may be infinite, or have no value"},
    {"dot_half",          "RefusesTwoLengths",             2, "N-SIZE",    "as many codes in a as in b"},
    {"scaled_step",       "StepsByUnscaledHalves",         2, "N-FORMULA", "weights[i] - learning_rate * (h[i] / scale), in float32"},
    {"scaled_step",       "SkipsAsAWhole",                 3, "N-NAN",     "one h[i] that is not finite, and no weight moves"},
    {"scaled_step",       "HalvesAndDoubles",              3, "N-FORMULA", "half after a skip, twice after growth_interval good steps"},
    {"scaled_step",       "KeepsTheScaleInRange",          2, "N-RANGE",   "at least 1, at most 2^24"},
    {"scaled_step",       "AnyStep",                       1, "N-FORMULA", "whatever the gradients, the scale and the counts"},
    {"scaled_step",       "RefusesWhatIsNoStep",           2, "N-RANGE",   "sizes, scale, learning_rate, growth_interval, good_steps"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("10_half", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"float_to_half",     "EqualsTheReference",            8, "N-FORMULA", "on floats nobody has seen"},
    {"half_to_float",     "EqualsTheReference",            2, "N-FORMULA", "all codes, in an order nobody has seen"},
    {"float_to_bfloat16", "EqualsTheReference",            5, "N-FORMULA", "on floats nobody has seen"},
    {"bfloat16_to_float", "EqualsTheReference",            1, "N-FORMULA", "all codes, in an order nobody has seen"},
    {"dot_half",          "EqualsTheReference",            4, "N-FORMULA", "on lists nobody has seen"},
    {"scaled_step",       "EqualsTheReference",            5, "N-FORMULA", "step after step, on gradients nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_10_half
