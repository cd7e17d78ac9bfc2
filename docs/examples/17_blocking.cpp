// How many loads a product of tiles costs, by the shape of the block; and what slices of k cost.
#include <algorithm>
#include <cstdio>

// [shapes]
/// r tiles of A and s of B make r * s products. Tiles needed: all sums, the smaller side's
/// operands, and one tile for those of the other side, one after the other.
void print_shape(int r, int s) {
  const int needed = r * s + std::min(r, s) + 1;
  std::printf("%d x %d: %d loads for %2d products, %.2f each; needs %2d tiles%s\n", r, s, r + s,
              r * s, static_cast<double>(r + s) / (r * s), needed, needed <= 8 ? "" : ": too many");
}
// [/shapes]

// [slices]
/// KiB that a 32-row slice of A needs in L1, and loads for each product, sums included: they are
/// stored after each slice, and loaded before each but the first.
void print_slices(int k, int slice) {
  const int steps = k / 64, slices = k / slice;
  const int products = 4 * steps, loads = 4 * steps + 4 * (slices - 1), stores = 4 * slices;
  std::printf("k = %d in slices of %4d: A %3d KiB, %.3f loads and %.3f stores for a product\n", k,
              slice, 32 * slice / 1024, static_cast<double>(loads) / products,
              static_cast<double>(stores) / products);
}
// [/slices]

int main() {
  for (const auto& [r, s] : {std::pair(1, 1), {1, 2}, {1, 4}, {1, 6}, {2, 2}, {2, 3}, {3, 3}}) {
    print_shape(r, s);
  }
  for (const int slice : {64, 256, 512, 1024, 4096}) print_slices(4096, slice);
}
