// From what an exercise returns to what Python sees. A list becomes an array that looks into its
// memory, and lets it go at last.
#pragma once

#include <pybind11/pybind11.h>

#include "python/classes.hpp"
#include "python/table.hpp"

namespace nibble::python {

/// Lists are moved out of `object`; nothing of them is copied.
pybind11::object to_python(const TypeTable& type, void* object, const Classes& classes);

/// Registers what owns the memory of arrays.
void add_owner(pybind11::module_& module);

}  // namespace nibble::python
