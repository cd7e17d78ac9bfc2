// Where the 16-byte pieces of a tile may lie so that neither ldmatrix nor the copies that fill
// the tile meet in a bank.
#include <algorithm>
#include <array>
#include <cstdio>

/// Shared memory is 32 banks of 4 bytes. For accesses of 16 bytes they are 8 groups of four, and 8
/// lanes are served at a time: in one pass, if they are in 8 different groups.
using Offsets = std::array<int, 8>;  // in bytes

int passes(const Offsets& lanes) {
  std::array<int, 8> lanes_in_group{};
  for (const int offset : lanes) ++lanes_in_group[std::size_t(offset / 16 % 8)];
  return *std::max_element(lanes_in_group.begin(), lanes_in_group.end());
}

/// Where piece q of a row begins.
using Arrangement = int(int row, int q);

int plain(int row, int q) { return row * 64 + q * 16; }
int padded(int row, int q) { return row * 80 + q * 16; }
int moved_every_row(int row, int q) { return row * 64 + (q ^ row % 4) * 16; }
int moved_every_second_row(int row, int q) { return row * 64 + (q ^ row / 2 % 4) * 16; }
int columns(int row, int q) { return q * 64 * 16 + row * 16; }
int padded_columns(int row, int q) { return q * 66 * 16 + row * 16; }

void print(const char* name, Arrangement* at) {
  Offsets block{}, copy{};
  for (int lane = 0; lane < 8; ++lane) {
    block[std::size_t(lane)] = at(lane, 1);            // 8 rows, the same piece
    copy[std::size_t(lane)] = at(lane / 4, lane % 4);  // 2 rows, all pieces
  }
  std::printf("%-34s %d          %d\n", name, passes(block), passes(copy));
}

int main() {
  std::puts("64 rows of 4 pieces            passes of");
  std::puts("                                 ldmatrix   copies");
  print("rows of 64 bytes", plain);
  print("rows of 80 bytes", padded);
  print("64, q ^ row % 4", moved_every_row);
  print("64, q ^ row / 2 % 4", moved_every_second_row);
  print("columns of 64 pieces", columns);
  print("columns of 66 pieces", padded_columns);
}
