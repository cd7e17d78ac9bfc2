// Who holds what in one product of the tensor cores, 16 x 8 x 32 codes of int8: the layout as three
// functions, and a product that is made of registers alone.
#include <array>
#include <cstdio>
#include <set>
#include <utility>

constexpr int kRows = 16, kColumns = 8, kDepth = 32, kLanes = 32;

// [layout]
using Place = std::pair<int, int>;  // a row, and a place in it

/// Lane 4 g + t: its row in the upper half of a tile,
/// and its place among the four lanes of that row.
int g(int lane) { return lane / 4; }
int t(int lane) { return lane % 4; }

/// Byte e of word r of a, of word r of b_t, and sum e of d.
Place of_a(int lane, int r, int e) { return {g(lane) + r % 2 * 8, r / 2 * 16 + 4 * t(lane) + e}; }
Place of_b(int lane, int r, int e) { return {g(lane), r * 16 + 4 * t(lane) + e}; }
Place of_d(int lane, int e) { return {g(lane) + e / 2 * 8, 2 * t(lane) + e % 2}; }
// [/layout]

/// The same codes under other names: a lane takes 8 neighbours and calls them words
/// r = 0 and r = 1.
Place neighbours_of_a(int lane, int r, int e) {
  return {g(lane) + r % 2 * 8, 8 * t(lane) + r / 2 * 4 + e};
}
Place neighbours_of_b(int lane, int r, int e) { return {g(lane), 8 * t(lane) + r * 4 + e}; }

int code_of_a(Place at) { return (at.first * 37 + at.second * 11) % 251 - 125; }
int code_of_b(Place at) { return (at.first * 53 + at.second * 29) % 241 - 120; }

using Layout = Place(int lane, int r, int e);
using Sums = std::array<std::array<int, kColumns>, kRows>;

/// What the tensor core does with codes that were fetched so:
/// it takes every word for what of_a and of_b say.
Sums product(Layout* fetched_a, Layout* fetched_b) {
  int a[kRows][kDepth], b[kColumns][kDepth];
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int r = 0; r < 4; ++r) {
      for (int e = 0; e < 4; ++e) {
        const auto [row, p] = of_a(lane, r, e);
        a[row][p] = code_of_a(fetched_a(lane, r, e));
        if (r > 1) continue;
        const auto [column, q] = of_b(lane, r, e);
        b[column][q] = code_of_b(fetched_b(lane, r, e));
      }
    }
  }
  Sums sums{};
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kColumns; ++j) {
      for (int p = 0; p < kDepth; ++p) sums[i][j] += a[i][p] * b[j][p];
    }
  }
  return sums;
}

int equal_sums(const Sums& x, const Sums& y) {
  int equal = 0;
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kColumns; ++j) equal += x[i][j] == y[i][j];
  }
  return equal;
}

int main() {
  const int lane = 13;
  std::printf("lane %d: g = %d, t = %d\n", lane, g(lane), t(lane));
  for (int r = 0; r < 4; ++r) {
    const auto [row, p] = of_a(lane, r, 0);
    const auto [i, j] = of_d(lane, r);
    std::printf("  a[%d]  row %2d of a, codes %2d to %2d        d[%d]  c[%2d,%d]\n", r, row, p,
                p + 3, r, i, j);
  }
  for (int r = 0; r < 2; ++r) {
    const auto [row, p] = of_b(lane, r, 0);
    std::printf("  b[%d]  row %2d of b_t, codes %2d to %2d\n", r, row, p, p + 3);
  }

  std::set<Place> codes_of_a, codes_of_b, sums;
  for (int each = 0; each < kLanes; ++each) {
    for (int e = 0; e < 4; ++e) {
      for (int r = 0; r < 4; ++r) codes_of_a.insert(of_a(each, r, e));
      for (int r = 0; r < 2; ++r) codes_of_b.insert(of_b(each, r, e));
      sums.insert(of_d(each, e));
    }
  }
  std::printf("32 lanes hold %zu codes of a, %zu of b_t, %zu sums\n", codes_of_a.size(),
              codes_of_b.size(), sums.size());

  const Sums right = product(of_a, of_b);
  std::puts("\n8 neighbouring codes a lane    sums that are right");
  std::printf("in a and in b_t                %3d of 128\n",
              equal_sums(product(neighbours_of_a, neighbours_of_b), right));
  std::printf("in a alone                     %3d of 128\n",
              equal_sums(product(neighbours_of_a, of_b), right));
}
