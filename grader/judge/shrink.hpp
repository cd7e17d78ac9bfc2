// Simpler versions of a list of numbers, simplest first: for smaller(case) in the checks.
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace nibble::judge {

/// Halves, then the list without one element (short lists), then one element made simpler: 0, or
/// a float cut to a whole number or to two decimals.
template <class T>
std::vector<std::vector<T>> smaller_lists(const std::vector<T>& list) {
  constexpr std::size_t kShort = 12;
  std::vector<std::vector<T>> all;
  const auto middle = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2);
  if (list.size() > 1) {
    all.emplace_back(list.begin(), middle);
    all.emplace_back(middle, list.end());
  }
  if (list.size() > kShort) return all;
  for (std::size_t i = 0; i < list.size(); ++i) {
    all.push_back(list);
    all.back().erase(all.back().begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::vector<T> simpler{T{0}};
    if constexpr (std::is_floating_point_v<T>) {
      simpler.push_back(std::trunc(list[i]));
      simpler.push_back(std::trunc(list[i] * 100) / 100);
    }
    for (const T value : simpler) {
      if (value == list[i]) break;
      all.push_back(list);
      all.back()[i] = value;
    }
  }
  return all;
}

}  // namespace nibble::judge
