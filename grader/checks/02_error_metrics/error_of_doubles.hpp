// Lab 02, error_of_doubles: what is right, and what people write instead.
#pragma once

#include "error_metrics.hpp"

#include "judge/exercise.hpp"

namespace nibble::judge::lab_02_error_metrics {

using InDouble = Exercise<&error_of_doubles>;
inline const InDouble in_double{
    {"x", "x_hat"},
    {"mse", "mae", "max_error", "relative_error", "snr_db", "sqnr_db", "cosine"},
    {},
    {.tolerance = metric_tolerance()}};

}  // namespace nibble::judge::lab_02_error_metrics
