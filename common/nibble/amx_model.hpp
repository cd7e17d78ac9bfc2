// What the eight tile registers of AMX do, in plain C++: for machines that have none, and for tests
// of programs that use the real ones.
//
//              colsb bytes in use        zeros                a tile: 16 rows of 64 bytes, of which a
//            +-------------------+-----------------+          configuration uses the upper left part.
//     rows   | the part in use   |                 |          The rest reads as 0, always.
//            +-------------------+                 |
//            |             zeros                   |  16
//            +-------------------------------------+
//                             64 bytes
//
// Where the processor would raise a fault, the model throws std::logic_error with a sentence. It
// also refuses two configurations that are legal there, and that no kernel means: palette 0, after
// which there are no tiles, and a start_row, which is for loads that were interrupted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

namespace nibble {

inline constexpr int kTiles = 8;
inline constexpr int kTileRows = 16;
inline constexpr int kTileRowBytes = 64;

/// How large each tile is: the 64 bytes that the instruction ldtilecfg reads. All zeros: no tiles.
struct alignas(64) TileConfig {
  std::uint8_t palette = 0;                       ///< 1: eight tiles. 0: none
  std::uint8_t start_row = 0;                     ///< 0; for loads that were interrupted
  std::array<std::uint8_t, 14> reserved = {};     ///< 0
  std::array<std::uint16_t, 16> colsb = {};       ///< bytes in a row of tile t, 1 to 64; 0: unused
  std::array<std::uint8_t, kTileRows> rows = {};  ///< rows of tile t, 1 to 16; 0: unused

  bool operator==(const TileConfig&) const = default;
};
static_assert(sizeof(TileConfig) == 64);

/// How often something was asked of the tiles.
struct TileCounts {
  std::int64_t loads;   ///< tiles read from memory
  std::int64_t stores;  ///< tiles written to memory
  std::int64_t dots;    ///< tile products

  bool operator==(const TileCounts&) const = default;
};

/// Eight tiles, by number. The names in brackets are the instructions'.
class TileModel {
 public:
  /// Sets the sizes, and every tile to 0 (ldtilecfg).
  void load_config(const TileConfig& config) {
    must_be_legal(config);
    config_ = config;
    tiles_ = {};
  }

  /// Gives the tiles back: no sizes, no contents (tilerelease).
  void release() {
    config_ = {};
    tiles_ = {};
  }

  bool configured() const { return config_.palette != 0; }
  const TileConfig& config() const { return config_; }
  const TileCounts& counts() const { return counts_; }

  /// Sets a whole tile to 0 (tilezero).
  void zero(int tile) {
    must_be_in_use(tile);
    tiles_[tile] = {};
  }

  /// Row r comes from `from` + r * stride bytes, as many bytes as configured (tileloadd).
  void load(int tile, const void* from, std::ptrdiff_t stride) {
    zero(tile);
    const auto* row = static_cast<const std::uint8_t*>(from);
    for (int r = 0; r < rows(tile); ++r)
      std::memcpy(&tiles_[tile][r], row + r * stride, colsb(tile));
    ++counts_.loads;
  }

  /// Row r goes to `to` + r * stride bytes, as many bytes as configured (tilestored).
  void store(int tile, void* to, std::ptrdiff_t stride) {
    must_be_in_use(tile);
    auto* row = static_cast<std::uint8_t*>(to);
    for (int r = 0; r < rows(tile); ++r)
      std::memcpy(row + r * stride, &tiles_[tile][r], colsb(tile));
    ++counts_.stores;
  }

  /// Adds a product to tile c (tdpbssd for two signed types, tdpbusd where A is unsigned, …):
  ///
  ///     c[i][j] += sum over quads q and t in 0..3 of a[i][4 * q + t] * b[q][4 * j + t]
  ///
  /// where c[i][j] is an int32. Nothing saturates: a sum beyond int32 wraps.
  template <class A, class B>
  void dot(int c, int a, int b) {
    must_fit(c, a, b);
    for (int i = 0; i < rows(c); ++i) {
      std::array<std::uint32_t, 16> sums;
      std::memcpy(&sums, &tiles_[c][i], sizeof sums);
      for (std::size_t q = 0; q < std::size_t(rows(b)); ++q) {
        add_quads<A, B>(sums, &tiles_[a][i][4 * q], tiles_[b][q]);
      }
      std::memcpy(&tiles_[c][i], &sums, sizeof sums);
    }
    ++counts_.dots;
  }

 private:
  using Row = std::array<std::uint8_t, kTileRowBytes>;

  int rows(int tile) const { return config_.rows[tile]; }
  int colsb(int tile) const { return config_.colsb[tile]; }

  /// Four codes of A meet four codes of each column. Columns that are not in use hold zeros.
  template <class A, class B>
  static void add_quads(std::array<std::uint32_t, 16>& sums, const std::uint8_t* quad,
                        const Row& row) {
    std::array<A, 4> x;
    std::array<B, kTileRowBytes> y;
    std::memcpy(&x, quad, sizeof x);
    if (x == std::array<A, 4>{}) return;  // padding, mostly: it adds nothing
    std::memcpy(&y, &row, sizeof y);
    for (int j = 0; j < 16; ++j) {
      const int sum =
          x[0] * y[4 * j] + x[1] * y[4 * j + 1] + x[2] * y[4 * j + 2] + x[3] * y[4 * j + 3];
      sums[j] += static_cast<std::uint32_t>(sum);
    }
  }

  static void must(bool holds, const std::string& sentence) {
    if (!holds) throw std::logic_error("tiles: " + sentence);
  }

  static std::string name(int tile) { return "tmm" + std::to_string(tile); }

  std::string size(int tile) const {
    return name(tile) + " has " + std::to_string(rows(tile)) + " rows of " +
           std::to_string(colsb(tile)) + " bytes";
  }

  static void must_be_legal(const TileConfig& config) {
    must(config.palette == 1,
         "a configuration has palette 1, this one has " + std::to_string(config.palette));
    must(config.start_row == 0 && config.reserved == decltype(config.reserved){},
         "start_row and the reserved bytes of a configuration are 0");
    for (int t = 0; t < 16; ++t) {
      const int rows = config.rows[t], colsb = config.colsb[t];
      must(rows <= (t < kTiles ? kTileRows : 0) && colsb <= (t < kTiles ? kTileRowBytes : 0) &&
               (rows == 0) == (colsb == 0),
           "no tile is like the " + name(t) + " of this configuration, with " +
               std::to_string(rows) + " rows of " + std::to_string(colsb) + " bytes");
    }
  }

  void must_be_in_use(int tile) const {
    must(configured(), name(tile) + " is used before load_config(), or after release()");
    must(rows(tile) > 0, name(tile) + " is used, but its configuration has 0 rows for it");
  }

  void must_fit(int c, int a, int b) const {
    for (const int tile : {c, a, b}) must_be_in_use(tile);
    must(c != a && c != b && a != b, "the three tiles of a product are different ones");
    must(colsb(c) % 4 == 0 && colsb(a) % 4 == 0,
         "rows of a product are whole quads of 4 bytes, " + size(c) + " and " + size(a));
    const bool fits = rows(c) == rows(a) && colsb(c) == colsb(b) && colsb(a) == 4 * rows(b);
    must(fits,
         "C takes the rows of A and the row bytes of B, and B has a row for each quad of A, "
         "but as C " +
             size(c) + ", as A " + size(a) + ", as B " + size(b));
  }

  TileConfig config_;
  TileCounts counts_ = {};
  std::array<std::array<Row, kTileRows>, kTiles> tiles_ = {};
};

}  // namespace nibble
