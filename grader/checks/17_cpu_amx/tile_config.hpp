// Lab 17, tile_config: what is right, and what people write instead.
#pragma once

#include "cpu_amx.hpp"

#include "checks/17_cpu_amx/values.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_17_cpu_amx {

using Configuring = Exercise<&tile_config>;
inline const Configuring configuring{{"rows", "colsb"},
                                     {"palette", "start_row", "reserved", "colsb", "rows"}};

inline Configuring::Row configured(const char* name, const Sizes& rows, const Sizes& colsb) {
  TileConfig want{.palette = 1};
  std::ranges::copy(rows, want.rows.begin());
  std::ranges::copy(colsb, want.colsb.begin());
  return {name, {rows, colsb}, want};
}

/// Sizes, not bits: as numbers that a person reads.
inline void compare_configs(Expect& expect, const Configuring::Arguments&, const TileConfig& got,
                            const TileConfig& want) {
  const auto listed = [](const auto& values) { return Sizes(values.begin(), values.end()); };
  expect.equal("palette", got.palette, want.palette);
  expect.equal("colsb", listed(got.colsb), listed(want.colsb));
  expect.equal("rows", listed(got.rows), listed(want.rows));
  expect.equal("start_row", got.start_row, want.start_row);
  expect.equal("reserved", listed(got.reserved), listed(want.reserved));
}

}  // namespace nibble::judge::lab_17_cpu_amx
