// How large should a register tile be? Counts what one step of k costs for every shape that fits.
#include <cstdio>

// [count]
/// A tile of `rows` rows by `vectors` vectors of columns. Each step of k loads every vector of b
/// once, one quad of a for each row, and does rows * vectors multiplications.
struct Tile {
  int rows, vectors;

  constexpr int sums() const { return rows * vectors; }
  constexpr int registers() const { return sums() + vectors + 1; }
  constexpr int loads() const { return rows + vectors; }
  constexpr double loads_per_product() const { return double(loads()) / sums(); }
};
// [/count]

void print_tiles(int registers) {
  std::printf("%d registers\n", registers);
  for (int vectors = 1; vectors <= 6; ++vectors) {
    Tile tile{1, vectors};
    while (Tile{tile.rows + 1, vectors}.registers() <= registers) ++tile.rows;
    std::printf("  %2d rows x %d vectors   %2d sums   %2d loads   %.2f loads a product\n",
                tile.rows, vectors, tile.sums(), tile.loads(), tile.loads_per_product());
  }
}

int main() {
  print_tiles(16);
  print_tiles(32);
}
