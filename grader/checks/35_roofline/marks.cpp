// Lab 35: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_35_roofline {

// clang-format off
constexpr Mark marks[] = {
    // exercise            check                        points  code          sentence of the contract
    {"product_cost",       "CountsTwoAProduct",              4, "N-FORMULA",  "operations = 2 * m * n * k"},
    {"product_cost",       "CountsWholeBytes",               4, "N-UNITS",    "bytes: ceil(elements * bits / 8) a matrix"},
    {"product_cost",       "LeavesOutWhatIsCached",          2, "N-FORMULA",  "b costs no bytes where b_cached"},
    {"product_cost",       "HoldsLargeCounts",               2, "N-OVERFLOW", "both are exact, and below 2^62"},
    {"product_cost",       "RefusesWhatIsNoProduct",         2, "N-RANGE",    "Requires: expects_product(product) passes"},
    {"attainable",         "LiesBelowTheRoof",               5, "N-FORMULA",  "rate = min(peak, intensity * bandwidth)"},
    {"attainable",         "NamesTheBound",                  4, "N-FORMULA",  "memory_bound = intensity < ridge"},
    {"attainable",         "NothingToMoveOrCompute",         4, "N-DIV0",     "without bytes the intensity is +infinity"},
    {"attainable",         "RefusesWhatHasNoRoof",           2, "N-RANGE",    "Requires: operations, bytes >= 0, not both 0"},
    {"summarize",          "TakesTheMiddle",                 4, "N-FORMULA",  "median: the middle of the times in order"},
    {"summarize",          "CutsTheWarmUp",                  4, "N-FORMULA",  "without the first warm_up runs"},
    {"summarize",          "TakesQuarters",                  4, "N-FORMULA",  "low = t[ceil(n / 4)], high = t[ceil(3 n / 4)]"},
    {"summarize",          "RefusesWhatIsNoTime",            2, "N-RANGE",    "Requires: times, and 0 <= warm_up < n"},
    {"compare_pairs",      "AveragesFactors",                5, "N-FORMULA",  "ratio = exp(mean of ln(ours / theirs))"},
    {"compare_pairs",      "DrawsAgain",                     5, "N-FORMULA",  "low and high: the 25th of 1000 draws at either end"},
    {"compare_pairs",      "SaysWhatIsSure",                 4, "N-FORMULA",  "verdict: -1 if high < 1, 1 if low > 1"},
    {"compare_pairs",      "HoldsAtAnyLength",               3, "N-TAIL",     "any number of pairs"},
    {"compare_pairs",      "RefusesWhatIsNoPair",            2, "N-SIZE",     "Requires: times, as many ours as theirs"},
    {"tokens_per_second",  "ReadsAllWeights",                4, "N-UNITS",    "parameters * bits_per_weight / 8 bytes a step"},
    {"tokens_per_second",  "EveryTextHasItsCache",           4, "N-FORMULA",  "batch * context * cache_bytes"},
    {"tokens_per_second",  "ComputesForEveryText",           3, "N-FORMULA",  "operations = 2 * parameters * batch"},
    {"tokens_per_second",  "RefusesWhatWritesNothing",       2, "N-RANGE",    "Requires: a decoder and a machine"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("35_roofline", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"product_cost",       "EqualsTheReference",             4, "N-FORMULA",  "for products nobody has seen"},
    {"attainable",         "EqualsTheReference",             5, "N-FORMULA",  "for machines nobody has seen"},
    {"summarize",          "EqualsTheReference",             4, "N-FORMULA",  "for times nobody has seen"},
    {"compare_pairs",      "EqualsTheReference",             7, "N-FORMULA",  "for pairs nobody has seen"},
    {"tokens_per_second",  "EqualsTheReference",             5, "N-FORMULA",  "for models nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_35_roofline
