// Lab 29, quantize_model: the checks.
#include "checks/29_quantized_linear/quantize_model.hpp"

#include "judge/learnt_net.hpp"

namespace nibble::judge::lab_29_quantized_linear {
namespace {

constexpr const char* kZeroPointComesLast =
    "a_zero_point counts in steps of a_scale, as it is when it has been raised to kLeastScale";

TEST(quantize_model, RangesOfInputs) {
  modelling.gives(
      {{"One",
        {FloatModel{{1, 1}, {127}, {3}, false}, {0, 510}, Skip{}},
        {{1, 1}, {2}, {-128}, {127}, {1}, {2}, {}}},
       {"BothSides",
        {FloatModel{{1, 1}, {127}, {3}, false}, {100, -100, 155}, Skip{}},
        {{1, 1}, {1}, {-28}, {127}, {1}, {3}, {}}},
       {"FromTheLowerEnd",
        {FloatModel{{1, 1}, {127}, {0}, false}, {-2.5f, 252.5f}, Skip{}},
        {{1, 1}, {1}, {-126}, {127}, {1}, {0}, {}},
        "a_zero_point = -128 - round(lo / a_scale): it counts from lo, not from hi"},
       {"QuotientOfFloats",
        {FloatModel{{1, 1}, {127}, {0}, false}, {-0.5f, 4.5f}, Skip{}},
        {{1, 1}, {5.0f / 255}, {-102}, {127}, {1}, {0}, {}},
        "lo / a_scale is a float32, a tie here"},
       {"BelowZero",
        {FloatModel{{2, 1}, {127, 0}, {0}, false}, {-510, -20, -300, -4}, Skip{}},
        {{2, 1}, {2}, {127}, {127, 0}, {1}, {0}, {}},
        "hi is 0 where every input is below 0"},
       {"AboveZero",
        {FloatModel{{1, 1}, {127}, {0}, false}, {500, 510, 505}, Skip{}},
        {{1, 1}, {2}, {-128}, {127}, {1}, {0}, {}},
        "lo is 0 where every input is above 0"},
       {"Two",
        {FloatModel{{1, 1, 1}, {254, 127}, {510, -8}, false}, {-255, 1, 0}, Skip{}},
        {{1, 1, 1}, {256.0f / 255, 764.0f / 255}, {126, -128}, {127, 127}, {2, 1}, {254, -3}, {}}},
       {"Dead",
        {FloatModel{{1, 1, 1}, {-127, 127}, {0, 3}, false}, {255, 3}, Skip{}},
        {{1, 1, 1}, {1, 1}, {-128, -128}, {-127, 127}, {1, 1}, {0, 3}, {}}},
       {"Tiny",
        {FloatModel{{1, 1}, {127}, {0}, false}, {0, 0x1p-80f}, Skip{}},
        {{1, 1}, {kLeastScale}, {-128}, {127}, {1}, {0}, {}}},
       {"TinyBothSides",
        {FloatModel{{1, 1}, {127}, {0}, false}, {-0x1p-80f, 0x1p-80f}, Skip{}},
        {{1, 1}, {kLeastScale}, {-128}, {127}, {1}, {0}, {}},
        kZeroPointComesLast},
       {"SmallBothSides",
        {FloatModel{{1, 1}, {127}, {0}, false}, {-2 * kLeastScale, 2 * kLeastScale}, Skip{}},
        {{1, 1}, {kLeastScale}, {-126}, {127}, {1}, {0}, {}},
        kZeroPointComesLast}},
      kSameModel, "N-RANGE");
}

TEST(quantize_model, AsItIsUsed) {
  modelling.gives(
      {{"Training",
        {FloatModel{{1, 2, 1}, {127, 254, 127, 127}, {0, 0, 0}, true}, {0, 255}, Skip{}},
        {{1, 2, 1}, {1, 254}, {-128, -128}, {127, 127, 127, 127}, {1, 2, 1}, {0, 0, 0}, {}}}},
      kSameModel);
}

TEST(quantize_model, SkipsLayers) {
  const FloatModel net{{1, 1, 1}, {127, 254}, {2, 4}, false};
  modelling.gives(
      {{"First",
        {net, {0, 255}, {0}},
        {{1, 1, 1}, {0, 32387.0f / 255}, {0, -128}, {127}, {2}, {0}, {127, 2}}},
       {"Last", {net, {0, 255}, {1}}, {{1, 1, 1}, {1, 0}, {-128, 0}, {127}, {1}, {2}, {254, 4}}},
       {"All", {net, {0, 255}, {0, 1}}, {{1, 1, 1}, {0, 0}, {0, 0}, {}, {}, {}, {127, 2, 254, 4}}},
       {"AnyOrder",
        {net, {0, 255}, {1, 0}},
        {{1, 1, 1}, {0, 0}, {0, 0}, {}, {}, {}, {127, 2, 254, 4}},
        "skip may name layers in any order"},
       {"Twice",
        {net, {0, 255}, {1, 1}},
        {{1, 1, 1}, {1, 0}, {-128, 0}, {127}, {1}, {2}, {254, 4}}},
       {"AnyWeight",
        {FloatModel{{1, 1, 1}, {127, 0x1p70f}, {2, 4}, false}, {0, 255}, {1}},
        {{1, 1, 1}, {1, 0}, {-128, 0}, {127}, {1}, {2}, {0x1p70f, 4}}}},
      kSameModel);
}

TEST(quantize_model, AnyNet) {
  modelling.agrees_with(
      [](const auto& in) { return model_by_definition(in.a, in.b, in.c); },
      some_nets(seed, {{{3, 2}, 5}, {{5, 4, 3}, 9}, {{4, 8, 8, 8, 3}, 30, {1, 2}}}), kSameModel);
}

TEST(quantize_model, RefusesWhatIsNoNet) {
  const FloatModel net{{1, 1}, {127}, {3}, false};
  modelling.refuses({{"Fine", {net, {0, 510}, Skip{}}, {{1, 1}, {2}, {-128}, {127}, {1}, {2}, {}}}},
                    {{"", {net, {1}, {1}}},
                     {"", {net, {1}, {-1}}},
                     {"N-NAN", {net, {float{kNan}}, Skip{}}},
                     {"N-SIZE", {net, Reals{}, Skip{}}},
                     {"N-SIZE", {FloatModel{{1, 1}, {127, 1}, {3}, false}, {1}, Skip{}}},
                     {"N-SIZE", {FloatModel{{1}, {}, {}, false}, {1}, Skip{}}},
                     {"N-SIZE",  // the second layer has a weight for one of the two that enter
                      {FloatModel{{1, 2, 1}, {127, 127, 127}, {3, 3, 3}, false}, {1}, Skip{}}}},
                    kSameModel);
}

}  // namespace
}  // namespace nibble::judge::lab_29_quantized_linear
