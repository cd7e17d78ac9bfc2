// Numbers and structs are made anew; a list keeps its memory and changes its owner.
#include "python/results.hpp"

#include <array>
#include <memory>

namespace nibble::python {
namespace {

namespace py = pybind11;

/// A list that an exercise returned: an array looks into it, and lets it go at last.
class OwnedNumbers {
 public:
  OwnedNumbers(const TypeTable& type, void* list)
      : type_(&type), moved_(type.move_away(list)), numbers_(type.numbers(moved_)) {}
  OwnedNumbers(const OwnedNumbers&) = delete;
  OwnedNumbers& operator=(const OwnedNumbers&) = delete;
  ~OwnedNumbers() { type_->drop(moved_); }

  py::buffer_info buffer() const {
    constexpr std::array kFormats = {"?", "b", "h", "i", "q", "B", "H", "I", "Q", "f", "d"};
    constexpr std::array<py::ssize_t, 11> kSizes = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
    const auto kind = static_cast<std::size_t>(type_->number);
    return {numbers_.data,
            kSizes.at(kind),
            kFormats.at(kind),
            1,
            {static_cast<py::ssize_t>(numbers_.count)},
            {kSizes.at(kind)}};
  }

 private:
  const TypeTable* type_;
  void* moved_;
  NumbersHere numbers_;
};

/// numpy.asarray, looked up once; it lives as long as the interpreter.
py::handle as_array() {
  static const py::handle function =
      py::object(py::module_::import("numpy").attr("asarray")).release();
  return function;
}

template <class T>
T read(const void* object) {
  return *static_cast<const T*>(object);
}

py::object number_to_python(NumberKind kind, const void* object) {
  switch (kind) {
    case NumberKind::kBool:
      return py::bool_(read<bool>(object));
    case NumberKind::kInt8:
      return py::int_(read<std::int8_t>(object));
    case NumberKind::kInt16:
      return py::int_(read<std::int16_t>(object));
    case NumberKind::kInt32:
      return py::int_(read<std::int32_t>(object));
    case NumberKind::kInt64:
      return py::int_(read<std::int64_t>(object));
    case NumberKind::kUint8:
      return py::int_(read<std::uint8_t>(object));
    case NumberKind::kUint16:
      return py::int_(read<std::uint16_t>(object));
    case NumberKind::kUint32:
      return py::int_(read<std::uint32_t>(object));
    case NumberKind::kUint64:
      return py::int_(read<std::uint64_t>(object));
    case NumberKind::kFloat32:
      return py::float_(read<float>(object));
    case NumberKind::kFloat64:
      return py::float_(read<double>(object));
  }
  return py::none();
}

/// A namedtuple of these members, without a call of Python's own code.
py::object tuple_of(const py::object& type, const py::tuple& members) {
  auto* const its_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  PyObject* const made =
      PyTuple_Type.tp_new(its_type, py::make_tuple(members).ptr(), /*keywords=*/nullptr);
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

}  // namespace

py::object to_python(const TypeTable& type, void* object, const Classes& classes) {
  switch (type.form) {
    case TypeForm::kNumber:
      return number_to_python(type.number, object);
    case TypeForm::kEnum:
      return classes.at(type.name)(number_to_python(type.number, object));
    case TypeForm::kStruct: {
      py::tuple members(type.members.size());
      for (std::size_t i = 0; i < type.members.size(); ++i) {
        const MemberTable& member = type.members[i];
        members[i] = to_python(*member.type, member.in(object), classes);
      }
      return tuple_of(classes.at(type.name), members);
    }
    case TypeForm::kText: {
      const NumbersHere text = type.numbers(object);
      return py::reinterpret_steal<py::object>(
          PyUnicode_DecodeUTF8(static_cast<const char*>(text.data),
                               static_cast<py::ssize_t>(text.count), "surrogateescape"));
    }
    default:
      return as_array()(std::make_unique<OwnedNumbers>(type, object));
  }
}

void add_owner(py::module_& module) {
  py::class_<OwnedNumbers>(module, "OwnedNumbers", py::buffer_protocol(), py::module_local())
      .def_buffer([](OwnedNumbers& numbers) { return numbers.buffer(); });
}

}  // namespace nibble::python
