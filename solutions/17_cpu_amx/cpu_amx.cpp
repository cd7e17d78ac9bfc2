// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 17: two packings, one product of tiles, then four at a time in blocks
// that stay in the caches. Block sizes are for 32 KiB of L1 and 2 MiB of L2 or more.
// NIBBLE-STUB: // Lab 17. The contract is in cpu_amx.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 17        (or leave ./nibble watch open)
// NIBBLE-END
#include "cpu_amx.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kTileCodes = kTileRows * kTileRowBytes;  ///< int8 codes in a tile
constexpr int kTileSums = kTileCodes / 4;              ///< int32 sums in a tile

int divided_up(int size, int unit) { return (size + unit - 1) / unit; }

std::size_t product(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

void expects_k(int k) {
  NIBBLE_EXPECTS(k >= 0, k);
  NIBBLE_EXPECTS(k <= kLongestK, k);
}

void expects_permission(bool granted, TileEngine engine) {
  NIBBLE_EXPECTS(granted, static_cast<int>(engine));
}

}  // namespace
// NIBBLE-END

TileConfig tile_config(std::span<const std::int32_t> rows, std::span<const std::int32_t> colsb) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(rows.size() == colsb.size(), colsb.size());
  NIBBLE_EXPECTS(rows.size() <= kTiles, rows.size());
  TileConfig config;  // all zeros, what is reserved too: the processor insists
  config.palette = 1;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    NIBBLE_EXPECTS(0 <= rows[t] && rows[t] <= kTileRows, rows[t]);
    NIBBLE_EXPECTS(0 <= colsb[t] && colsb[t] <= kTileRowBytes, colsb[t]);
    NIBBLE_EXPECTS((rows[t] == 0) == (colsb[t] == 0), colsb[t]);
    config.rows[t] = static_cast<std::uint8_t>(rows[t]);
    config.colsb[t] = static_cast<std::uint16_t>(colsb[t]);
  }
  return config;
  // NIBBLE-STUB: // 1. Refuse sizes that no tile has.  2. Which byte says that there are tiles at all?
  // NIBBLE-STUB: NIBBLE_TODO("fill in the 64 bytes");
  // NIBBLE-END
}

void pack_a(std::span<const std::int8_t> a, std::span<std::int8_t> packed, MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(shape.m >= 0, shape.m);
  expects_k(shape.k);
  NIBBLE_EXPECTS(a.size() == product(shape.m, shape.k), a.size());
  NIBBLE_EXPECTS(packed.size() == packed_a_size(shape), packed.size());
  const int steps = divided_up(shape.k, kTileRowBytes);
  std::int8_t* to = packed.data();
  for (int block = 0; block < divided_up(shape.m, 32) * 2; ++block) {
    for (int step = 0; step < steps; ++step) {
      for (int i = block * 16; i < block * 16 + 16; ++i, to += kTileRowBytes) {
        const int p = step * kTileRowBytes;
        const int count = i < shape.m ? std::min(kTileRowBytes, shape.k - p) : 0;
        if (count < kTileRowBytes) std::fill_n(to, kTileRowBytes, std::int8_t{0});
        if (count > 0) std::copy_n(&a[product(i, shape.k) + p], count, to);
      }
    }
  }
  // NIBBLE-STUB: // 1. Refuse.  2. Walk through packed from its first byte to its last: which i and p belong
  // NIBBLE-STUB: // there, and is there such a code?
  // NIBBLE-STUB: NIBBLE_TODO("lay the rows of a out in tiles");
  // NIBBLE-END
}

void pack_b(std::span<const std::int8_t> b_t, std::span<std::int8_t> packed, MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(shape.n >= 0, shape.n);
  expects_k(shape.k);
  NIBBLE_EXPECTS(b_t.size() == product(shape.n, shape.k), b_t.size());
  NIBBLE_EXPECTS(packed.size() == packed_b_size(shape), packed.size());
  const int steps = divided_up(shape.k, kTileRowBytes);
  std::ranges::fill(packed, std::int8_t{0});
  for (int j = 0; j < shape.n; ++j) {
    for (int p = 0; p < shape.k; ++p) {
      const std::size_t tile = product(j / 16, steps) + p / kTileRowBytes;
      const std::size_t quad = p % kTileRowBytes / 4;
      packed[(tile * kTileRows + quad) * kTileRowBytes + j % 16 * 4 + p % 4] =
          b_t[product(j, shape.k) + p];
    }
  }
  // NIBBLE-STUB: // 1. Refuse.  2. What is not a code is a 0.  3. The formula of the contract, for every j and p.
  // NIBBLE-STUB: NIBBLE_TODO("lay the columns out in quads");
  // NIBBLE-END
}

