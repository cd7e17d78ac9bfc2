// Lab 31, observe_scales: what is right, and what people write instead.
#pragma once

#include "qat.hpp"

#include "checks/31_qat/values.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"
#include "nibble/net/glyphs.hpp"

namespace nibble::judge::lab_31_qat {

using Observing = Exercise<&observe_scales>;

inline LayerScales observed_by_definition(const Observing::Arguments& in) {
  const auto& [x, layer, step, frozen_from] = in;
  worked(x, {}, layer);  // the sizes fit
  LayerScales scales = layer.scales;
  if (const double most = largest(layer.weight); most > 0) {
    scales.weight = most / weight_range(layer).qmax;
  }
  const double most = *std::ranges::max_element(x), now = most / input_range(layer).qmax;
  const double weight = step == 0 ? 1 : step < frozen_from ? 0.1 : 0;
  if (most > 0) scales.input = (1 - weight) * scales.input + weight * now;
  return scales;
}

inline void suspect_scales(Expect& expect, const Observing::Arguments& in, const LayerScales&) {
  const auto& [x, layer, step, frozen_from] = in;
  const double before = layer.scales.input, most = *std::ranges::max_element(x),
               now = most / input_range(layer).qmax;
  const IntRange range = weight_range(layer);
  const auto weight = [&, &layer = layer](const char* words, double value) {
    if (largest(layer.weight) > 0) expect.suspect("N-RANGE", "weight", value, words);
  };
  weight("this scale has not moved: the weights do, in every step", layer.scales.weight);
  weight("the largest weight: it is max |weight|",
         *std::ranges::max_element(layer.weight) / range.qmax);
  weight("divided by -qmin: it is by qmax", largest(layer.weight) / -range.qmin);
  weight("divided by all steps: it is by qmax", largest(layer.weight) / (range.qmax - range.qmin));
  weight("averaged with what was: a scale of weights is of those that are there",
         0.9 * layer.scales.weight + 0.1 * largest(layer.weight) / range.qmax);
  const auto input = [&](const char* code, const char* words, double value) {
    expect.suspect(code, "input", value, words);
  };
  if (most <= 0) {
    constexpr const char* observed = "what is not above 0 is observed, too: it is no observation";
    input("N-DIV0", observed, now);
    input("N-DIV0", observed, 0.9 * before);
    input("N-DIV0", observed, 0.9 * before + 0.1 * now);
    return;
  }
  input("N-RANGE", "divided by the qmax of codes with a sign: inputs have none",
        most / signed_range(layer.input_bits).qmax);
  const double magnitude = largest(x) / input_range(layer).qmax;
  input("N-OBSERVER", "max |x|: it is max x, and what is below 0 has the code 0", magnitude);
  input("N-OBSERVER", "max |x|: it is max x, and what is below 0 has the code 0",
        0.9 * before + 0.1 * magnitude);
  if (step == 0) {
    input("N-OBSERVER", "averaged in step 0: nobody has observed anything before",
          0.9 * before + 0.1 * now);
    input("N-OBSERVER", "frozen in step 0: it is observed, whatever frozen_from is", before);
  } else if (step < frozen_from) {
    input("N-OBSERVER", "of this batch alone: it is averaged with what was", now);
    input("N-OBSERVER", "0.1 of what was and 0.9 of what is: it is the other way round",
          0.1 * before + 0.9 * now);
    input("N-OBSERVER", "the larger of what was and what is: it is their average",
          std::max(before, now));
    input("N-OBSERVER", "frozen before frozen_from", before);
  } else {
    input("N-OBSERVER", "not frozen: frozen_from is the first step that is",
          0.9 * before + 0.1 * now);
  }
}

inline const Observing observing{{"x", "weight", "bias", "scales.weight", "scales.input",
                                  "weight_bits", "input_bits", "step", "frozen_from"},
                                 {"weight", "input"},
                                 suspect_scales};

}  // namespace nibble::judge::lab_31_qat
