// The diagnosis codes that a source gives.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace nibble::proofs {

/// Those in its string literals: "N-AXIS". Comments do not count.
std::set<std::string> named_codes(std::string_view source);

}  // namespace nibble::proofs
