// Lab 05, dequantize_per_group: what is right, and what people write instead.
#pragma once

#include "per_channel.hpp"

#include "checks/05_per_channel/quantize_per_group.hpp"
#include "checks/05_per_channel/slices_and_groups.hpp"
#include "checks/05_per_channel/values.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_05_per_channel {

inline const FromGroups from_groups{
    {"q", "scales", "row_length", "group_size"}, {"real"}, suspect_reals<FromGroups>};

// One element left; a group longer than the row; two left; one missing; and a size in use.
inline std::vector<FromGroups::Input> every_grouped(Seed seed_of) {
  return tensors<FromGroups>(three_rows({{3, 2}, {2, 3}, {5, 3}, {9, 5}, {257, 128}}, {8}, seed_of),
                             seed_of);
}

}  // namespace nibble::judge::lab_05_per_channel
