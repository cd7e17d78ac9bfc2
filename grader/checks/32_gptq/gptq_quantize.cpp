// Lab 32, gptq_quantize: the checks.
#include "checks/32_gptq/gptq_quantize.hpp"

namespace nibble::judge::lab_32_gptq {
namespace {

const auto kLayerByDefinition = [](const Quantizing::Arguments& in) { return worked(in).right; };

const std::vector<LayerSize> kLayers = {{1, 1, 1}, {1, 6, 9}, {3, 5, 40}, {4, 17, 30}, {9, 24, 64}};

TEST(gptq_quantize, EveryRow) {
  quantizing.gives({{"AliveLater",
                     {{3, 1}, {1, 0, 0, 1}, 2, {3, 2, 0, false}},
                     {{3, 1}, {1}, {0, 0}},
                     kDeadInAll},
                    {"AddsUpToZero",
                     {{3, 1}, {1, 1, -1, 1}, 2, {3, 2, 0, false}},
                     {{3, 1}, {1}, {0, 0}},
                     kDeadIsAllZero},
                    {"AliveThoughTiny",
                     {{3, 1}, {0x1p-300, 0, 0, 0x1p-300}, 2, {3, 2, 0, false}},
                     {{3, 1}, {1}, {0, 0}},
                     kTinyIsAlive},
                    {"AliveAtOne",
                     {{3, 1}, {0.5, 1, 0.5, -2}, 2, {4, 2, 0, false}},
                     {{7, 2}, {3.0 / 7}, {0, 0}},
                     "h is 1 for a dead input, and may be 1 for one that is not"}},
                   kSameLayer);
  quantizing.agrees_with(kLayerByDefinition, layers(seed, kLayers, false), kSameLayer);
}

TEST(gptq_quantize, FindsTheWayBack) {
  quantizing.gives(
      {{"Diagonal",
        {{3, 1, 2, 6}, {1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 3}, 4, {3, 2, 0, true}},
        {{3, 1, 1, 3}, {2, 1}, {1, 1, 0, 0}},
        "columns are done in the order 2 3 1 0, and stand where they stood"}},
      kSameLayer);
  quantizing.agrees_with(kLayerByDefinition, layers(seed, kLayers, true), kSameLayer);
}

TEST(gptq_quantize, DeadInputs) {
  quantizing.gives({{"Last",
                     {{3, 1, 100}, {1, 0, 0, 0, 1, 0}, 3, {3, 3, 0, false}},
                     {{3, 1, 0}, {1}, {0, 0, 0}}},
                    {"ByActivation",
                     {{100, 3, 1}, {0, 4, 0, 0, 0, 5}, 3, {3, 2, 0, true}},
                     {{0, 3, 1}, {1, 1}, {1, 0, 0}},
                     "order[k] is dead or not, where place k is made"}},
                   kSameLayer);
}

TEST(gptq_quantize, BeatsRounding) { beats_rounding(seed, 5); }

TEST(gptq_quantize, RefusesWhatIsNoLayer) {
  const Quantizing::Row fine{
      "Fine", {{3, 1}, {1}, 1, {3, 1, 0, false}}, {{3, 3}, {1, 1.0 / 3}, {0}}};
  quantizing.refuses({fine},
                     {{"", {{3, 1}, {1}, 1, {9, 1, 0, false}}},
                      {"", {{3, 1}, {1}, 1, {3, 0, 0, false}}},
                      {"", {{3, 1}, {1}, 1, {3, 1, -1, false}}},
                      {"", {{3, 1}, {1, 1, 1, 1}, 2, {3, 1, 0, false}}},
                      {"N-SIZE", {{3, 1, 2}, {1, 0, 0, 1}, 2, {3, 1, 0, false}}},
                      {"N-SIZE", {Doubles{}, {1}, 1, {3, 1, 0, false}}},
                      {"N-NAN", {{3, double{kNan}}, {1}, 1, {3, 1, 0, false}}},
                      {"N-NAN", {{3, double{kNan}}, {1, 0}, 2, {3, 1, 0, false}}}},
                     kSameLayer);
}

}  // namespace
}  // namespace nibble::judge::lab_32_gptq
