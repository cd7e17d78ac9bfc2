// Reading a verdict: which checks failed.
#pragma once

#include <string>
#include <vector>

#include "record/verdict.hpp"

namespace nibble::proofs {

/// In the order of the mark scheme.
std::vector<record::Check> failed_checks(const record::Verdict& verdict);

/// How many checks of this exercise passed.
int passed_checks(const record::Verdict& verdict, const std::string& exercise);

/// Why the place that it names is on none of these lines; empty: it is, or there are no lines.
std::string wrong_line(const record::Check& failed, const std::vector<int>& lines);

}  // namespace nibble::proofs
