// Lab 11: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "fp8.hpp"

#include "checks/11_fp8/float_to_e4m3.hpp"
#include "checks/11_fp8/float_to_e5m2.hpp"
#include "checks/11_fp8/formats.hpp"
#include "checks/11_fp8/quantize_fp8.hpp"
#include "checks/11_fp8/quantize_mx.hpp"
#include "checks/11_fp8/to_float.hpp"
#include "checks/11_fp8/wrong_codes.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_11_fp8 {
namespace {

/// Reals of any bits, and of magnitudes from 2^-20 to 2^18: those of both formats, and beyond.
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
          std::ldexp(from_bits((drawn & 0x807FFFFF) | 0x3F800000), int(bits() % 39) - 20));
    }
    for (const Overflow overflow : {kSaturate, kNonFinite}) {
      inputs.push_back({std::to_string(count) + "Near" + show(overflow), {near, overflow}});
      inputs.push_back({std::to_string(count) + "Any" + show(overflow), {any, overflow}});
    }
  }
  return inputs;
}

/// Codes in an order nobody has seen, each many times.
template <class Input>
std::vector<Input> codes_in_disorder() {
  const Codes codes = code_tensor<std::uint8_t>(4096, hidden_seed(1), 0, 255);
  Expect::healthy(distinct(codes) == 256, "a code is missing");
  return {{"InDisorder", {codes}}};
}

TEST(float_to_e4m3, EqualsTheReference) {
  to_e4m3.agrees_with(to_e4m3.reference, floats<ToE4m3::Input>(), same_codes<kFour>);
}

TEST(e4m3_to_float, EqualsTheReference) {
  from_e4m3.agrees_with(from_e4m3.reference, codes_in_disorder<FromE4m3::Input>(), same_bits);
}

TEST(float_to_e5m2, EqualsTheReference) {
  to_e5m2.agrees_with(to_e5m2.reference, floats<ToE5m2::Input>(), same_codes<kFive>);
}

TEST(e5m2_to_float, EqualsTheReference) {
  from_e5m2.agrees_with(from_e5m2.reference, codes_in_disorder<FromE5m2::Input>(), same_bits);
}

TEST(quantize_fp8, EqualsTheReference) {
  quantizing.agrees_with(quantizing.reference, tensors(hidden_seed, 10'007), same_tensor);
}

TEST(quantize_mx, EqualsTheReference) {
  blocks.agrees_with(blocks.reference, several_blocks(hidden_seed, 10'007), same_blocks);
}

}  // namespace
}  // namespace nibble::judge::lab_11_fp8
