// Lab 29: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_29_quantized_linear {

// clang-format off
constexpr Mark marks[] = {
    // exercise             check                    points  code          sentence of the contract
    {"quantize_layer",      "ScalesOfRows",               4, "N-AXIS",     "w_scale[o] = max |weight[o,i]| / 127, a scale for each output"},
    {"quantize_layer",      "BiasInUnitsOfSums",          4, "N-BIAS",     "bias[o] = round(bias[o] / (a_scale * w_scale[o]))"},
    {"quantize_layer",      "AnyLayer",                   3, "N-FORMULA",  "for layers of any size, whatever the size of their weights"},
    {"quantize_layer",      "ZeroRows",                   2, "N-DIV0",     "w_scale is 1 for a row of zeros, never below kLeastScale"},
    {"quantize_layer",      "RefusesWhatIsNoLayer",       2, "N-RANGE",    "Requires: sizes that fit, numbers and scales in their range"},
    {"forward_weight_only", "FollowsTheFormula",          5, "N-FORMULA",  "w_scale * (sum of x * weight + a_scale * bias)"},
    {"forward_weight_only", "AnyLayer",                   3, "N-FORMULA",  "for layers and rows of any number"},
    {"forward_weight_only", "KeepsTheNet",                2, "N-FORMULA",  "a net that has learnt is right as often as in float"},
    {"forward_dynamic",     "FollowsTheFormula",          4, "N-FORMULA",  "w_scale * (x_scale * acc + a_scale * bias)"},
    {"forward_dynamic",     "ScalesOfRows",               3, "N-OBSERVER", "x_scale is of this row alone, and 1 for a row of zeros"},
    {"forward_dynamic",     "AnyLayer",                   3, "N-FORMULA",  "for layers and rows of any number"},
    {"forward_dynamic",     "KeepsTheNet",                2, "N-FORMULA",  "a net that has learnt is right as often as in float"},
    {"forward_static",      "EntersAndLeaves",            4, "N-FORMULA",  "q = clamp(round(x / a_scale) + a_zero_point), y is real"},
    {"forward_static",      "HandsOn",                    5, "N-FORMULA",  "q' = clamp(round(acc * factor) + a_zero_point')"},
    {"forward_static",      "FloatLayers",                3, "N-FORMULA",  "before a float layer codes are left, behind it they enter again"},
    {"forward_static",      "AnyNet",                     4, "N-FORMULA",  "for networks of any depth, code for code"},
    {"forward_static",      "KeepsTheNet",                3, "N-FORMULA",  "a net that has learnt is right as often as in float"},
    {"forward_static",      "RefusesWhatIsNoNet",         2, "N-SIZE",     "Requires: layers_of(model) and expects_rows pass"},
    {"model_bytes",         "CountsEveryList",            5, "N-OVERHEAD", "of every list, elements times their size"},
    {"quantize_model",      "RangesOfInputs",             4, "N-RANGE",    "lo and hi of what a layer is given, over all rows"},
    {"quantize_model",      "AsItIsUsed",                 2, "N-OBSERVER", "of net as it is used: not training"},
    {"quantize_model",      "SkipsLayers",                3, "N-FORMULA",  "the layers in skip stay float, and no other weight does"},
    {"quantize_model",      "AnyNet",                     2, "N-FORMULA",  "for networks of any depth"},
    {"quantize_model",      "RefusesWhatIsNoNet",         1, "N-RANGE",    "Requires: whole rows, each of skip a layer"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("29_quantized_linear", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"quantize_layer",      "EqualsTheReference",         4, "N-FORMULA",  "for layers nobody has seen"},
    {"forward_weight_only", "EqualsTheReference",         3, "N-FORMULA",  "for layers nobody has seen"},
    {"forward_dynamic",     "EqualsTheReference",         4, "N-FORMULA",  "for layers nobody has seen"},
    {"forward_static",      "EqualsTheReference",         4, "N-FORMULA",  "for networks nobody has seen"},
    {"forward_static",      "KeepsHiddenNets",            3, "N-FORMULA",  "nets nobody has seen are right as often as in float"},
    {"model_bytes",         "EqualsTheReference",         2, "N-OVERHEAD", "for models nobody has seen"},
    {"quantize_model",      "EqualsTheReference",         5, "N-FORMULA",  "for networks nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_29_quantized_linear
