// Lab 31, linear_forward_fake: what is right, and what people write instead.
#pragma once

#include "qat.hpp"

#include "checks/31_qat/values.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"
#include "nibble/net/glyphs.hpp"

namespace nibble::judge::lab_31_qat {

using Forward = Exercise<&linear_forward_fake>;

inline const Forward forward_fake{
    {"x", "weight", "bias", "scales.weight", "scales.input", "weight_bits", "input_bits"},
    {"y"},
    [](Expect& expect, const Forward::Arguments& in, const Doubles&) {
      constexpr NamedSlip kSlips[] = {
          {Slip::kOtherScales, "N-SCALE", "the scales of weights and inputs are exchanged"},
          {Slip::kAway, "N-ROUND", "ties go away from zero: they go to the even neighbour"},
          {Slip::kCut, "N-TRUNC", "codes are cut: they are rounded"},
          {Slip::kUnclamped, "N-CLAMP", "codes are not clamped"},
          {Slip::kReciprocal, "N-FORMULA",
           "multiplied by 1 / scale, which is rounded: it is one division"},
          {Slip::kSignedInputs, "N-RANGE", "inputs have codes with a sign: theirs are 0 to qmax"},
          {Slip::kTransposed, "N-TRANS", "weights are read as [inputs, outputs]"},
          {Slip::kRealWeights, "N-FORMULA", "the weights are not rounded: y is of w_hat"},
          {Slip::kRealInputs, "N-FORMULA", "the inputs are not rounded: y is of x_hat"},
          {Slip::kInSteps, "N-SCALE", "y is of codes: a code is worth its scale"},

          {Slip::kNoLowest, "N-CLAMP", "no weight has the code qmin, one below -qmax"},
          {Slip::kNoBias, "N-BIAS", "the bias is left out"}};
      for (const NamedSlip& one : kSlips) {
        expect.suspect(one.code, "y", worked(in.a, {}, in.b, one.slip).y, one.words);
      }
      Forward::Arguments exchanged = in;
      exchanged.b.input_bits = in.b.weight_bits;
      expect.suspect("N-CLAMP", "y", worked(in.a, {}, exchanged.b).y,
                     "the codes of inputs have weight_bits: they have input_bits");
      Forward::Arguments rounded = in;
      for (double& one : rounded.b.bias) one = std::nearbyint(one);
      expect.suspect("N-FORMULA", "y", worked(in.a, {}, rounded.b).y,
                     "the bias is rounded: it has no codes");
    }};

inline const auto kSameY = [](Expect& expect, const Forward::Arguments& in, const Doubles& got,
                              const Doubles& want) {
  expect_reals(expect, "y", got, want, {want.size() / in.b.bias.size(), in.b.bias.size()});
};

inline const std::vector<std::array<std::size_t, 3>> kShapes = {
    {1, 1, 1}, {1, 3, 2}, {3, 1, 2}, {4, 7, 1}, {5, 16, 9}};
inline const std::vector<std::array<std::size_t, 3>> kHiddenShapes = {
    {2, 5, 3}, {7, 19, 4}, {11, 6, 17}};

inline std::vector<Forward::Input> forward_inputs(Seed seed_of, const auto& shapes) {
  return each_of(layers(seed_of, shapes), [](const Drawn& one) -> Forward::Input {
    return {one.name, {one.x, one.layer}};
  });
}

}  // namespace nibble::judge::lab_31_qat
