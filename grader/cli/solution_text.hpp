// The part of a solution that answers one exercise.
#pragma once

#include <string>
#include <string_view>

namespace nibble::cli {

/// The function `exercise`, and before it the marked helpers that it calls. Marks are taken out.
std::string solution_of(std::string_view solution, std::string_view exercise);

}  // namespace nibble::cli
