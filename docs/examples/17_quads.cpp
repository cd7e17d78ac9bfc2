// One product of two small tiles on the model: what a quad is, and what the tiles refuse.
#include <array>
#include <cstdio>

#include "nibble/amx.hpp"

using namespace nibble;

// [tiles]
/// C has 2 x 2 sums, A 2 rows of 8 codes, B 2 columns of 8 codes: a row for each quad of them.
TileConfig small_tiles() {
  TileConfig config;
  config.palette = 1;
  config.rows = {2, 2, 2};
  config.colsb = {2 * 4, 8, 2 * 4};
  return config;
}

constexpr std::array<std::int8_t, 16> kA = {1, 2, 3, 4, 5, 6, 7, 8,  //
                                            1, 0, 0, 0, 0, 0, 0, 1};
constexpr std::array<std::int8_t, 16> kB = {1, 1, 1, 1, /**/ 10, 20, 30, 40,  //
                                            1, 1, 1, 1, /**/ 50, 60, 70, 80};

void print_product() {
  std::array<std::int32_t, 4> c{};
  with_tiles(TileEngine::kModel, [&](auto& tiles) {
    tiles.request_permission();
    tiles.load_config(small_tiles());
    tiles.load(tmm1, kA.data(), 8);
    tiles.load(tmm2, kB.data(), 8);
    tiles.dot_s8s8(tmm0, tmm1, tmm2);
    tiles.store(tmm0, c.data(), 8);
    tiles.release();
  });
  std::printf("%4d %4d\n%4d %4d\n", c[0], c[1], c[2], c[3]);
}
// [/tiles]

// [refused]
template <class Kernel>
void print_refusal(const Kernel& kernel) {
  try {
    with_tiles(TileEngine::kModel, kernel);
  } catch (const std::logic_error& error) {
    std::printf("%s\n", error.what());
  }
}

void print_refusals() {
  print_refusal([](auto& tiles) { tiles.load_config(small_tiles()); });
  print_refusal([](auto& tiles) {
    tiles.request_permission();
    tiles.zero(tmm0);
  });
  print_refusal([](auto& tiles) {
    tiles.request_permission();
    tiles.load_config(TileConfig{});
  });
}
// [/refused]

int main() {
  print_product();
  print_refusals();
}
