// Numbers as a person reads them: short, exact enough to type back in, and never a wall of them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace nibble::judge {

std::string show_number(double value);  ///< the shortest text that reads back as the same float64
std::string show_number(float value);  ///< as for float32; of a rare NaN the bits: "nan 0x7f800001"
std::string show_number(long long value);
std::string show_number(unsigned long long value);
std::string show_bits(std::uint16_t code);  ///< "0x3c00": what has 16 bits here is a half, or kin
std::string show_bits(char8_t code);        ///< "0x38": a byte that is no number
std::string show_text(std::string_view text);  ///< in quotes, and cut where it is long

template <class T>
std::string show_value(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_floating_point_v<T>) {
    return show_number(value);
  } else if constexpr (std::is_same_v<T, std::uint16_t> || std::is_same_v<T, char8_t>) {
    return show_bits(value);
  } else if constexpr (std::is_unsigned_v<T>) {
    return show_number(static_cast<unsigned long long>(value));
  } else {
    return show_number(static_cast<long long>(value));
  }
}

/// "nan at [40] … ": the first value from `from` on that is not finite; "": all of them are.
template <std::ranges::sized_range Sequence>
std::string show_not_finite(const Sequence& values, std::size_t from) {
  if constexpr (std::is_floating_point_v<std::ranges::range_value_t<Sequence>>) {
    std::size_t at = 0;
    for (const auto value : values) {
      if (at >= from && !std::isfinite(value))
        return show_value(value) + " at [" + std::to_string(at) + "] … ";
      ++at;
    }
  }
  return "";
}

/// "[0.5, 1.5, 2.5]"; beyond `most` elements "[0.5, 1.5, … 4099 in all]", with what is not finite.
template <std::ranges::sized_range Sequence>
std::string show_values(const Sequence& values, std::size_t most = 8) {
  std::string text = "[";
  std::size_t shown = 0;
  for (const auto value : values) {
    if (shown == most) {
      return text + ", … " + show_not_finite(values, most) +
             std::to_string(std::ranges::size(values)) + " in all]";
    }
    if (shown++ > 0) text += ", ";
    text += show_value(value);
  }
  return text + "]";
}

}  // namespace nibble::judge
