// CUDA's <cooperative_groups.h> for the SIMT engine: the grid, the block, tiles of it up to a warp, and
// the lanes that happen to be together.
#pragma once

#include "nibble/simt.hpp"
#include "nibble/simt/warp.hpp"

namespace cooperative_groups {

namespace simt_detail {

NIBBLE_SIMT_QUIET inline unsigned thread_of_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
NIBBLE_SIMT_QUIET inline unsigned lane() { return thread_of_block() % 32; }

/// Which bit of `mask` is the rank-th that is set; 32 when there are fewer.
NIBBLE_SIMT_QUIET inline unsigned lane_of_rank(unsigned mask, unsigned rank) {
  for (; rank > 0; rank--) mask &= mask - 1;
  return mask != 0 ? unsigned(__builtin_ctz(mask)) : 32;
}

/// The bits of `lanes` that are in `mask`, pushed together.
NIBBLE_SIMT_QUIET inline unsigned by_rank(unsigned lanes, unsigned mask) {
  unsigned result = 0;
  for (unsigned rank = 0; mask != 0; mask &= mask - 1, rank++)
    result |= (lanes >> unsigned(__builtin_ctz(mask)) & 1) << rank;
  return result;
}

/// What a tile and a coalesced group have in common: some lanes of one warp.
class Lanes {
 public:
  /// A group may lie anywhere, as any struct: this is its one load.
  NIBBLE_SIMT_QUIET unsigned simt_mask(const void* pc) const {
    nibble::simt::touch_registers(&mask_, sizeof mask_, false, pc);
    return mask_;
  }
  NIBBLE_SIMT_UNSEEN unsigned size() const { return simt_size(NIBBLE_SIMT_PC); }
  NIBBLE_SIMT_UNSEEN unsigned num_threads() const { return simt_size(NIBBLE_SIMT_PC); }
  NIBBLE_SIMT_UNSEEN unsigned thread_rank() const { return simt_rank(NIBBLE_SIMT_PC); }
  NIBBLE_SIMT_UNSEEN void sync() const {
    nibble::simt::warp_collective(nibble::simt::kWarpSync, simt_mask(NIBBLE_SIMT_PC), nullptr, 0, 0,
                                  32, NIBBLE_SIMT_PC);
  }
  NIBBLE_SIMT_UNSEEN unsigned ballot(int predicate) const {
    return by_rank(vote(predicate, NIBBLE_SIMT_PC), simt_mask(NIBBLE_SIMT_PC));
  }
  NIBBLE_SIMT_UNSEEN int any(int predicate) const { return vote(predicate, NIBBLE_SIMT_PC) != 0; }
  NIBBLE_SIMT_UNSEEN int all(int predicate) const { return vote(!predicate, NIBBLE_SIMT_PC) == 0; }

  template <nibble::simt::ByValue T>
  NIBBLE_SIMT_UNSEEN T shfl(T value, unsigned rank) const {
    return simt_shuffle(value, rank % simt_size(NIBBLE_SIMT_PC), NIBBLE_SIMT_PC);
  }
  template <nibble::simt::ByValue T>
  NIBBLE_SIMT_UNSEEN T shfl_up(T value, unsigned delta) const {
    const unsigned me = simt_rank(NIBBLE_SIMT_PC);
    return simt_shuffle(value, me < delta ? me : me - delta, NIBBLE_SIMT_PC);
  }
  template <nibble::simt::ByValue T>
  NIBBLE_SIMT_UNSEEN T shfl_down(T value, unsigned delta) const {
    const unsigned me = simt_rank(NIBBLE_SIMT_PC);
    return simt_shuffle(value, me + delta < simt_size(NIBBLE_SIMT_PC) ? me + delta : me,
                        NIBBLE_SIMT_PC);
  }

  template <nibble::simt::ByValue T>
  NIBBLE_SIMT_QUIET T simt_shuffle(T value, unsigned rank, const void* pc) const {
    const unsigned mask = simt_mask(pc);
    return nibble::simt::shuffle(nibble::simt::kShuffle, mask, value, int(lane_of_rank(mask, rank)),
                                 32, pc);
  }
  NIBBLE_SIMT_QUIET unsigned simt_size(const void* pc) const {
    return unsigned(__builtin_popcount(simt_mask(pc)));
  }
  NIBBLE_SIMT_QUIET unsigned simt_rank(const void* pc) const {
    return unsigned(__builtin_popcount(simt_mask(pc) & ((1u << lane()) - 1)));
  }

 protected:
  NIBBLE_SIMT_QUIET explicit Lanes(unsigned mask) : mask_(mask) {}

