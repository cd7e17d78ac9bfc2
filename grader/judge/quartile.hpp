// The estimator of every speed verdict, and how sure it is.
#pragma once

#include <vector>

namespace nibble::judge {

/// The value that a quarter of the samples lie below: what a call takes when nobody disturbs it,
/// and not the one lucky reading that a minimum would believe. 0 of an empty list.
double lower_quartile(std::vector<double> samples);

/// Two standard errors of quartile(published) / quartile(submission), by resampling the rounds. The
/// same samples give the same margin.
double ratio_margin(const std::vector<double>& submission, const std::vector<double>& published);

}  // namespace nibble::judge
