// What a kernel asked of the memory, line by line, as the engine counted it: read out of a verdict.
#pragma once

#include <string>
#include <vector>

#include "record/verdict.hpp"

namespace nibble::report {

using record::Access;

double per_request(const Access& access);  ///< sectors, or passes over the banks
double wanted(const Access& access);       ///< share of the sectors' bytes that was asked for
bool is_costly(const Access& access);      ///< a quarter more than it has to be, or worse

/// The accesses of one exercise, for the check and case that counted them.
struct ExerciseTraffic {
  std::string exercise, check;
  std::vector<Access> accesses;  ///< by line
  record::Totals totals, published_totals;
};

/// Every check of `verdict` that counted, as `judge --show` tells it;
/// one for each exercise, the last.
std::vector<ExerciseTraffic> traffic_of(const record::Verdict& verdict);

}  // namespace nibble::report
