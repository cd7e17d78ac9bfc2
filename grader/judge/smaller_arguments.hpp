// Simpler arguments of a call, simplest first: what an exercise tries when a case has failed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "judge/leaves.hpp"
#include "judge/shrink.hpp"

namespace nibble::judge {

/// A list of numbers. A text is a name, and stays as it is.
template <class Leaf>
inline constexpr bool is_list = protocol::is_sequence<Leaf> && !std::is_same_v<Leaf, std::string>;

/// How long the longest list among the arguments is.
template <class Arguments>
std::size_t longest_list(const Arguments& in) {
  std::size_t longest = 0;
  for_each_leaf(in, [&]<class Leaf>(const Leaf& leaf) {
    if constexpr (is_list<Leaf>) longest = std::max(longest, leaf.size());
  });
  return longest;
}

/// What a case is called that was made smaller: "4 values".
template <class Arguments>
std::string size_of_case(const Arguments& in) {
  const std::size_t size = longest_list(in);
  return std::to_string(size) + (size == 1 ? " value" : " values");
}

namespace detail {

/// `in` after change(list) on every list of `length` elements: they belong together more often than
/// not.
template <class Arguments, class Change>
Arguments with_lists(const Arguments& in, std::size_t length, const Change& change) {
  Arguments changed = in;
  for_each_leaf(changed, [&]<class Leaf>(Leaf& leaf) {
    if constexpr (is_list<Leaf>) {
      if (leaf.size() == length) change(leaf);
    }
  });
  return changed;
}

/// `in` with one list, the leaf I, made simpler by itself.
template <std::size_t I, class Arguments>
void add_with_simpler_leaf(std::vector<Arguments>& all, const Arguments& in) {
  const auto& leaf = std::get<I>(leaves_of(in));
  if constexpr (is_list<std::remove_cvref_t<decltype(leaf)>>) {
    for (auto& simpler : smaller_lists(leaf)) {
      all.push_back(in);
      std::get<I>(leaves_of(all.back())) = std::move(simpler);
    }
  }
}

}  // namespace detail

/// Halves of the longest lists, then these without one element (where they are short), then one
/// list by itself. What the contract forbids is passed over by who asks.
template <class Arguments>
std::vector<Arguments> smaller_arguments(const Arguments& in) {
  constexpr std::size_t kShort = 12;
  std::vector<Arguments> all;
  const std::size_t length = longest_list(in);
  const auto middle = static_cast<std::ptrdiff_t>(length / 2);
  const auto add = [&](const auto& change) {
    all.push_back(detail::with_lists(in, length, change));
  };
  if (length > 1) {
    add([&](auto& list) { list.erase(list.begin() + middle, list.end()); });
    add([&](auto& list) { list.erase(list.begin(), list.begin() + middle); });
  }
  for (std::size_t at = 0; length <= kShort && at < length; ++at) {
    add([&](auto& list) { list.erase(list.begin() + static_cast<std::ptrdiff_t>(at)); });
  }
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (detail::add_with_simpler_leaf<I>(all, in), ...);
  }
  (std::make_index_sequence<leaf_count<Arguments>>{});
  return all;
}

}  // namespace nibble::judge
