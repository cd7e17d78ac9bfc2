// Lab 17. The contract is in cpu_amx.hpp; the story is in README.md.
// Check yourself:  ./nibble run 17        (or leave ./nibble watch open)
#include "cpu_amx.hpp"

namespace nibble {

TileConfig tile_config(std::span<const std::int32_t> rows, std::span<const std::int32_t> colsb) {
  // 1. Refuse sizes that no tile has.  2. Which byte says that there are tiles at all?
  NIBBLE_TODO("fill in the 64 bytes");
}

void pack_a(std::span<const std::int8_t> a, std::span<std::int8_t> packed, MatmulShape shape) {
  // 1. Refuse.  2. Walk through packed from its first byte to its last: which i and p belong
  // there, and is there such a code?
  NIBBLE_TODO("lay the rows of a out in tiles");
}

void pack_b(std::span<const std::int8_t> b_t, std::span<std::int8_t> packed, MatmulShape shape) {
  // 1. Refuse.  2. What is not a code is a 0.  3. The formula of the contract, for every j and p.
  NIBBLE_TODO("lay the columns out in quads");
}

void multiply_tile(TileEngine engine, std::span<const std::int8_t> a,
                   std::span<const std::int8_t> b_tile, std::span<std::int32_t> c,
                   MatmulShape shape) {
  // 1. Refuse.  2. Rows of whole quads for A, without reading behind the end of a.
  // 3. with_tiles(): ask, configure, load, multiply, store, release. How large is each tile?
  NIBBLE_TODO("multiply one tile by another");
}

TileCounts multiply_tiles(TileEngine engine, std::span<const std::int8_t> a,
                          std::span<const std::int8_t> packed_b, std::span<std::int32_t> c,
                          MatmulShape shape) {
  // 1. Refuse.  2. Pack a.  3. A template for 32 x 32 sums: which tile is what?
  // 4. Every 32 x 32 of c. What is left of it when m or n is no multiple of 32?
  NIBBLE_TODO("multiply four tiles at a time");
}

void multiply_tiles_fused(TileEngine engine, std::span<const std::int8_t> a,
                          std::span<const std::int8_t> packed_b, std::span<const float> scale,
                          std::span<const float> bias, std::span<float> c, MatmulShape shape) {
  // The same, but for the last thing that happens to a sum. What needs refusing in addition?
  NIBBLE_TODO("scale, shift and clip the sums before they are written");
}

}  // namespace nibble
