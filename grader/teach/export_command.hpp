// nibble teach export FORMAT: results, as other systems read them.
#pragma once

#include <CLI/CLI.hpp>

#include "lab/kit.hpp"

namespace nibble::teach {

/// Adds `export` and its formats; see add_teach_commands.
void add_export_command(CLI::App& app, const lab::Kit& kit, int& exit_code);

}  // namespace nibble::teach
