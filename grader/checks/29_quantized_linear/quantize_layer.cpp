// Lab 29, quantize_layer: the checks.
#include "checks/29_quantized_linear/quantize_layer.hpp"

#include "judge/learnt_net.hpp"

namespace nibble::judge::lab_29_quantized_linear {
namespace {

TEST(quantize_layer, ScalesOfRows) {
  quantizing.gives({{"Rows",
                     {Linear{3, 2, {127, 63.4f, -2.5f, 254, 5, -3}, {0, 0}}, 1, 0},
                     {3, 2, {127, 63, -2, 127, 2, -2}, {1, 2}, {0, 0}, 1, 0}},
                    {"Square",
                     {Linear{2, 2, {127, -508, 2, 254}, {0, 0}}, 0.5f, -7},
                     {2, 2, {32, -127, 1, 127}, {4, 2}, {0, 0}, 0.5f, -7}},
                    {"Tall",
                     {Linear{1, 3, {127, -254, 31.75f}, {0, 0, 0}}, 2, 127},
                     {1, 3, {127, -127, 127}, {1, 2, 0.25f}, {0, 0, 0}, 2, 127}},
                    {"Division",
                     {Linear{3, 1, {7747, 91.5f, 106.75f}, {0}}, 1, 0},
                     {3, 1, {127, 2, 2}, {61}, {0}, 1, 0},
                     "91.5 / 61 is 1.5, and 91.5 times a rounded 1 / 61 is less"},
                    {"FloatQuotient",
                     {Linear{4, 1, {1.5f, kTieBelow, kTieAbove, kNoTie}, {0}}, 1, 0},
                     {4, 1, {127, 2, 4, 6}, {kTieScale}, {0}, 1, 0},
                     kQuotientIsFloat},
                    {"LeastZeroPoint",
                     {Linear{1, 1, {127}, {0}}, kLeastScale, -128},
                     {1, 1, {127}, {1}, {0}, kLeastScale, -128},
                     "a_zero_point may be -128, a_scale kLeastScale"},
                    {"MostZeroPoint",
                     {Linear{1, 1, {127}, {0}}, kMostScale, 127},
                     {1, 1, {127}, {1}, {0}, kMostScale, 127},
                     "a_zero_point may be 127, a_scale kMostScale"}},
                   kSameLayer);
}

TEST(quantize_layer, BiasInUnitsOfSums) {
  quantizing.gives(
      {{"Units",
        {Linear{1, 2, {127, 254}, {3, 3}}, 0.5f, 9},
        {1, 2, {127, 127}, {1, 2}, {6, 3}, 0.5f, 9}},
       {"Ties",
        {Linear{1, 4, {127, 127, 127, 127}, {1.25f, -1.75f, 0.875f, -0.375f}}, 0.5f, 0},
        {1, 4, {127, 127, 127, 127}, {1, 1, 1, 1}, {2, -4, 2, -1}, 0.5f, 0}},
       {"Clamped",
        {Linear{1, 2, {127 * 0x1p-30f, 127 * 0x1p-30f}, {1000, -1000}}, 0x1p-10f, 0},
        {1, 2, {127, 127}, {0x1p-30f, 0x1p-30f}, {1 << 30, -(1 << 30)}, 0x1p-10f, 0},
        "a bias is clamped to [-2^30, 2^30]"},
       {"ManyDigits",
        {Linear{1, 1, {88.9f}, {3e7f}}, 0.3f, 0},
        {1, 1, {127}, {88.9f / 127}, {142'857'140}, 0.3f, 0},
        "the unit of a bias is a double, and so is the quotient"}},
      kSameLayer);
}

QuantizedLayer same_layer(const Quantizing::Arguments& in) {
  return layer_by_definition(in.a, in.b, in.c);
}

TEST(quantize_layer, AnyLayer) {
  quantizing.agrees_with(
      same_layer,
      some_layers(seed, {{1, 1}, {7, 3}, {5, 9, 1e-5f}, {33, 20, 30}, {4096, 2}, {1, 4096}}),
      kSameLayer);
}

TEST(quantize_layer, ZeroRows) {
  quantizing.gives({{"Zeros",
                     {Linear{2, 2, {0, 0, 254, 3}, {3, 0}}, 0.5f, 0},
                     {2, 2, {0, 0, 127, 2}, {1, 2}, {6, 0}, 0.5f, 0}},
                    {"Tiny",
                     {Linear{1, 1, {0x1p-80f}, {0}}, 0.5f, 0},
                     {1, 1, {0}, {kLeastScale}, {0}, 0.5f, 0}}},
                   kSameLayer);
}

TEST(quantize_layer, RefusesWhatIsNoLayer) {
  const Linear fine{1, 1, {127}, {3}};
  quantizing.refuses({{"Fine", {fine, 0.5f, 0}, {1, 1, {127}, {1}, {6}, 0.5f, 0}}},
                     {{"", {fine, 0, 0}},
                      {"", {fine, -1, 0}},
                      {"", {fine, 0x1p61f, 0}},
                      {"", {fine, 1, 128}},
                      {"", {fine, 1, -129}},
                      {"", {fine, 0x1p-61f, 0}},
                      {"", {Linear{1, 1, {0x1p61f}, {3}}, 1, 0}},
                      {"", {Linear{1, 1, {-0x1p61f}, {3}}, 1, 0}},
                      {"", {Linear{1, 1, {127}, {0x1p61f}}, 1, 0}},
                      {"", {Linear{1, 1, {127}, {-0x1p61f}}, 1, 0}},
                      {"N-NAN", {Linear{1, 1, {127}, {float{kNan}}}, 1, 0}},
                      {"N-NAN", {fine, float{kNan}, 0}},
                      {"N-NAN", {Linear{1, 1, {float{kNan}}, {3}}, 1, 0}},
                      {"N-NAN", {Linear{1, 1, {127}, {float{kInfinity}}}, 1, 0}},
                      {"N-SIZE", {Linear{0, 1, {}, {3}}, 1, 0}},
                      {"N-SIZE", {Linear{1, 0, {}, {}}, 1, 0}},
                      {"N-SIZE", {Linear{4097, 1, Reals(4097), {3}}, 1, 0}},
                      {"N-SIZE", {Linear{1, 4097, Reals(4097), Reals(4097)}, 1, 0}},
                      {"N-SIZE", {Linear{1, 1, {127, 1}, {3}}, 1, 0}},
                      {"N-SIZE", {Linear{1, 1, {127}, {3, 1}}, 1, 0}}},
                     kSameLayer);
}

}  // namespace
}  // namespace nibble::judge::lab_29_quantized_linear
