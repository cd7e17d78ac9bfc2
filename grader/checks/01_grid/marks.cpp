// Lab 01: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_01_grid {

// clang-format off
constexpr Mark marks[] = {
    // exercise              check                        points  code          sentence of the contract
    {"saturate_to_int8",     "InsideIsKept",                   4, "N-RANGE",    "every integer of [-128, 127] is its own answer"},
    {"saturate_to_int8",     "RoundsToNearest",                4, "N-TRUNC",    "the nearest integer, not the one towards 0"},
    {"saturate_to_int8",     "TiesGoToEven",                   5, "N-ROUND",    "ties go to the even neighbour"},
    {"saturate_to_int8",     "StopsAtTheEnds",                 4, "N-CLAMP",    "what lies outside goes to the nearer end"},
    {"saturate_to_int8",     "NanAndInfinity",                 3, "N-NAN",      "NaN gives 0, an infinity the nearer end"},
    {"quantize_to_grid",     "DividesByTheScale",              4, "N-SCALE",    "q = round(x / scale), where zero_point is 0"},
    {"quantize_to_grid",     "AddsTheZeroPoint",               4, "N-ZP-SIGN",  "q = round(x / scale) + zero_point"},
    {"quantize_to_grid",     "RoundsToNearest",                3, "N-TRUNC",    "round() gives the nearest integer"},
    {"quantize_to_grid",     "TiesGoToEven",                   4, "N-ROUND",    "a tie is a tie of x / scale, whatever the zero point"},
    {"quantize_to_grid",     "ClampsToTheGrid",                4, "N-CLAMP",    "every code lies in [qmin, qmax], however large x / scale"},
    {"quantize_to_grid",     "NanAndInfinity",                 3, "N-NAN",      "NaN gives zero_point, +-Inf the ends"},
    {"quantize_to_grid",     "EveryValueWithinHalfAStep",      3, "N-TAIL",     "no value is off by more, on any grid, at any length"},
    {"quantize_to_grid",     "RefusesWhatIsNoGrid",            2, "N-DIV0",     "Requires: a grid, and equal sizes"},
    {"dequantize_from_grid", "MultipliesByTheScale",           3, "N-SCALE",    "x_hat = scale * q, where zero_point is 0"},
    {"dequantize_from_grid", "SubtractsTheZeroPoint",          3, "N-ZP-SIGN",  "x_hat = scale * (q - zero_point)"},
    {"dequantize_from_grid", "DoesNotWrapAround",              3, "N-OVERFLOW", "the difference is taken in int32"},
    {"dequantize_from_grid", "EveryCodeOfTheGrid",             3, "N-CANCEL",   "the difference is exact, and is taken first"},
    {"dequantize_from_grid", "RefusesWhatIsNotOnTheGrid",      2, "N-RANGE",    "Requires: a grid, equal sizes, codes in [qmin, qmax]"},
    {"fake_quantize",        "SnapsToTheGrid",                 3, "N-FORMULA",  "every x moves to the nearest point of the grid"},
    {"fake_quantize",        "TiesGoToEven",                   3, "N-ROUND",    "round() sends ties to the even neighbour"},
    {"fake_quantize",        "ClampsToTheGrid",                3, "N-CLAMP",    "no result lies outside the grid"},
    {"fake_quantize",        "NanAndInfinity",                 2, "N-NAN",      "NaN gives 0, an infinity the nearer end"},
    {"fake_quantize",        "EveryValueWithinHalfAStep",      2, "N-TAIL",     "no value moves further, on any grid, at any length"},
    {"fake_quantize",        "RefusesWhatIsNoGrid",            1, "N-DIV0",     "Requires: a grid"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("01_grid", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"saturate_to_int8",     "EqualsTheReference",             5, "N-ROUND",    "on numbers nobody has seen"},
    {"quantize_to_grid",     "EqualsTheReference",             8, "N-FORMULA",  "on data and grids nobody has seen"},
    {"dequantize_from_grid", "EqualsTheReference",             6, "N-FORMULA",  "on codes and grids nobody has seen"},
    {"fake_quantize",        "EqualsBothSteps",                6, "N-FORMULA",  "quantize, then dequantize, on data nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_01_grid