 private:
  NIBBLE_SIMT_QUIET unsigned vote(int predicate, const void* pc) const {
    return nibble::simt::warp_collective(nibble::simt::kBallot, simt_mask(pc), nullptr, 0,
                                         predicate != 0, 32, pc);
  }
  unsigned mask_;
};

}  // namespace simt_detail

class thread_block {
 public:
  NIBBLE_SIMT_QUIET static unsigned thread_rank() { return simt_detail::thread_of_block(); }
  NIBBLE_SIMT_QUIET static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  NIBBLE_SIMT_QUIET static unsigned num_threads() { return size(); }
  NIBBLE_SIMT_QUIET static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  NIBBLE_SIMT_QUIET static dim3 thread_index() {
    return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
  }
  NIBBLE_SIMT_QUIET static dim3 group_dim() { return blockDim; }
  NIBBLE_SIMT_QUIET static dim3 dim_threads() { return blockDim; }
  NIBBLE_SIMT_UNSEEN static void sync() { nibble::simt::block_barrier(NIBBLE_SIMT_PC); }
};
NIBBLE_SIMT_QUIET inline thread_block this_thread_block() { return {}; }

/// N neighbouring threads of a block, all in one warp.
template <unsigned N, class Parent = void>
class thread_block_tile : public simt_detail::Lanes {
  static_assert(N == 1 || N == 2 || N == 4 || N == 8 || N == 16 || N == 32,
                "a tile has 1, 2, 4, 8, 16 or 32 threads; the SIMT engine has none beyond a warp");

 public:
  NIBBLE_SIMT_QUIET thread_block_tile() : Lanes(tile_mask()) {}
  template <class Other>
  NIBBLE_SIMT_QUIET thread_block_tile(const thread_block_tile<N, Other>&) : Lanes(tile_mask()) {}

  NIBBLE_SIMT_QUIET static constexpr unsigned size() { return N; }
  NIBBLE_SIMT_QUIET static constexpr unsigned num_threads() { return N; }
  NIBBLE_SIMT_QUIET static unsigned meta_group_rank() {
    return simt_detail::thread_of_block() % parent_size() / N;
  }
  NIBBLE_SIMT_QUIET static unsigned meta_group_size() { return (parent_size() + N - 1) / N; }

  template <nibble::simt::ByValue T>
  NIBBLE_SIMT_UNSEEN T shfl_xor(T value, unsigned ranks) const {
    if constexpr (N == 1) return value;
    return nibble::simt::shuffle(nibble::simt::kShuffleXor, simt_mask(NIBBLE_SIMT_PC), value,
                                 int(ranks), N, NIBBLE_SIMT_PC);
  }
  template <nibble::simt::ByValue T>
  NIBBLE_SIMT_UNSEEN unsigned match_any(T value) const {
    return simt_detail::by_rank(
        nibble::simt::match_any(simt_mask(NIBBLE_SIMT_PC), nibble::simt::bits_of(value),
                                NIBBLE_SIMT_PC),
        simt_mask(NIBBLE_SIMT_PC));
  }

 private:
  NIBBLE_SIMT_QUIET static unsigned tile_mask() {
    return N == 32 ? 0xffffffffu : ((1u << N % 32) - 1) << simt_detail::lane() / N * N;
  }
  NIBBLE_SIMT_QUIET static unsigned parent_size() {
    if constexpr (requires { Parent::num_threads(); }) return Parent::num_threads();
    return thread_block::num_threads();
  }
};

template <unsigned N>
NIBBLE_SIMT_QUIET thread_block_tile<N, thread_block> tiled_partition(const thread_block&) {
  return {};
}
template <unsigned N, unsigned M, class Parent>
NIBBLE_SIMT_QUIET thread_block_tile<N, thread_block_tile<M, Parent>> tiled_partition(
    const thread_block_tile<M, Parent>&) {
  static_assert(N < M, "a tile of a tile is smaller than it");
  return {};
}

class coalesced_group : public simt_detail::Lanes {
 public:
  NIBBLE_SIMT_QUIET explicit coalesced_group(unsigned mask) : Lanes(mask) {}
};

/// The lanes of __activemask().
NIBBLE_SIMT_UNSEEN inline coalesced_group coalesced_threads() {
  return coalesced_group(nibble::simt::active_mask(NIBBLE_SIMT_PC));
}

/// Of some lanes, those of neighbouring ranks: the first `size`, the next, and so on.
NIBBLE_SIMT_UNSEEN inline coalesced_group tiled_partition(const coalesced_group& group,
                                                          unsigned size) {
  const void* const pc = NIBBLE_SIMT_PC;
  const unsigned mask = group.simt_mask(pc), first = group.simt_rank(pc) / size * size;
  unsigned tile = 0;
  for (unsigned rank = first; rank < first + size; rank++) {
    const unsigned lane = simt_detail::lane_of_rank(mask, rank);
    if (lane < 32) tile |= 1u << lane;
  }
  return coalesced_group(tile);
}

/// The lanes of the group that bring the same label.
template <class Group, class Label>
NIBBLE_SIMT_UNSEEN coalesced_group labeled_partition(const Group& group, Label label) {
  const void* const pc = NIBBLE_SIMT_PC;
  return coalesced_group(
      nibble::simt::match_any(group.simt_mask(pc), std::uint64_t(unsigned(label)), pc));
}
template <class Group>
NIBBLE_SIMT_UNSEEN coalesced_group binary_partition(const Group& group, bool side) {
  const void* const pc = NIBBLE_SIMT_PC;
  return coalesced_group(nibble::simt::match_any(group.simt_mask(pc), side ? 1 : 0, pc));
}

/// A block, or some lanes of a warp: which of them is known only when it runs.
class thread_group {
 public:
  NIBBLE_SIMT_QUIET thread_group(const thread_block&) : mask_(0) {}
  NIBBLE_SIMT_UNSEEN thread_group(const simt_detail::Lanes& lanes)
      : mask_(lanes.simt_mask(NIBBLE_SIMT_PC)) {}
  NIBBLE_SIMT_UNSEEN unsigned size() const { return size_here(NIBBLE_SIMT_PC); }
  NIBBLE_SIMT_UNSEEN unsigned num_threads() const { return size_here(NIBBLE_SIMT_PC); }
  NIBBLE_SIMT_UNSEEN unsigned thread_rank() const {
    const unsigned mask = mask_here(NIBBLE_SIMT_PC);
    return mask == 0 ? thread_block::thread_rank() : lanes(mask).simt_rank(NIBBLE_SIMT_PC);
  }
  NIBBLE_SIMT_UNSEEN void sync() const {
    const void* const pc = NIBBLE_SIMT_PC;
    const unsigned mask = mask_here(pc);
    if (mask == 0) return nibble::simt::block_barrier(pc);
    nibble::simt::warp_collective(nibble::simt::kWarpSync, mask, nullptr, 0, 0, 32, pc);
  }

