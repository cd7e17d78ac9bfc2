// What a linker complains of, in the words of the lab: which function of the contract is missing,
// what was declared and has no body, what is there twice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibble::compile {

/// A line for each thing that is missing or there twice, as a compiler would write it; empty when
/// the linker says something else. `functions`: those of the contract. `file`:
/// as diagnostics name the learner's.
std::string link_words(std::string_view linker, const std::vector<std::string>& functions,
                       const std::string& file);

}  // namespace nibble::compile
