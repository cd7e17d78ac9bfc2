// What stands for a lab's structs and enums in Python: namedtuples and IntEnums.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <string>

#include "python/table.hpp"

namespace nibble::python {

/// By name.
using Classes = std::map<std::string, pybind11::object>;

/// Makes the class of a type, and of all that it is made of, where there is none yet. `module`:
/// what it says it is of.
void add_classes(const TypeTable& type, const std::string& module, Classes& classes);

}  // namespace nibble::python
