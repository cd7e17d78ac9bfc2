// Lab 03: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "symmetric.hpp"

#include "checks/03_symmetric/dequantize_symmetric.hpp"
#include "checks/03_symmetric/quantize_symmetric.hpp"
#include "checks/03_symmetric/quantize_with_scale.hpp"
#include "checks/03_symmetric/symmetric_scale.hpp"
#include "checks/03_symmetric/values.hpp"
#include "judge/exercise.hpp"
#include "judge/near_ties.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_03_symmetric {
namespace {

constexpr std::size_t kLongest = 10'007;

TEST(symmetric_scale, EqualsTheReference) {
  std::vector<Scaling::Input> inputs;
  for (const float factor : {1.0f, 0x1p60f, -0x1p-60f}) {
    for (auto& [name, in] : every_width_and_length(hidden_seed, kLongest, factor)) {
      inputs.push_back({name + " times " + show_value(factor), std::move(in)});
    }
  }
  scaling.agrees_with(scaling.reference, inputs,
                      [](Expect& expect, const auto&, float got, float want) {
                        expect.near("scale", got, want, one_ulp());
                      });
}

TEST(quantize_with_scale, EqualsTheReference) {
  std::vector<Quantizing::Input> inputs;
  for (auto& [name, in] : every_width_and_length(hidden_seed, kLongest)) {
    // The grid ends at 1.5 standard deviations: about one value of eight lies outside.
    auto& [x, num_bits] = in;
    const auto [qmin, qmax] = signed_range(num_bits);
    const Quantizing::Arguments on_grid{std::move(x), 0.03f / static_cast<float>(qmax), num_bits};
    const Codes want = quantizing.reference(on_grid);
    if (want.size() == kLongest) {
      Expect::healthy(distinct(want) * 8 >= std::size_t{7} << num_bits, "few distinct codes");
      Expect::healthy(num_bits < 4 || saturated_share(want, qmin, qmax) < 0.2, "all saturated");
    }
    inputs.push_back({name, on_grid});
  }
  quantizing.agrees_with(quantizing.reference, inputs,
                         [](Expect& expect, const auto& in, const Codes& got, const Codes& want) {
                           const auto& [x, scale, num_bits] = in;
                           same_codes(expect, "q", got, want, x, scale);
                         });
}

TEST(quantize_symmetric, EqualsTheReference) {
  symmetric.agrees_with(
      symmetric.reference, every_width_and_length(hidden_seed, kLongest),
      [](Expect& expect, const auto& in, const SymmetricTensor& got, const SymmetricTensor& want) {
        const auto& [x, num_bits] = in;
        if (x.size() == kLongest) {  // agreeing on an input with few different codes means little
          Expect::healthy(distinct(want.q) >= static_cast<std::size_t>(qmax_of(num_bits)),
                          "few distinct codes");
        }
        expect.near("scale", got.scale, want.scale, one_ulp());
        same_codes(expect, "q", got.q, want.q, x, want.scale);
      });
}

TEST(quantize_symmetric, KeepsItsSymmetries) {
  symmetric.on_each(every_width_and_length(hidden_seed), [](Expect& expect, const auto& in) {
    const auto& [x, num_bits] = in;
    const SymmetricTensor got = symmetric(in);
    if (x.size() > 1000) {  // a constant has every symmetry
      expect.that(distinct(got.q) >= static_cast<std::size_t>(qmax_of(num_bits)),
                  "few distinct codes");
    }
    const auto codes_of_times = [&, bits = num_bits, &values = x](float factor) {
      Reals moved = values;
      for (float& value : moved) value *= factor;
      return symmetric({moved, bits}).q;
    };
    Codes negated = codes_of_times(-1.0f);
    for (std::int8_t& q : negated) q = static_cast<std::int8_t>(-q);
    expect.equal("-q of -x", negated, got.q);
    expect.equal("q of 2^20 x", codes_of_times(0x1p20f), got.q);
    expect.equal("q of scale * q", symmetric({by_definition(got), num_bits}).q, got.q);
  });
}

TEST(dequantize_symmetric, EqualsTheReference) {
  dequantizing.agrees_with(dequantizing.reference, given_tensors(hidden_seed, kLongest));
}

}  // namespace
}  // namespace nibble::judge::lab_03_symmetric
