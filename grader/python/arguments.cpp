// What Python hands over is looked at by the buffer protocol, which NumPy's arrays speak in every
// version of NumPy.
#include "python/arguments.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace nibble::python {
namespace {

namespace py = pybind11;

constexpr std::array kNumberNames = {"bool",   "int8",   "int16",  "int32",   "int64",  "uint8",
                                     "uint16", "uint32", "uint64", "float32", "float64"};
constexpr std::array<std::size_t, 11> kNumberSizes = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8};

std::size_t size_of(NumberKind kind) { return kNumberSizes.at(static_cast<std::size_t>(kind)); }

std::string type_name(py::handle value) { return Py_TYPE(value.ptr())->tp_name; }

std::string array_of(NumberKind kind) {
  return std::string("an array of ") + number_name(kind) + " is wanted";
}

std::string text_of(py::handle value) { return py::str(value).cast<std::string>(); }

bool is_other_byte_order(std::string_view format) {
  const bool little = std::endian::native == std::endian::little;
  return format.starts_with(little ? '>' : '<') || (little && format.starts_with('!'));
}

/// What the elements of a buffer are; nothing for what no exercise takes. Their byte order aside.
std::optional<NumberKind> kind_in(std::string_view format, Py_ssize_t size) {
  using enum NumberKind;
  // A buffer's letters for numbers, and the first of their kind: the others follow by size.
  constexpr std::array<std::pair<std::string_view, NumberKind>, 4> kLetters = {
      {{"?", kBool}, {"bhilqn", kInt8}, {"BHILQN", kUint8}, {"fd", kFloat32}}};
  const std::string_view letter = format.substr(format.find_first_not_of("@=<>!"));
  if (letter.size() != 1) return std::nullopt;
  for (const auto& [letters, first] : kLetters) {
    if (letters.find(letter) == letters.npos) continue;
    auto at = static_cast<std::size_t>(first);
    while (at < kNumberSizes.size() && kNumberSizes.at(at) != static_cast<std::size_t>(size)) ++at;
    if (at < kNumberSizes.size()) return static_cast<NumberKind>(at);
  }
  return std::nullopt;
}

/// "float64", ">f4": of an array, what NumPy calls it.
std::string element_name(py::handle array, const Py_buffer& buffer) {
  if (py::hasattr(array, "dtype")) return text_of(array.attr("dtype"));
  const auto kind = kind_in(buffer.format, buffer.itemsize);
  return kind ? number_name(*kind) : buffer.format;
}

/// "(2, 3)", of a shape or of strides.
std::string sizes_text(const Py_ssize_t* sizes, int count) {
  std::string text = "(";
  for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
  return text + (count == 1 ? ",)" : ")");
}

bool is_list(py::handle value) { return PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()); }

/// False: it does not fit.
template <class Integer>
bool put_integer(void* at, py::handle index) {
  const auto wide = [&] {
    if constexpr (std::is_signed_v<Integer>)
      return PyLong_AsLongLong(index.ptr());
    else
      return PyLong_AsUnsignedLongLong(index.ptr());
  }();
  const bool fits = PyErr_Occurred() == nullptr && std::in_range<Integer>(wide);
  PyErr_Clear();
  const auto number = static_cast<Integer>(wide);
  if (fits) std::memcpy(at, &number, sizeof number);
  return fits;
}

bool put_integer(NumberKind kind, void* at, py::handle index) {
  switch (kind) {
    case NumberKind::kInt8:
      return put_integer<std::int8_t>(at, index);
    case NumberKind::kInt16:
      return put_integer<std::int16_t>(at, index);
    case NumberKind::kInt32:
      return put_integer<std::int32_t>(at, index);
    case NumberKind::kInt64:
      return put_integer<std::int64_t>(at, index);
    case NumberKind::kUint8:
      return put_integer<std::uint8_t>(at, index);
    case NumberKind::kUint16:
      return put_integer<std::uint16_t>(at, index);
    case NumberKind::kUint32:
      return put_integer<std::uint32_t>(at, index);
    default:
      return put_integer<std::uint64_t>(at, index);
  }
}

bool is_floating(NumberKind kind) {
  return kind == NumberKind::kFloat32 || kind == NumberKind::kFloat64;
}

/// False: it is finite, and too large for a float32.
bool put_float(NumberKind kind, void* at, double number) {
  if (kind == NumberKind::kFloat64) {
    std::memcpy(at, &number, sizeof number);
    return true;
  }
  const auto narrow = static_cast<float>(number);
  std::memcpy(at, &narrow, sizeof narrow);
  return std::isfinite(narrow) || !std::isfinite(number);
}

}  // namespace

const char* number_name(NumberKind kind) { return kNumberNames.at(static_cast<std::size_t>(kind)); }

CallArguments::~CallArguments() {
  std::ranges::for_each(made_, [](const Made& made) { made.type->destroy(made.object); });
  std::ranges::for_each(buffers_, [](Py_buffer& buffer) { PyBuffer_Release(&buffer); });
}

