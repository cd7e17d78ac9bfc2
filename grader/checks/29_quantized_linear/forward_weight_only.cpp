// Lab 29, forward_weight_only: the checks.
#include "checks/29_quantized_linear/forward_weight_only.hpp"

#include "checks/29_quantized_linear/learnt_nets.hpp"

namespace nibble::judge::lab_29_quantized_linear {
namespace {

TEST(forward_weight_only, FollowsTheFormula) {
  floating.gives(
      {{"BiasAlone",
        {QuantizedModel{{1, 1}, {0.5f}, {7}, {4}, {4}, {6}, {}}, {0}},
        {12},
        "the bias is within the parentheses, which w_scale multiplies"},
       {"One", {QuantizedModel{{2, 1}, {0.5f}, {7}, {4, -2}, {4}, {6}, {}}, {1.5f, 2}}, {20}},
       {"Rows",
        {QuantizedModel{{2, 2}, {0.5f}, {-5}, {4, -2, 1, 100}, {2, 0.25f}, {6, 0}, {}},
         {1.5f, 2, -1, 0.25f}},
        {10, 50.375f, -3, 6}},
       {"Deep",
        {QuantizedModel{{1, 2, 1}, {1, 1}, {0, 0}, {3, -3, 2, 50}, {1, 1, 0.5f}, {1, 0, 2}, {}},
         {2.5f}},
        {9.5f}},
       {"FloatBehind",
        {QuantizedModel{{1, 1, 1}, {1, 0}, {0, 0}, {3}, {2}, {1}, {0.5f, 7}}, {2.5f, -4}},
        {15.5f, 7}},
       {"BeyondTheRange",
        {QuantizedModel{{1, 1}, {1}, {-128}, {1}, {1}, {0}, {}}, {-5, 300}},
        {-5, 300},
        "inputs count as they are, whatever range they were calibrated for"},
       {"Zeros",
        {QuantizedModel{{2, 1}, {0.5f}, {7}, {4, -2}, {2}, {6}, {}}, {0, 0}},
        {6},
        kZerosHaveABias}});
}

TEST(forward_weight_only, AnyLayer) {
  floating.agrees_with(
      kWeightOnly,
      some_models<Floating>(seed, {{{1, 1}, 1}, {{5, 3}, 2}, {{3, 8}, 4}, {{80, 17}, 9}}),
      kSameSums);
}

TEST(forward_weight_only, KeepsTheNet) { keeps_public_nets(floating); }

}  // namespace
}  // namespace nibble::judge::lab_29_quantized_linear
