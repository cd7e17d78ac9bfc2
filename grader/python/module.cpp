// The extension module: opens the library of a lab, and gives what is in it. It knows no lab, so
// that a changed lab costs one file and a link.
#include <dlfcn.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "python/call.hpp"
#include "python/classes.hpp"
#include "python/results.hpp"

namespace nibble::python {
namespace {

namespace py = pybind11;

/// The table of a lab. Its library stays open: arrays hold memory that it lets go.
const LabTable& open_lab(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw py::import_error(dlerror());
  void* const symbol = dlsym(handle, kLabSymbol);
  if (symbol == nullptr) throw py::import_error(dlerror());
  return *reinterpret_cast<const LabTable* (*)()>(symbol)();
}

/// Exercises and classes, by name. `module`: what they say they are of, "nibble.lab03".
py::dict load(const std::string& library, const std::string& module) {
  const LabTable& lab = open_lab(library);
  const auto classes = std::make_shared<Classes>();
  py::dict names;
  py::options options;
  options.disable_function_signatures();
  for (const FunctionTable& function : lab) {
    for (const ParameterTable& parameter : function.parameters) {
      add_classes(*parameter.type, module, *classes);
    }
    if (function.result != nullptr) add_classes(*function.result, module, *classes);
    const std::string help = help_of(function);
    py::cpp_function exercise(
        [&function, classes](const py::args& args, const py::kwargs& kwargs) {
          return call_exercise(function, *classes, args, kwargs);
        },
        py::name(function.name), py::doc(help.c_str()));
    names[function.name] = exercise;
  }
  for (const auto& [name, one] : *classes) names[name.c_str()] = one;
  return names;
}

}  // namespace
}  // namespace nibble::python

PYBIND11_MODULE(_nibble, module) {
  nibble::python::add_owner(module);
  module.def("load", nibble::python::load);
}
