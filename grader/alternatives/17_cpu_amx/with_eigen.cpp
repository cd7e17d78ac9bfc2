// Lab 17 with Eigen: packing is a transposition of blocks, a block of results is a matrix that
// takes its upper left corner to c, the epilogue is an array expression. No slices of k.
#include <Eigen/Core>

#include "cpu_amx.hpp"

namespace nibble {
namespace {

template <class T>
using RowMajor = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using CodeMap = Eigen::Map<const RowMajor<std::int8_t>>;
using Block = Eigen::Array<std::int32_t, 32, 32, Eigen::RowMajor>;

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

void require_rows(std::span<const std::int8_t> codes, int rows, int k) {
  require(rows >= 0 && 0 <= k && k <= kLongestK, "sizes are out of range");
  require(codes.size() == std::size_t(rows) * std::size_t(k), "codes do not fit the shape");
}

/// The codes with zeros around them, so that only whole tiles are left.
RowMajor<std::int8_t> padded(std::span<const std::int8_t> codes, int rows, int k) {
  RowMajor<std::int8_t> all =
      RowMajor<std::int8_t>::Zero((rows + 31) / 32 * 32, (k + 63) / 64 * 64);
  if (!codes.empty()) all.topLeftCorner(rows, k) = CodeMap(codes.data(), rows, k);
  return all;
}

/// Calls lay(tile of codes, 16 x 64; where its 1024 bytes go) for each tile,
/// row block by row block.
template <class Lay>
void each_tile(const RowMajor<std::int8_t>& codes, std::int8_t* to, const Lay& lay) {
  for (Eigen::Index i = 0; i < codes.rows(); i += 16) {
    for (Eigen::Index p = 0; p < codes.cols(); p += 64, to += 1024)
      lay(codes.block(i, p, 16, 64), to);
  }
}

TileConfig whole_tiles() {
  const std::vector<std::int32_t> rows(8, 16), colsb(8, 64);
  return tile_config(rows, colsb);
}

/// write(block, i, j, rows, columns) gets every 32 x 32 block of sums.
template <class Write>
TileCounts multiply(TileEngine engine, std::span<const std::int8_t> a,
                    std::span<const std::int8_t> packed_b, std::size_t results, MatmulShape shape,
                    const Write& write) {
  require(shape.m >= 0 && shape.n >= 0 && 0 <= shape.k && shape.k <= kLongestK, "sizes");
  require(packed_b.size() == packed_b_size(shape), "packed_b does not fit the shape");
  require(results == std::size_t(shape.m) * std::size_t(shape.n), "c does not fit the shape");
  std::vector<std::int8_t> packed_a(packed_a_size(shape));
  pack_a(a, packed_a, shape);
  const std::size_t panel = (std::size_t(shape.k) + 63) / 64 * 1024;
  return with_tiles(engine, [&](auto& tiles) {
    require(tiles.request_permission(), "the engine grants no tiles");
    tiles.load_config(whole_tiles());
    for (int j = 0; j < shape.n; j += 32) {
      for (int i = 0; i < shape.m; i += 32) {
        tiles.zero(tmm4), tiles.zero(tmm5), tiles.zero(tmm6), tiles.zero(tmm7);
        for (std::size_t at = 0; at < panel; at += 1024) {
          const std::int8_t* const x = packed_a.data() + std::size_t(i) / 16 * panel + at;
          const std::int8_t* const y = packed_b.data() + std::size_t(j) / 16 * panel + at;
          tiles.load(tmm0, x, 64);
          tiles.load(tmm1, x + panel, 64);
          tiles.load(tmm2, y, 64);
          tiles.load(tmm3, y + panel, 64);
          tiles.dot_s8s8(tmm4, tmm0, tmm2);
          tiles.dot_s8s8(tmm5, tmm0, tmm3);
          tiles.dot_s8s8(tmm6, tmm1, tmm2);
          tiles.dot_s8s8(tmm7, tmm1, tmm3);
        }
        Block block;
        tiles.store(tmm4, &block(0, 0), 128);
        tiles.store(tmm5, &block(0, 16), 128);
        tiles.store(tmm6, &block(16, 0), 128);
        tiles.store(tmm7, &block(16, 16), 128);
        write(block, i, j, std::min(32, shape.m - i), std::min(32, shape.n - j));
      }
    }
    tiles.release();
  });
}

}  // namespace

TileConfig tile_config(std::span<const std::int32_t> rows, std::span<const std::int32_t> colsb) {
  require(rows.size() == colsb.size() && rows.size() <= 8, "at most 8 tiles, each with two sizes");
  using Sizes = Eigen::Map<const Eigen::Array<std::int32_t, Eigen::Dynamic, 1>>;
  const Sizes r(rows.data(), Eigen::Index(rows.size())),
      c(colsb.data(), Eigen::Index(colsb.size()));
  require((r >= 0 && r <= 16 && c >= 0 && c <= 64).all(), "a tile has at most 16 rows of 64 bytes");
  require(((r == 0) == (c == 0)).all(), "rows without bytes, or bytes without rows");
  TileConfig config;
  config.palette = 1;
  std::ranges::copy(rows, config.rows.begin());
  std::ranges::copy(colsb, config.colsb.begin());
  return config;
}

void pack_a(std::span<const std::int8_t> a, std::span<std::int8_t> packed, MatmulShape shape) {
  require_rows(a, shape.m, shape.k);
  require(packed.size() == packed_a_size(shape), "packed does not fit the shape");
  each_tile(padded(a, shape.m, shape.k), packed.data(), [](const auto& tile, std::int8_t* to) {
    Eigen::Map<RowMajor<std::int8_t>>(to, 16, 64) = tile;
  });
}

void pack_b(std::span<const std::int8_t> b_t, std::span<std::int8_t> packed, MatmulShape shape) {
  require_rows(b_t, shape.n, shape.k);
  require(packed.size() == packed_b_size(shape), "packed does not fit the shape");
  each_tile(padded(b_t, shape.n, shape.k), packed.data(), [](const auto& tile, std::int8_t* to) {
    for (int quad = 0; quad < 16; ++quad) {
      Eigen::Map<RowMajor<std::int8_t>>(to + 64 * quad, 16, 4) = tile.middleCols(4 * quad, 4);
    }
  });
}

void multiply_tile(TileEngine engine, std::span<const std::int8_t> a,
                   std::span<const std::int8_t> b_tile, std::span<std::int32_t> c,
                   MatmulShape shape) {
  require(1 <= shape.m && shape.m <= 16 && 1 <= shape.n && shape.n <= 16, "not one tile");
  require(1 <= shape.k && shape.k <= 64, "not one step");
  require_rows(a, shape.m, shape.k);
  require(b_tile.size() == 1024, "b_tile is not one tile");
  require(c.size() == std::size_t(shape.m) * std::size_t(shape.n), "c does not fit the shape");
  const RowMajor<std::int8_t> rows = padded(a, shape.m, shape.k);
  Eigen::Array<std::int32_t, 16, 16, Eigen::RowMajor> sums;
  with_tiles(engine, [&](auto& tiles) {
    require(tiles.request_permission(), "the engine grants no tiles");
    tiles.load_config(whole_tiles());
    tiles.load(tmm3, rows.data(), 64);
    tiles.load(tmm5, b_tile.data(), 64);
    tiles.dot_s8s8(tmm7, tmm3, tmm5);
    tiles.store(tmm7, sums.data(), 64);
    tiles.release();
  });
  Eigen::Map<RowMajor<std::int32_t>>(c.data(), shape.m, shape.n) =
      sums.topLeftCorner(shape.m, shape.n);
}

TileCounts multiply_tiles(TileEngine engine, std::span<const std::int8_t> a,
                          std::span<const std::int8_t> packed_b, std::span<std::int32_t> c,
                          MatmulShape shape) {
  Eigen::Map<RowMajor<std::int32_t>> result(c.data(), std::max(shape.m, 0), std::max(shape.n, 0));
  return multiply(engine, a, packed_b, c.size(), shape,
                  [&](const Block& sums, int i, int j, int rows, int columns) {
                    result.block(i, j, rows, columns) = sums.topLeftCorner(rows, columns);
                  });
}

void multiply_tiles_fused(TileEngine engine, std::span<const std::int8_t> a,
                          std::span<const std::int8_t> packed_b, std::span<const float> scale,
                          std::span<const float> bias, std::span<float> c, MatmulShape shape) {
  using RowMap = Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>>;
  const RowMap scales(scale.data(), Eigen::Index(scale.size())),
      biases(bias.data(), Eigen::Index(bias.size()));
  require(scales.size() == shape.n && biases.size() == shape.n, "one scale and bias per column");
  require(scales.isFinite().all() && biases.isFinite().all(), "a scale or bias is not finite");
  Eigen::Map<RowMajor<float>> result(c.data(), std::max(shape.m, 0), std::max(shape.n, 0));
  multiply(engine, a, packed_b, c.size(), shape,
           [&](const Block& sums, int i, int j, int rows, int columns) {
             RowMajor<float> v = sums.topLeftCorner(rows, columns).cast<float>();
             v.rowwise() *= scales.segment(j, columns);
             v.rowwise() += biases.segment(j, columns);
             result.block(i, j, rows, columns) = (v > 0.0f).select(v, 0.0f);
           });
}

}  // namespace nibble
