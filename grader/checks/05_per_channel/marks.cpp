// Lab 05: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_05_per_channel {

// clang-format off
constexpr Mark marks[] = {
    // exercise                      check                          points  code         sentence of the contract
    {"quantize_per_channel",         "FollowsTheFormula",                2, "N-RANGE",   "scale = amax / qmax, for one slice"},
    {"quantize_per_channel",         "RoundsToNearest",                  2, "N-TRUNC",   "q is the nearest integer, not the one towards 0"},
    {"quantize_per_channel",         "TiesGoToEven",                     2, "N-ROUND",   "ties go to the even neighbour"},
    {"quantize_per_channel",         "ScalesOverRows",                   2, "N-AXIS",    "axis 0 keeps one scale per row"},
    {"quantize_per_channel",         "ScalesOverColumns",                3, "N-AXIS",    "axis 1 keeps one scale per column"},
    {"quantize_per_channel",         "NegativeAxesCountFromTheBack",     2, "N-AXIS",    "axis -1 is the last; the result's axis counts from the front"},
    {"quantize_per_channel",         "ScaleIsNeverZero",                 2, "N-DIV0",    "a slice of zeros has scale 1; no scale is below FLT_MIN"},
    {"quantize_per_channel",         "ReachesFromTheLeastToTheLargest",  2, "N-ZP-CLAMP", "scale = (hi - lo) / (qmax - qmin), and the zero point that makes lo the code qmin"},
    {"quantize_per_channel",         "EachSliceHasItsZeroPoint",         2, "N-AXIS",    "kAsymmetric keeps a scale and a zero point per index"},
    {"quantize_per_channel",         "OneToFourDimensions",              2, "N-LAYOUT",  "every axis of 1, 2, 3 and 4 dimensions works"},
    {"quantize_per_channel",         "EveryValueWithinHalfAStep",        2, "N-RANGE",   "no value is off by more than half a step of its own slice, at any width"},
    {"quantize_per_channel",         "RefusesWhatItCannotQuantize",      2, "N-NAN",     "NaN, infinity, other widths, other axes and other shapes are refused"},
    {"dequantize_per_channel",       "MultipliesByTheScale",             2, "N-SCALE",   "real = scale * q"},
    {"dequantize_per_channel",       "TakesTheScaleOfItsChannel",        2, "N-AXIS",    "the scale is the one of the element's index along axis"},
    {"dequantize_per_channel",       "SubtractsTheZeroPoint",            2, "N-ZERO",    "real = scale * (q - zero_point)"},
    {"dequantize_per_channel",       "OneToFourDimensions",              2, "N-LAYOUT",  "every axis of 1, 2, 3 and 4 dimensions works"},
    {"dequantize_per_channel",       "RefusesWhatDoesNotFit",            2, "N-SIZE",    "codes, scales, shape and axis must fit, and scales be normal and > 0"},
    {"quantize_per_group",           "FollowsTheFormula",                2, "N-RANGE",   "scale = amax / qmax, for one group"},
    {"quantize_per_group",           "RoundsToNearest",                  1, "N-TRUNC",   "q is the nearest integer, not the one towards 0"},
    {"quantize_per_group",           "TiesGoToEven",                     1, "N-ROUND",   "ties go to the even neighbour"},
    {"quantize_per_group",           "EveryGroupHasItsScale",            2, "N-LAYOUT",  "group_size consecutive elements share a scale"},
    {"quantize_per_group",           "LastGroupMayBeShort",              2, "N-TAIL",    "the last group of a row takes what is left"},
    {"quantize_per_group",           "GroupsEndWithTheirRow",            2, "N-TAIL",    "a group never continues in the next row"},
    {"quantize_per_group",           "ScaleIsNeverZero",                 1, "N-DIV0",    "a group of zeros has scale 1; no scale is below FLT_MIN"},
    {"quantize_per_group",           "EveryValueWithinHalfAStep",        1, "N-RANGE",   "no value is off by more than half a step of its own group, at any width"},
    {"quantize_per_group",           "RefusesWhatItCannotQuantize",      1, "N-NAN",     "NaN, infinity, other widths and impossible sizes are refused"},
    {"dequantize_per_group",         "MultipliesByTheScale",             1, "N-SCALE",   "real = scale * q"},
    {"dequantize_per_group",         "TakesTheScaleOfItsGroup",          2, "N-LAYOUT",  "the scale is the one of the group that holds the element"},
    {"dequantize_per_group",         "CountsShortGroups",                3, "N-TAIL",    "a short group has a scale of its own, in every row"},
    {"dequantize_per_group",         "RefusesWhatDoesNotFit",            1, "N-SIZE",    "codes, scales and sizes must fit, and scales be normal and > 0"},
    {"memory_savings",               "CountsCodesAndScales",             2, "N-OVERHEAD", "total_bits holds the codes and the scales"},
    {"memory_savings",               "CountsZeroPoints",                 2, "N-OVERHEAD", "one zero point lies beside each scale"},
    {"memory_savings",               "RoundsScalesUp",                   1, "N-TAIL",    "scales = ceil(count / elements_per_scale)"},
    {"memory_savings",               "ComparesWithFp32",                 2, "N-DENOM",   "bits_per_element is total_bits / count; the share is that of 32 bits"},
    {"memory_savings",               "CountsPastTwoBillion",             1, "N-OVERFLOW", "counts up to 2^48 are exact"},
    {"memory_savings",               "RefusesWhatIsNoCount",             1, "N-DIV0",    "sizes out of range are refused"},
    {"compare_quantization_methods", "MeasuresPerTensor",                1, "N-DENOM",   "mse is the mean of the squared errors, over all elements"},
    {"compare_quantization_methods", "GivesEachRowItsScale",             1, "N-AXIS",    "per channel means axis 0"},
    {"compare_quantization_methods", "MeasuresTheAsymmetricWays",        1, "N-ORDER",   "each symmetry per tensor and per channel"},
    {"compare_quantization_methods", "GivesEachGroupItsScale",           1, "N-TAIL",    "groups lie along the last axis and end with it"},
    {"compare_quantization_methods", "CountsTheirBits",                  1, "N-OVERHEAD", "codes, float32 scales and the zero point"},
    {"compare_quantization_methods", "WorksAtEveryWidth",                1, "N-RANGE",   "each of the five ways has codes of num_bits bits"},
    {"compare_quantization_methods", "SqnrIsInDecibels",                 1, "N-DENOM",   "sqnr_db = 10 log10(mean of x^2 / mse), +infinity where mse is 0"},
    {"compare_quantization_methods", "BestIsTheHighest",                 1, "N-ORDER",   "best has the highest sqnr_db; of equals, the first"},
    {"compare_quantization_methods", "SumsInDouble",                     1, "N-FLOAT32", "mse is summed in double"},
    {"compare_quantization_methods", "MeasuresAsInLab02",                1, "N-FORMULA", "the metrics of lab 02, with its rules where nothing varies or nothing is lost"},
    {"compare_quantization_methods", "RefusesWhatItCannotCompare",       1, "N-NAN",     "what has no range, no elements or no groups is refused"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("05_per_channel", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"quantize_per_channel",         "EqualsTheReference",               5, "",          "q and scales, on data nobody has seen"},
    {"quantize_per_channel",         "SlicesStandAlone",                 3, "",          "a slice has the codes it would have without the others"},
    {"dequantize_per_channel",       "EqualsTheReference",               2, "",          "real, of tensors nobody has seen"},
    {"quantize_per_group",           "EqualsTheReference",               4, "",          "q and scales, on data nobody has seen"},
    {"quantize_per_group",           "GroupsStandAlone",                 2, "",          "a group has the codes it would have without the others"},
    {"dequantize_per_group",         "EqualsTheReference",               2, "",          "real, of tensors nobody has seen"},
    {"memory_savings",               "EqualsTheReference",               2, "",          "bits, of sizes nobody has seen"},
    {"compare_quantization_methods", "EqualsTheReference",               5, "",          "every metric, bits and best, on data nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_05_per_channel
