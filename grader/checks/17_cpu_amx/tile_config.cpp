// Lab 17, tile_config: the checks.
#include "checks/17_cpu_amx/tile_config.hpp"

namespace nibble::judge::lab_17_cpu_amx {
namespace {

// Every number at one place only; the largest tile; one of each smallest size.
TEST(tile_config, FillsTheStruct) {
  configuring.gives(
      {configured("AllDifferent", {1, 2, 3, 4, 5, 6, 7, 8}, {60, 59, 58, 57, 56, 55, 54, 53}),
       configured("Whole", Sizes(8, 16), Sizes(8, 64)),
       configured("Smallest", {1, 16, 1, 16, 1, 16, 1, 16}, {1, 1, 64, 64, 1, 1, 64, 64})},
      compare_configs);
}

TEST(tile_config, UnlistedTilesAreUnused) {
  configuring.gives(
      {configured("One", {3}, {20}), configured("OneByMiddle", {0, 0, 9, 0}, {0, 0, 33, 0}),
       configured("Three", {16, 15, 14}, {64, 60, 56}), configured("None", {}, {})},
      compare_configs);
}

TEST(tile_config, RefusesImpossibleTiles) {
  configuring.refuses({configured("Whole", Sizes(8, 16), Sizes(8, 64))},
                      {{"N-RANGE", {{17}, {64}}},
                       {"N-RANGE", {{16}, {65}}},
                       {"N-RANGE", {{-1}, {64}}},
                       {"N-RANGE", {{4}, {-4}}},
                       {"N-RANGE", {{4}, {0}}},
                       {"N-RANGE", {{0}, {4}}},
                       // 16 and 4 to who narrows them first.
                       {"N-RANGE", {{272}, {64}}},
                       {"N-RANGE", {{4}, {65540}}},
                       {"N-RANGE", {{16, 16, 17}, {64, 64, 64}}},
                       {"N-RANGE", {Sizes(9, 1), Sizes(9, 1)}},
                       {"N-RANGE", {{4}, {4, 4}}},
                       {"N-RANGE", {{4, 4}, {4}}},
                       // One that would be of no use is one too many, too.
                       {"N-RANGE", {Sizes(9, 0), Sizes(9, 0)}},
                       {"N-RANGE", {{4, 4, 4, 4, 4, 4, 4, 4, 0}, {4, 4, 4, 4, 4, 4, 4, 4, 0}}},
                       {"N-RANGE", {{4}, {4, 0}}},
                       {"N-RANGE", {{4, 0}, {4}}}});
}

}  // namespace
}  // namespace nibble::judge::lab_17_cpu_amx
