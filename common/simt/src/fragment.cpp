// WMMA's loads and stores: the same requests to memory that the GPU makes.
//
//   order in memory                    global memory                     shared memory
//   that of the lines                  4 bytes a lane and block          ldmatrix: 16 bytes a line
//     accumulator of 32 bits           8 bytes                           8 bytes
//   across, 16-bit elements            4 bytes, then lanes swap          ldmatrix, transposing
//   across, others                     one element at a time             one element at a time
//
// __nv_bfloat16 takes the middle column everywhere: nvcc 13 does not use ldmatrix for it.
#include <algorithm>
#include <cstring>

#include "fragment_map.hpp"
#include "nibble/simt/device.hpp"
#include "whole_warp.hpp"

namespace nibble::simt {

namespace {

constexpr unsigned kLineBytes = 16;
constexpr int kBlocks = 8;

/// A fragment's place in memory.
struct Tile {
  FragmentMap map;
  unsigned char* memory;
  std::size_t ldm;

  unsigned char* at(int line, int position) const {
    const std::size_t element = map.straight ? std::size_t(line) * ldm + std::size_t(position)
                                             : std::size_t(position) * ldm + std::size_t(line);
    return memory + element * std::size_t(map.element_size);
  }
};

/// What one lane has read of the blocks.
struct Held {
  unsigned char bytes[kBlocks][kLineBytes];
};

/// Of a block's 8 x 8 elements of 16 bits, the lane that holds (t, g) where this one has (g, t).
struct Across {
  int lane, element;
};
Across across(int g, int t, int j) { return {(2 * t + j) * 4 + g / 2, g % 2}; }

/// The address as PTX wants it: a multiple of what one lane holds, of 16 bytes at least. CUDA's guide
/// asks for 32 bytes always, but then a tile of bytes could not be walked along k.
void check_alignment(const Fragment& fragment, const void* memory, unsigned ldm, bool write,
                     const char* instruction, const void* pc) {
  const unsigned size = unsigned(element_size(fragment.element));
  const unsigned wanted = std::clamp(size * fragment.elements, kLineBytes, 2 * kLineBytes);
  const Refused access{memory, size, write, pc};
  if (std::uintptr_t(memory) % wanted != 0)
    stop_misaligned(access, "%s needs an address that is a multiple of %u bytes", instruction,
                    wanted);
  if (std::uint64_t{ldm} * size % kLineBytes != 0)
    stop_misaligned(access, "%s: ldm is %u, but must be a multiple of %u", instruction, ldm,
                    kLineBytes / size);
}

void read(Held& held, int block, int at, const unsigned char* from, int bytes, const void* pc) {
  touch(from, unsigned(bytes), false, pc);
  std::memcpy(held.bytes[block] + at, from, std::size_t(bytes));
}

// ---- global memory: every lane asks for its own pieces

void read_pieces(Held& held, const Tile& tile, const void* pc) {
  const FragmentMap& map = tile.map;
  const int g = lane_in_warp() / 4, t = lane_in_warp() % 4, size = map.element_size;
  for (int b = 0; b < map.blocks; b++) {
    const auto [line, position] = map.block[b];
    if (map.straight) {
      read(held, b, 0, tile.at(line + g, position + map.per_lane * t), size * map.per_lane, pc);
    } else if (size == 2) {
      read(held, b, 0, tile.at(line + 2 * t, position + g), 4, pc);
    } else {
      for (int j = 0; j < map.per_lane; j++)
        read(held, b, j * size, tile.at(line + g, position + map.per_lane * t + j), size, pc);
    }
  }
}

/// What lane (g, t) has of block b, once all have read.
void collect_pieces(unsigned char* x, const Tile& tile, void* const* all, const Held& mine) {
  const FragmentMap& map = tile.map;
  const int g = lane_in_warp() / 4, t = lane_in_warp() % 4, size = map.element_size;
  const auto bytes = std::size_t(map.per_lane * size);
  for (int b = 0; b < map.blocks; b++) {
    if (map.straight || size != 2) {
      std::memcpy(x + std::size_t(b) * bytes, mine.bytes[b], bytes);
      continue;
    }
    for (int j = 0; j < 2; j++) {
      const Across from = across(g, t, j);
      const auto* held = static_cast<const Held*>(all[from.lane]);
      std::memcpy(x + std::size_t(b) * 4 + 2 * j, held->bytes[b] + 2 * from.element, 2);
    }
  }
}

// ---- shared memory: ldmatrix, lane 8 i + r reads line r of block i

int blocks_at_once(const FragmentMap& map) { return map.element_size == 2 ? 4 : 2; }

void read_lines(Held& held, const Tile& tile, const void* pc) {
  const FragmentMap& map = tile.map;
  const int at_once = blocks_at_once(map), lane = lane_in_warp(), r = lane % 8;
  for (int first = 0; first < map.blocks; first += at_once) {
    const int b = first + lane / 8;
    if (lane / 8 >= at_once || b >= map.blocks) continue;
    const auto [line, position] = map.block[b];
    read(held, b, 0, map.straight ? tile.at(line + r, position) : tile.at(line, position + r),
         int{kLineBytes}, pc);
  }
}

void collect_lines(unsigned char* x, const Tile& tile, void* const* all) {
  const FragmentMap& map = tile.map;
  const int g = lane_in_warp() / 4, t = lane_in_warp() % 4;
  for (int b = 0; b < map.blocks; b++) {
    const int first_lane = b % blocks_at_once(map) * 8;
    const auto line = [&](int r) {
      return static_cast<const Held*>(all[first_lane + r])->bytes[b];
    };
    unsigned char* to = x + std::size_t(b) * 4;
    if (map.straight) {
      std::memcpy(to, line(g) + 4 * t, 4);
    } else {
      for (int j = 0; j < 2; j++) std::memcpy(to + 2 * j, line(2 * t + j) + 2 * g, 2);
    }
  }
}

bool goes_through_ldmatrix(const Fragment& fragment, const Tile& tile) {
  return fragment.matrix != Matrix::kAccumulator && fragment.element != Element::kBfloat16 &&
         (tile.map.straight || tile.map.element_size == 2) && is_shared_memory(tile.memory);
}

/// Fills what half has over and above its blocks.
void repeat(unsigned char* x, std::size_t filled, std::size_t whole) {
  for (std::size_t i = filled; i < whole; i++) x[i] = x[i - filled];
}

}  // namespace

void load_fragment(const Fragment& fragment, void* x, const void* memory, unsigned ldm,
                   bool row_major, const void* pc) {
  const char* const instruction = "wmma::load_matrix_sync";
  meet(instruction, pc);
  check_alignment(fragment, memory, ldm, false, instruction, pc);
  const Tile tile{fragment_map(fragment, row_major),
                  static_cast<unsigned char*>(const_cast<void*>(memory)), ldm};
  auto* const bytes = static_cast<unsigned char*>(x);
  Held held;
  void* all[32];
  if (goes_through_ldmatrix(fragment, tile)) {
    read_lines(held, tile, pc);
    exchange(&held, all, instruction, pc);
    collect_lines(bytes, tile, all);
  } else {
    read_pieces(held, tile, pc);
    exchange(&held, all, instruction, pc);
    collect_pieces(bytes, tile, all, held);
  }
  const auto size = std::size_t(tile.map.element_size);
  repeat(bytes, std::size_t(tile.map.blocks * tile.map.per_lane) * size, fragment.elements * size);
  meet(instruction, pc);  // until here others read what this lane holds
}

void store_fragment(const Fragment& fragment, const void* x, void* memory, unsigned ldm,
                    bool row_major, const void* pc) {
  const char* const instruction = "wmma::store_matrix_sync";
  void* all[32];
  exchange(const_cast<void*>(x), all, instruction, pc);
  check_alignment(fragment, memory, ldm, true, instruction, pc);
  const Tile tile{fragment_map(fragment, row_major), static_cast<unsigned char*>(memory), ldm};
  const FragmentMap& map = tile.map;
  const int g = lane_in_warp() / 4, t = lane_in_warp() % 4, size = map.element_size;
  const bool swaps = !map.straight && size == 2;

  unsigned char piece[kBlocks][8];
  for (int b = 0; b < map.blocks; b++)
    for (int j = 0; j < 2; j++) {
      const Across from = swaps ? across(g, t, j) : Across{lane_in_warp(), j};
      const auto* other = static_cast<const unsigned char*>(all[from.lane]);
      std::memcpy(piece[b] + j * size, other + (2 * b + from.element) * size, std::size_t(size));
    }
  meet(instruction, pc);  // until here others read x

  const auto write = [&](unsigned char* to, const unsigned char* from, int bytes) {
    touch(to, unsigned(bytes), true, pc);
    std::memcpy(to, from, std::size_t(bytes));
  };
  for (int b = 0; b < map.blocks; b++) {
    const auto [line, position] = map.block[b];
    if (map.straight) {
      write(tile.at(line + g, position + 2 * t), piece[b], 2 * size);
    } else if (swaps) {
      write(tile.at(line + 2 * t, position + g), piece[b], 4);
    } else {
      for (int j = 0; j < 2; j++)
        write(tile.at(line + g, position + 2 * t + j), piece[b] + j * size, size);
    }
  }
}

}  // namespace nibble::simt
