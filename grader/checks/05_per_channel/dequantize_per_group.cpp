// Lab 05, dequantize_per_group: the checks.
#include "checks/05_per_channel/dequantize_per_group.hpp"

#include "per_channel.hpp"

#include "judge/tensors.hpp"

namespace nibble::judge::lab_05_per_channel {
namespace {

TEST(dequantize_per_group, MultipliesByTheScale) {
  multiplies(from_groups,
             {{"OneGroup", {{{-128, -1, 0, 127}, {0.25f}, 4, 4}}}, {"NoRows", {{{}, {}, 4, 4}}}});
}

TEST(dequantize_per_group, TakesTheScaleOfItsGroup) {
  multiplies(from_groups, {{"TwoGroups", {{{1, 2, 3, 4}, {1, 16}, 4, 2}}},
                           {"TwoRows", {{{1, 2, 3, 4, 5, 6, 7, 8}, {1, 16, 0.5f, 256}, 4, 2}}}});
}

TEST(dequantize_per_group, CountsShortGroups) {
  multiplies(from_groups, every_grouped(seed));
  from_groups.gives(
      {{"HugeGroup", {{{1, 2, 3, 4}, {1, 16}, 2, INT_MAX}}, {1, 2, 48, 64}, kHugeGroup}},
      /*if_refused=*/"N-OVERFLOW");
}

TEST(dequantize_per_group, RefusesWhatDoesNotFit) {
  from_groups.refuses({{"Fits", {{{1, 2, 3, 4}, {1, 2}, 4, 2}}, {1, 2, 6, 8}}},
                      {{"N-DIV0", {{{1, 2, 3, 4}, {1, 0}, 4, 2}}},
                       {"N-DIV0", {{{1, 2, 3, 4}, {1, -1}, 4, 2}}},
                       {"N-DIV0", {{{1, 2, 3, 4}, {1, FLT_MIN / 4}, 4, 2}}},
                       {"N-DIV0", {{{1, 2, 3, 4}, {1, kInfinity}, 4, 2}}},
                       {"N-NAN", {{{1, 2, 3, 4}, {1, kNan}, 4, 2}}},
                       {"N-SIZE", {{{1, 2, 3, 4}, {1, 2, 3}, 4, 2}}},
                       {"N-SIZE", {{{1, 2, 3}, {1, 2}, 2, 2}}},
                       {"N-SIZE", {{{1, 2, 3, 4}, {1, 2}, 0, 2}}},
                       {"N-SIZE", {{{1, 2, 3, 4}, {1}, 4, 0}}}});
}

}  // namespace
}  // namespace nibble::judge::lab_05_per_channel
