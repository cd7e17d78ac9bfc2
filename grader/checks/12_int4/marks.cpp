// Lab 12: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_12_int4 {

// clang-format off
constexpr Mark marks[] = {
    // exercise        check                     points  code         sentence of the contract
    {"pack_int4",     "LowNibbleIsEven",            4, "N-LAYOUT",   "low nibble of q4[b] = q[2b], high nibble = q[2b+1]"},
    {"pack_int4",     "EveryPair",                  3, "N-SIGN",     "two's complement, every code in [-8, 7]"},
    {"pack_int4",     "PadsWithZero",               2, "N-TAIL",     "any number of codes; the last high nibble is 0"},
    {"pack_int4",     "RefusesOtherCodes",          2, "N-RANGE",    "a code outside of [-8, 7] is refused"},
    {"unpack_int4",   "LowNibbleIsEven",            2, "N-LAYOUT",   "q[2b] = low nibble of q4[b], q[2b+1] = high nibble"},
    {"unpack_int4",   "EveryByte",                  2, "N-SIGN",     "two's complement: nibble 15 is -1"},
    {"unpack_int4",   "AnyCount",                   2, "N-FORMULA",  "any count; a last high nibble means nothing"},
    {"unpack_int4",   "RefusesWrongSizes",          2, "N-SIZE",     "q4 of count / 2 bytes, rounded up"},
    {"to_excess8",    "EveryByte",                  5, "N-FORMULA",  "each nibble is code + 8, in the same place"},
    {"to_excess8",    "IsItsOwnWayBack",            3, "N-FORMULA",  "given its own result, it returns what that was made of"},
    {"quantize_q4_0", "FollowsTheFormula",          4, "N-FORMULA",  "u = min(15, trunc(v * inverse + 8.5))"},
    {"quantize_q4_0", "TheExtremeIsMinusEight",     3, "N-RANGE",    "d = extreme / -8, with its sign; of equal ones the first"},
    {"quantize_q4_0", "BytesInTheirPlaces",         3, "N-LAYOUT",   "half of d, low byte first; u[j] low, u[j + 16] high"},
    {"quantize_q4_0", "TiesGoUp",                   3, "N-ROUND",    "half a step above a code is the next code; the half of d: ties to even"},
    {"quantize_q4_0", "OneByOneInFloat32",          3, "N-FORMULA",  "each operation in float32, in this order; d as it is, not its half"},
    {"quantize_q4_0", "ZerosAndTinyValues",         2, "N-DIV0",     "zeros: 00 80 and u = 8; inverse 0 where 1 / d is infinite"},
    {"quantize_q4_0", "RefusesWhatHasNoScale",      2, "N-SIZE",     "a multiple of 32 finite values, |d| < 65520"},
    {"quantize_q8_0", "FollowsTheFormula",          4, "N-FORMULA",  "d = max |v| / 127, q = round(v * inverse)"},
    {"quantize_q8_0", "TiesGoAwayFromZero",         3, "N-ROUND",    "round() sends ties away from zero; the half of d: ties to even"},
    {"quantize_q8_0", "OneByOneInFloat32",          3, "N-FORMULA",  "each operation in float32, in this order; d as it is, not its half"},
    {"quantize_q8_0", "ZerosAndTinyValues",         2, "N-DIV0",     "zeros: 34 bytes of 0; inverse 0 where 1 / d is infinite"},
    {"quantize_q8_0", "RefusesWhatHasNoScale",      2, "N-SIZE",     "a multiple of 32 finite values, |d| < 65520"},
    {"matmul_int4",   "MultipliesTransposed",       4, "N-FORMULA",  "c[i,j] = sum of a[i,p] * b[p,j], b4 [n, (k+1)/2]"},
    {"matmul_int4",   "MultipliesPairs",            3, "N-FORMULA",  "byte [r,j] holds b[2r,j], low, and b[2r+1,j], high"},
    {"matmul_int4",   "EveryShape",                 3, "N-FORMULA",  "any size; with an odd k a last high nibble means nothing"},
    {"matmul_int4",   "LongSums",                   2, "N-OVERFLOW", "sums are int32 and exact"},
    {"matmul_int4",   "RefusesBadInput",            2, "N-SIZE",     "sizes fit, 0 <= k <= 33554431, one of the two layouts"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("12_int4", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"pack_int4",     "EqualsTheReference",         3, "N-FORMULA",  "the formula, on data of its own"},
    {"unpack_int4",   "EqualsTheReference",         2, "N-FORMULA",  "the formula, on data of its own"},
    {"to_excess8",    "EqualsTheReference",         2, "N-FORMULA",  "the formula, on data of its own"},
    {"quantize_q4_0", "EqualsTheReference",         6, "N-FORMULA",  "byte for byte, on data of its own"},
    {"quantize_q8_0", "EqualsTheReference",         4, "N-FORMULA",  "byte for byte, on data of its own"},
    {"matmul_int4",   "EqualsTheReference",         8, "N-FORMULA",  "the formula, on data of its own, in both layouts"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_12_int4
