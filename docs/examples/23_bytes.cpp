// What a weight costs: in memory, with its share of a scale,
// and when a warp fetches it to multiply it.
#include <cstdio>
#include <initializer_list>

/// Bits of a weight of 4 bits whose group of g shares a scale.
double bits(int g, int scale_bits) { return 4.0 + double(scale_bits) / g; }

/// Bytes that are moved for one weight, when a warp makes `rows` rows at once: the weight, its
/// share of a request of 256 weights for one sector of scales,
/// and a half of x that serves all the rows.
double moved(double weight_bytes, int rows) { return weight_bytes + 32.0 / 256 + 2.0 / rows; }

int main() {
  std::puts("group   bits a weight, scales of 16 bits   of 32 bits   share of fp32");
  for (const int g : {32, 64, 128, 256}) {
    std::printf("%5d   %33.3f   %10.3f   %11.1f %%\n", g, bits(g, 16), bits(g, 32),
                100 * bits(g, 16) / 32);
  }
  std::puts("\nrows a warp   bytes moved a weight: int4   int8");
  for (const int rows : {1, 2, 4, 8}) {
    std::printf("%11d   %26.3f   %4.3f\n", rows, moved(0.5, rows), moved(1.0, rows));
  }
}
