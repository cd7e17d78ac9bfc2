// One exercise as Python calls it.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "python/classes.hpp"
#include "python/table.hpp"

namespace nibble::python {

/// Binds the arguments by place and by name, calls, and converts what comes back.
/// Throws what the exercise throws, and TypeError or ValueError for arguments that are not its own.
pybind11::object call_exercise(const FunctionTable& function, const Classes& classes,
                               const pybind11::args& args, const pybind11::kwargs& kwargs);

/// "quantize_symmetric(x, num_bits=8)", and what the contract says below.
std::string help_of(const FunctionTable& function);

}  // namespace nibble::python
