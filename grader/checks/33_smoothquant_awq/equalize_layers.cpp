// Lab 33, equalize_layers: the checks.
#include "checks/33_smoothquant_awq/equalize_layers.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {
namespace {

TEST(equalize_layers, RangesMeet) {
  equalizing.gives({{"One",
                     {TwoLayers{{-1, 64}, {8}, {16}}},
                     {{-0.5, 32}, {4}, {32}},
                     "the scale is the root of 64 / 16, and both are 32 then"},
                    {"LargeBias",
                     {TwoLayers{{16}, {100}, {1}}},
                     {{4}, {25}, {4}},
                     "a bias is no weight: it is divided, and widens no range"},
                    {"Two",
                     {TwoLayers{{-16, 2, 4, 0.5}, {8, 3}, {1, 16, 0.25, -8}}},
                     {{-4, 0.5, 8, 1}, {2, 6}, {4, 8, 1, -4}}},
                    {"Behind", {TwoLayers{{1, 0}, {8}, {0, -16}}}, {{4, 0}, {32}, {0, -4}}},
                    {"ManyOutputs",
                     {TwoLayers{{4}, {8}, {1, 4}}},
                     {{4}, {8}, {1, 4}},
                     "the range behind is of all outputs, however many there are"}},
                   kEqualLayers);
}

const auto kEqualized = [](const Equalizing::Arguments& in) { return equalized(in.a); };

TEST(equalize_layers, AnyLayers) {
  equalizing.agrees_with(kEqualized, equalizations(seed, kSizes), kEqualLayers);
  tames_nets({2, 2000, 10}, this_run().seed, kLevelled);
}

TEST(equalize_layers, ZeroChannels) {
  equalizing.gives({{"InFront", {TwoLayers{{0, 16}, {3, 8}, {5, 1}}}, {{0, 4}, {3, 2}, {5, 4}}},
                    {"Behind", {TwoLayers{{7, 16}, {3, 8}, {0, 1}}}, {{7, 4}, {3, 2}, {0, 4}}},
                    {"TinyOnes",
                     {TwoLayers{{0x1p-1000, 1}, {0, 0}, {1, 0x1p-1000}}},
                     {{0x1p-500, 0x1p-500}, {0, 0}, {0x1p-500, 0x1p-500}},
                     kTinyIsNoZero}},
                   kEqualLayers, "N-DIV0");
}

TEST(equalize_layers, RefusesWhatAreNoLayers) {
  equalizing.refuses({{"Fine", {TwoLayers{{16}, {8}, {1}}}, {{4}, {2}, {4}}}},
                     {{"N-SIZE", {TwoLayers{{1, 2, 3}, {8, 8}, {1, 1}}}},
                      {"N-SIZE", {TwoLayers{{1}, {}, {1}}}},
                      {"N-SIZE", {TwoLayers{{}, {1}, {1}}}},
                      {"N-NAN", {TwoLayers{{1}, {double{kInfinity}}, {1}}}}},
                     kEqualLayers);
}

}  // namespace
}  // namespace nibble::judge::lab_33_smoothquant_awq