 private:
  NIBBLE_SIMT_QUIET static coalesced_group lanes(unsigned mask) { return coalesced_group(mask); }
  /// As of Lanes: the group's one load.
  NIBBLE_SIMT_QUIET unsigned mask_here(const void* pc) const {
    nibble::simt::touch_registers(&mask_, sizeof mask_, false, pc);
    return mask_;
  }
  NIBBLE_SIMT_QUIET unsigned size_here(const void* pc) const {
    const unsigned mask = mask_here(pc);
    return mask == 0 ? thread_block::num_threads() : unsigned(__builtin_popcount(mask));
  }
  unsigned mask_;  ///< 0: the block
};

/// Tiles of 1, 2, 4, 8, 16 or 32 threads.
NIBBLE_SIMT_QUIET inline thread_group tiled_partition(const thread_block&, unsigned size) {
  const unsigned all = size >= 32 ? 0xffffffffu : (1u << size) - 1;
  return coalesced_group(all << simt_detail::lane() / size * size);
}

template <class Group>
__attribute__((always_inline)) inline void sync(const Group& group) {
  group.sync();
}

/// A thread by itself.
struct thread_itself {
  NIBBLE_SIMT_QUIET static unsigned size() { return 1; }
  NIBBLE_SIMT_QUIET static unsigned num_threads() { return 1; }
  NIBBLE_SIMT_QUIET static unsigned thread_rank() { return 0; }
  NIBBLE_SIMT_QUIET static void sync() {}
};
NIBBLE_SIMT_QUIET inline thread_itself this_thread() { return {}; }

/// One of the group does it.
template <class Group, class Function, class... Args>
__attribute__((always_inline)) inline void invoke_one(const Group& group, Function&& function,
                                                      Args&&... args) {
  if (group.thread_rank() == 0) function(static_cast<Args&&>(args)...);
}

/// All threads of a launch by cudaLaunchCooperativeKernel.
class grid_group {
 public:
  NIBBLE_SIMT_QUIET static bool is_valid() { return nibble::simt::is_cooperative(); }
  NIBBLE_SIMT_QUIET static unsigned long long num_blocks() {
    return 1ull * gridDim.x * gridDim.y * gridDim.z;
  }
  NIBBLE_SIMT_QUIET static unsigned long long num_threads() {
    return num_blocks() * thread_block::num_threads();
  }
  NIBBLE_SIMT_QUIET static unsigned long long size() { return num_threads(); }
  NIBBLE_SIMT_QUIET static unsigned long long block_rank() {
    return blockIdx.x + 1ull * gridDim.x * (blockIdx.y + 1ull * gridDim.y * blockIdx.z);
  }
  NIBBLE_SIMT_QUIET static unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  NIBBLE_SIMT_QUIET static dim3 block_index() { return thread_block::group_index(); }
  NIBBLE_SIMT_QUIET static dim3 dim_blocks() { return gridDim; }
  NIBBLE_SIMT_QUIET static dim3 group_dim() { return gridDim; }
  NIBBLE_SIMT_UNSEEN static void sync() { nibble::simt::grid_barrier(NIBBLE_SIMT_PC); }
};
NIBBLE_SIMT_QUIET inline grid_group this_grid() { return {}; }

}  // namespace cooperative_groups
