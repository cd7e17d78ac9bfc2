// Lab 31: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_31_qat {

// clang-format off
constexpr Mark marks[] = {
    // exercise                check                   points  code         sentence of the contract
    {"linear_forward_fake",  "RoundsBoth",                 5, "N-FORMULA",  "y = bias + sum of x_hat * w_hat"},
    {"linear_forward_fake",  "TiesAndClamps",              4, "N-CLAMP",    "rounded to even, then clamped: [qmin, qmax], [0, qmax]"},
    {"linear_forward_fake",  "AnyShape",                   3, "N-LAYOUT",   "for layers of any shape"},
    {"linear_forward_fake",  "RefusesWhatIsNoLayer",       1, "N-RANGE",    "Requires: expects_layer(layer, x) passes"},
    {"linear_backward_fake", "StraightThrough",            5, "N-FORMULA",  "by x with w_hat, by the weights with x_hat"},
    {"linear_backward_fake", "StopsAtTheClamp",            5, "N-MASK",     "0 where the code was clamped"},
    {"linear_backward_fake", "AnyShape",                   4, "N-LAYOUT",   "for layers of any shape"},
    {"linear_backward_fake", "RefusesOtherSizes",          1, "N-SIZE",     "Requires: upstream of rows * outputs"},
    {"scale_gradients",      "SlopesOfRounding",           4, "N-FORMULA",  "slope(v) = round(v) - v, not clamped"},
    {"scale_gradients",      "ClampedTellMost",            4, "N-MASK",     "slope(v) = qmin or qmax, clamped"},
    {"scale_gradients",      "DividesByTheRoot",           4, "N-DENOM",    "/ sqrt(how many * qmax)"},
    {"scale_gradients",      "AnyShape",                   2, "N-LAYOUT",   "for layers of any shape"},
    {"scale_gradients",      "RefusesOtherSizes",          1, "N-SIZE",     "Requires: upstream of rows * outputs"},
    {"sgd_step",             "MovesRealNumbers",           5, "N-FORMULA",  "weight - rate * gradient: real numbers, never their w_hat"},
    {"sgd_step",             "LearnsScales",               3, "N-FORMULA",  "scale - rate * its gradient"},
    {"sgd_step",             "HalvesAtMost",               3, "N-STEP",     "clamped to [scale / 2, 2 * scale]"},
    {"sgd_step",             "RefusesWhatIsNoStep",        1, "N-RANGE",    "Requires: as many gradients as weights, finite, rate > 0"},
    {"observe_scales",       "FollowsTheWeights",          3, "N-RANGE",    "max |weight| / qmax, in every step"},
    {"observe_scales",       "AveragesInputs",             4, "N-OBSERVER", "0.9 * scale + 0.1 * max x / qmax"},
    {"observe_scales",       "FreezesInTime",              3, "N-OBSERVER", "as it is, from frozen_from on"},
    {"observe_scales",       "NothingSeen",                1, "N-DIV0",     "a scale whose maximum is 0, or below, stays"},
    {"observe_scales",       "RefusesWhatIsNoStep",        1, "N-RANGE",    "Requires: step >= 0, frozen_from >= 0"},
    {"train_qat",            "BeatsRounding",              5, "N-STE",      "at least 30 points better than PTQ: W2A8"},
    {"train_qat",            "LearnsScales",               3, "N-STE",      "learned scales are not worse than observed ones: W2A2"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("31_qat", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"linear_forward_fake",  "EqualsTheReference",         4, "N-FORMULA",  "for layers nobody has seen"},
    {"linear_backward_fake", "EqualsTheReference",         5, "N-FORMULA",  "for layers nobody has seen"},
    {"scale_gradients",      "EqualsTheReference",         5, "N-FORMULA",  "for layers nobody has seen"},
    {"sgd_step",             "EqualsTheReference",         3, "N-FORMULA",  "for layers nobody has seen"},
    {"observe_scales",       "EqualsTheReference",         3, "N-FORMULA",  "for layers nobody has seen"},
    {"train_qat",            "HoldsForOtherNets",          5, "N-STE",      "for networks nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_31_qat
