// nibble teach setup SYSTEM LAB -o PLACE
#pragma once

#include <CLI/CLI.hpp>

#include "lab/kit.hpp"

namespace nibble::teach {

void add_setup_command(CLI::App& app, const lab::Kit& kit, int& exit_code);

}  // namespace nibble::teach
