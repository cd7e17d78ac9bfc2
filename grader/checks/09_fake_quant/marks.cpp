// Lab 09: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_09_fake_quant {

// clang-format off
constexpr Mark marks[] = {
    // exercise                 check                    points  code          sentence of the contract
    {"fake_quantize_backward",  "PassesInside",               4, "N-MASK",     "upstream[i] inside, 0 below and above"},
    {"fake_quantize_backward",  "RoundsBeforeItAsks",         4, "N-MASK",     "inside is said of the rounded code, before it is clamped"},
    {"fake_quantize_backward",  "AnyGrid",                    2, "N-MASK",     "any zero point, any scale, any number of values; one float32 division"},
    {"fake_quantize_backward",  "RefusesWhatHasNoSlope",      2, "N-NAN",      "what is no grid, sizes that differ, NaN and infinity"},
    {"scale_gradient",          "RoundingInside",             5, "N-FORMULA",  "round(x / scale) - x / scale inside"},
    {"scale_gradient",          "StepsOutside",               4, "N-FORMULA",  "qmin - zero_point below, qmax - zero_point above"},
    {"scale_gradient",          "DividedByTheRoot",           3, "N-FORMULA",  "the sum divided by sqrt(n * qmax); 0 where there is nothing"},
    {"scale_gradient",          "SumsInDouble",               3, "N-FORMULA",  "a double, whose terms are added from the first to the last"},
    {"scale_gradient",          "RefusesWhatHasNoSlope",      2, "N-NAN",      "what fake_quantize_backward refuses"},
    {"zero_point_gradient",     "LengthOutside",              4, "N-FORMULA",  "0 inside, -scale below and above"},
    {"zero_point_gradient",     "RoundedAsTheOther",          3, "N-FORMULA",  "rounded as in scale_gradient: a double, divided by sqrt(n * qmax)"},
    {"zero_point_gradient",     "RefusesWhatHasNoSlope",      2, "N-NAN",      "what fake_quantize_backward refuses"},
    {"learn_scale",             "GoesDownhill",               4, "N-FORMULA",  "scale - rate * gradient: one product, one difference"},
    {"learn_scale",             "StaysAScale",                5, "N-STEP",     "it halves at most, it doubles at most; in [FLT_MIN, FLT_MAX]"},
    {"learn_scale",             "FindsTheClip",               4, "N-STEP",     "the scale ends where lab 07's mse_clip is"},
    {"fake_linear",             "FollowsTheFormula",          4, "N-FORMULA",  "whole numbers, their sum, one factor, a clamp"},
    {"fake_linear",             "RoundsWhereIntegersDo",      3, "N-FORMULA",  "each operation in the contract's order; ties to the even neighbour"},
    {"fake_linear",             "SumIsExact",                 3, "N-FLOAT32",  "the sum is exact, also beyond 2^24"},
    {"fake_linear",             "RefusesWhatIsNoLayer",       2, "N-SIZE",     "x or a FakeLayer not as described; unit and factor of v normal, |b[j]| <= 2^30"},
    {"fold_to_integers",        "FoldsTheZeroPoint",          4, "N-FORMULA",  "bias[j] = b[j] - input_zero_point * (sum over p of w[j,p])"},
    {"fold_to_integers",        "SameCodesSameFactor",        3, "N-FORMULA",  "codes and multiplier are those of fake_linear"},
    {"fold_to_integers",        "AgreesExactly",              4, "N-FORMULA",  "the integer form gives exactly the codes of fake_linear"},
    {"fold_to_integers",        "RefusesWhatIsNoLayer",       1, "N-SIZE",     "what fake_linear refuses of the layer"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("09_fake_quant", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"fake_quantize_backward",  "EqualsTheReference",         3, "N-MASK",     "on data nobody has seen"},
    {"scale_gradient",          "EqualsTheReference",         5, "N-FORMULA",  "on data nobody has seen"},
    {"zero_point_gradient",     "EqualsTheReference",         3, "N-FORMULA",  "on data nobody has seen"},
    {"learn_scale",             "EqualsTheReference",         4, "N-FORMULA",  "on data nobody has seen"},
    {"fake_linear",             "EqualsTheReference",         5, "N-FORMULA",  "on data nobody has seen"},
    {"fold_to_integers",        "EqualsTheReference",         5, "N-FORMULA",  "on data nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_09_fake_quant
