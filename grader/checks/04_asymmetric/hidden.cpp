// Lab 04: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "asymmetric.hpp"

#include "checks/04_asymmetric/asymmetric_parameters.hpp"
#include "checks/04_asymmetric/dequantize_asymmetric.hpp"
#include "checks/04_asymmetric/quantize_asymmetric.hpp"
#include "checks/04_asymmetric/quantize_with_parameters.hpp"
#include "checks/04_asymmetric/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_04_asymmetric {
namespace {

constexpr std::size_t kLongest = 10'007;

Reals times(Reals x, float factor) {
  for (float& value : x) value *= factor;
  return x;
}

/// Agreeing on an input with few different codes proves little.
void expect_many_codes(const Codes& q, const Choosing::Arguments& in) {
  if (q.size() < kLongest || in.c != kFull) return;
  Expect::healthy(distinct(q) * 2 >= std::size_t{1} << in.b, "few distinct codes");
}

TEST(asymmetric_parameters, EqualsTheReference) {
  std::vector<Choosing::Input> inputs;
  for (const float factor : {1.0f, 0x1p60f, 0x1p-60f}) {
    for (auto& [name, in] : every_width_and_length(hidden_seed, kLongest)) {
      inputs.push_back({name + " times " + show_value(factor), {times(in.a, factor), in.b, in.c}});
    }
  }
  choosing.agrees_with(choosing.reference, inputs, has_parameters);
}

// The codes cover the middle three quarters of the range: some values lie outside.
TEST(quantize_with_parameters, EqualsTheReference) {
  std::vector<Quantizing::Input> inputs;
  for (auto& [name, in] : every_width_and_length(hidden_seed, kLongest)) {
    const Range range = range_of(in);
    const float scale = 0.75f * range.scale(in.b), lowest = range.lo * 0.875f + range.hi / 8;
    const AsymmetricParameters p{scale, -static_cast<std::int32_t>(lowest / scale)};
    inputs.push_back({name, {in.a, p, in.b}});
    expect_many_codes(quantizing.reference(inputs.back().in), in);
  }
  quantizing.agrees_with(quantizing.reference, inputs);
}

TEST(quantize_asymmetric, EqualsTheReference) {
  asymmetric.agrees_with(asymmetric.reference, to_quantize(hidden_seed, kLongest),
                         [](Expect& expect, const auto& in, const AsymmetricTensor& got,
                            const AsymmetricTensor& want) {
                           const auto& [x, num_bits, policy] = in;
                           expect_many_codes(want.q, in);
                           has_these_parameters(expect, in, {got.scale, got.zero_point},
                                                {want.scale, want.zero_point});
                           suspect_codes(expect, "q", x, {want.scale, want.zero_point}, num_bits,
                                         [](const auto& q) { return q; });
                           expect.equal("q", got.q, want.q);
                         });
}

TEST(quantize_asymmetric, KeepsItsSymmetries) {
  asymmetric.on_each(to_quantize(hidden_seed, 1021), [](Expect& expect, const auto& in) {
    const auto& [x, num_bits, policy] = in;
    const Codes got = asymmetric(in).q;
    if (x.size() > 1000 && policy == kFull) {  // a constant has every symmetry
      expect.that(distinct(got) * 3 >= std::size_t{1} << num_bits, "few distinct codes");
    }
    expect.equal("q of 2^20 x", asymmetric({times(x, 0x1p20f), num_bits, policy}).q, got);
    expect.equal("q of x reversed", asymmetric({Reals(x.rbegin(), x.rend()), num_bits, policy}).q,
                 Codes(got.rbegin(), got.rend()));
  });
}

TEST(dequantize_asymmetric, EqualsTheReference) {
  dequantizing.agrees_with(dequantizing.reference, given_tensors(hidden_seed, kLongest));
}

}  // namespace
}  // namespace nibble::judge::lab_04_asymmetric
