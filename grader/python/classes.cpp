#include "python/classes.hpp"

namespace nibble::python {

namespace py = pybind11;

void add_classes(const TypeTable& type, const std::string& module, Classes& classes) {
  if (type.name == nullptr || classes.contains(type.name)) return;
  if (type.form == TypeForm::kEnum) {
    py::list values;
    for (const Enumerator& one : type.enumerators)
      values.append(py::make_tuple(one.name, one.value));
    classes[type.name] =
        py::module_::import("enum").attr("IntEnum")(type.name, values, py::arg("module") = module);
    return;
  }
  py::list names;
  for (const MemberTable& member : type.members) {
    add_classes(*member.type, module, classes);
    names.append(member.name);
  }
  classes[type.name] = py::module_::import("collections")
                           .attr("namedtuple")(type.name, names, py::arg("module") = module);
}

}  // namespace nibble::python
