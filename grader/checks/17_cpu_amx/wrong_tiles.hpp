// Lab 17: what people write instead of multiply_tiles: tiles that are loaded from another place,
// results that are stored at another, and sums that do not go on as they should.
#pragma once

#include "cpu_amx.hpp"

#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_17_cpu_amx {

/// Where k is long, only its last slice: each begins with sums of 0.
inline void suspect_slices(Expect& expect, const Product& c) {
  const std::size_t k = c.shape.k;
  for (std::size_t slice = 64; k > 512 && slice < k; slice *= 2) {
    const std::size_t last = (k - 1) / slice * slice;
    expect.suspect(
        "N-SLICE", "c",
        each_sum(c.shape, [&](auto i, auto j,
                              auto p) { return p < last ? 0 : c.a[i * k + p] * c.b_t[j * k + p]; }),
        "the sums of the slices before are forgotten, and only the last slice is left");
    const std::size_t whole = k / slice * slice;
    expect.suspect("N-TAIL", "c",
                   each_sum(c.shape,
                            [&](auto i, auto j, auto p) {
                              return p < whole ? c.a[i * k + p] * c.b_t[j * k + p] : 0;
                            }),
                   "a sum ends with its last whole slice: what is left of k is added, too");
  }
}

/// A block of 32 x 32 sums, and what is not there is 0.
using Block = std::array<std::int64_t, 32 * 32>;

/// The products of block [i, j] of c, from code `from` of k to `to`.
inline Block block_of(const Product& c, std::size_t i, std::size_t j, std::size_t from,
                      std::size_t to) {
  const std::size_t m = c.shape.m, n = c.shape.n, k = c.shape.k;
  Block sums{};
  for (std::size_t r = 32 * i; r < std::min(32 * i + 32, m); ++r) {
    for (std::size_t s = 32 * j; s < std::min(32 * j + 32, n); ++s) {
      std::int64_t& sum = sums[r % 32 * 32 + s % 32];
      for (std::size_t p = from; p < to; ++p) sum += c.a[r * k + p] * c.b_t[s * k + p];
    }
  }
  return sums;
}

/// c, where the unfinished sums of block [i, j] are kept at place(i, j), which may be that of
/// another block as well.
template <class Place>
Sums sums_in_places(const Product& c, std::size_t slice, const Place& place) {
  const std::size_t m = c.shape.m, n = c.shape.n, k = c.shape.k;
  std::map<std::size_t, Block> kept;
  Sums all(m * n);
  for (std::size_t from = 0; from < k; from += slice) {
    for (std::size_t i = 0; i < (m + 31) / 32; ++i) {
      for (std::size_t j = 0; j < (n + 31) / 32; ++j) {
        Block& sums = kept[place(i, j)];
        const Block more = block_of(c, i, j, from, std::min(from + slice, k));
        if (from == 0) sums = {};
        std::ranges::transform(sums, more, sums.begin(), std::plus{});
        for (std::size_t r = 32 * i; r < std::min(32 * i + 32, m); ++r) {
          for (std::size_t s = 32 * j; s < std::min(32 * j + 32, n); ++s) {
            all[r * n + s] = static_cast<std::int32_t>(sums[r % 32 * 32 + s % 32]);
          }
        }
      }
    }
  }
  return all;
}

/// Blocks that share a place, where there are slices at all. Sums are large here: not all of them
/// are worth other suspects.
inline void suspect_places(Expect& expect, const Product& c) {
  const std::int64_t work = std::int64_t{c.shape.m} * c.shape.n * c.shape.k;
  if (c.shape.k <= 512 || work > 2'000'000 || std::max(c.shape.m, c.shape.n) <= 32) return;
  for (const std::size_t slice : {256, 512, 1024}) {
    const auto suspect = [&](const auto& place) {
      expect.suspect("N-SLICE", "c", sums_in_places(c, slice, place),
                     "blocks keep unfinished sums in one place: each has a place of its own");
    };
    suspect([](std::size_t, std::size_t) { return std::size_t{0}; });
    suspect([](std::size_t i, std::size_t j) { return i + j; });
  }
}

