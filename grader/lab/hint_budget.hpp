// How many hints of a lab cost nothing in a course: what a handout carries of it, for learners to
// see. A machine of theirs counts, so that it is advice, and no grade is made of it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "lab/kit.hpp"

namespace nibble::lab {

/// Where a handout has it, a lab a line: "03_symmetric 3". The whole kit has no such file.
inline constexpr const char* kHintBudget = "grader/hint_budget";

/// By lab.
using HintBudget = std::map<std::string, int>;

std::string text_of(const HintBudget& budget);

/// Nothing: nobody says how many.
std::optional<int> hint_budget_of(const Kit& kit, const std::string& lab);

/// "2 of 3 hints for 03_symmetric left"; beyond them, that no points hang on it.
std::string hints_left(const std::string& lab, int budget, int shown);

}  // namespace nibble::lab
