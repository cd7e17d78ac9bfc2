// The words of `nibble teach grade`, `regrade`, `diff-grades` and `status`.
#pragma once

#include <CLI/CLI.hpp>

#include "lab/kit.hpp"

namespace nibble::teach {

void add_grade_commands(CLI::App& teach, const lab::Kit& kit, int& exit_code);

}  // namespace nibble::teach
