// From what Python hands over to what an exercise takes. An array is used where it lies; a number
// and a list of numbers are converted; all else is refused by a sentence that names the argument.
#pragma once

#include <pybind11/pybind11.h>

#include <deque>
#include <string>
#include <vector>

#include "python/classes.hpp"
#include "python/table.hpp"

namespace nibble::python {

/// "float32", "int8", as NumPy calls them.
const char* number_name(NumberKind kind);

/// The objects of one call, and the arrays that they point into; both are let go with it.
class CallArguments {
 public:
  /// `function`: begins each complaint. `classes`: of its lab.
  CallArguments(const char* function, const Classes& classes)
      : function_(function), classes_(&classes) {}
  CallArguments(const CallArguments&) = delete;
  CallArguments& operator=(const CallArguments&) = delete;
  ~CallArguments();

  /// Room for an object, which is destroyed with all others.
  void* construct(const TypeTable& type);
  /// The same without an object: one is made there by who calls `was_made` next.
  void* room(const TypeTable& type);
  void was_made(const TypeTable& type, void* object) { made_.push_back({&type, object}); }

  /// Makes `object` what `value` is. `name`: as the complaint calls it, "operands.b_scales".
  /// Throws TypeError or ValueError.
  void fill(const TypeTable& type, void* object, pybind11::handle value, const std::string& name);

  /// Throws ValueError where what is written overlaps anything else.
  void must_not_overlap() const;

 private:
  struct Made {
    const TypeTable* type;
    void* object;
  };
  struct Used {
    std::string name;
    const std::byte *begin, *end;
    bool is_written;
  };

  void fill_enum(const TypeTable& type, void* object, pybind11::handle value,
                 const std::string& name);
  void fill_struct(const TypeTable& type, void* object, pybind11::handle value,
                   const std::string& name);
  void fill_text(const TypeTable& type, void* object, pybind11::handle value,
                 const std::string& name);
  void must_be_of(const TypeTable& type, pybind11::handle value, const std::string& name) const;
  void fill_list(const TypeTable& type, void* object, pybind11::handle value,
                 const std::string& name);
  void fill_span(const TypeTable& type, void* object, pybind11::handle value,
                 const std::string& name);
  Py_buffer& buffer_of(const TypeTable& type, pybind11::handle array, const std::string& name);
  NumbersHere look_at(const TypeTable& type, pybind11::handle array, const std::string& name);
  void fill_number(NumberKind kind, void* at, pybind11::handle value, const std::string& name);
  [[noreturn]] void type_error(const std::string& name, const std::string& complaint) const;
  [[noreturn]] void value_error(const std::string& name, const std::string& complaint) const;

  const char* function_;
  const Classes* classes_;
  std::deque<Py_buffer> buffers_;
  std::deque<std::vector<std::byte>> memory_;
  std::vector<Made> made_;
  std::vector<Used> used_;
};

}  // namespace nibble::python
