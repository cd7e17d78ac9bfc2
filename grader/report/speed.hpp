// The speed leg in the results: its rows beside those of the values.
#pragma once

#include <string>

#include "record/scheme.hpp"
#include "report/results.hpp"

namespace nibble::report {

/// True when the lab of `scheme` has rows that the speed leg pays: of one exercise, or of any when
/// that is empty.
bool has_speed_rows(const record::Scheme& scheme, const std::string& exercise);

/// The verdict of the values with the speed leg added: its checks where the mark scheme has them,
/// its points, and its fate. Rows that were not measured are there with 0 points and a reason.
record::Verdict with_speed(const record::Verdict& values, const Account& account,
                           const record::Scheme& scheme);

}  // namespace nibble::report
