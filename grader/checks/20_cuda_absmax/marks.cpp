// Lab 20: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_20_cuda_absmax {

// clang-format off
constexpr Mark marks[] = {
    // exercise                 check                points  code         sentence of the contract
    {"absmax_block",             "Magnitudes",           2, "N-RANGE",    "partial[b] = max |x[i]|, of every sign and size"},
    {"absmax_block",             "EveryPlace",           2, "N-TAIL",     "over all 1024 elements of chunk b"},
    {"absmax_block",             "EveryTail",            2, "N-TAIL",     "any n: the last chunk may be short"},
    {"absmax_block",             "KeepsNaN",             1, "N-NAN",      "a NaN in a chunk makes its partial a NaN"},
    {"absmax_block",             "RunsClean",            2, "N-RACE",     "writes every partial and nothing else, in any order of threads"},
    {"absmax_block",             "NoBankConflicts",      1, "N-BANK",     "neighbouring threads work on neighbouring words"},
    {"absmax_block",             "FewRequests",          1, "N-REQUESTS", "warps that have nothing left to join ask for nothing"},
    {"absmax_block",             "MovesEachByteOnce",    1, "N-COALESCE", "reads x once, neighbours together"},
    {"absmax_warp",              "Magnitudes",           2, "N-RANGE",    "partial[b] = max |x[i]|, of every sign and size"},
    {"absmax_warp",              "EveryPlace",           2, "N-TAIL",     "over all 1024 elements of chunk b"},
    {"absmax_warp",              "EveryTail",            2, "N-TAIL",     "any n: the last chunk may be short"},
    {"absmax_warp",              "KeepsNaN",             1, "N-NAN",      "a NaN in a chunk makes its partial a NaN"},
    {"absmax_warp",              "RunsClean",            2, "N-LANES",    "writes every partial and nothing else, in any order of threads"},
    {"absmax_warp",              "OneBarrier",           2, "N-BARRIERS", "at most one barrier a block"},
    {"absmax_warp",              "FewRequests",          1, "N-REQUESTS", "shared memory carries one number from each warp"},
    {"absmax_warp",              "MovesEachByteOnce",    1, "N-COALESCE", "reads x once, neighbours together"},
    {"absmax",                   "Magnitudes",           2, "N-RANGE",    "amax[0] = max |x[i]|, of every sign and size"},
    {"absmax",                   "EveryBlock",           2, "N-TAIL",     "over all of x, wherever the largest is"},
    {"absmax",                   "EveryTail",            3, "N-TAIL",     "any n: the last block may have less, and a rest of 1 to 3"},
    {"absmax",                   "KeepsNaN",             2, "N-NAN",      "a NaN when one of x is"},
    {"absmax",                   "RunsClean",            2, "N-RACE",     "what blocks write to one place is atomic"},
    {"absmax",                   "FewAtomics",           2, "N-ATOMIC",   "at most one atomic operation for every 4096 elements"},
    {"absmax",                   "LoadsInFours",         2, "N-REQUESTS", "loads of 16 bytes a thread wherever four elements are left"},
    {"absmax",                   "MovesEachByteOnce",    1, "N-COALESCE", "reads x once, neighbours together"},
    {"quantize_rows",            "ScaleOfEachRow",       2, "N-LAYOUT",   "scale[r] = amax / 127, amax that of row r"},
    {"quantize_rows",            "TiesGoToEven",         2, "N-ROUND",    "round() sends ties to the even neighbour"},
    {"quantize_rows",            "Divides",              2, "N-SCALE",    "one division for the scale and one for each code"},
    {"quantize_rows",            "ZeroRows",             2, "N-DIV0",     "a row of zeros has scale 1 and codes 0"},
    {"quantize_rows",            "TinyRows",             2, "N-DIV0",     "a scale is at least FLT_MIN"},
    {"quantize_rows",            "RowsWithoutARange",    2, "N-NAN",      "a NaN or an infinity in a row: its scale is a NaN, its codes are 0"},
    {"quantize_rows",            "EveryShape",           2, "N-TAIL",     "any number of rows, 1 <= cols <= 4096"},
    {"quantize_rows",            "RunsClean",            2, "N-RACE",     "writes every code and every scale, and nothing else"},
    {"quantize_rows",            "ReadsOnce",            2, "N-LOADS",    "reads x once"},
    {"quantize_rows",            "StoresNeighbours",     1, "N-COALESCE", "a warp writes neighbouring codes"},
    {"quantize_rows_asymmetric", "RangeHoldsZero",       3, "N-ZERO",     "lo = min(0, min x[r,c]), hi = max(0, max x[r,c])"},
    {"quantize_rows_asymmetric", "RoundsThenAdds",       2, "N-ROUND",    "round(x / scale) + zero_point, ties to even"},
    {"quantize_rows_asymmetric", "Saturates",            2, "N-CLAMP",    "codes are clamped to [-128, 127]"},
    {"quantize_rows_asymmetric", "ZeroAndTinyRows",      2, "N-DIV0",     "scale 1 for zeros, and at least FLT_MIN"},
    {"quantize_rows_asymmetric", "RowsWithoutARange",    2, "N-NAN",      "no range: the scale is a NaN, zero_point and codes are 0"},
    {"quantize_rows_asymmetric", "EveryShape",           2, "N-TAIL",     "any number of rows, 1 <= cols <= 4096"},
    {"quantize_rows_asymmetric", "RunsClean",            1, "N-RACE",     "writes every code, scale and zero_point, and nothing else"},
    {"quantize_rows_asymmetric", "ReadsOnce",            1, "N-LOADS",    "x is read once"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("20_cuda_absmax", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"absmax_block",             "EqualsTheDefinition",  4, "N-FORMULA",  "partial, on data and sizes nobody has seen"},
    {"absmax_warp",              "EqualsTheDefinition",  5, "N-FORMULA",  "partial, on data and sizes nobody has seen"},
    {"absmax",                   "EqualsTheDefinition",  5, "N-FORMULA",  "amax, on data and sizes nobody has seen"},
    {"quantize_rows",            "EqualsTheDefinition",  6, "N-FORMULA",  "q and scale, on data and sizes nobody has seen"},
    {"quantize_rows_asymmetric", "EqualsTheDefinition",  5, "N-FORMULA",  "q, scale and zero_point, on data and sizes nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_20_cuda_absmax