void multiply_tile(TileEngine engine, std::span<const std::int8_t> a,
                   std::span<const std::int8_t> b_tile, std::span<std::int32_t> c,
                   MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  const int m = shape.m, n = shape.n, k = shape.k;
  NIBBLE_EXPECTS(1 <= m && m <= 16, m);
  NIBBLE_EXPECTS(1 <= n && n <= 16, n);
  NIBBLE_EXPECTS(1 <= k && k <= kTileRowBytes, k);
  NIBBLE_EXPECTS(a.size() == product(m, k), a.size());
  NIBBLE_EXPECTS(b_tile.size() == kTileCodes, b_tile.size());
  NIBBLE_EXPECTS(c.size() == product(m, n), c.size());

  // A tile loads whole quads: of a itself it would read past the last row. Padding is 0 in b_tile
  // too, but what follows a row of a is not.
  alignas(64) std::array<std::int8_t, kTileCodes> padded = {};
  for (int i = 0; i < m; ++i) std::copy_n(&a[product(i, k)], k, &padded[i * kTileRowBytes]);

  const int quads = divided_up(k, 4);
  const std::array<std::int32_t, 3> rows = {m, m, quads};  // C, A, B
  const std::array<std::int32_t, 3> colsb = {4 * n, 4 * quads, 4 * n};
  with_tiles(engine, [&](auto& tiles) {
    expects_permission(tiles.request_permission(), engine);
    tiles.load_config(tile_config(rows, colsb));  // C is 0 now
    tiles.load(tmm1, padded.data(), kTileRowBytes);
    tiles.load(tmm2, b_tile.data(), kTileRowBytes);
    tiles.dot_s8s8(tmm0, tmm1, tmm2);
    tiles.store(tmm0, c.data(), 4 * n);
    tiles.release();
  });
  // NIBBLE-STUB: // 1. Refuse.  2. Rows of whole quads for A, without reading behind the end of a.
  // NIBBLE-STUB: // 3. with_tiles(): ask, configure, load, multiply, store, release. How large is each tile?
  // NIBBLE-STUB: NIBBLE_TODO("multiply one tile by another");
  // NIBBLE-END
}
// NIBBLE-BEGIN-SOLUTION

// --- Blocks of 32 x 32 ---------------------------------------------------------------------------

