// Makes the table of a lab from the types of its contract. Names come from describe.py, which
// reads its text.
#pragma once

#include <array>
#include <new>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "protocol/fields.hpp"
#include "protocol/pack.hpp"
#include "python/table.hpp"

namespace nibble::python {

/// `type`, and the names of `members`, or the Enumerators of an enum; written by describe.py.
template <class T>
struct Names;

template <class Enum>
constexpr Enumerator enumerator(const char* name, Enum value) {
  return {name, static_cast<std::int64_t>(value)};
}

template <class T>
constexpr NumberKind number_kind() {
  using enum NumberKind;
  if constexpr (std::is_enum_v<T>) {
    return number_kind<std::underlying_type_t<T>>();
  } else if constexpr (std::is_same_v<T, bool>) {
    return kBool;
  } else if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? kFloat32 : kFloat64;
  } else {
    constexpr std::array kSigned = {kInt8, kInt16, kInt32, kInt64};
    constexpr std::array kUnsigned = {kUint8, kUint16, kUint32, kUint64};
    constexpr std::size_t at = sizeof(T) == 8 ? 3 : sizeof(T) / 2;
    return std::is_signed_v<T> ? kSigned[at] : kUnsigned[at];
  }
}

template <class T>
inline constexpr bool is_span = false;
template <class T>
inline constexpr bool is_span<std::span<T>> = true;

template <class T>
constexpr TypeForm form_of() {
  using enum TypeForm;
  if constexpr (std::is_enum_v<T>) {
    return kEnum;
  } else if constexpr (protocol::Scalar<T>) {
    return kNumber;
  } else if constexpr (is_span<T>) {
    return std::is_const_v<typename T::element_type> ? kInput : kOutput;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return kText;
  } else if constexpr (protocol::is_sequence<T>) {
    return kVector;
  } else {
    return protocol::is_array<T> ? kArray : kStruct;
  }
}

template <class T>
const TypeTable& type_table();

/// Member `I` of a T.
template <class T, std::size_t I>
void* member_in(void* object) {
  return protocol::with_fields(*static_cast<T*>(object), [](auto&... members) {
    return std::array<void*, sizeof...(members)>{&members...}[I];
  });
}

struct TypesOfMembers {
  template <class... Members>
  std::type_identity<std::tuple<Members...>> operator()(Members&...) const;
};

/// The types of a struct's members.
template <class T>
using MembersOf =
    typename decltype(protocol::with_fields(std::declval<T&>(), TypesOfMembers{}))::type;

template <class T, std::size_t... I>
std::span<const MemberTable> members_of(std::index_sequence<I...>) {
  static_assert(sizeof...(I) == Names<T>::members.size(), "describe.py has misread a struct");
  static const std::array members = {
      MemberTable{Names<T>::members[I], &type_table<std::tuple_element_t<I, MembersOf<T>>>(),
                  member_in<T, I>}...};
  return members;
}

template <class T>
TypeTable make_type_table() {
  TypeTable table{};
  table.form = form_of<T>();
  table.size = sizeof(T);
  table.alignment = alignof(T);
  table.construct = [](void* at) { ::new (at) T{}; };
  table.destroy = [](void* object) { static_cast<T*>(object)->~T(); };
  if constexpr (protocol::Scalar<T>) table.number = number_kind<T>();
  if constexpr (std::is_enum_v<T>) {
    table.name = Names<T>::type;
    table.enumerators = Names<T>::members;
  } else if constexpr (is_span<T>) {
    using Element = typename T::element_type;
    table.number = number_kind<std::remove_const_t<Element>>();
    table.point = [](void* span, void* data, std::size_t count) {
      *static_cast<T*>(span) = {static_cast<Element*>(data), count};
    };
  } else if constexpr (protocol::is_sequence<T> || protocol::is_array<T>) {
    table.number = number_kind<typename T::value_type>();
    table.resize = [](void* list, std::size_t count) {
      if constexpr (protocol::is_sequence<T>) static_cast<T*>(list)->resize(count);
      return static_cast<T*>(list)->size() == count;
    };
    table.numbers = [](void* list) -> NumbersHere {
      return {static_cast<T*>(list)->data(), static_cast<T*>(list)->size()};
    };
    table.move_away = [](void* list) -> void* { return new T(std::move(*static_cast<T*>(list))); };
    table.drop = [](void* moved) { delete static_cast<T*>(moved); };
  } else if constexpr (!protocol::Scalar<T>) {
    table.name = Names<T>::type;
    table.members = members_of<T>(std::make_index_sequence<std::tuple_size_v<MembersOf<T>>>{});
  }
  return table;
}

template <class T>
const TypeTable& type_table() {
  static const TypeTable table = make_type_table<T>();
  return table;
}

template <auto Function>
struct ReflectedCall;
template <class Result, class... Parameters, Result (*Function)(Parameters...)>
struct ReflectedCall<Function> {
  using Named = std::array<ParameterTable, sizeof...(Parameters)>;

  static void call(void* const* arguments, void* result) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto all = std::tie(*static_cast<std::remove_cvref_t<Parameters>*>(arguments[I])...);
      if constexpr (std::is_void_v<Result>) {
        std::apply(Function, all);
      } else {
        ::new (result) Result(std::apply(Function, all));
      }
    }
    (std::index_sequence_for<Parameters...>{});
  }

  static const TypeTable* result() {
    if constexpr (std::is_void_v<Result>)
      return nullptr;
    else
      return &type_table<Result>();
  }

  static std::span<const ParameterTable> with_types(Named named) {
    static const Named parameters = [&] {
      std::size_t at = 0;
      ((named[at++].type = &type_table<std::remove_cvref_t<Parameters>>()), ...);
      return named;
    }();
    return parameters;
  }
};

template <auto Function>
FunctionTable function_table(const char* name, const char* comment,
                             const typename ReflectedCall<Function>::Named& parameters) {
  using Call = ReflectedCall<Function>;
  return {name, comment, Call::with_types(parameters), Call::result(), Call::call};
}

}  // namespace nibble::python

/// The one symbol of a lab's library. What follows are its function_table(…).
#define NIBBLE_PYTHON_TABLE(...)                             \
  extern "C" const nibble::python::LabTable* nibble_lab() {  \
    static const std::array functions = {__VA_ARGS__};       \
    static const nibble::python::LabTable table = functions; \
    return &table;                                           \
  }
