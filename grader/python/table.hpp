// A lab as Python sees it: which exercises it has, and what their types are made of. The library of
// a lab holds the table; the extension module, which knows no lab, goes by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nibble::python {

/// What one number of an array is. In this order they have names, in number_names.
enum class NumberKind {
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kFloat32,
  kFloat64
};

enum class TypeForm {
  kNumber,
  kEnum,
  kInput,   ///< std::span<const T>: the caller's array, where it lies
  kOutput,  ///< std::span<T>: the same, and the exercise writes there
  kVector,  ///< std::vector<T>: a list of its own
  kText,    ///< std::string
  kArray,   ///< std::array<T, N>
  kStruct
};

struct TypeTable;

/// A member of a struct, and where it is in one.
struct MemberTable {
  const char* name;
  const TypeTable* type;
  void* (*in)(void* object);
};

struct Enumerator {
  const char* name;
  std::int64_t value;
};

/// The numbers of a list.
struct NumbersHere {
  void* data;
  std::size_t count;
};

/// A type, and what can be done with objects of it. What its form has no use for is null, or empty.
struct TypeTable {
  TypeForm form;
  NumberKind number;  ///< itself; of an enum, what it is stored as; of a list, its elements
  std::size_t size, alignment;
  void (*construct)(void* at);
  void (*destroy)(void* object);
  void (*point)(void* span, void* data, std::size_t count);
  bool (*resize)(void* list, std::size_t count);  ///< false: it has another size, always
  NumbersHere (*numbers)(void* list);
  void* (*move_away)(void* list);  ///< to a place of its own, until it is dropped
  void (*drop)(void* moved);
  const char* name;
  std::span<const MemberTable> members;
  std::span<const Enumerator> enumerators;
};

struct ParameterTable {
  const char* name;
  const char* default_text = nullptr;  ///< as the contract has it; null: there is none
  void (*make_default)(void* at) = nullptr;
  const TypeTable* type = nullptr;
};

struct FunctionTable {
  const char* name;
  const char* comment;  ///< of the contract
  std::span<const ParameterTable> parameters;
  const TypeTable* result;  ///< null: nothing is returned
  void (*call)(void* const* arguments, void* result);
};

/// What a lab's library gives who asks for its one symbol, kLabSymbol.
using LabTable = std::span<const FunctionTable>;
inline constexpr const char* kLabSymbol = "nibble_lab";

}  // namespace nibble::python