namespace {

//                   t: one 64-deep step         a and b advance by a tile at each step; the other
//                     +------+------+           tile of the pair is a row of tiles further on.
//                     | tmm6 | tmm7 |  b
//                     +------+------+           Four products need four loads, and no two products
//            +------+ +------+------+           that follow each other add to the same sums: the
//            | tmm4 | | tmm0 | tmm1 |           second would wait for the first.
//          a +------+ +------+------+
//            | tmm5 | | tmm2 | tmm3 |  sums     1 KiB each, one behind the other
//            +------+ +------+------+

/// Adds `steps` steps to the 32 x 32 sums, or, at the first slice of k, begins them.
template <class Tiles>
void multiply_pair(Tiles& tiles, const std::int8_t* a, const std::int8_t* b,
                   std::size_t row_of_tiles, int steps, bool first, std::int32_t* sums) {
  if (first) {
    tiles.zero(tmm0), tiles.zero(tmm1), tiles.zero(tmm2), tiles.zero(tmm3);
  } else {
    tiles.load(tmm0, sums, kTileRowBytes);
    tiles.load(tmm1, sums + kTileSums, kTileRowBytes);
    tiles.load(tmm2, sums + 2 * kTileSums, kTileRowBytes);
    tiles.load(tmm3, sums + 3 * kTileSums, kTileRowBytes);
  }
  for (int t = 0; t < steps; ++t, a += kTileCodes, b += kTileCodes) {
    tiles.load(tmm4, a, kTileRowBytes);
    tiles.load(tmm6, b, kTileRowBytes);
    tiles.dot_s8s8(tmm0, tmm4, tmm6);
    tiles.load(tmm7, b + row_of_tiles, kTileRowBytes);
    tiles.dot_s8s8(tmm1, tmm4, tmm7);
    tiles.load(tmm5, a + row_of_tiles, kTileRowBytes);
    tiles.dot_s8s8(tmm2, tmm5, tmm6);
    tiles.dot_s8s8(tmm3, tmm5, tmm7);
  }
  tiles.store(tmm0, sums, kTileRowBytes);
  tiles.store(tmm1, sums + kTileSums, kTileRowBytes);
  tiles.store(tmm2, sums + 2 * kTileSums, kTileRowBytes);
  tiles.store(tmm3, sums + 3 * kTileSums, kTileRowBytes);
}

/// Aligned memory that is kept for the next call: fresh pages would cost more than a small product.
/// A tile whose rows are cache lines loads 16 of them, and not 32.
template <class T>
std::span<T> scratch(std::size_t count) {
  struct alignas(64) Line {
    std::array<T, 64 / sizeof(T)> values;
  };
  static thread_local std::vector<Line> lines;
  const std::size_t needed = (count * sizeof(T) + sizeof(Line) - 1) / sizeof(Line);
  if (lines.size() < needed) lines.resize(needed);
  return {lines.empty() ? nullptr : lines.front().values.data(), count};
}

// Three levels. k in slices of 512, so that a slice of 32 rows of A (16 KiB) stays in L1 while B
// passes by; c in blocks of 512 x 512, so that a slice of B (256 KiB) and the unfinished sums (1
// MiB) stay in L2. Without the slices, a long k would send A through L1 again for every 32 columns.
constexpr int kSliceSteps = 8;   ///< of 64 codes
constexpr int kBlockPairs = 16;  ///< of 32 rows, or columns

/// Calls finish(sums, i, j) for every 32 x 32 of the product, when its sums are complete.
template <class Tiles, class Finish>
void multiply_blocks(Tiles& tiles, const std::int8_t* a, const std::int8_t* b, MatmulShape shape,
                     const Finish& finish) {
  const int row_pairs = divided_up(shape.m, 32), column_pairs = divided_up(shape.n, 32);
  const int steps = divided_up(shape.k, kTileRowBytes);
  const std::size_t row_of_tiles = product(steps, kTileCodes);
  const bool whole = steps <= kSliceSteps;  // nothing to remember: one pair's sums, always in L1
  const std::span<std::int32_t> all_sums =
      scratch<std::int32_t>(4 * kTileSums * (whole ? 1 : kBlockPairs * kBlockPairs));

  const auto slice_of_pair = [&](int i, int j, int t) {
    const int place = whole ? 0 : i % kBlockPairs * kBlockPairs + j % kBlockPairs;
    const int count = std::min(kSliceSteps, steps - t);
    std::int32_t* const sums = &all_sums[product(place, 4 * kTileSums)];
    multiply_pair(tiles, a + 2 * i * row_of_tiles + product(t, kTileCodes),
                  b + 2 * j * row_of_tiles + product(t, kTileCodes), row_of_tiles, count, t == 0,
                  sums);
    if (t + count == steps) finish(sums, 32 * i, 32 * j);
  };
  const int slices = std::max(1, divided_up(steps, kSliceSteps));  // k = 0: zeros are sums too
  for (int i0 = 0; i0 < row_pairs; i0 += kBlockPairs) {
    for (int j0 = 0; j0 < column_pairs; j0 += kBlockPairs) {
      for (int slice = 0; slice < slices; ++slice) {
        for (int i = i0; i < std::min(i0 + kBlockPairs, row_pairs); ++i) {
          for (int j = j0; j < std::min(j0 + kBlockPairs, column_pairs); ++j) {
            slice_of_pair(i, j, slice * kSliceSteps);
          }
        }
      }
    }
  }
}

/// Past the caches: what is written is not read again soon, so it need not be fetched before.
void stream_line(void* to, const void* line) {
#if defined(__x86_64__)
  for (int i = 0; i < 4; ++i) {
    _mm_stream_si128(static_cast<__m128i*>(to) + i,
                     _mm_load_si128(static_cast<const __m128i*>(line) + i));
  }
#else
  std::memcpy(to, line, 64);
#endif
}

/// Writes finished sums into c, as convert(sum, j); 16 neighbours at a time.
template <class T, class Convert>
void write_sums(const std::int32_t* sums, int i0, int j0, std::span<T> c, MatmulShape shape,
                const Convert& convert) {
  constexpr std::size_t kL2 = 2 << 20;
  const bool streams = c.size_bytes() > kL2 && shape.n % 16 == 0 &&
                       reinterpret_cast<std::uintptr_t>(c.data()) % 64 == 0;
  for (int r = 0; r < std::min(32, shape.m - i0); ++r) {
    for (int half = 0; half < 2; ++half) {
      const int j = j0 + 16 * half, count = std::min(16, shape.n - j);
      if (count <= 0) break;
      const std::int32_t* const from = sums + (r / 16 * 2 + half) * kTileSums + r % 16 * 16;
      alignas(64) std::array<T, 16> line;
      for (int x = 0; x < count; ++x) line[x] = convert(from[x], j + x);
      T* const to = &c[product(i0 + r, shape.n) + j];
      if (streams) {
        stream_line(to, line.data());
      } else {
        std::copy_n(line.data(), count, to);
      }
    }
  }
}

/// Everything between the spans and the tiles, for both kinds of results.
template <class T, class Convert>
TileCounts multiply_any(TileEngine engine, std::span<const std::int8_t> a,
                        std::span<const std::int8_t> packed_b, std::span<T> c, MatmulShape shape,
                        const Convert& convert) {
  NIBBLE_EXPECTS(shape.m >= 0, shape.m);
  NIBBLE_EXPECTS(shape.n >= 0, shape.n);
  expects_k(shape.k);
  NIBBLE_EXPECTS(packed_b.size() == packed_b_size(shape), packed_b.size());
  NIBBLE_EXPECTS(c.size() == product(shape.m, shape.n), c.size());
  const std::span<std::int8_t> packed_a = scratch<std::int8_t>(packed_a_size(shape));
  pack_a(a, packed_a, shape);

  std::array<std::int32_t, kTiles> rows, colsb;
  rows.fill(kTileRows);
  colsb.fill(kTileRowBytes);
  return with_tiles(engine, [&](auto& tiles) {
    expects_permission(tiles.request_permission(), engine);  // also where there is nothing to do
    tiles.load_config(tile_config(rows, colsb));
    multiply_blocks(
        tiles, packed_a.data(), packed_b.data(), shape,
        [&](const std::int32_t* sums, int i, int j) { write_sums(sums, i, j, c, shape, convert); });
    tiles.release();
#if defined(__x86_64__)
    _mm_sfence();  // streamed lines become visible before anyone is told that they are there
#endif
  });
}

}  // namespace
// NIBBLE-END

