// What a warp asks of the memory, from its 32 addresses alone: sectors of global memory, passes
// over the banks of shared memory. The rules fit in ten lines, and need no GPU.
#include <algorithm>
#include <array>
#include <cstdio>
#include <initializer_list>
#include <set>

constexpr int kLanes = 32;

// [rules]
using Addresses = std::array<long, kLanes>;  // one byte for each lane

/// Memory moves in sectors of 32 bytes; lanes that share one share its price.
std::size_t sectors(const Addresses& lanes) {
  std::set<long> wanted;
  for (const long address : lanes) wanted.insert(address / 32);
  return wanted.size();
}

/// Word w lies in bank w mod 32. A bank gives one word a pass, to all lanes that want it.
std::size_t passes(const Addresses& lanes) {
  std::array<std::set<long>, 32> banks;
  for (const long address : lanes) banks[std::size_t(address / 4 % 32)].insert(address / 4);
  std::size_t most = 0;
  for (const std::set<long>& words : banks) most = std::max(most, words.size());
  return most;
}
// [/rules]

template <class Address>
Addresses warp(const Address& address) {
  Addresses lanes;
  for (int lane = 0; lane < kLanes; ++lane) lanes[std::size_t(lane)] = address(lane);
  return lanes;
}

/// Rows of a and columns of b that a warp of `wide` columns touches for one p; rows are 1024 long.
void print_warp(int wide) {
  const std::size_t a = sectors(warp([&](int lane) { return lane / wide * 1024L; }));
  const std::size_t b = sectors(warp([&](int lane) { return lane % wide; }));
  std::printf("%2d rows x %2d columns    %2zu + %zu = %2zu\n", kLanes / wide, wide, a, b, a + b);
}

/// 32 lanes read p of 32 rows that are `pitch` bytes apart.
void print_pitch(int pitch) {
  std::printf("%2d bytes   ", pitch);
  for (const int p : {0, 1, 2, 3}) {
    std::printf("%3zu", passes(warp([&](int lane) { return lane * pitch + p; })));
  }
  std::puts("");
}

int main() {
  std::puts("a warp makes          sectors of a and b for one p");
  for (const int wide : {32, 16, 8, 1}) print_warp(wide);
  std::puts("\na row of     passes for p =\nthe tile       0  1  2  3");
  for (const int pitch : {32, 33, 34, 36, 40, 64}) print_pitch(pitch);
}
