// Lab 07: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_07_calibration {

// clang-format off
constexpr Mark marks[] = {
    // exercise                 check                    points  code          sentence of the contract
    {"minmax_observe",          "KeepsTheExtremes",           5, "N-OBSERVER", "the least and the greatest of everything seen"},
    {"minmax_observe",          "FirstBatchInitialises",      3, "N-OBSERVER", "whatever lo and hi were; an empty batch changes nothing"},
    {"minmax_observe",          "FrozenStaysAsItIs",          2, "N-OBSERVER", "at inference nothing is learnt, and the batch is not looked at"},
    {"minmax_observe",          "RefusesWhatHasNoRange",      2, "N-NAN",      "NaN and infinity are refused, and a range that is none"},
    {"moving_average_observe",  "OneStepInAHundred",          3, "N-OBSERVER", "each end moves by a hundredth of the way to that of the batch, once a batch"},
    {"moving_average_observe",  "InFloatInThisOrder",         2, "N-FORMULA",  "one float32 difference, one product, one sum"},
    {"moving_average_observe",  "BeginsAndEndsAsMinMax",      2, "N-OBSERVER", "the first batch, an empty one and a frozen observer"},
    {"moving_average_observe",  "RefusesWhatHasNoRange",      2, "N-NAN",      "what minmax_observe refuses, and a range that is not finite"},
    {"percentile_clip",         "RankIsRoundedUp",            5, "N-FORMULA",  "sorted[ceil(n * per_million / 10^6)], and nothing in between"},
    {"percentile_clip",         "LooksAtMagnitudes",          3, "N-FORMULA",  "of |x|, not of x; 0 where there is nothing"},
    {"percentile_clip",         "AnyRankOfAnyLength",         3, "N-FORMULA",  "the rank is exact, in integers"},
    {"percentile_clip",         "RefusesWhatHasNoOrder",      2, "N-NAN",      "NaN, infinity, and shares outside 1 ... 1'000'000"},
    {"mse_clip",                "LeastSquaredError",          5, "N-FORMULA",  "the clip with the least error, of a hundred"},
    {"mse_clip",                "TiesGoToTheLarger",          3, "N-FORMULA",  "of equal errors the larger clip wins"},
    {"mse_clip",                "AnyWidthAndSize",            4, "N-FORMULA",  "2 to 8 bits, any magnitude; float32 up to scale * q, then double"},
    {"mse_clip",                "RefusesWhatHasNoRange",      2, "N-NAN",      "NaN, infinity and widths outside 2..8"},
    {"entropy_clip",            "LeastDivergence",            6, "N-FORMULA",  "the number of bins whose divergence is least, of equals the largest"},
    {"entropy_clip",            "EmptyBins",                  4, "N-FORMULA",  "p = 0 adds nothing; p > 0 with q = 0 is infinite"},
    {"entropy_clip",            "GrowsByJoining",             5, "N-FORMULA",  "a larger batch joins bins in pairs: no value is lost, none moved"},
    {"entropy_clip",            "RefusesWhatHasNoRange",      1, "N-NAN",      "NaN, infinity, and batches of no size"},
    {"quantize_dynamic_rows",   "ScalePerRow",                4, "N-OBSERVER", "scales[r] = amax[r] / 127, of the row alone"},
    {"quantize_dynamic_rows",   "RoundsAQuotient",            2, "N-ROUND",    "one float32 division a code; ties to the even neighbour"},
    {"quantize_dynamic_rows",   "ScaleIsNeverZero",           2, "N-DIV0",     "1 for a row of zeros, and never below FLT_MIN"},
    {"quantize_dynamic_rows",   "AnyShape",                   2, "N-TAIL",     "any number of rows and columns"},
    {"quantize_dynamic_rows",   "RefusesWhatIsNoMatrix",      1, "N-SIZE",     "columns that do not divide the size; NaN and infinity"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("07_calibration", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"minmax_observe",          "BatchesAsOne",               2, "N-OBSERVER", "batch by batch, or all at once: the same range"},
    {"moving_average_observe",  "EqualsTheReference",         3, "N-FORMULA",  "on data nobody has seen"},
    {"percentile_clip",         "EqualsTheReference",         3, "N-FORMULA",  "on data nobody has seen"},
    {"mse_clip",                "EqualsTheReference",         4, "N-FORMULA",  "on data nobody has seen"},
    {"entropy_clip",            "EqualsTheReference",         5, "N-FORMULA",  "on data nobody has seen"},
    {"entropy_clip",            "GrowthForgetsNothing",       3, "N-FORMULA",  "batches after the first may come in any order"},
    {"quantize_dynamic_rows",   "EqualsTheReference",         5, "N-FORMULA",  "on data nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_07_calibration