TileCounts multiply_tiles(TileEngine engine, std::span<const std::int8_t> a,
                          std::span<const std::int8_t> packed_b, std::span<std::int32_t> c,
                          MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  return multiply_any(engine, a, packed_b, c, shape, [](std::int32_t sum, int) { return sum; });
  // NIBBLE-STUB: // 1. Refuse.  2. Pack a.  3. A template for 32 x 32 sums: which tile is what?
  // NIBBLE-STUB: // 4. Every 32 x 32 of c. What is left of it when m or n is no multiple of 32?
  // NIBBLE-STUB: NIBBLE_TODO("multiply four tiles at a time");
  // NIBBLE-END
}

void multiply_tiles_fused(TileEngine engine, std::span<const std::int8_t> a,
                          std::span<const std::int8_t> packed_b, std::span<const float> scale,
                          std::span<const float> bias, std::span<float> c, MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(scale.size() == product(std::max(shape.n, 0), 1), scale.size());
  NIBBLE_EXPECTS(bias.size() == scale.size(), bias.size());
  expects_finite(scale);
  expects_finite(bias);
  multiply_any(engine, a, packed_b, c, shape, [&](std::int32_t sum, int j) {
    const float v = static_cast<float>(sum) * scale[j] + bias[j];  // two roundings: no contraction
    return v > 0.0f ? v : 0.0f;
  });
  // NIBBLE-STUB: // The same, but for the last thing that happens to a sum. What needs refusing in addition?
  // NIBBLE-STUB: NIBBLE_TODO("scale, shift and clip the sums before they are written");
  // NIBBLE-END
}

}  // namespace nibble
