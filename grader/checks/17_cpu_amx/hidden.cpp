// Lab 17: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "cpu_amx.hpp"

#include "checks/17_cpu_amx/model_and_processor.hpp"
#include "checks/17_cpu_amx/multiply_tile.hpp"
#include "checks/17_cpu_amx/multiply_tiles.hpp"
#include "checks/17_cpu_amx/multiply_tiles_fused.hpp"
#include "checks/17_cpu_amx/pack.hpp"
#include "checks/17_cpu_amx/tile_config.hpp"
#include "checks/17_cpu_amx/values.hpp"
#include "judge/code_rows.hpp"
#include "judge/fused_product.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_17_cpu_amx {
namespace {

/// `count` sizes in [low, high] from the secret salt.
Sizes hidden_sizes(std::size_t count, std::uint64_t salt, int low, int high) {
  return code_tensor<std::int32_t>(count, hidden_seed(salt), low, high);
}

TEST(tile_config, EqualsTheReference) {
  std::vector<Configuring::Row> rows;
  for (const std::size_t tiles : {2, 7, 8}) {
    rows.push_back(
        configured("", hidden_sizes(tiles, tiles, 1, 16), hidden_sizes(tiles, tiles + 10, 1, 64)));
  }
  configuring.gives(rows, compare_configs);
}

std::vector<Named<CodeRows>> hidden_rows() {
  const Sizes rows = hidden_sizes(4, 0, 1, 80), k = hidden_sizes(4, 1, 1, 300);
  std::vector<Named<CodeRows>> all;
  for (std::size_t x = 0; x < rows.size(); ++x) {
    all.push_back(random_rows(rows[x], k[x], hidden_seed(2 + x)));
  }
  return all;
}

TEST(pack_a, EqualsTheReference) { packing_a.is_right(hidden_rows()); }
TEST(pack_b, EqualsTheReference) { packing_b.is_right(hidden_rows()); }

std::vector<Product> hidden_products(std::size_t count, std::uint64_t salt, int size, int depth) {
  const Sizes m = hidden_sizes(count, salt, 1, size), n = hidden_sizes(count, salt + 1, 1, size),
              k = hidden_sizes(count, salt + 2, 1, depth);
  std::vector<MatmulShape> shapes;
  for (std::size_t x = 0; x < count; ++x) shapes.push_back({m[x], n[x], k[x]});
  return random_products(shapes, hidden_seed);
}

TEST(multiply_tile, EqualsTheReference) {
  is_right_on_every_engine(multiplying_tile, hidden_products(12, 0, 16, 64));
}

TEST(multiply_tiles, EqualsTheReference) {
  is_right_on_every_engine(multiplying, hidden_products(6, 0, 90, 200));
  is_right_on_every_engine(multiplying, hidden_products(2, 3, 70, 3000));
}

TEST(multiply_tiles_fused, EqualsTheReference) {
  is_right_on_every_engine(fusing, random_fused(hidden_products(5, 0, 70, 300), hidden_seed));
}

}  // namespace
}  // namespace nibble::judge::lab_17_cpu_amx
