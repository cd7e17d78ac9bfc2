// Lab 02: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_02_error_metrics {

// clang-format off
constexpr Mark marks[] = {
    // exercise              check                        points  code         sentence of the contract
    {"mean_squared_error",   "AveragesTheSquares",             4, "N-FORMULA", "mse = sum e^2 / n"},
    {"mean_squared_error",   "SumsInDouble",                   3, "N-FLOAT32", "everything is computed in double"},
    {"mean_squared_error",   "CountsEveryElement",             3, "N-TAIL",    "sums run over all n elements"},
    {"mean_squared_error",   "RefusesWhatHasNoError",          2, "N-NAN",     "Requires: equal sizes, not empty, finite"},
    {"absolute_errors",      "AveragesTheMagnitudes",          3, "N-FORMULA", "mae = sum |e| / n"},
    {"absolute_errors",      "TakesTheLargestMagnitude",       3, "N-FORMULA", "max_error = max |e|"},
    {"absolute_errors",      "SumsInDouble",                   2, "N-FLOAT32", "everything is computed in double"},
    {"absolute_errors",      "CountsEveryElement",             2, "N-TAIL",    "sums run over all n elements"},
    {"absolute_errors",      "RefusesWhatHasNoError",          1, "N-NAN",     "Requires: equal sizes, not empty, finite"},
    {"signal_to_noise",      "SnrComparesTheVariance",         3, "N-DB",      "snr_db = 10 log10(variance / mse)"},
    {"signal_to_noise",      "SqnrComparesThePower",           3, "N-DB",      "sqnr_db = 10 log10(mean x^2 / mse)"},
    {"signal_to_noise",      "NoErrorIsInfinite",              2, "N-DIV0",    "if mse is 0, both are +infinity"},
    {"signal_to_noise",      "NoSignalIsMinusInfinite",        2, "N-DIV0",    "a signal of 0 gives -infinity"},
    {"signal_to_noise",      "SumsInDouble",                   2, "N-FLOAT32", "everything is computed in double"},
    {"signal_to_noise",      "SubtractsTheMeanFirst",          2, "N-CANCEL",  "the mean is known before the variance is begun"},
    {"signal_to_noise",      "CountsEveryElement",             1, "N-TAIL",    "sums run over all n elements"},
    {"signal_to_noise",      "RefusesWhatHasNoError",          1, "N-NAN",     "Requires: equal sizes, not empty, finite"},
    {"cosine_similarity",    "FollowsTheFormula",              3, "N-FORMULA", "the product over both lengths"},
    {"cosine_similarity",    "ZeroHasNoDirection",             3, "N-DIV0",    "both all zero: 1; only one of them: 0"},
    {"cosine_similarity",    "SumsInDouble",                   2, "N-FLOAT32", "everything is computed in double"},
    {"cosine_similarity",    "CountsEveryElement",             2, "N-TAIL",    "sums run over all n elements"},
    {"cosine_similarity",    "RefusesWhatHasNoError",          1, "N-NAN",     "Requires: equal sizes, not empty, finite"},
    {"quantization_error",   "ErrorsAreInTheirPlaces",         3, "N-FORMULA", "mse, mae and max_error, in this order"},
    {"quantization_error",   "RelativeToTheVariance",          3, "N-DENOM",   "relative_error = mse / variance"},
    {"quantization_error",   "RatiosAreInDecibels",            3, "N-DB",      "snr_db by variance, sqnr_db by power"},
    {"quantization_error",   "CosineIsTheLast",                2, "N-FORMULA", "cosine of x and x_hat"},
    {"quantization_error",   "NoErrorIsExact",                 2, "N-DIV0",    "if mse is 0, relative_error is 0"},
    {"quantization_error",   "NoSignalIsInfinitelyWrong",      2, "N-DIV0",    "an error where the variance is 0: +infinity"},
    {"quantization_error",   "SubtractsTheMeanFirst",          2, "N-CANCEL",  "the mean is known before the variance is begun"},
    {"quantization_error",   "RefusesWhatHasNoError",          1, "N-NAN",     "Requires: equal sizes, not empty, finite"},
    {"error_of_doubles",     "KeepsTheDoubles",                4, "N-FLOAT32", "nothing becomes a float on the way"},
    {"error_of_doubles",     "DividesByZeroAsBefore",          1, "N-DIV0",    "0 without an error, infinite without a variance"},
    {"error_of_doubles",     "SubtractsTheMeanFirst",          1, "N-CANCEL",  "the mean is known before the variance is begun"},
    {"error_of_doubles",     "RefusesWhatHasNoError",          1, "N-NAN",     "Requires: equal sizes, not empty, finite"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("02_error_metrics", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"mean_squared_error",   "EqualsTheReference",             4, "N-FORMULA", "on tensors nobody has seen"},
    {"absolute_errors",      "EqualsTheReference",             4, "N-FORMULA", "on tensors nobody has seen"},
    {"signal_to_noise",      "EqualsTheReference",             5, "N-DB",      "on tensors nobody has seen"},
    {"cosine_similarity",    "EqualsTheReference",             4, "N-FORMULA", "on tensors nobody has seen"},
    {"quantization_error",   "EqualsTheReference",             5, "N-FORMULA", "on tensors nobody has seen"},
    {"error_of_doubles",     "EqualsTheReference",             3, "N-FORMULA", "on tensors nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_02_error_metrics
