// Lab 13: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_13_binary {

// clang-format off
constexpr Mark marks[] = {
    // exercise           check                   points  code         sentence of the contract
    {"pack_signs",        "SignsToBits",            3, "N-FORMULA",  "column c is bit c % 32 of word c / 32: 1 where x < 0"},
    {"pack_signs",        "RowsBeginNewWords",      2, "N-FORMULA",  "a row begins with a new word, so it has ceil(cols / 32) of them"},
    {"pack_signs",        "ZeroIsPlus",             2, "N-SIGN0",    "sign(0) = sign(-0.0) = +1"},
    {"pack_signs",        "NanIsPlus",              2, "N-NAN",      "every float has a sign: sign(NaN) = +1, infinities have their own"},
    {"pack_signs",        "EveryWidth",             2, "N-FORMULA",  "bits of the tail are 0, at any width"},
    {"pack_signs",        "RefusesWrongSizes",      2, "N-SIZE",     "rows and cols below 0, or another number of elements, are refused"},
    {"binary_matmul",     "FollowsTheFormula",      4, "N-FORMULA",  "c = k - 2 * (how many bits differ)"},
    {"binary_matmul",     "EveryPairOfShortRows",   2, "N-FORMULA",  "the sum of the products of two signs, for all rows of up to six bits"},
    {"binary_matmul",     "EveryShape",             2, "N-FORMULA",  "a [m,k], b_t [n,k], c [m,n], rows of whole words"},
    {"binary_matmul",     "TailCountsForNothing",   3, "N-TAIL",     "the tail of a and of b_t holds anything, and adds nothing"},
    {"binary_matmul",     "EmptySumIsZero",         2, "N-FORMULA",  "with k = 0 every sum is empty, and 0"},
    {"binary_matmul",     "RefusesWrongSizes",      2, "N-SIZE",     "sizes below 0, k from 2^30, or another number of words, are refused"},
    {"binarize_weights",  "MeanMagnitude",          3, "N-FORMULA",  "alpha = (sum of |w|) / cols"},
    {"binarize_weights",  "OneScaleARow",           2, "N-FORMULA",  "alpha[r] is the mean of row r"},
    {"binarize_weights",  "SignsAsBits",            2, "N-FORMULA",  "bits = pack_signs(w)"},
    {"binarize_weights",  "RoundsOnce",             2, "N-FORMULA",  "sum and division are float64, rounded to float32 once"},
    {"binarize_weights",  "ZerosComeBack",          2, "N-FORMULA",  "a row of zeros has alpha 0, and no alpha is too small"},
    {"binarize_weights",  "RefusesWhatHasNoMean",   2, "N-NAN",      "NaN, infinity, rows without columns and wrong sizes are refused"},
    {"ternarize",         "AboveTheThreshold",      3, "N-FORMULA",  "a trit is a sign above 0.7 times the mean magnitude, and 0 below"},
    {"ternarize",         "OneThresholdARow",       2, "N-FORMULA",  "the threshold of a row comes from that row"},
    {"ternarize",         "AlphaOfWhatIsKept",      3, "N-FORMULA",  "alpha is the mean of |w| where the trit is not 0"},
    {"ternarize",         "OnTheThreshold",         1, "N-FORMULA",  "a weight on the threshold is 0, and no part of alpha"},
    {"ternarize",         "ComputesInDouble",       2, "N-FORMULA",  "all of it is float64, and alpha rounded to float32 once"},
    {"ternarize",         "ZerosComeBack",          1, "N-FORMULA",  "a row of zeros has trits 0 and alpha 0"},
    {"ternarize",         "RefusesWhatHasNoMean",   2, "N-NAN",      "NaN, infinity, rows without columns and wrong sizes are refused"},
    {"pack_ternary",      "FirstTritIsLowest",      3, "N-FORMULA",  "a byte is the sum of (trit + 1) * 3^t"},
    {"pack_ternary",      "EveryByte",              2, "N-FORMULA",  "all 243 combinations, and no byte above 242"},
    {"pack_ternary",      "PadsWithTheTritZero",    3, "N-TAIL",     "missing trits of the last byte are packed as 0, digit 1"},
    {"pack_ternary",      "RefusesWhatIsNoTrit",    2, "N-RANGE",    "what is not -1, 0 or 1 is refused"},
    {"unpack_ternary",    "FirstTritIsLowest",      3, "N-FORMULA",  "trit i is digit i % 5 of byte i / 5, less 1"},
    {"unpack_ternary",    "EveryByte",              2, "N-FORMULA",  "all 243 bytes, at any count"},
    {"unpack_ternary",    "AnythingBehindTheLast",  2, "N-TAIL",     "the digits behind the last trit hold anything"},
    {"unpack_ternary",    "RefusesWhatIsNoCode",    2, "N-RANGE",    "243 ... 255 are no code, wherever they stand"},
    {"unpack_ternary",    "RefusesWrongSizes",      1, "N-SIZE",     "a count below 0, or another number of bytes, is refused"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("13_binary", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"pack_signs",        "EqualsTheReference",     4, "N-FORMULA",  "bits, on data nobody has seen"},
    {"binary_matmul",     "EqualsTheReference",     6, "N-FORMULA",  "c, on data and sizes nobody has seen"},
    {"binarize_weights",  "EqualsTheReference",     4, "N-FORMULA",  "bits and alpha, on data nobody has seen"},
    {"ternarize",         "EqualsTheReference",     5, "N-FORMULA",  "trits and alpha, on data nobody has seen"},
    {"pack_ternary",      "EqualsTheReference",     3, "N-FORMULA",  "bytes, on data nobody has seen"},
    {"unpack_ternary",    "EqualsTheReference",     3, "N-FORMULA",  "trits, on data nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_13_binary
