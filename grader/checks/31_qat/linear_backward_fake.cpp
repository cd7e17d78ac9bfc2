// Lab 31, linear_backward_fake: the checks.
#include "checks/31_qat/linear_backward_fake.hpp"

#include "checks/31_qat/linear_forward_fake.hpp"

namespace nibble::judge::lab_31_qat {
namespace {

QatGradient backward_by_definition(const Backward::Arguments& in) {
  return worked(in.a, in.b, in.c).gradient;
}

TEST(linear_backward_fake, StraightThrough) {
  backward_fake.gives({{"One", {{2}, {3}, layer_of({-1}, {7})}, {{-3}, {6}, {3}}},
                       {"ClampedInput",
                        {{9, 1}, {1, 1}, layer_of({0}, {0})},
                        {{0, 0}, {4}, {2}},
                        "by_w_hat takes x_hat of clamped inputs, too"},
                       {"Rounded",
                        {{0.75, 2.25}, {2}, layer_of({1.25, -0.75}, {0})},
                        {{2, -2}, {2, 4}, {2}},
                        "by x with w_hat, by the weights with x_hat"},
                       {"Scales",
                        {{0.3125, 0.5625}, {8}, layer_of({0.375, -0.875}, {0}, {0.5, 0.25})},
                        {{4, -8}, {2, 4}, {8}}},
                       {"TwoRows",
                        {{1, 2, 2, 1}, {1, 2, 4, 8}, layer_of({1, 2, -1, 2}, {0, 0})},
                        {{-1, 6, -4, 24}, {9, 6, 18, 12}, {5, 10}}}},
                      kSameGradient);
}

TEST(linear_backward_fake, StopsAtTheClamp) {
  backward_fake.gives(
      {{"Weights",
        {{1}, Doubles(5, 2), layer_of({-9, -3, 0.25, 1.75, 9}, Doubles(5), {1, 1}, 2)},
        {{-4}, {0, 0, 2, 0, 0}, Doubles(5, 2)}},
       {"WeightsAtTheEnds",
        {{1}, {2, 2, 2}, layer_of({-2, 1, 0.25}, {0, 0, 0}, {1, 1}, 2)},
        {{-2}, {2, 2, 2}, {2, 2, 2}},
        "who has qmin or qmax for a code by itself was not clamped"},
       {"TiesOfWeights",
        {{1}, {2, 2, 2}, layer_of({-2.5, 1.5, 0.25}, {0, 0, 0}, {1, 1}, 2)},
        {{-2}, {2, 0, 2}, {2, 2, 2}},
        "-2.5 rounds to -2, which is not clamped; 1.5 rounds to 2, which is"},
       {"Inputs",
        {{-9, -1, 0.25, 3.75, 9}, Doubles(5, 2), layer_of({1}, {0})},
        {{0, 0, 2, 0, 0}, {12}, {10}}},
       {"InputsAtTheEnds",
        {{0, 3, 3.25, 1}, {2, 2, 2, 2}, layer_of({1}, {0})},
        {{2, 2, 2, 2}, {14}, {8}},
        "whose code is 0 or qmax by itself was not clamped"},
       {"JustBelowZero",
        {{-0.25, 1}, {2, 2}, layer_of({1}, {0})},
        {{2, 2}, {2}, {4}},
        "-0.25 rounds to 0, which is not clamped"},
       {"TiesOfInputs",
        {{-0.5, 3.5, 1}, {2, 2, 2}, layer_of({1}, {0})},
        {{2, 0, 2}, {8}, {6}},
        "-0.5 rounds to 0, which is not clamped; 3.5 rounds to 4, which is"},
       {"Scaled",
        {{0.5, 1.75}, {1}, layer_of({0.75, -4}, {0}, {0.25, 0.5})},
        {{0.75, 0}, {0.5, 0}, {1}}}},
      kSameGradient);
}

TEST(linear_backward_fake, AnyShape) {
  backward_fake.agrees_with(backward_by_definition, backward_inputs(seed, kShapes), kSameGradient);
}

TEST(linear_backward_fake, RefusesOtherSizes) {
  backward_fake.refuses({{"Fine", {{2}, {3}, layer_of({-1}, {7})}, {{-3}, {6}, {3}}}},
                        {{"", {{2}, {3, 4}, layer_of({-1}, {7})}},
                         {"", {{2}, Doubles{}, layer_of({-1}, {7})}},
                         {"N-NAN", {{2}, {double{kNan}}, layer_of({-1}, {7})}},
                         {"N-RANGE", {{2}, {3}, layer_of({-1}, {7}, {1, 0})}}},
                        kSameGradient);
}

}  // namespace
}  // namespace nibble::judge::lab_31_qat
