// What many times tell: the middle, how far apart they are, and a ratio with its interval. The
// formulas are those of lab 35's contract.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nibble::formats {

/// In seconds; a quarter of the runs took no longer than `low`, three quarters no longer than
/// `high`.
struct Quartiles {
  double median = 0, low = 0, high = 0;
};
Quartiles quartiles_of(std::span<const double> seconds);

/// The mean of the quotients of pairs, as factors, and where it lies with 95 % confidence.
struct PairedRatio {
  double ratio = 1, low = 1, high = 1;
};
PairedRatio paired_ratio(std::span<const double> ours, std::span<const double> theirs,
                         std::uint64_t seed);

/// 10 log10 of the mean square of what is right over that of the error, in dB.
double sqnr_db(std::span<const double> right, std::span<const float> got);

}  // namespace nibble::formats
