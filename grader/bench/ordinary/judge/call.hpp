// The judge's call, done the ordinary way: the submission is linked into the test. Stands in for
// judge/call.hpp when the benchmark builds a lab's checks as one GoogleTest executable.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "judge/failure.hpp"
#include "judge/kit_error.hpp"

namespace nibble::judge {

struct Out {
  std::size_t count;
};
inline Out out(std::size_t count) { return {count}; }

namespace detail {

template <class Parameter>
inline constexpr bool is_output = false;
template <class T>
inline constexpr bool is_output<std::span<T>> = !std::is_const_v<T>;

/// What stands behind a parameter: an output is a vector to be filled, anything else a value.
template <class Parameter>
struct Held {
  using Type = std::remove_cvref_t<Parameter>;
};
template <class T>
requires(!std::is_const_v<T>) struct Held<std::span<T>> {
  using Type = std::vector<T>;
};

template <class Parameter, class Argument>
typename Held<Parameter>::Type hold(const Argument& argument) {
  if constexpr (is_output<Parameter>) {
    return typename Held<Parameter>::Type(argument.count);
  } else {
    return typename Held<Parameter>::Type(argument);
  }
}

template <class Parameter, class Value>
auto if_output(Value& value) {
  if constexpr (is_output<Parameter>) {
    return std::tuple(std::move(value));
  } else {
    return std::tuple<>();
  }
}

template <auto Function>
struct Caller;
template <class Result, class... Parameters, Result (*Function)(Parameters...)>
struct Caller<Function> {
  template <class... Arguments>
  static auto call(const Arguments&... arguments) {
    std::tuple<typename Held<Parameters>::Type...> held{hold<Parameters>(arguments)...};
    return std::apply(
        [](auto&... values) {
          if constexpr (std::is_void_v<Result>) {
            Function(values...);
            return unwrap(std::tuple_cat(if_output<Parameters>(values)...));
          } else {
            auto result = std::tuple(Function(values...));
            return unwrap(std::tuple_cat(std::move(result), if_output<Parameters>(values)...));
          }
        },
        held);
  }
  template <class... Values>
  static auto unwrap(std::tuple<Values...>&& values) {
    if constexpr (sizeof...(Values) == 1) {
      return std::get<0>(std::move(values));
    } else {
      return std::move(values);
    }
  }
};

}  // namespace detail

template <auto F, class... Arguments>
auto call(const Arguments&... arguments) {
  try {
    return detail::Caller<F>::call(arguments...);
  } catch (const std::invalid_argument& error) {
    throw CallFailed({CheckStatus::kFail, "N-REFUSED", error.what(), {}, {}, {}, {}});
  }
}

template <auto F, class... Arguments>
bool refuses(const Arguments&... arguments) {
  try {
    call<F>(arguments...);
    return false;
  } catch (const CallFailed&) {
    return true;
  }
}

}  // namespace nibble::judge
