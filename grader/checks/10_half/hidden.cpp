// Lab 10: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "half.hpp"

#include "checks/10_half/dot_half.hpp"
#include "checks/10_half/float_to_bfloat16.hpp"
#include "checks/10_half/float_to_half.hpp"
#include "checks/10_half/formats.hpp"
#include "checks/10_half/scaled_step.hpp"
#include "checks/10_half/to_float.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_10_half {
namespace {

/// Reals of any bits, and of magnitudes from 2^-27 to 2^18: those of half, and beyond.
template <class Input>
std::vector<Input> floats() {
  std::vector<Input> inputs;
  for (const int count : {30, 20'011}) {
    std::mt19937_64 bits(hidden_seed(static_cast<std::uint64_t>(count)));
    Reals any, near;
    for (int i = 0; i < count; ++i) {
      const auto drawn = static_cast<std::uint32_t>(bits());
      any.push_back(from_bits(drawn));
      near.push_back(
          std::ldexp(from_bits((drawn & 0x807FFFFF) | 0x3F800000), int(bits() % 45) - 27));
    }
    inputs.push_back({std::to_string(count) + "Near", {near}});
    inputs.push_back({std::to_string(count) + "Any", {any}});
  }
  return inputs;
}

/// All codes, shuffled.
template <class Input>
std::vector<Input> shuffled_codes() {
  std::vector<std::pair<std::uint64_t, std::uint16_t>> keyed(0x10000);
  std::mt19937_64 bits(hidden_seed(1));
  for (std::size_t i = 0; i < keyed.size(); ++i) keyed[i] = {bits(), static_cast<std::uint16_t>(i)};
  std::ranges::sort(keyed);
  Codes codes;
  for (const auto& [key, code] : keyed) codes.push_back(code);
  return {{"Shuffled", {codes}}};
}

TEST(float_to_half, EqualsTheReference) {
  to_half.agrees_with(to_half.reference, floats<ToHalf::Input>(), same_codes<kHalf>);
}

TEST(half_to_float, EqualsTheReference) {
  from_half.agrees_with(from_half.reference, shuffled_codes<FromHalf::Input>(), same_bits);
}

TEST(float_to_bfloat16, EqualsTheReference) {
  to_bfloat16.agrees_with(to_bfloat16.reference, floats<ToBfloat16::Input>(),
                          same_codes<kBfloat16>);
}

TEST(bfloat16_to_float, EqualsTheReference) {
  from_bfloat16.agrees_with(from_bfloat16.reference, shuffled_codes<FromBfloat16::Input>(),
                            same_bits);
}

TEST(dot_half, EqualsTheReference) { dot.agrees_with(dot.reference, lists(hidden_seed, 4099)); }

TEST(scaled_step, EqualsTheReference) { step.agrees_with(step.reference, steps(hidden_seed, 116)); }

}  // namespace
}  // namespace nibble::judge::lab_10_half
