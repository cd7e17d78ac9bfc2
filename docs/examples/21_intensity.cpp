// What a block fetches and what it computes: from a tile's sides alone.
#include <cstdio>
#include <initializer_list>

// [tile]
/// A block makes rows x columns of c, a thread r x s of them. For each p the block fetches a column
/// of a and a row of b from global memory once; each warp fetches r + s times from shared memory.
void print_tile(int rows, int columns, int r, int s) {
  const double operations = 2.0 * rows * columns;
  const double bytes = rows + columns;
  const double requests = double(r + s) / (r * s);
  std::printf("%3d x %-3d   %d x %d   %6.1f   %10.3f\n", rows, columns, r, s, operations / bytes,
              requests);
}
// [/tile]

int main() {
  std::puts("tile of c   a thread's   operations   shared requests");
  std::puts("            outputs      a byte       for 32 products");
  for (const int side : {1, 16, 32}) print_tile(side, side, 1, 1);
  print_tile(32, 32, 2, 2);
  print_tile(64, 64, 4, 4);
  print_tile(128, 128, 8, 8);
}
