// nibble python: an interpreter that can import what the learner wrote.
#pragma once

#include "cli/commands.hpp"

namespace nibble::python {

/// Becomes the interpreter. Comes back with an exit code, or as Trouble, where that fails.
int python_command(cli::Context& context, const cli::PythonOptions& options);

}  // namespace nibble::python
