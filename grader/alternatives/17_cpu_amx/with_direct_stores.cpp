// Lab 17 without scratch memory where it can be avoided: whole blocks are stored straight into c,
// only those at an edge take a detour. Packing asks of every packed byte where it comes from; tiles
// are of different sizes; the fused product is the integer one and a second pass.
#include "cpu_amx.hpp"

namespace nibble {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

std::size_t count_of(int rows, int columns) {
  if (rows < 0 || columns < 0) refuse("a size is negative");
  return std::size_t(rows) * std::size_t(columns);
}

/// Fills packed[at] from row x and code p, which at() finds for the place inside a tile.
template <class Find>
void fill_tiles(std::span<const std::int8_t> codes, std::span<std::int8_t> packed, int rows, int k,
                const Find& find) {
  if (k > kLongestK || codes.size() != count_of(rows, k)) refuse("codes do not fit the shape");
  const int steps = (k + 63) / 64;
  if (packed.size() != std::size_t(rows + 31) / 32 * 2048 * steps) refuse("packed does not fit");
  int tile = 0, place = 0;
  for (std::int8_t& code : packed) {
    auto [x, p] = find(place);
    x += tile / steps * 16;
    p += tile % steps * 64;
    code = x < rows && p < k ? codes[std::size_t(x) * k + p] : std::int8_t{0};
    if (++place == 1024) place = 0, ++tile;
  }
}

void ask(auto& tiles) {
  if (!tiles.request_permission()) refuse("this engine grants no tiles");
}

/// The 32 x 32 at c, whose rows are `stride` bytes apart.
void multiply_block(auto& tiles, const std::int8_t* a0, const std::int8_t* b0, std::size_t panel,
                    std::int32_t* c, std::ptrdiff_t stride) {
  const std::int8_t *const a1 = a0 + panel, *const b1 = b0 + panel;
  tiles.zero(tmm3);
  tiles.zero(tmm2);
  tiles.zero(tmm1);
  tiles.zero(tmm0);
  for (std::size_t step = 0; step < panel; step += 1024) {
    tiles.load(tmm7, b1 + step, 64);
    tiles.load(tmm5, a1 + step, 64);
    tiles.dot_s8s8(tmm3, tmm5, tmm7);
    tiles.load(tmm4, a0 + step, 64);
    tiles.dot_s8s8(tmm1, tmm4, tmm7);
    tiles.load(tmm6, b0 + step, 64);
    tiles.dot_s8s8(tmm0, tmm4, tmm6);
    tiles.dot_s8s8(tmm2, tmm5, tmm6);
  }
  const auto row_16 = reinterpret_cast<std::int32_t*>(reinterpret_cast<char*>(c) + 16 * stride);
  tiles.store(tmm0, c, stride);
  tiles.store(tmm1, c + 16, stride);
  tiles.store(tmm2, row_16, stride);
  tiles.store(tmm3, row_16 + 16, stride);
}

}  // namespace

TileConfig tile_config(std::span<const std::int32_t> rows, std::span<const std::int32_t> colsb) {
  TileConfig config;
  config.palette = 1;
  if (rows.size() > 8 || rows.size() != colsb.size()) refuse("not a size for each of 8 tiles");
  for (std::size_t t = rows.size(); t-- > 0;) {
    const bool unused = rows[t] == 0 && colsb[t] == 0;
    const bool used =
        std::clamp(rows[t], 1, 16) == rows[t] && std::clamp(colsb[t], 1, 64) == colsb[t];
    if (!unused && !used) refuse("tile " + std::to_string(t) + " has an impossible size");
    config.rows[t] = static_cast<std::uint8_t>(rows[t]);
    config.colsb[t] = static_cast<std::uint16_t>(colsb[t]);
  }
  return config;
}

void pack_a(std::span<const std::int8_t> a, std::span<std::int8_t> packed, MatmulShape shape) {
  fill_tiles(a, packed, shape.m, shape.k,
             [](int place) { return std::pair(place / 64, place % 64); });
}

void pack_b(std::span<const std::int8_t> b_t, std::span<std::int8_t> packed, MatmulShape shape) {
  fill_tiles(b_t, packed, shape.n, shape.k,
             [](int place) { return std::pair(place / 4 % 16, place / 64 * 4 + place % 4); });
}

