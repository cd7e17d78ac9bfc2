// Lab 09, fold_to_integers: the checks.
#include "checks/09_fake_quant/fold_to_integers.hpp"

#include "checks/09_fake_quant/fake_linear.hpp"

namespace nibble::judge::lab_09_fake_quant {
namespace {

IntegerLayer fold_by_definition(const Folding::Arguments& in) { return fold(in.a); }

TEST(fold_to_integers, FoldsTheZeroPoint) {
  folding.gives({{"One", {one_weight(3, 1, 5, 1, 2)}, {{3}, {-1}, {1}, 0}},
                 {"Negative", {one_weight(3, 1, 5, 1, -2)}, {{3}, {11}, {1}, 0}},
                 {"NoZeroPoint", {two_by_two}, {{1, 10, 20, 30}, {5, -7}, {1, 1}, 0}},
                 {"EachOutput",
                  {{{1, 10, 20, 30}, {1, 1}, {5, -7}, 1, 3, 1, 0}},
                  {{1, 10, 20, 30}, {-28, -157}, {1, 1}, 0}},
                 {"Scaled",
                  {{{0.5f, -2, 1, 4}, {0.5f, 1}, {1, 6}, 2, -3, 0.5f, 9}},
                  {{1, -4, 1, 4}, {-8, 18}, {2, 4}, 9}},
                 {"SumOfCodes", {one_weight(1000, 1, 0, 1, 1)}, {{127}, {-127}, {1}, 0}},
                 {"SumOfRoundedCodes",
                  {{{1.25f, 1.25f, 2.25f}, {1}, {0}, 1, 1, 1, 0}},
                  {{1, 1, 2}, {-4}, {1}, 0},
                  "the sum is that of the codes w[j,p], not of the weights"},
                 {"BeyondFloat", {one_weight(-1, 1, 16777216, 1, 1)}, {{-1}, {16'777'217}, {1}, 0}},
                 {"ManyWeights",
                  {{Reals(300, 127), {1}, {0}, 1, 1, 1, 0}},
                  {Codes(300, 127), {-38'100}, {1}, 0}},
                 {"LongestLayer",
                  {{Reals(32'768, -128), {1}, {0x1p30f}, 1, 127, 1, 0}},
                  {Codes(32'768, -128), {1'606'418'432}, {1}, 0}},
                 {"OtherEnd",
                  {{Reals(32'768, -128), {1}, {-0x1p30f}, 1, -128, 1, 0}},
                  {Codes(32'768, -128), {-1'610'612'736}, {1}, 0}}});
}

TEST(fold_to_integers, SameCodesSameFactor) {
  folding.gives({{"Ties",
                  {{{0.5f, 1.5f, 2.5f, -1.5f}, {1}, {2.5f}, 1, 0, 1, 0}},
                  {{0, 2, 2, -2}, {2}, {1}, 0}},
                 {"Clamped",
                  {{{1000, -1000, 127.4f, 3e38f}, {1}, {0}, 1, 0, 1, 0}},
                  {{127, -128, 127, 127}, {0}, {1}, 0}},
                 {"PerOutput", {three_by_two}, {{1, 2, 3, -2, 8, -10}, {1, 12}, {2, 1}, 0}},
                 {"OutputZeroPoint", {one_weight(3, 1, 5, 1, 0, 1, -77)}, {{3}, {5}, {1}, -77}},
                 {"OneDivision", {one_weight(-0.75000006f, 0.3f, 0)}, {{-2}, {0}, {0.3f}, 0}},
                 {"OneUnit",
                  {one_weight(0, 0.0954451486f, 1.41870844f, 0.249817207f)},
                  {{0}, {60}, {0.249817207f * 0.0954451486f}, 0},
                  kOneUnit},
                 {"OneFactor",
                  {one_weight(0, 0.213326588f, 0, 0.195671037f, 0, 0.329183996f)},
                  {{0}, {0}, {0.126803949f}, 0},
                  "the product of two scales, rounded to float32, is divided by output_scale"},
                 {"LargestBias", {one_weight(1, 1, -0x1p30f)}, {{1}, {-1'073'741'824}, {1}, 0}}});
  std::vector<Folding::Input> inputs;
  for (const auto& [name, in] : layers(seed, 1009)) inputs.push_back({name, {in.b}});
  folding.agrees_with(fold_by_definition, inputs);
}

/// What a device would be given for x.
Codes codes_of(const Reals& x, const FakeLayer& layer) {
  Codes q;
  const auto zero = static_cast<float>(layer.input_zero_point);
  for (const float value : x) {
    const float code = to_even(value / layer.input_scale) + zero;
    q.push_back(static_cast<std::int8_t>(std::clamp(code, -128.0f, 127.0f)));
  }
  return q;
}

TEST(fold_to_integers, AgreesExactly) {
  running.on_each(layers(seed, 257), [](Expect& expect, const auto& in) {
    const auto& [x, layer] = in;
    const Size size = size_of(layer);
    const Reals y = running(in);
    const IntegerLayer folded = folding({layer});
    expect.equal("the number of weights", folded.weight.size(), layer.weight.size());
    expect.equal("the number of biases", folded.bias.size(), size.outputs);
    expect.equal("the number of multipliers", folded.multiplier.size(), size.outputs);
    if (expect.failure()) return;
    Reals from_integers;
    for (const std::int8_t code : integer_linear(codes_of(x, layer), folded)) {
      from_integers.push_back(layer.output_scale *
                              static_cast<float>(code - layer.output_zero_point));
    }
    expect.equal("what the integers stand for", from_integers, y,
                 {x.size() / size.inputs, size.outputs});
  });
}

TEST(fold_to_integers, RefusesWhatIsNoLayer) {
  std::vector<Folding::Refused> refused;
  for (const auto& [code, layer] : broken_layers()) refused.push_back({code, {layer}});
  folding.refuses({{"Layer", {two_by_two}, {{1, 10, 20, 30}, {5, -7}, {1, 1}, 0}}}, refused);
}

}  // namespace
}  // namespace nibble::judge::lab_09_fake_quant
