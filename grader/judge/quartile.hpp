// The estimators of every speed verdict, and how sure they are.
#pragma once

#include <vector>

namespace nibble::judge {

/// The value that a quarter of the samples lie below: what a call takes when nobody disturbs it,
/// and not the one lucky reading that a minimum would believe. 0 of an empty list.
double lower_quartile(std::vector<double> samples);

/// 0 of an empty list.
double median(std::vector<double> samples);

/// Two standard errors of the ratio of two lower quartiles that are as unsure as this one, as a
/// share of the ratio: by resampling. The same samples give the same margin.
double relative_margin(const std::vector<double>& samples);

}  // namespace nibble::judge
