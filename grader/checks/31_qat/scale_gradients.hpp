// Lab 31, scale_gradients: what is right, and what people write instead.
#pragma once

#include "qat.hpp"

#include "checks/31_qat/values.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"
#include "nibble/net/glyphs.hpp"

namespace nibble::judge::lab_31_qat {

using Scaling = Exercise<&scale_gradients>;

inline const Scaling scaling{
    {"x", "upstream", "weight", "bias", "scales.weight", "scales.input", "weight_bits",
     "input_bits"},
    {"weight", "input"},
    [](Expect& expect, const Scaling::Arguments& in, const LayerScales&) {
      constexpr NamedSlip kSlips[] = {
          {Slip::kNoRoot, "N-DENOM", "the sum is not divided"},
          {Slip::kNoQmax, "N-DENOM", "divided by the root of the count: it is of count * qmax"},
          {Slip::kNoRootOfIt, "N-DENOM", "divided by count * qmax: it is by the root of it"},
          {Slip::kOneRow, "N-DENOM", "the count of inputs is that of a row: it is that of all x"},
          {Slip::kOtherCount, "N-DENOM", "the count is that of the other tensor: each has its own"},
          {Slip::kSignedQmax, "N-DENOM",
           "qmax of the inputs is that of codes with a sign: theirs have none"},
          {Slip::kHalf, "N-STE", "the slope is round(v): it is round(v) - v"},
          {Slip::kMinus, "N-SIGN", "the slope is v - round(v): it is round(v) - v"},
          {Slip::kStopped, "N-MASK",
           "what is clamped tells its scale nothing: its slope is its code, and "
           "its gradient that from before anything was set to 0"},
          {Slip::kDifference, "N-MASK", "clamped, the slope is the code less v: it is the code"},
          {Slip::kSymmetric, "N-MASK", "clamped from below, the slope is -qmax: it is qmin"},
          {Slip::kNoMask, "N-MASK", "clamped, the slope is round(v) - v: it is the code"},
          {Slip::kEarlyMask, "N-MASK", "v itself is compared with qmin and qmax: its code is"},
          {Slip::kEarlyEnds, "N-MASK",
           "v itself is compared, and clamped from qmin and qmax on: its code is, beyond them"}};
      std::vector<LayerScales> wrong;
      for (const NamedSlip& one : kSlips) {
        wrong.push_back(worked(in.a, in.b, in.c, one.slip).by_scales);
      }
      const auto suspect = [&](const char* what, double LayerScales::*scale) {
        for (std::size_t i = 0; i < wrong.size();
             ++i) {  // of two that answer alike, neither is told
          const double value = wrong[i].*scale;
          const auto is_alike = [&](const LayerScales& other) {
            return is_near(other.*scale, value, factor_tolerance(std::fabs(value)));
          };
          const bool is_alone = std::ranges::count_if(wrong, is_alike) == 1;
          expect.suspect(kSlips[i].code, what, value, is_alone ? kSlips[i].words : "");
        }
      };
      suspect("weight", &LayerScales::weight);
      suspect("input", &LayerScales::input);
    }};

inline void same_scales(Expect& expect, const LayerScales& got, const LayerScales& want) {
  const Tolerance off = factor_tolerance(std::max(std::fabs(want.weight), std::fabs(want.input)));
  expect.near("weight", got.weight, want.weight, off);
  expect.near("input", got.input, want.input, off);
}

inline const auto kSameScales = [](Expect& expect, const auto&, const LayerScales& got,
                                   const LayerScales& want) { same_scales(expect, got, want); };

inline std::vector<Scaling::Input> scaling_inputs(Seed seed_of, const auto& shapes) {
  return each_of(layers(seed_of, shapes), [](const Drawn& one) -> Scaling::Input {
    return {one.name, {one.x, one.upstream, one.layer}};
  });
}

}  // namespace nibble::judge::lab_31_qat
