// The leaves of a value that crosses to a child: a number or a list of numbers each. A struct is
// the leaves of its members, in order, so that a check names and compares them one by one.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "judge/show.hpp"
#include "protocol/fields.hpp"
#include "protocol/pack.hpp"

namespace nibble::judge {

/// References to the leaves of `value`.
template <class T>
constexpr auto leaves_of(T& value) {
  using Value = std::remove_const_t<T>;
  const auto of_all = [](auto&... parts) { return std::tuple_cat(leaves_of(parts)...); };
  if constexpr (protocol::Scalar<Value> || protocol::is_sequence<Value> ||
                protocol::is_array<Value>) {
    return std::tie(value);
  } else {
    return protocol::with_fields(value, of_all);
  }
}

template <class T>
inline constexpr std::size_t leaf_count =
    std::tuple_size_v<decltype(leaves_of(std::declval<T&>()))>;

/// visit(leaf) for every leaf of `value`, in order.
template <class T, class Visit>
constexpr void for_each_leaf(T& value, const Visit& visit) {
  std::apply([&](auto&... leaves) { (visit(leaves), ...); }, leaves_of(value));
}

/// visit(index, leaf of a, leaf of b) for the leaves of two values of one type.
template <class T, class Visit>
constexpr void for_each_pair_of_leaves(const T& a, const T& b, const Visit& visit) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (visit(I, std::get<I>(leaves_of(a)), std::get<I>(leaves_of(b))), ...);
  }
  (std::make_index_sequence<leaf_count<T>>{});
}

/// A leaf as text. An enum is shown by the `show` that stands beside it, if there is one.
template <class Leaf>
std::string show_leaf(const Leaf& leaf) {
  if constexpr (requires { show(leaf); }) {
    return show(leaf);
  } else if constexpr (protocol::Scalar<Leaf>) {
    return show_value(leaf);
  } else if constexpr (std::is_same_v<Leaf, std::string>) {
    return show_text(leaf);
  } else {
    return show_values(leaf);
  }
}

/// The leaves of `value` with their names: "x = [1, 2], num_bits = 8".
template <class T, class Names>
std::string show_leaves(const T& value, const Names& names) {
  std::string text;
  std::size_t at = 0;
  for_each_leaf(value, [&](const auto& leaf) {
    text += (at == 0 ? "" : ", ") + std::string(names[at]) + " = " + show_leaf(leaf);
    ++at;
  });
  return text;
}

}  // namespace nibble::judge
