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

#include "access.hpp"
#include "fragment_map.hpp"
#include "nibble/simt/device.hpp"
#include "whole_warp.hpp"

namespace nibble::simt {

namespace {

constexpr std::size_t kLineBytes = 16, kBlocks = 8;

/// A fragment's place in memory.
struct FragmentMemory {
  FragmentMap map;
  unsigned char* memory;
  std::size_t ldm;

  unsigned char* at(std::size_t line, std::size_t position) const {
    const std::size_t element = map.straight ? line * ldm + position : position * ldm + line;
    return memory + element * map.element_size;
  }
  std::size_t piece_bytes() const { return map.per_lane * map.element_size; }
};

/// What one lane has read of the blocks.
struct LaneBlocks {
  unsigned char bytes[kBlocks][kLineBytes];
};

/// The running lane, 4 g + t.
struct Lane {
  std::size_t g = lane_in_warp() / 4, t = lane_in_warp() % 4;
};

/// Who holds what this lane gets when a block of 16-bit elements is turned: its element (g, 2 t
/// + j) was read as (2 t + j, g).
struct Across {
  std::size_t lane, element;
};
Across across(const Lane& me, std::size_t j) { return {(2 * me.t + j) * 4 + me.g / 2, me.g % 2}; }

/// The address as PTX wants it: a multiple of what one lane holds, of 16 bytes at least. CUDA's
/// guide asks for 32 bytes always, but then a tile of bytes could not be walked along k.
void check_alignment(const Fragment& fragment, const void* memory, unsigned ldm, bool write,
                     const char* instruction, const void* pc) {
  const std::size_t size = element_size(fragment.element);
  const std::size_t wanted = std::clamp(size * fragment.elements, kLineBytes, 2 * kLineBytes);
  const RefusedAccess access{memory, static_cast<unsigned>(size), write, pc};
  if (reinterpret_cast<std::uintptr_t>(memory) % wanted != 0) {
    stop_misaligned(access, "%s needs an address that is a multiple of %zu bytes", instruction,
                    wanted);
  }
  if (ldm * size % kLineBytes != 0) {
    stop_misaligned(access, "%s: ldm is %u, but must be a multiple of %zu", instruction, ldm,
                    kLineBytes / size);
  }
}

void read(unsigned char* held, const unsigned char* from, std::size_t bytes, const void* pc) {
  touch(from, static_cast<unsigned>(bytes), false, pc);
  std::memcpy(held, from, bytes);
}

void write(unsigned char* to, const unsigned char* held, std::size_t bytes, const void* pc) {
  touch(to, static_cast<unsigned>(bytes), true, pc);
  std::memcpy(to, held, bytes);
}

// ---- every lane for itself, piece by piece

/// The pieces of one block that the lane moves: move(address, where in what it holds, bytes).
template <class Move>
void for_each_piece(const FragmentMemory& tile, const Block& block, const Move& move) {
  const Lane me;
  const std::size_t size = tile.map.element_size, first = block.position + tile.map.per_lane * me.t;
  if (tile.map.straight) {
    move(tile.at(block.line + me.g, first), 0, tile.piece_bytes());
  } else if (size == 2) {
    move(tile.at(block.line + 2 * me.t, block.position + me.g), 0, 2 * size);
  } else {
    for (std::size_t j = 0; j < tile.map.per_lane; j++) {
      move(tile.at(block.line + me.g, first + j), j * size, size);
    }
  }
}

void read_pieces(LaneBlocks& held, const FragmentMemory& tile, const void* pc) {
  for (std::size_t b = 0; b < tile.map.blocks; b++) {
    for_each_piece(tile, tile.map.block[b],
                   [&](const unsigned char* from, std::size_t at, std::size_t bytes) {
                     read(held.bytes[b] + at, from, bytes, pc);
                   });
  }
}

/// What this lane has of the blocks, once all have read.
void collect_pieces(unsigned char* x, const FragmentMemory& tile, void* const* all,
                    const LaneBlocks& mine) {
  const bool turned = !tile.map.straight && tile.map.element_size == 2;
  for (std::size_t b = 0; b < tile.map.blocks; b++, x += tile.piece_bytes()) {
    if (!turned) {
      std::memcpy(x, mine.bytes[b], tile.piece_bytes());
      continue;
    }
    for (std::size_t j = 0; j < 2; j++) {
      const Across from = across({}, j);
      const auto* held = static_cast<const LaneBlocks*>(all[from.lane]);
      std::memcpy(x + 2 * j, held->bytes[b] + 2 * from.element, 2);
    }
  }
}

// ---- ldmatrix: lane 8 i + r reads line r of block i

std::size_t bytes_of(const Fragment& fragment) {
  return fragment.elements * element_size(fragment.element);
}

std::size_t blocks_at_once(const FragmentMap& map) { return map.element_size == 2 ? 4 : 2; }

void read_lines(LaneBlocks& held, const FragmentMemory& tile, const void* pc) {
  const std::size_t at_once = blocks_at_once(tile.map), i = lane_in_warp() / 8;
  const std::size_t r = lane_in_warp() % 8;
  for (std::size_t b = i; i < at_once && b < tile.map.blocks; b += at_once) {
    const auto [line, position] = tile.map.block[b];
    read(held.bytes[b],
         tile.map.straight ? tile.at(line + r, position) : tile.at(line, position + r), kLineBytes,
         pc);
  }
}

void collect_lines(unsigned char* x, const FragmentMemory& tile, void* const* all) {
  const Lane me;
  for (std::size_t b = 0; b < tile.map.blocks; b++, x += 4) {
    const std::size_t first_lane = b % blocks_at_once(tile.map) * 8;
    const auto line = [&](std::size_t r) {
      return static_cast<const LaneBlocks*>(all[first_lane + r])->bytes[b];
    };
    if (tile.map.straight) {
      std::memcpy(x, line(me.g) + 4 * me.t, 4);
    } else {
      for (std::size_t j = 0; j < 2; j++) std::memcpy(x + 2 * j, line(2 * me.t + j) + 2 * me.g, 2);
    }
  }
}

bool goes_through_ldmatrix(const Fragment& fragment, const FragmentMemory& tile) {
  return fragment.matrix != Matrix::kAccumulator && fragment.element != Element::kBfloat16 &&
         (tile.map.straight || tile.map.element_size == 2) && is_shared_memory(tile.memory);
}

/// Fills what half has over and above its blocks.
void repeat(unsigned char* x, std::size_t filled, std::size_t whole) {
  for (std::size_t i = filled; i < whole; i++) x[i] = x[i - filled];
}

}  // namespace

void fill_fragment(const Fragment& fragment, void* x, const void* value, const void* pc) {
  const std::size_t size = element_size(fragment.element);
  touch_registers(x, bytes_of(fragment), true, pc);
  touch_registers(value, size, false, pc);
  auto* const bytes = static_cast<unsigned char*>(x);
  for (std::size_t i = 0; i < fragment.elements; i++) std::memcpy(bytes + i * size, value, size);
}

void load_fragment(const Fragment& fragment, void* x, const void* memory, unsigned ldm,
                   bool row_major, const void* pc) {
  const char* const instruction = "wmma::load_matrix_sync";
  touch_registers(x, bytes_of(fragment), true, pc);
  meet(instruction, pc);
  check_alignment(fragment, memory, ldm, false, instruction, pc);
  const FragmentMemory tile{fragment_map(fragment, row_major),
                            static_cast<unsigned char*>(const_cast<void*>(memory)), ldm};
  auto* const bytes = static_cast<unsigned char*>(x);
  LaneBlocks held;
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
  repeat(bytes, tile.map.blocks * tile.piece_bytes(), fragment.elements * tile.map.element_size);
  meet(instruction, pc);  // until here others read what this lane holds
}

void store_fragment(const Fragment& fragment, const void* x, void* memory, unsigned ldm,
                    bool row_major, const void* pc) {
  const char* const instruction = "wmma::store_matrix_sync";
  touch_registers(x, bytes_of(fragment), false, pc);
  void* all[32];
  exchange(const_cast<void*>(x), all, instruction, pc);
  check_alignment(fragment, memory, ldm, true, instruction, pc);
  const FragmentMemory tile{fragment_map(fragment, row_major), static_cast<unsigned char*>(memory),
                            ldm};
  const std::size_t size = tile.map.element_size;
  const bool turns = !tile.map.straight && size == 2;

  LaneBlocks held;
  for (std::size_t b = 0; b < tile.map.blocks; b++) {
    for (std::size_t j = 0; j < 2; j++) {
      const Across from = turns ? across({}, j) : Across{lane_in_warp(), j};
      const auto* other = static_cast<const unsigned char*>(all[from.lane]);
      std::memcpy(held.bytes[b] + j * size, other + (2 * b + from.element) * size, size);
    }
  }
  meet(instruction, pc);  // until here others read x
  for (std::size_t b = 0; b < tile.map.blocks; b++) {
    for_each_piece(tile, tile.map.block[b],
                   [&](unsigned char* to, std::size_t at, std::size_t bytes) {
                     write(to, held.bytes[b] + at, bytes, pc);
                   });
  }
}

}  // namespace nibble::simt
