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

/// What known mistakes fill in; of sizes, widths are the first to be compared.
inline void suspect_configs(Expect& expect, const Sizes& rows, const Sizes& colsb) {
  const std::size_t listed = colsb.size();
  const auto widths = [&](const char* words, const auto& width) {
    Sizes all(TileConfig{}.colsb.size());
    for (std::size_t t = 0; t < kTiles; ++t) all[t] = width(t);
    expect.suspect("N-LAYOUT", "colsb", all, words);
  };
  const auto of_listed = [&](const char* words, const auto& width) {
    widths(words, [&](std::size_t t) { return t < listed ? width(t) : 0; });
  };
  of_listed("numbers of rows stand where bytes of a row belong",
            [&](std::size_t t) { return rows[t]; });
  of_listed("colsb counts int32: it counts bytes", [&](std::size_t t) { return colsb[t] / 4; });
  of_listed("the last tile that is listed gets no size",
            [&](std::size_t t) { return t + 1 < listed ? colsb[t] : 0; });
  of_listed("each tile is 64 bytes wide: colsb says how wide",
            [](std::size_t) { return kTileRowBytes; });
  of_listed("tiles behind the fifth are as wide as the fifth: each has its own width",
            [&](std::size_t t) { return colsb[std::min<std::size_t>(t, 4)]; });
  widths("tiles that are not listed get a size: they have 0 rows of 0 bytes",
         [&](std::size_t t) { return t < listed ? colsb[t] : kTileRowBytes; });
  expect.suspect("N-LAYOUT", "palette", 0, "palette stays 0, which means no tiles: it is 1");
  expect.suspect("N-LAYOUT", "start_row", 1,
                 "start_row is set: it is 0, but for loads that were interrupted");
}

/// Sizes, not bits: as numbers that a person reads.
inline void compare_configs(Expect& expect, const Configuring::Arguments& in, const TileConfig& got,
                            const TileConfig& want) {
  const auto listed = [](const auto& values) { return Sizes(values.begin(), values.end()); };
  suspect_configs(expect, in.a, in.b);
  expect.equal("palette", got.palette, want.palette);
  expect.equal("colsb", listed(got.colsb), listed(want.colsb));
  expect.equal("rows", listed(got.rows), listed(want.rows));
  expect.equal("start_row", got.start_row, want.start_row);
  expect.equal("reserved", listed(got.reserved), listed(want.reserved));
}

}  // namespace nibble::judge::lab_17_cpu_amx