void* CallArguments::room(const TypeTable& type) {
  std::vector<std::byte>& memory = memory_.emplace_back(type.size + type.alignment);
  void* at = memory.data();
  std::size_t left = memory.size();
  return std::align(type.alignment, type.size, at, left);
}

void* CallArguments::construct(const TypeTable& type) {
  void* const at = room(type);
  type.construct(at);
  was_made(type, at);
  return at;
}

void CallArguments::fill(const TypeTable& type, void* object, py::handle value,
                         const std::string& name) {
  switch (type.form) {
    case TypeForm::kNumber:
      return fill_number(type.number, object, value, name);
    case TypeForm::kEnum:
      return fill_enum(type, object, value, name);
    case TypeForm::kStruct:
      return fill_struct(type, object, value, name);
    case TypeForm::kText:
      return fill_text(type, object, value, name);
    case TypeForm::kVector:
    case TypeForm::kArray:
      return fill_list(type, object, value, name);
    case TypeForm::kInput:
    case TypeForm::kOutput:
      return fill_span(type, object, value, name);
  }
}

void CallArguments::fill_number(NumberKind kind, void* at, py::handle value,
                                const std::string& name) {
  const auto unfit = [&] {
    value_error(name, text_of(value) + " does not fit " + number_name(kind));
  };
  if (is_floating(kind)) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (number == -1.0 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      type_error(name, "a number is wanted, got " + type_name(value));
    }
    if (!put_float(kind, at, number)) unfit();
    return;
  }
  if (kind == NumberKind::kBool) {
    const bool is_bool = PyBool_Check(value.ptr()) || type_name(value).starts_with("numpy.bool");
    if (!is_bool) type_error(name, "True or False is wanted, got " + type_name(value));
    *static_cast<bool*>(at) = PyObject_IsTrue(value.ptr()) == 1;
    return;
  }
  const py::object index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!index) {
    PyErr_Clear();
    type_error(name, "a whole number is wanted, got " + type_name(value));
  }
  if (!put_integer(kind, at, index)) unfit();
}

void CallArguments::fill_enum(const TypeTable& type, void* object, py::handle value,
                              const std::string& name) {
  std::string names;
  for (const Enumerator& one : type.enumerators) {
    names += std::string(names.empty() ? "" : ", ") + type.name + "." + one.name;
  }
  std::int64_t number = 0;
  const py::object index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!index || PyBool_Check(value.ptr()) || !put_integer<std::int64_t>(&number, index) ||
      std::ranges::find(type.enumerators, number, &Enumerator::value) == type.enumerators.end()) {
    PyErr_Clear();
    type_error(name, "one of " + names + " is wanted, got " + text_of(value));
  }
  fill_number(type.number, object, index, name);
}

/// The class of a struct, or a tuple that has no names of its own.
void CallArguments::must_be_of(const TypeTable& type, py::handle value,
                               const std::string& name) const {
  std::string members;
  for (const MemberTable& member : type.members) {
    members += std::string(members.empty() ? "" : ", ") + member.name;
  }
  const std::string wanted = std::string("a ") + type.name + "(" + members + ") is wanted, got ";
  if (!PyTuple_Check(value.ptr())) type_error(name, wanted + type_name(value));
  if (py::hasattr(value, "_fields")) {
    std::string given;
    for (const py::handle field : value.attr("_fields")) {
      given += (given.empty() ? "" : ", ") + text_of(field);
    }
    if (given != members) type_error(name, wanted + type_name(value) + "(" + given + ")");
  }
  const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(value.ptr()));
  if (count != type.members.size()) {
    type_error(name, wanted + "a tuple of " + std::to_string(count));
  }
}

void CallArguments::fill_struct(const TypeTable& type, void* object, py::handle value,
                                const std::string& name) {
  if (!value.get_type().is(classes_->at(type.name))) must_be_of(type, value, name);
  for (std::size_t i = 0; i < type.members.size(); ++i) {
    const MemberTable& member = type.members[i];
    fill(*member.type, member.in(object), PyTuple_GET_ITEM(value.ptr(), static_cast<Py_ssize_t>(i)),
         name + "." + member.name);
  }
}

Py_buffer& CallArguments::buffer_of(const TypeTable& type, py::handle array,
                                    const std::string& name) {
  const std::string wanted = array_of(type.number) + ", got " + type_name(array);
  if (PyObject_CheckBuffer(array.ptr()) == 0) {
    const bool has_numbers = py::hasattr(array, "__array__");
    type_error(name, wanted + (has_numbers ? ": np.asarray(" + name + ")" : ""));
  }
  Py_buffer& buffer = buffers_.emplace_back();
  if (PyObject_GetBuffer(array.ptr(), &buffer, PyBUF_FULL_RO) != 0) {
    buffers_.pop_back();
    PyErr_Clear();
    type_error(name, wanted + ", whose memory nobody may look at");
  }
  return buffer;
}