/// Sums that belong elsewhere: [row(r, s), column(r, s)] is written to [r, s].
inline void suspect_stored(Expect& expect, const Product& c, const Sums& right) {
  const std::size_t m = c.shape.m, n = c.shape.n;
  const auto at = [&](std::size_t i, std::size_t j) {
    return i < m && j < n ? right[i * n + j] : 0;
  };
  const auto suspect = [&](const char* words, const auto& sum) {
    Sums sums;
    for (std::size_t x = 0; x < m * n; ++x) sums.push_back(sum(x / n, x % n));
    expect.suspect("N-LAYOUT", "c", sums, words);
  };
  suspect("all sums are 0", [](std::size_t, std::size_t) { return 0; });
  suspect("of a block, the upper right and the lower left tile are swapped", [&](std::size_t r,
                                                                                 std::size_t s) {
    return at(r / 32 * 32 + s % 32 / 16 * 16 + r % 16, s / 32 * 32 + r % 32 / 16 * 16 + s % 16);
  });
  suspect("blocks of 32 rows begin 16 rows apart: two tiles of rows lie in each",
          [&](std::size_t r, std::size_t s) { return at(r / 32 * 16 + r % 32, s); });
  suspect("blocks of 32 columns begin 16 columns apart: two tiles of columns lie in each",
          [&](std::size_t r, std::size_t s) { return at(r, s / 32 * 16 + s % 32); });
  const std::size_t blocks = (n + 31) / 32;
  suspect("sums go on with those of the block before: each block begins at 0",
          [&](std::size_t r, std::size_t s) {
            std::int32_t sum = 0;
            for (std::size_t block = 0; block <= r / 32 * blocks + s / 32; ++block) {
              sum += at(block / blocks * 32 + r % 32, block % blocks * 32 + s % 32);
            }
            return sum;
          });
}

/// Tiles from another place: of a pair the second, and those of the next steps.
inline void suspect_loaded(Expect& expect, const Product& c) {
  const std::size_t k = c.shape.k, steps = (k + 63) / 64;
  const MatmulShape whole{c.shape.m, c.shape.n, int(steps * 64)};
  const auto code = [=](const Codes& codes, std::size_t row, std::size_t p) {
    const std::size_t at = row * k + p;
    return p < k && at < codes.size() ? codes[at] : 0;
  };
  // Of a pair the second tile is taken to lie behind the first, where the next step of it does.
  const auto beside = [=](const Codes& codes, std::size_t row, std::size_t p) {
    if (row / 16 % 2 == 0) return code(codes, row, p);
    const std::size_t tile = (row / 16 - 1) * steps + p / 64 + 1;
    return code(codes, tile / steps * 16 + row % 16, tile % steps * 64 + p % 64);
  };
  const auto suspect = [&](const char* code_of, const char* words, const auto& term) {
    expect.suspect(code_of, "c", each_sum(whole, term), words);
  };
  suspect("N-LAYOUT", "the second tile of a is the next along k: it is that of the next 16 rows",
          [&](auto i, auto j, auto p) { return beside(c.a, i, p) * code(c.b_t, j, p); });
  suspect("N-LAYOUT", "the second tile of b is the next along k: it is that of the next 16 columns",
          [&](auto i, auto j, auto p) { return code(c.a, i, p) * beside(c.b_t, j, p); });
  suspect("N-LAYOUT", "each step along k multiplies the tiles of the first once more",
          [&](auto i, auto j, auto p) { return code(c.a, i, p % 64) * code(c.b_t, j, p % 64); });
  // So many steps may be where a row of tiles ends, too.
  const std::size_t rounded = k / 64;
  const auto closer = [=](const Codes& codes, std::size_t row, std::size_t p) {
    const std::size_t tile = row / 16 * rounded + p / 64;
    return code(codes, tile / steps * 16 + row % 16, tile % steps * 64 + p % 64);
  };
  const auto of_whole_steps = [&](const auto& from) {
    suspect("N-TAIL", "only whole steps along k are multiplied: what is behind them is, too",
            [&](auto i, auto j, auto p) {
              return p < rounded * 64 ? from(c.a, i, p) * from(c.b_t, j, p) : 0;
            });
  };
  of_whole_steps(code);
  const bool has_second_tile = std::max(c.shape.m, c.shape.n) > 16;
  if (rounded != steps && has_second_tile) of_whole_steps(closer);
}

/// Before what goes wrong in any product: the same sums, and words that say less.
inline void suspect_tiles(Expect& expect, const Product& c, const Sums& right) {
  suspect_places(expect, c);
  if (is_worth_suspecting(c) && !right.empty()) {
    suspect_slices(expect, c);
    suspect_stored(expect, c, right);
    suspect_loaded(expect, c);
  }
  suspect_sums(expect, c, "c");
}

}  // namespace nibble::judge::lab_17_cpu_amx
