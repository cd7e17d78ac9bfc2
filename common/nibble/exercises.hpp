// Which functions of a contract are exercises, in the order they are asked. The judge and the
// process that holds a submission number the functions by this list, so neither sends a pointer.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace nibble {

/// A list of functions, as a type.
template <auto... Functions>
struct ExerciseList {
  static constexpr std::size_t size = sizeof...(Functions);

  /// The place of `Function` in the list. Does not compile for a function that is not in it.
  template <auto Function>
  static constexpr std::size_t index_of() {
    constexpr std::array<bool, size> found = {is_same<Function, Functions>()...};
    std::size_t i = 0;
    while (!found.at(i)) ++i;
    return i;
  }

 private:
  template <auto A, auto B>
  static constexpr bool is_same() {
    return std::is_same_v<std::integral_constant<decltype(A), A>,
                          std::integral_constant<decltype(B), B>>;
  }
};

/// "f, g" -> {"f", "g"}.
template <std::size_t Count>
constexpr std::array<std::string_view, Count> split_names(std::string_view list) {
  std::array<std::string_view, Count> names{};
  for (std::string_view& name : names) {
    const std::size_t end = list.find(',');
    name = list.substr(0, end);
    while (name.starts_with(' ')) name.remove_prefix(1);
    if (end != std::string_view::npos) list.remove_prefix(end + 1);
  }
  return names;
}

}  // namespace nibble

/// Closes a contract: names its exercises, in order. Stands inside namespace nibble, once.
///
///     NIBBLE_EXERCISES(quantize_symmetric, dequantize_symmetric);
#define NIBBLE_EXERCISES(...)                            \
  using Exercises = ::nibble::ExerciseList<__VA_ARGS__>; \
  inline constexpr auto kExerciseNames = ::nibble::split_names<Exercises::size>(#__VA_ARGS__)
