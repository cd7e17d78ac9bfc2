// Lab 31, sgd_step: the checks.
#include "checks/31_qat/sgd_step.hpp"

namespace nibble::judge::lab_31_qat {
namespace {

TEST(sgd_step, MovesRealNumbers) {
  stepping.gives(
      {{"Weights",
        {layer_of({0.75, -1.25}, {3}), {{}, {1, -2}, {0}}, {0, 0}, 0.25},
        layer_of({0.5, -0.75}, {3})},
       {"Bias", {layer_of({1}, {3}), {{}, {0}, {-8}}, {0, 0}, 0.5}, layer_of({1}, {7})},
       {"LessThanAStep",
        {layer_of({0.375}, {0}), {{}, {-0.25}, {0}}, {0, 0}, 0.125},
        layer_of({0.40625}, {0}),
        "a step smaller than a code is kept"},
       {"InputIsNotRead", {layer_of({1}, {0}), {{7, 7}, {2}, {0}}, {0, 0}, 1}, layer_of({-1}, {0})},
       {"InputMayBeNaN",
        {layer_of({1}, {0}), {{double{kNan}}, {2}, {0}}, {0, 0}, 1},
        layer_of({-1}, {0}),
        "gradient.input is not read, and may hold anything"},
       {"Beyond",
        {layer_of({3.5, 0.25}, {0}, {1, 2}, 2, 5), {{}, {-8, 0}, {0}}, {0, 0}, 1},
        layer_of({11.5, 0.25}, {0}, {1, 2}, 2, 5),
        "a weight may be larger than its largest code"}},
      kSameLayer);
}

TEST(sgd_step, LearnsScales) {
  const auto with = [](LayerScales scales) { return layer_of({1}, {0}, scales); };
  stepping.gives({{"Weights", {with({1, 4}), {{}, {0}, {0}}, {0.5, 0}, 0.5}, with({0.75, 4})},
                  {"Inputs", {with({1, 4}), {{}, {0}, {0}}, {0, -2}, 0.5}, with({1, 5})}},
                 kSameLayer);
}

TEST(sgd_step, HalvesAtMost) {
  const auto with = [](LayerScales scales) { return layer_of({1}, {0}, scales); };
  stepping.gives(
      {{"Half",
        {with({1, 4}), {{}, {0}, {0}}, {0.75, 99}, 1},
        with({0.5, 2}),
        "never below scale / 2"},
       {"Double",
        {with({1, 4}), {{}, {0}, {0}}, {-1.5, -99}, 1},
        with({2, 8}),
        "never above 2 * scale"},
       {"Largest",
        {layer_of({0}, {0}, {1e30, 1e30}), {{}, {0}, {0}}, {-1e32, -1e32}, 1},
        layer_of({0}, {0}, {2e30, 2e30}),
        "a scale has no other ends than its half and its double"},
       {"Least",
        {layer_of({0}, {0}, {1e-30, 1e-30}), {{}, {0}, {0}}, {1, 1}, 1},
        layer_of({0}, {0}, {5e-31, 5e-31}),
        "a scale has no other ends than its half and its double"},
       {"JustInside", {with({1, 4}), {{}, {0}, {0}}, {0.375, -3.5}, 1}, with({0.625, 7.5})}},
      kSameLayer);
}

TEST(sgd_step, RefusesWhatIsNoStep) {
  const QatLayer one = layer_of({1}, {0});
  stepping.refuses({{"Fine", {one, {{}, {0}, {0}}, {0, 0}, 0.5}, one}},
                   {{"", {one, {{}, {0}, {0}}, {0, 0}, 0}},
                    {"", {one, {{}, {0}, {0}}, {0, 0}, double{kInfinity}}},
                    {"", {layer_of({1}, {0}, {0, 1}), {{}, {0}, {0}}, {0, 0}, 1}},
                    {"N-SIZE", {one, {{}, {0, 0}, {0}}, {0, 0}, 1}},
                    {"N-SIZE", {one, {{}, {0}, {}}, {0, 0}, 1}},
                    {"N-NAN", {one, {{}, {double{kNan}}, {0}}, {0, 0}, 1}},
                    {"N-NAN", {one, {{}, {0}, {double{kNan}}}, {0, 0}, 1}},
                    {"N-NAN", {one, {{}, {0}, {0}}, {0, double{kNan}}, 1}},
                    {"N-NAN", {one, {{}, {0}, {0}}, {0, double{kInfinity}}, 1}},
                    {"N-NAN", {one, {{}, {0}, {0}}, {double{kInfinity}, 0}, 1}}},
                   kSameLayer);
}

}  // namespace
}  // namespace nibble::judge::lab_31_qat
