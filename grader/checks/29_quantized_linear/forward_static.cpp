// Lab 29, forward_static: the checks.
#include "checks/29_quantized_linear/forward_static.hpp"

#include "checks/29_quantized_linear/learnt_nets.hpp"
#include "checks/29_quantized_linear/values.hpp"

namespace nibble::judge::lab_29_quantized_linear {
namespace {

TEST(forward_static, EntersAndLeaves) {
  const QuantizedModel one{{2, 1}, {0.5f}, {3}, {4, -2}, {4}, {7}, {}};
  running.gives(
      {{"One", {one, {1, 2.1f}}, {14}, "q = clamp(round(x / a_scale) + a_zero_point)"},
       {"Ties", {one, {1.25f, 1.9f}}, {14}, "ties go to the even neighbour, before the zero point"},
       {"FloatQuotient",
        {QuantizedModel{{3, 1}, {kTieScale}, {0}, {1, 10, 100}, {1}, {0}, {}},
         {kTieBelow, kTieAbove, kNoTie}},
        {642 * kTieScale},
        kQuotientIsFloat},
       {"Above127Steps",
        {QuantizedModel{{1, 1}, {1}, {-128}, {1}, {1}, {-150}, {}}, {200}},
        {50},
        "a code is clamped when its zero point has been added, and not before"},
       {"Beyond", {one, {1000, -1000}}, {1530}, "codes are clamped to [-128, 127]"},
       {"Far", {one, {3e38f, -3e38f}}, {1530}, "a float is clamped before it becomes an integer"},
       {"Zeros", {one, {0, 0}}, {14}, kZerosHaveABias},
       {"BelowZero", {one, {-4, 1}}, {-58}, "the last layer has no ReLU"},
       {"Outputs",
        {QuantizedModel{{1, 2}, {2}, {-128}, {5, 7}, {1, 0.25f}, {0, 1}, {}}, {6, 2}},
        {30, 11, 10, 4}},
       {"Long", {long_layer(), long_row()}, {kLongSum}, "acc is a sum of integers, and exact"}});
}

TEST(forward_static, HandsOn) {
  const QuantizedModel two{{1, 2, 1}, {1, 4}, {0, -128}, {2, -3, 1, 1}, {1, 2, 1}, {1, 0, 0}, {}};
  const QuantizedModel raised{{1, 1, 1}, {1, 1}, {0, 100}, {1, 1}, {1, 1}, {0, 0}, {}};
  const QuantizedModel three{{1, 1, 1, 1}, {1, 2, 4}, {-3, 5, -7}, {2, 3, -1},
                             {1, 0.5f, 1}, {0, 1, 5}, {}};
  const QuantizedModel halves{{1, 1, 1}, {1, 2}, {0, 1}, {1, 1}, {1, 1}, {0, 0}, {}};
  const QuantizedModel thirds{{1, 1, 1}, {0.1f, 0.3f}, {0, -128}, {83, 1}, {0.1f, 1}, {0, 0}, {}};
  running.gives(
      {{"Two", {two, {5, -1}}, {12, 8}, "q' = clamp(round(acc * factor) + a_zero_point')"},
       {"ReLU", {raised, {-1, 3}}, {0, 3}, "to clamp to its code of real 0 is the ReLU"},
       {"Beyond", {raised, {90}}, {27}, "codes end at 127"},
       {"Three", {three, {5.4f, 20}}, {4, -40}, "of every layer its own scale and zero point"},
       {"Ties",
        {halves, {5, 7}},
        {4, 8},
        "ties go to the even neighbour, before the zero point: 2.5 is 2, 3.5 is 4"},
       {"Factor",
        {thirds, {4.5f, 2.6f}},
        {125 * 0.3f, 72 * 0.3f},
        "factor = (a_scale * w_scale) / a_scale': 3735 times it is just above 124.5"}});
}

TEST(forward_static, FloatLayers) {
  running.gives(
      {{"First",
        {QuantizedModel{{1, 1, 1}, {0, 0.5f}, {0, 3}, {2}, {1}, {0}, {2, 0.2f}}, {1.5f}},
        {6}},
       {"FirstBelowZero",
        {QuantizedModel{{1, 1, 1}, {0, 0.5f}, {0, 3}, {2}, {1}, {0}, {2, 0.2f}}, {-1}},
        {0},
        "what a float layer gives goes through relu before it enters"},
       {"Last",
        {QuantizedModel{{1, 1, 1}, {0.5f, 0}, {3, 0}, {2}, {1}, {0}, {0.5f, -9}}, {1.6f}},
        {-7.5f}},
       {"LastBelowZero",
        {QuantizedModel{{1, 1, 1}, {0.5f, 0}, {3, 0}, {2}, {1}, {0}, {0.5f, -9}}, {-1}},
        {-9},
        "what is left before a float layer goes through relu"},
       {"Between",
        {QuantizedModel{
             {1, 1, 1, 1}, {1, 0, 2}, {5, 0, -7}, {3, 4}, {1, 0.5f}, {1, 1}, {0.5f, 0.25f}},
         {2.25f, -9}},
        {9, 1}},
       {"All",
        {QuantizedModel{{1, 1, 1}, {0, 0}, {0, 0}, {}, {}, {}, {2, 0.5f, 3, 1}}, {1.5f, -2}},
        {11.5f, 1}}});
}

const auto kStatic = [](const Static::Arguments& in) { return static_by_definition(in.a, in.b); };

TEST(forward_static, AnyNet) {
  running.agrees_with(kStatic, some_models<Static>(seed, {{{1, 1}, 1},
                                                          {{3, 2}, 4},
                                                          {{5, 4, 3}, 6},
                                                          {{8, 20, 20, 7}, 10, {2}},
                                                          {{6, 9, 9, 9, 9, 5}, 8, {1, 3}},
                                                          {{30, 16, 12, 10}, 20}}));
}

TEST(forward_static, KeepsTheNet) { keeps_public_nets(running); }

TEST(forward_static, RefusesWhatIsNoNet) {
  const QuantizedModel fine{{1, 1}, {1}, {0}, {2}, {1}, {0}, {}};
  running.refuses(
      {{"Fine", {fine, {3}}, {6}}},
      {{"", {QuantizedModel{{2, 1}, {1}, {0}, {2, 2}, {1}, {0}, {}}, {1, 2, 3}}},
       {"", {fine, Reals{}}},
       {"", {QuantizedModel{{1, 1}, {1}, {0}, {2, 3}, {1}, {0}, {}}, {3}}},
       {"", {QuantizedModel{{1, 1}, {1}, {0}, {2}, {1}, {}, {}}, {3}}},
       {"N-NAN", {fine, {float{kNan}}}},
       {"N-SIZE", {QuantizedModel{{1}, {}, {}, {}, {}, {}, {}}, {3}}},
       {"N-SIZE",  // the second layer has a weight for one of the two that enter
        {QuantizedModel{{1, 2, 1}, {1, 1}, {0, 0}, {2, 2, 2}, {1, 1, 1}, {0, 0, 0}, {}}, {3}}}});
}

}  // namespace
}  // namespace nibble::judge::lab_29_quantized_linear
