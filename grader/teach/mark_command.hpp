// nibble teach mark: what a person gives for a part of a lab that no check judges.
#pragma once

#include <CLI/CLI.hpp>

#include "lab/kit.hpp"

namespace nibble::teach {

void add_mark_command(CLI::App& teach, const lab::Kit& kit, int& exit_code);

}  // namespace nibble::teach
