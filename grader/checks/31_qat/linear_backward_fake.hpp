// Lab 31, linear_backward_fake: what is right, and what people write instead.
#pragma once

#include "qat.hpp"

#include "checks/31_qat/values.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"
#include "nibble/net/glyphs.hpp"

namespace nibble::judge::lab_31_qat {

using Backward = Exercise<&linear_backward_fake>;

inline const Backward backward_fake{
    {"x", "upstream", "weight", "bias", "scales.weight", "scales.input", "weight_bits",
     "input_bits"},
    {"input", "weight", "bias"},
    [](Expect& expect, const Backward::Arguments& in, const QatGradient&) {
      constexpr NamedSlip kSlips[] = {
          {Slip::kNoSlope, "N-STE", "round has the slope 0: a gradient goes straight through it"},
          {Slip::kNoMask, "N-MASK", "what is clamped has a gradient: it has none"},
          {Slip::kEarlyMask, "N-MASK", "v itself is compared with qmin and qmax: its code is"},
          {Slip::kEarlyEnds, "N-MASK",
           "v itself is compared, and clamped from qmin and qmax on: its code is, beyond them"},
          {Slip::kStopsAtTheEnds, "N-MASK", "a code of qmin or qmax is taken for a clamped one"},
          {Slip::kRealInputs, "N-FORMULA", "the weights' gradient is of x: it is of x_hat"},
          {Slip::kRealWeights, "N-FORMULA",
           "the inputs' gradient is of the real weights: it is of w_hat"},
          {Slip::kInSteps, "N-SCALE", "gradients are of codes: they are of what codes are worth"},
          {Slip::kClampedTeachNothing, "N-FORMULA",
           "a clamped input tells the weights nothing: they met its x_hat"},
          {Slip::kMeanOfRows, "N-DENOM", "a mean over the rows: the gradients of rows add up"}};
      for (const NamedSlip& one : kSlips) {
        const QatGradient wrong = worked(in.a, in.b, in.c, one.slip).gradient;
        expect.suspect(one.code, "weight", wrong.weight, one.words);
        expect.suspect(one.code, "input", wrong.input, one.words);
        expect.suspect(one.code, "bias", wrong.bias, one.words);
      }
    }};

inline const auto kSameGradient = [](Expect& expect, const Backward::Arguments& in,
                                     const QatGradient& got, const QatGradient& want) {
  const std::size_t inputs = in.c.weight.size() / in.c.bias.size();
  expect_reals(expect, "bias", got.bias, want.bias);
  expect_reals(expect, "weight", got.weight, want.weight, {in.c.bias.size(), inputs});
  expect_reals(expect, "input", got.input, want.input, {in.a.size() / inputs, inputs});
};

inline std::vector<Backward::Input> backward_inputs(Seed seed_of, const auto& shapes) {
  return each_of(layers(seed_of, shapes), [](const Drawn& one) -> Backward::Input {
    return {one.name, {one.x, one.upstream, one.layer}};
  });
}

}  // namespace nibble::judge::lab_31_qat
