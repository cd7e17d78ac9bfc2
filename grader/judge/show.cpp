#include "judge/show.hpp"

#include <array>
#include <charconv>
#include <string_view>

namespace nibble::judge {
namespace {

template <class T>
std::string shortest(T value) {
  std::array<char, 64> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

}  // namespace

std::string show_number(double value) { return shortest(value); }
std::string show_number(float value) { return shortest(value); }
std::string show_number(long long value) { return shortest(value); }

std::string show_bits(std::uint16_t code) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 12; shift >= 0; shift -= 4) text += kDigits[code >> shift & 0xF];
  return text;
}

}  // namespace nibble::judge