void multiply_tile(TileEngine engine, std::span<const std::int8_t> a,
                   std::span<const std::int8_t> b_tile, std::span<std::int32_t> c,
                   MatmulShape shape) {
  const auto m = shape.m, n = shape.n, k = shape.k;
  if (std::min({m, n, k}) < 1 || m > 16 || n > 16 || k > 64) refuse("not the size of one tile");
  if (a.size() != count_of(m, k) || b_tile.size() != 1024 || c.size() != count_of(m, n)) {
    refuse("the spans do not fit the shape");
  }
  // Whole quads come straight from a; the codes behind them, in a product of their own.
  const int whole = k / 4, rest = k % 4;
  std::array<std::int8_t, 64> last = {};
  for (int i = 0; i < m; ++i) std::copy_n(a.data() + i * k + 4 * whole, rest, &last[4 * i]);
  const int m_if = whole > 0 ? m : 0, n_if = whole > 0 ? 4 * n : 0;  // a tile of 0 x 0 is none
  const std::array<std::int32_t, 5> rows = {m, m_if, whole, m, 1};
  const std::array<std::int32_t, 5> bytes = {4 * n, 4 * whole, n_if, 4, 4 * n};
  with_tiles(engine, [&](auto& tiles) {
    ask(tiles);
    tiles.load_config(tile_config(rows, bytes));
    if (whole > 0) {
      tiles.load(tmm1, a.data(), k);
      tiles.load(tmm2, b_tile.data(), 64);
      tiles.dot_s8s8(tmm0, tmm1, tmm2);
    }
    if (rest > 0) {
      tiles.load(tmm3, last.data(), 4);
      tiles.load(tmm4, b_tile.data() + 64 * whole, 64);
      tiles.dot_s8s8(tmm0, tmm3, tmm4);
    }
    tiles.store(tmm0, c.data(), 4 * n);
    tiles.release();
  });
}

TileCounts multiply_tiles(TileEngine engine, std::span<const std::int8_t> a,
                          std::span<const std::int8_t> packed_b, std::span<std::int32_t> c,
                          MatmulShape shape) {
  const auto m = shape.m, n = shape.n;
  if (c.size() != count_of(m, n) || shape.k < 0) refuse("c does not fit the shape");
  std::vector<std::int8_t> packed_a(packed_a_size(shape));
  pack_a(a, packed_a, shape);
  if (packed_b.size() != packed_b_size(shape)) refuse("packed_b does not fit the shape");
  const std::size_t panel = std::size_t(shape.k + 63) / 64 * 1024;
  const std::array<std::int32_t, 8> rows = {16, 16, 16, 16, 16, 16, 16, 16};
  const std::array<std::int32_t, 8> bytes = {64, 64, 64, 64, 64, 64, 64, 64};
  return with_tiles(engine, [&](auto& tiles) {
    ask(tiles);
    tiles.load_config(tile_config(rows, bytes));
    for (int i = 0; i < m; i += 32) {
      for (int j = 0; j < n; j += 32) {
        const std::int8_t* const x = packed_a.data() + std::size_t(i / 16) * panel;
        const std::int8_t* const y = packed_b.data() + std::size_t(j / 16) * panel;
        if (i + 32 <= m && j + 32 <= n) {
          multiply_block(tiles, x, y, panel, &c[std::size_t(i) * n + j], std::ptrdiff_t{4} * n);
          continue;
        }
        std::array<std::int32_t, 32 * 32> edge;
        multiply_block(tiles, x, y, panel, edge.data(), 128);
        for (int r = 0; r < std::min(32, m - i); ++r) {
          std::copy_n(&edge[32 * r], std::min(32, n - j), &c[std::size_t(i + r) * n + j]);
        }
      }
    }
    tiles.release();
  });
}

void multiply_tiles_fused(TileEngine engine, std::span<const std::int8_t> a,
                          std::span<const std::int8_t> packed_b, std::span<const float> scale,
                          std::span<const float> bias, std::span<float> c, MatmulShape shape) {
  if (scale.size() != bias.size() || scale.size() != count_of(shape.n, 1)) refuse("wrong columns");
  expects_finite(scale);
  expects_finite(bias);
  std::vector<std::int32_t> sums(c.size());
  multiply_tiles(engine, a, packed_b, sums, shape);
  for (std::size_t i = 0; i < c.size(); i += scale.size()) {
    std::ranges::transform(std::span(sums).subspan(i, scale.size()), scale, &c[i],
                           [](std::int32_t sum, float s) { return static_cast<float>(sum) * s; });
    for (std::size_t j = 0; j < bias.size(); ++j) {
      c[i + j] += bias[j];
      if (!(c[i + j] > 0.0f)) c[i + j] = 0.0f;
    }
  }
}

}  // namespace nibble
