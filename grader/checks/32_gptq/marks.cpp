// Lab 32: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_32_gptq {

// clang-format off
constexpr Mark marks[] = {
    // exercise           check                      points  code         sentence of the contract
    {"input_hessian",     "AddsUpProducts",               4, "N-FORMULA", "g[i,j] = 2 * sum over s of x[s,i] * x[s,j]"},
    {"input_hessian",     "DampsTheDiagonal",             3, "N-FORMULA", "h[i,i] = g[i,i] + damping * mean of g[j,j]"},
    {"input_hessian",     "DeadInputs",                   3, "N-DIV0",    "g[i,i] = 1 where every x[s,i] is 0"},
    {"input_hessian",     "RefusesWhatIsNoInput",         2, "N-RANGE",   "Requires: rows of finite inputs, damping from 0 to 1"},
    {"inverse_cholesky",  "FactorsTheInverse",            5, "N-FORMULA", "transpose(u) * u = inverse of h, u upper"},
    {"inverse_cholesky",  "AnySize",                      4, "N-FORMULA", "for any number of inputs"},
    {"inverse_cholesky",  "RefusesWhatIsNotPositive",     3, "N-NAN",     "Requires: h positive definite"},
    {"gptq_row",          "RoundsToNearest",              3, "N-ROUND",   "q = round(now / scale), ties to even"},
    {"gptq_row",          "HandsErrorsOn",                5, "N-FORMULA", "now[p] -= error * u[i,p], error = (now[i] - scale * q[i]) / u[i,i]"},
    {"gptq_row",          "ScalesOfTheMoment",            4, "N-RANGE",   "a scale of what a group's weights have become"},
    {"gptq_row",          "Saturates",                    3, "N-CLAMP",   "codes are clamped to [qmin, qmax]"},
    {"gptq_row",          "ZerosAndTinies",               2, "N-DIV0",    "zeros have scale 1, no scale is below DBL_MIN"},
    {"gptq_row",          "EveryShape",                   3, "N-FORMULA", "rows and groups of any length"},
    {"gptq_row",          "RefusesWhatIsNoRow",           2, "N-RANGE",   "Requires: finite numbers, u[i,i] > 0, 2 <= num_bits <= 8"},
    {"activation_order",  "LargestFirst",                 3, "N-ORDER",   "the largest h[i,i] first"},
    {"activation_order",  "EqualOnesStay",                2, "N-ORDER",   "of equal ones the lower index first"},
    {"activation_order",  "RefusesWhatIsNoSquare",        1, "N-SIZE",    "Requires: h of inputs * inputs"},
    {"gptq_quantize",     "EveryRow",                     4, "N-FORMULA", "gptq_row for every row, with one u"},
    {"gptq_quantize",     "FindsTheWayBack",              5, "N-LAYOUT",  "q[o, order[k]] = row[k], group[order[k]] = k / group_size"},
    {"gptq_quantize",     "DeadInputs",                   3, "N-DIV0",    "w' is 0 where every x[s,i] is 0"},
    {"gptq_quantize",     "BeatsRounding",                3, "N-FORMULA", "outputs are nearer than those of rounded weights"},
    {"gptq_quantize",     "RefusesWhatIsNoLayer",         2, "N-RANGE",   "Requires: what the functions above require"},
    {"layer_error",       "SquaresOfSums",                3, "N-FORMULA", "(sum over i of x * (w - w_hat))^2"},
    {"layer_error",       "MeanOfAll",                    2, "N-DENOM",   "the mean over s and o"},
    {"layer_error",       "RefusesOtherSizes",            1, "N-SIZE",    "Requires: w and w_hat of as many rows"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("32_gptq", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"input_hessian",     "EqualsTheReference",           4, "N-FORMULA", "for inputs nobody has seen"},
    {"inverse_cholesky",  "EqualsTheReference",           5, "N-FORMULA", "for matrices nobody has seen"},
    {"gptq_row",          "EqualsTheReference",           6, "N-FORMULA", "for rows nobody has seen"},
    {"activation_order",  "EqualsTheReference",           2, "N-ORDER",   "for matrices nobody has seen"},
    {"gptq_quantize",     "EqualsTheReference",           6, "N-FORMULA", "for layers nobody has seen"},
    {"layer_error",       "EqualsTheReference",           2, "N-FORMULA", "for layers nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_32_gptq
