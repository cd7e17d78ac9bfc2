// Bars: shares of a whole, counts by bin, and a speed beside the published solution's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibble::report {

/// A part of a stacked bar; `look` is a class of the page: good, part, bad, idle.
struct BarPart {
  std::string look;
  double amount = 0.0;
};

/// One bar as long as `whole`, parts from left to right, a gap where they do not fill it; below it
/// the words that say the same to whoever does not see it.
std::string stacked_bar(const std::vector<BarPart>& shares, double whole, std::string_view says);

/// Counts of equal bins from `low` to `high`, as columns with their numbers on top.
std::string histogram(const std::vector<int>& counts, double low, double high,
                      std::string_view axis, std::string_view says);

/// A ratio to the published solution, with its margin, and where points begin and are full.
struct SpeedBar {
  double ratio = 0.0, margin = 0.0, zero_at = 0.0, full_at = 0.0;
};
std::string speed_bar(const SpeedBar& speed, std::string_view says);

}  // namespace nibble::report
