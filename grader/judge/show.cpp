#include "judge/show.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string_view>

#include "text/harmless.hpp"

namespace nibble::judge {
namespace {

template <class T>
std::string shortest(T value) {
  std::array<char, 64> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

std::string hexadecimal(std::uint32_t bits, int digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "0x";
  while (digits-- > 0) text += kDigits[bits >> 4 * digits & 0xF];
  return text;
}

}  // namespace

std::string show_number(double value) { return shortest(value); }
std::string show_number(long long value) { return shortest(value); }
std::string show_number(unsigned long long value) { return shortest(value); }

std::string show_number(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  constexpr std::uint32_t kSign = 0x8000'0000u, kUsualNan = 0x7FC0'0000u;
  const bool rare_nan = std::isnan(value) && (bits & ~kSign) != kUsualNan;
  return rare_nan ? "nan " + hexadecimal(bits, 8) : shortest(value);
}

std::string show_bits(std::uint16_t code) { return hexadecimal(code, 4); }
std::string show_bits(char8_t code) { return hexadecimal(code, 2); }

std::string show_text(std::string_view text) {
  constexpr std::size_t kMost = 60;
  const bool is_long = text.size() > kMost;
  return '"' + text::harmless(text.substr(0, kMost)) + (is_long ? "…\"" : "\"");
}

}  // namespace nibble::judge
