// Of many failures the few that say something new: the others have their reason in one before them.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "record/check.hpp"

namespace nibble::report {

/// It was not run because the function it builds on is not written.
bool is_waiting(const record::Check& check);

/// Asked of each check of a lab, in order.
class SameReason {
 public:
  /// A failure behind another one of its exercise has its reason, most likely; unless something
  /// was seen that nobody has been told. Other values are no news, whatever mistake they fit, nor
  /// is that they are other ones where they are measured.
  bool holds_of(const record::Check& check);

 private:
  std::set<std::string> failing_;                       ///< exercises
  std::set<std::pair<std::string, std::string>> told_;  ///< exercises, and what was seen in them
};

}  // namespace nibble::report
