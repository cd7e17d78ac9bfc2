// nibble teach …: what an instructor and an author of labs do.
#pragma once

#include <CLI/CLI.hpp>

#include "lab/kit.hpp"

namespace nibble::teach {

/// Adds the commands to `app`, which is `nibble teach`. When one of them is given, parsing runs it
/// and sets `exit_code` to what the process must end with.
/// `kit` and `exit_code` must outlive `app`.
void add_teach_commands(CLI::App& app, const lab::Kit& kit, int& exit_code);

}  // namespace nibble::teach
