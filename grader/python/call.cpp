// From the arguments of a call to its result.
#include "python/call.hpp"

#include <algorithm>
#include <vector>

#include "python/arguments.hpp"
#include "python/results.hpp"

namespace nibble::python {
namespace {

namespace py = pybind11;

/// "Symmetry::kSymmetric" as Python writes it.
std::string default_text(std::string text) {
  const std::size_t colons = text.find("::");
  return colons == text.npos ? text : text.replace(colons, 2, ".");
}

std::string signature_of(const FunctionTable& function) {
  std::string text;
  for (const ParameterTable& parameter : function.parameters) {
    text += (text.empty() ? "" : ", ") + std::string(parameter.name);
    if (parameter.default_text != nullptr) text += "=" + default_text(parameter.default_text);
  }
  return std::string(function.name) + "(" + text + ")";
}

[[noreturn]] void refuse(const FunctionTable& function, const std::string& complaint) {
  throw py::type_error(std::string(function.name) + ": " + complaint + ": " +
                       signature_of(function));
}

/// What was given for each parameter; a null handle for none.
std::vector<py::handle> arranged(const FunctionTable& function, const py::args& args,
                                 const py::kwargs& kwargs) {
  std::vector<py::handle> given(function.parameters.size());
  if (args.size() > given.size()) {
    refuse(function, std::to_string(args.size()) + " arguments, at most " +
                         std::to_string(given.size()) + " are wanted");
  }
  for (std::size_t i = 0; i < args.size(); ++i) given[i] = PyTuple_GET_ITEM(args.ptr(), i);
  for (const auto& [key, value] : kwargs) {
    const auto name = key.cast<std::string>();
    const auto found = std::ranges::find_if(
        function.parameters, [&](const ParameterTable& one) { return one.name == name; });
    if (found == function.parameters.end()) refuse(function, "no argument is called " + name);
    py::handle& place = given[static_cast<std::size_t>(found - function.parameters.begin())];
    if (place) refuse(function, name + " is given twice");
    place = value;
  }
  return given;
}

}  // namespace

py::object call_exercise(const FunctionTable& function, const Classes& classes,
                         const py::args& args, const py::kwargs& kwargs) {
  const std::vector<py::handle> given = arranged(function, args, kwargs);
  CallArguments arguments(function.name, classes);
  std::vector<void*> objects;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const ParameterTable& parameter = function.parameters[i];
    if (given[i]) {
      objects.push_back(arguments.construct(*parameter.type));
      arguments.fill(*parameter.type, objects.back(), given[i], parameter.name);
    } else if (parameter.make_default != nullptr) {
      objects.push_back(arguments.room(*parameter.type));
      parameter.make_default(objects.back());
      arguments.was_made(*parameter.type, objects.back());
    } else {
      refuse(function, std::string(parameter.name) + " is missing");
    }
  }
  arguments.must_not_overlap();
  void* const result = function.result == nullptr ? nullptr : arguments.room(*function.result);
  {
    const py::gil_scoped_release others_may_run;
    function.call(objects.data(), result);
  }
  if (result == nullptr) return py::none();
  arguments.was_made(*function.result, result);
  return to_python(*function.result, result, classes);
}

std::string help_of(const FunctionTable& function) {
  return signature_of(function) + "\n\n" + function.comment;
}

}  // namespace nibble::python
