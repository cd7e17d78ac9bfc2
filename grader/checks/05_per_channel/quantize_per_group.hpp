// Lab 05, quantize_per_group: what is right, and what people write instead.
#pragma once

#include "per_channel.hpp"

#include "checks/05_per_channel/scale_of_element.hpp"
#include "checks/05_per_channel/values.hpp"
#include "judge/exercise.hpp"
#include "judge/shrink.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_05_per_channel {

/// The first row and the last; then less of a single one.
inline std::vector<Groups::Arguments> smaller_rows(const Groups::Arguments& in) {
  const auto& [x, row_length, group_size, num_bits] = in;
  const Reals first(x.begin(), x.begin() + row_length), last(x.end() - row_length, x.end());
  if (x.size() > first.size()) {
    return {{first, row_length, group_size, num_bits}, {last, row_length, group_size, num_bits}};
  }
  std::vector<Groups::Arguments> all;
  for (const Reals& row : smaller_lists(x)) {
    const auto length = static_cast<std::int32_t>(row.size());
    if (length > 0) all.push_back({row, length, group_size, num_bits});
  }
  return all;
}

inline void suspect_groups(Expect& expect, const Groups::Arguments& in, const GroupTensor& right) {
  expect.suspect("N-TAIL", "q", without_last(right.q), kLastIsLost);
  suspect_rounding(expect, in.a, in.d, right);
  if (in.d != 4) {
    expect.suspect("N-RANGE", "scales", steps_of(in.a, places_of(in), 4, Symmetry::kSymmetric).size,
                   "codes have 4 bits, the default: they have num_bits");
  }
  Reals largest_so_far = right.scales;
  const std::size_t groups_of_row = (std::size_t(in.b) + std::size_t(in.c) - 1) / std::size_t(in.c);
  for (std::size_t at = 1; at < largest_so_far.size(); ++at) {
    const bool begins_row = at % groups_of_row == 0;
    if (!begins_row) largest_so_far[at] = std::max(largest_so_far[at], largest_so_far[at - 1]);
  }
  expect.suspect("N-LAYOUT", "scales", largest_so_far,
                 "the largest magnitude is that of the row so far: each group has its own");
  expect.suspect("N-LAYOUT", "scales", Reals(right.scales.rbegin(), right.scales.rend()),
                 "scales are back to front");
  expect.suspect("N-TAIL", "group_size", std::min(in.b, in.c),
                 "of the groups that there are: it is the one that was asked for");
}

inline const Groups groups{{"x", "row_length", "group_size", "num_bits"},
                           {"q", "scales", "row_length", "group_size"},
                           suspect_groups,
                           {.smaller = smaller_rows}};

inline constexpr const char* kHugeGroup =
    "row_length + group_size is more than an int32 holds here";

using RowAndGroup = std::array<std::int32_t, 2>;

/// Three rows of each size, at each width.
inline std::vector<Groups::Input> three_rows(const std::vector<RowAndGroup>& sizes,
                                             const std::vector<int>& widths, Seed seed_of) {
  std::vector<Groups::Input> inputs;
  for (const auto& [row, group] : sizes) {
    const Places places = places_in_rows(std::size_t(row) * 3, row, group);
    for (const int num_bits : widths) {
      const std::uint64_t salt = std::uint64_t(row) * 1024 + std::uint64_t(group) * 16 + num_bits;
      inputs.push_back(
          {"3x" + std::to_string(row) + "-group" + std::to_string(group) + "-" +
               std::to_string(num_bits) + "bits",
           {uneven(places, seed_of(salt), Symmetry::kSymmetric), row, group, num_bits}});
    }
  }
  return inputs;
}

// Groups of one, a group as long as the row, several, and the sizes in use.
inline const std::vector<RowAndGroup> kThatFit{{1, 1},  {5, 1},   {8, 8},
                                               {12, 4}, {96, 32}, {256, 128}};

}  // namespace nibble::judge::lab_05_per_channel
