// Turns the exercises of a contract into a table of functions that read their arguments from the
// inputs, call the learner's code and write the results to the outputs.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>

#include "nibble/exercises.hpp"
#include "protocol/pack.hpp"

namespace nibble::runner {

/// Reads arguments from `inputs`, calls one exercise, writes its results to `outputs`.
using Invoke = void (*)(std::byte* inputs, std::byte* outputs);

/// A parameter that the learner fills: it lies in the outputs, and its size in the inputs.
template <class Parameter>
inline constexpr bool is_output = false;
template <class T>
inline constexpr bool is_output<std::span<T>> = !std::is_const_v<T>;

template <class Parameter>
Parameter take(protocol::Unpacker& in, protocol::Packer& out) {
  if constexpr (is_output<Parameter>) {
    using Element = typename Parameter::element_type;
    const auto count = in.get<std::uint64_t>();
    return {reinterpret_cast<Element*>(out.begin_sequence(count, sizeof(Element))),
            static_cast<std::size_t>(count)};
  } else {
    return in.get<Parameter>();
  }
}

template <auto Function>
struct Stub;
template <class Result, class... Parameters, Result (*Function)(Parameters...)>
struct Stub<Function> {
  static void invoke(std::byte* inputs, std::byte* outputs) {
    protocol::Unpacker in(inputs, inputs);
    protocol::Packer out(outputs);
    // Braces evaluate left to right, which is the order the judge wrote the arguments in.
    std::tuple<std::remove_cvref_t<Parameters>...> arguments{
        take<std::remove_cvref_t<Parameters>>(in, out)...};
    if constexpr (std::is_void_v<Result>) {
      std::apply(Function, arguments);
    } else {
      out.put(std::apply(Function, arguments));
    }
  }
};

template <class List>
struct Table;
template <auto... Functions>
struct Table<ExerciseList<Functions...>> {
  static constexpr std::array<Invoke, sizeof...(Functions)> functions = {
      &Stub<Functions>::invoke...};
};

/// The table of the lab this runner is built for; defined by NIBBLE_SERVE.
std::span<const Invoke> exercises();

}  // namespace nibble::runner

/// Makes this object the runner of the contract included above it.
#define NIBBLE_SERVE()                                                  \
  std::span<const nibble::runner::Invoke> nibble::runner::exercises() { \
    return nibble::runner::Table<nibble::Exercises>::functions;         \
  }