NumbersHere CallArguments::look_at(const TypeTable& type, py::handle array,
                                   const std::string& name) {
  const bool is_written = type.form == TypeForm::kOutput;
  const Py_buffer& buffer = buffer_of(type, array, name);
  const auto given = kind_in(buffer.format, buffer.itemsize);
  const bool is_turned = buffer.itemsize > 1 && is_other_byte_order(buffer.format);
  if (given != type.number || is_turned) {
    type_error(name, array_of(type.number) + ", got " + element_name(array, buffer) +
                         (is_turned ? ", whose bytes are in the other order: " : ": ") + name +
                         ".astype(np." + number_name(type.number) + ")");
  }
  if (is_written && buffer.readonly != 0) {
    value_error(name,
                "an array that can be written is wanted, got a read-only one: " + name + ".copy()");
  }
  if (PyBuffer_IsContiguous(&buffer, 'C') == 0) {
    const std::string shape = sizes_text(buffer.shape, buffer.ndim);
    value_error(name, "an array that lies row by row (C order) is wanted, got shape " + shape +
                          " with strides " + sizes_text(buffer.strides, buffer.ndim) + ": " +
                          (is_written ? "np.empty(" + shape + ", np." + number_name(type.number)
                                      : "np.ascontiguousarray(" + name) +
                          ")");
  }
  const auto* const begin = static_cast<const std::byte*>(buffer.buf);
  used_.push_back({name, begin, begin + buffer.len, is_written});
  return {buffer.buf, static_cast<std::size_t>(buffer.len / buffer.itemsize)};
}

void CallArguments::fill_span(const TypeTable& type, void* object, py::handle value,
                              const std::string& name) {
  if (!is_list(value)) {
    const NumbersHere numbers = look_at(type, value, name);
    return type.point(object, numbers.data, numbers.count);
  }
  if (type.form == TypeForm::kOutput) {
    type_error(name, array_of(type.number) + ", for the exercise writes there; got " +
                         type_name(value) + ": np.empty(…, np." + number_name(type.number) + ")");
  }
  const auto count = static_cast<std::size_t>(PySequence_Size(value.ptr()));
  const std::size_t size = size_of(type.number);
  std::vector<std::byte>& numbers = memory_.emplace_back(count * size);
  for (std::size_t i = 0; i < count; ++i) {
    fill_number(type.number, numbers.data() + i * size, value[py::int_(i)],
                name + "[" + std::to_string(i) + "]");
  }
  type.point(object, numbers.data(), count);
}

void CallArguments::fill_list(const TypeTable& type, void* object, py::handle value,
                              const std::string& name) {
  const bool is_array = !is_list(value);
  const NumbersHere given =
      is_array ? look_at(type, value, name)
               : NumbersHere{nullptr, static_cast<std::size_t>(PySequence_Size(value.ptr()))};
  if (!type.resize(object, given.count)) {
    value_error(name, std::to_string(type.numbers(object).count) + " numbers are wanted, got " +
                          std::to_string(given.count));
  }
  auto* const numbers = static_cast<std::byte*>(type.numbers(object).data);
  const std::size_t size = size_of(type.number);
  if (is_array && given.count > 0) std::memcpy(numbers, given.data, given.count * size);
  for (std::size_t i = 0; !is_array && i < given.count; ++i) {
    fill_number(type.number, numbers + i * size, value[py::int_(i)],
                name + "[" + std::to_string(i) + "]");
  }
}

/// What is no UTF-8 comes back as it went: bytes of a file that somebody else wrote.
void CallArguments::fill_text(const TypeTable& type, void* object, py::handle value,
                              const std::string& name) {
  if (PyUnicode_Check(value.ptr()) == 0)
    type_error(name, "a str is wanted, got " + type_name(value));
  const auto bytes = py::reinterpret_steal<py::bytes>(
      PyUnicode_AsEncodedString(value.ptr(), "utf-8", "surrogateescape"));
  if (!bytes) throw py::error_already_set();
  const auto count = static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()));
  type.resize(object, count);
  std::memcpy(type.numbers(object).data, PyBytes_AS_STRING(bytes.ptr()), count);
}

void CallArguments::must_not_overlap() const {
  for (const Used& written : used_) {
    if (!written.is_written) continue;
    for (const Used& other : used_) {
      const bool overlap = written.begin < other.end && other.begin < written.end;
      if (&written == &other || !overlap) continue;
      value_error(written.name, "it is written, and shares memory with " + other.name + ": " +
                                    written.name + ".copy()");
    }
  }
}

void CallArguments::type_error(const std::string& name, const std::string& complaint) const {
  throw py::type_error(std::string(function_) + ": " + name + ": " + complaint);
}

void CallArguments::value_error(const std::string& name, const std::string& complaint) const {
  throw py::value_error(std::string(function_) + ": " + name + ": " + complaint);
}

}  // namespace nibble::python
