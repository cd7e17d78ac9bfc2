// The speed leg in the results: its rows beside those of the values.
#pragma once

#include <string>

#include "report/results.hpp"

namespace nibble::report {

/// True when the lab of `scheme` has rows that the speed leg pays: of one exercise, or of any when
/// that is empty.
bool has_speed_rows(const Json& scheme, const std::string& exercise);

/// The verdict of the values with the speed leg added: its checks where the mark scheme has them,
/// its points, and its fate. Rows that were not measured are there with 0 points and a reason.
Json with_speed(const Json& values, const Account& account, const Json& scheme);

}  // namespace nibble::report
