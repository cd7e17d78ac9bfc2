// Laws are looked for from the most telling one to the least, and each holds for all wrong values.
#include "judge/law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

namespace nibble::judge {
namespace {

using Values = std::span<const WrongValue>;

struct Factor {
  double value;
  const char* name;
};

/// Those that a formula has, and a wrong one has too many or too few of.
constexpr std::array kKnownFactors = {
    Factor{2, "2"},
    Factor{0.5, "1/2"},
    Factor{4, "4"},
    Factor{0.25, "1/4"},
    Factor{10, "10"},
    Factor{0.1, "1/10"},
    Factor{100, "100"},
    Factor{0.01, "1/100"},
    Factor{std::numbers::ln10, "ln 10"},
    Factor{1 / std::numbers::ln10, "1 / ln 10"},
    Factor{10 / std::numbers::ln10, "10 / ln 10"},
    Factor{std::numbers::ln2, "ln 2"},
    Factor{1 / std::numbers::ln2, "1 / ln 2"},
    Factor{127.0 / 128, "127/128"},
    Factor{128.0 / 127, "128/127"},
    Factor{255.0 / 256, "255/256"},
    Factor{256.0 / 255, "256/255"},
};

/// What submissions are compiled to find in a local that nobody set: 0xFE or 0xAA in every byte, of
/// an int32, an int64, a float and a double; and of bytes and halves of a word, which other values
/// may be, too.
constexpr std::array kUnset = {-16843010.0,
                               4278124286.0,
                               -1431655766.0,
                               2863311530.0,
                               static_cast<double>(-0x0101010101010102),
                               static_cast<double>(std::bit_cast<float>(0xFEFEFEFEu)),
                               std::bit_cast<double>(0xFEFEFEFEFEFEFEFEu)};
constexpr std::array kUnsetShort = {-2.0, 254.0, -86.0, 170.0, -258.0, 65278.0};

bool is_same(double a, double b) { return std::fabs(a - b) <= 1e-6 * std::fabs(b); }

/// Of two or more: they would not be alike by chance.
bool are_several(Values wrong) {
  return std::ranges::any_of(wrong,
                             [&](const WrongValue& one) { return one.want != wrong.front().want; });
}

std::string subject(Values wrong) { return wrong.size() == 1 ? "it is" : "each is"; }

std::string never_set(Values wrong) {
  const auto all_are = [&](double value) {
    return std::ranges::all_of(wrong, [=](const WrongValue& one) { return one.got == value; });
  };
  const auto all_began_with = [&](double value) {
    return std::ranges::all_of(wrong,
                               [=](const WrongValue& one) { return one.got - one.want == value; });
  };
  const bool is_no_chance = wrong.size() >= 3 && are_several(wrong);
  if (std::ranges::any_of(kUnset, all_are) ||
      (is_no_chance && std::ranges::any_of(kUnsetShort, all_are))) {
    return fmt::format(": {} what a variable holds that nobody has set", subject(wrong));
  }
  if (std::ranges::any_of(kUnset, all_began_with)) {
    return fmt::format(": {} a sum that began with a variable that nobody has set", subject(wrong));
  }
  return "";
}

std::string wrapped(Values wrong) {
  // 0 is a multiple of 2^8 away from every sum that is one: by itself it tells nothing.
  if (std::ranges::all_of(wrong, [](const WrongValue& one) { return one.got == 0.0; })) return "";
  for (const int bits : {32, 16, 8}) {
    const double turn = std::ldexp(1.0, bits);
    const auto is_turned = [&](const WrongValue& one) {
      const bool fits = -turn / 2 <= one.got && one.got < turn;  // as signed bits or as unsigned
      return fits && one.got != one.want && std::fmod(one.got - one.want, turn) == 0.0;
    };
    if (std::ranges::all_of(wrong, is_turned)) {
      return fmt::format(": {} wrapped around, a multiple of 2^{} away", subject(wrong), bits);
    }
  }
  return "";
}

std::string other_sign(Values wrong, bool are_integers) {
  if (are_integers && !are_several(wrong)) return "";
  const bool is_so = std::ranges::all_of(
      wrong, [](const WrongValue& one) { return one.want != 0.0 && one.got == -one.want; });
  return is_so ? fmt::format(": {} of the other sign", subject(wrong)) : "";
}

std::optional<double> common_factor(Values wrong) {
  const double factor = wrong.front().got / wrong.front().want;
  if (!std::isfinite(factor) || factor == 0.0 || wrong.front().want == 0.0) return {};
  for (const WrongValue& one : wrong) {
    if (!is_same(one.got, factor * one.want)) return {};
  }
  return factor;
}

std::string multiplied(Values wrong, bool are_integers) {
  const std::optional<double> factor = common_factor(wrong);
  if (!factor || (are_integers && !are_several(wrong))) return "";
  const auto known = std::ranges::find_if(
      kKnownFactors, [&](const Factor& one) { return is_same(*factor, one.value); });
  if (known != kKnownFactors.end()) {
    return fmt::format(": {} {} times what it should be", subject(wrong), known->name);
  }
  if (wrong.size() < 3 || !are_several(wrong)) return "";
  return fmt::format(": each is {:.4g} times what it should be", *factor);
}

std::string shifted(Values wrong) {
  const double distance = wrong.front().got - wrong.front().want;
  const bool is_common = std::ranges::all_of(
      wrong, [&](const WrongValue& one) { return one.got - one.want == distance; });
  if (!is_common || !are_several(wrong) || !std::isfinite(distance)) return "";
  return fmt::format(": each is {:g} too {}", std::fabs(distance),
                     distance > 0 ? "large" : "small");
}

/// Each of the numbers is there, at another's place.
std::string exchanged(Values wrong) {
  std::vector<double> got, want;
  for (const WrongValue& one : wrong) {
    got.push_back(one.got);
    want.push_back(one.want);
  }
  std::ranges::sort(got);
  std::ranges::sort(want);
  constexpr std::size_t kNoChance = 3;
  if (got != want || wrong.size() < kNoChance ||
      std::ranges::any_of(got, [](double v) { return std::isnan(v); })) {
    return "";
  }
  return ": they are the right numbers, at each other's places";
}

}  // namespace

std::string law_of(Values wrong, bool are_integers) {
  if (wrong.empty()) return "";
  if (std::string law = never_set(wrong); !law.empty()) return law;
  if (are_integers) {
    if (std::string law = wrapped(wrong); !law.empty()) return law;
  }
  if (std::string law = other_sign(wrong, are_integers); !law.empty()) return law;
  if (std::string law = multiplied(wrong, are_integers); !law.empty()) return law;
  if (std::string law = shifted(wrong); !law.empty()) return law;
  return exchanged(wrong);
}

}  // namespace nibble::judge
