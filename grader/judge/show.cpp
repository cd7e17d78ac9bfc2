#include "judge/show.hpp"

#include <array>
#include <charconv>

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

}  // namespace nibble::judge
