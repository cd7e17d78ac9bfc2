// Lab 33: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {

// clang-format off
constexpr Mark marks[] = {
    // exercise             check                    points  code         sentence of the contract
    {"smoothing_scales",    "FollowsTheFormula",          5, "N-FORMULA", "scales[i] = max |x|^alpha / max |w|^(1 - alpha)"},
    {"smoothing_scales",    "AnyShape",                   3, "N-FORMULA", "for any number of samples, inputs and outputs"},
    {"smoothing_scales",    "ZeroColumns",                2, "N-DIV0",    "1 where one of the maxima is 0"},
    {"smoothing_scales",    "RefusesWhatIsNoLayer",       2, "N-RANGE",   "Requires: whole rows, finite, 0 <= alpha <= 1"},
    {"migrate_scales",      "DividesAndMultiplies",       5, "N-FORMULA", "first / scales, bias / scales, second * scales"},
    {"migrate_scales",      "KeepsTheFunction",           5, "N-FORMULA", "gives the same y"},
    {"migrate_scales",      "RefusesWhatIsNoScale",       2, "N-RANGE",   "Requires: as many scales as biases, each finite and > 0"},
    {"equalize_layers",     "RangesMeet",                 5, "N-FORMULA", "scales[m] = sqrt(in front / behind)"},
    {"equalize_layers",     "AnyLayers",                  2, "N-FORMULA", "for layers of any size"},
    {"equalize_layers",     "ZeroChannels",               2, "N-DIV0",    "1 where one of them is 0"},
    {"equalize_layers",     "RefusesWhatAreNoLayers",     1, "N-RANGE",   "Requires: expects_layers(layers) passes"},
    {"awq_search",          "FindsTheLeast",              6, "N-FORMULA", "of the k with the least error"},
    {"awq_search",          "OfEqualOnesTheLeast",        2, "N-FORMULA", "of equal ones the least k"},
    {"awq_search",          "EveryShape",                 5, "N-TAIL",    "groups of any size, the last one what is left"},
    {"awq_search",          "SmallInputs",                3, "N-DIV0",    "a[i] is at least 1e-4, zeros have scale 1"},
    {"awq_search",          "RefusesWhatIsNoLayer",       2, "N-RANGE",   "Requires: whole rows, 2 <= num_bits <= 8, group_size >= 1"},
    {"hadamard_transform",  "FollowsTheFormula",          4, "N-FORMULA", "y[j] = sum of (-1)^(ones in i & j) * x[i] / sqrt(n)"},
    {"hadamard_transform",  "AnyPowerOfTwo",              4, "N-FORMULA", "for any power of two, large ones too"},
    {"hadamard_transform",  "IsItsOwnInverse",            3, "N-FORMULA", "the matrix is its own inverse"},
    {"hadamard_transform",  "RefusesOtherSizes",          2, "N-SIZE",    "Requires: n a power of two, every x[i] finite"},
    {"rotate_rows",         "SignsThenTransform",         4, "N-FORMULA", "hadamard_transform(signs[i] * a[r,i])"},
    {"rotate_rows",         "KeepsProducts",              4, "N-FORMULA", "rotated alike, products are what they were"},
    {"rotate_rows",         "RefusesWhatIsNoSign",        2, "N-RANGE",   "Requires: each sign 1 or -1, whole rows"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("33_smoothquant_awq", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"smoothing_scales",    "EqualsTheReference",         4, "N-FORMULA", "for layers nobody has seen"},
    {"migrate_scales",      "EqualsTheReference",         4, "N-FORMULA", "for layers nobody has seen"},
    {"equalize_layers",     "EqualsTheReference",         3, "N-FORMULA", "for layers nobody has seen"},
    {"awq_search",          "EqualsTheReference",         6, "N-FORMULA", "for layers nobody has seen"},
    {"hadamard_transform",  "EqualsTheReference",         4, "N-FORMULA", "for lists nobody has seen"},
    {"rotate_rows",         "EqualsTheReference",         4, "N-FORMULA", "for matrices nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_33_smoothquant_awq
