// Lab 31, linear_forward_fake: the checks.
#include "checks/31_qat/linear_forward_fake.hpp"

namespace nibble::judge::lab_31_qat {
namespace {

Doubles forward_by_definition(const Forward::Arguments& in) { return worked(in.a, {}, in.b).y; }

TEST(linear_forward_fake, RoundsBoth) {
  forward_fake.gives(
      {{"Codes", {{1, 2}, layer_of({1, -1}, {10})}, {9}},
       {"OtherWeights",
        {{1, 2}, layer_of({2, 1}, {10})},
        {14},
        "weights of a call before are forgotten, and their codes"},
       {"Rounds", {{0.75, 2.25}, layer_of({1.25, -0.75}, {0.5})}, {-0.5}},
       {"Scales", {{0.3125, 0.6875}, layer_of({0.375, -0.875}, {4}, {0.5, 0.25})}, {3.375}},
       {"BiasIsReal", {{1}, layer_of({1}, {0.375})}, {1.375}, "a bias is not rounded"},
       {"Once",
        {{1, 1}, layer_of({1.75, 0.75}, {0})},
        {3},
        "w_hat is made once, of the layer's own scale"},
       {"TwoRows", {{1, 2, 0, 3}, layer_of({1, 2, -1, 3}, {1, -1})}, {6, 4, 7, 8}},
       {"Division",
        {{1}, layer_of({73.5, 85.75}, {0, 0}, {49, 1}, 8, 2)},
        {98, 98},
        "73.5 / 49 is 1.5, and 73.5 times a rounded 1 / 49 is less"}},
      kSameY);
}

TEST(linear_forward_fake, TiesAndClamps) {
  forward_fake.gives(
      {{"LowestCode",
        {{1}, layer_of({-4}, {0})},
        {-4},
        "weights have the code qmin, one below -qmax"},
       {"TiesOfWeights",
        {{1}, layer_of({0.5, 1.5, 2.5, -0.5, -1.5, -2.5, -3.5}, Doubles(7))},
        {0, 2, 2, 0, -2, -2, -4}},
       {"TiesOfInputs", {{0.5, 1.5, 2.5, -0.5}, layer_of({1}, {0})}, {0, 2, 2, 0}},
       {"ClampsWeights",
        {{1}, layer_of({-9, -3, -2, -1.25, 1.25, 2, 9}, Doubles(7), {1, 1}, 2, 2)},
        {-2, -2, -2, -1, 1, 1, 1}},
       {"ClampsInputs", {{-5, -1, 0, 3.25, 4, 9}, layer_of({1}, {0})}, {0, 0, 0, 3, 3, 3}},
       {"EightBits",
        {{300, 255, 128}, layer_of({200, -200}, {0, 0}, {1, 1}, 8, 8)},
        {32385, -32640, 32385, -32640, 16256, -16384}},
       {"FarBeyond",
        {{1e30}, layer_of({1, -1}, {0, 0}, {1, 1e-30})},
        {3e-30, -3e-30},
        "a code is clamped before it becomes an integer: 1e60 fits none"}},
      kSameY);
}

TEST(linear_forward_fake, AnyShape) {
  forward_fake.gives({{"FiveInputs", {{1, 1, 1, 1, 2}, layer_of({1, 1, 1, 1, 2}, {0})}, {8}}},
                     kSameY);
  forward_fake.agrees_with(forward_by_definition, forward_inputs(seed, kShapes), kSameY);
}

TEST(linear_forward_fake, RefusesWhatIsNoLayer) {
  forward_fake.refuses({{"Fine", {{1, 2}, layer_of({1, -1}, {10})}, {9}}},
                       {{"", {{1, 2}, layer_of({1, -1}, {10}, {0, 1})}},
                        {"", {{1, 2}, layer_of({1, -1}, {10}, {1, -1})}},
                        {"", {{1, 2}, layer_of({1, -1}, {10}, {1, 1}, 1)}},
                        {"N-SIZE", {{1, 2, 3}, layer_of({1, -1}, {10})}},
                        {"N-NAN", {{1, double{kNan}}, layer_of({1, -1}, {10})}}},
                       kSameY);
}

}  // namespace
}  // namespace nibble::judge::lab_31_qat
