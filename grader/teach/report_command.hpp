// nibble teach report RESULTS: a class as one page.
#pragma once

#include <CLI/CLI.hpp>

#include "lab/kit.hpp"

namespace nibble::teach {

/// See add_teach_commands.
void add_report_command(CLI::App& app, const lab::Kit& kit, int& exit_code);

}  // namespace nibble::teach
