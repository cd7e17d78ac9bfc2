// nibble teach course init: a course.toml to begin with.
#pragma once

#include <CLI/CLI.hpp>

#include "lab/kit.hpp"

namespace nibble::teach {

void add_course_command(CLI::App& teach, const lab::Kit& kit, int& exit_code);

}  // namespace nibble::teach
