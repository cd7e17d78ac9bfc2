// Lab 30: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_30_mixed_precision {

// clang-format off
constexpr Mark marks[] = {
    // exercise              check                  points  code          sentence of the contract
    {"layer_sensitivity",     "OneLayerAtATime",          6, "N-FORMULA",  "error[l]: the weights of layer l alone are rounded"},
    {"layer_sensitivity",     "RoundsRows",               3, "N-FORMULA",  "scale = max |w| over the row / qmax, 1 for zeros"},
    {"layer_sensitivity",     "AnyNetwork",               3, "N-FORMULA",  "for networks of any depth"},
    {"layer_sensitivity",     "RefusesWhatIsNoNetwork",   2, "N-RANGE",    "Requires: a network, whole rows, 2 <= num_bits <= 8"},
    {"choose_bits",           "TakesTheLargestGain",      5, "N-FORMULA",  "the one with the largest gain a bit takes its step"},
    {"choose_bits",           "OfEqualOnesTheLowest",     2, "N-ORDER",    "of equal gains the lowest layer"},
    {"choose_bits",           "KeepsTheBudget",           4, "N-RANGE",    "who does not fit is passed over"},
    {"choose_bits",           "StopsWithoutGain",         2, "N-FORMULA",  "nobody takes a step without a gain"},
    {"choose_bits",           "RefusesWhatCannotBe",      2, "N-RANGE",    "Requires: candidates, and a budget for place 0 everywhere"},
    {"best_bits",             "FindsTheLeastSum",         5, "N-FORMULA",  "the least sum of errors that the budget allows"},
    {"best_bits",             "OfEqualSumsTheCheapest",   3, "N-ORDER",    "of equal sums fewer bits, of these the first"},
    {"best_bits",             "EveryChoice",              2, "N-FORMULA",  "of all choices"},
    {"best_bits",             "RefusesWhatCannotBe",      2, "N-RANGE",    "Requires: what choose_bits requires; 8 layers, 4 choices"},
    {"split_outliers",        "FindsColumns",             4, "N-FORMULA",  "inputs with |x[s,i]| >= threshold in a row"},
    {"split_outliers",        "TheThresholdCounts",       2, "N-FORMULA",  "at the threshold, too"},
    {"split_outliers",        "RefusesWhatIsNoThreshold",  2, "N-RANGE",    "Requires: whole rows, threshold > 0"},
    {"matmul_with_outliers",  "OutliersAreExact",         4, "N-FORMULA",  "inputs with outliers stay as they are"},
    {"matmul_with_outliers",  "ScalesOfTheRest",          4, "N-RANGE",    "scales are made of the others"},
    {"matmul_with_outliers",  "AnyShape",                 4, "N-FORMULA",  "for any number of samples, inputs and outputs"},
    {"matmul_with_outliers",  "RefusesWhatIsNoLayer",     2, "N-SIZE",     "Requires: whole rows of x and w"},
    {"autocast",              "TypesFollowTheKind",       4, "N-FORMULA",  "products in half, reductions in float"},
    {"autocast",              "ElementwiseFollows",       3, "N-FORMULA",  "elementwise in half if all it reads is half"},
    {"autocast",              "CastsOnce",                3, "N-FORMULA",  "a value that is read in the other type is cast once"},
    {"autocast",              "RefusesWhatCannotRun",     2, "N-RANGE",    "Requires: kinds and operands that are there"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("30_mixed_precision", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"layer_sensitivity",     "EqualsTheReference",       4, "N-FORMULA",  "for networks nobody has seen"},
    {"choose_bits",           "EqualsTheReference",       5, "N-FORMULA",  "for candidates nobody has seen"},
    {"best_bits",             "EqualsTheReference",       4, "N-FORMULA",  "for candidates nobody has seen"},
    {"split_outliers",        "EqualsTheReference",       3, "N-FORMULA",  "for inputs nobody has seen"},
    {"matmul_with_outliers",  "EqualsTheReference",       5, "N-FORMULA",  "for layers nobody has seen"},
    {"autocast",              "EqualsTheReference",       4, "N-FORMULA",  "for programs nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_30_mixed_precision
