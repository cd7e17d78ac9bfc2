// What a warp does together: reductions, matches, shuffles of every size, groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

extern "C" __global__ void reductions(const int* x, int* out, unsigned mask) {
  if (!(mask >> threadIdx.x & 1)) return;
  const int v = x[threadIdx.x];
  const unsigned u = static_cast<unsigned>(v);
  int* mine = out + threadIdx.x * 8;
  mine[0] = __reduce_add_sync(mask, v);
  mine[1] = __reduce_min_sync(mask, v);
  mine[2] = __reduce_max_sync(mask, v);
  mine[3] = static_cast<int>(__reduce_min_sync(mask, u));
  mine[4] = static_cast<int>(__reduce_max_sync(mask, u));
  mine[5] = static_cast<int>(__reduce_and_sync(mask, u));
  mine[6] = static_cast<int>(__reduce_or_sync(mask, u));
  mine[7] = static_cast<int>(__reduce_xor_sync(mask, u));
}

extern "C" __global__ void matches(const int* x, unsigned* out, unsigned mask) {
  if (!(mask >> threadIdx.x & 1)) return;
  int all = -1;
  unsigned* mine = out + threadIdx.x * 5;
  mine[0] = __match_any_sync(mask, x[threadIdx.x]);
  mine[1] = __match_any_sync(mask, static_cast<double>(x[threadIdx.x]));
  mine[2] = __match_all_sync(mask, x[threadIdx.x], &all);
  mine[3] = static_cast<unsigned>(all);
  mine[4] = __match_all_sync(mask, 7ull, &all);
}

extern "C" __global__ void wide_shuffles(double* d, long long* l, __half* h, float* f) {
  const int lane = threadIdx.x;
  d[lane] = __shfl_sync(0xffffffffu, lane + 0.5, lane ^ 1);
  l[lane] = __shfl_xor_sync(0xffffffffu, (1ll << 40) + lane, 3);
  h[lane] = __shfl_down_sync(0xffffffffu, __float2half(static_cast<float>(lane)), 1);
  f[lane] = __shfl_up_sync(0xffffffffu, static_cast<float>(lane), 2, 8);
}

// The lanes that are here together: in a branch, after it, and when some have ended.
extern "C" __global__ void active_lanes(unsigned* out) {
  const unsigned lane = threadIdx.x % 32;
  unsigned* mine = out + threadIdx.x * 4;
  mine[0] = __activemask();
  if (lane % 4 == 0) {
    mine[1] = __activemask();
  } else {
    mine[1] = __activemask();
  }
  mine[2] = __activemask();
  if (lane >= 30) return;
  mine[3] = __activemask();
}

extern "C" __global__ void blocks(unsigned* out) {
  const cg::thread_block block = cg::this_thread_block();
  __shared__ unsigned slot[64];
  slot[block.thread_rank()] = block.size() * 1000 + block.group_index().x * 100;
  block.sync();
  const unsigned other = block.num_threads() - 1 - block.thread_rank();
  out[blockIdx.x * 64 + block.thread_rank()] = slot[other] + block.thread_index().y;
}

template <unsigned N>
__device__ void tile_of(unsigned* out) {
  const auto tile = cg::tiled_partition<N>(cg::this_thread_block());
  const unsigned thread = cg::this_thread_block().thread_rank(), rank = tile.thread_rank();
  unsigned* mine = out + thread * 16;
  mine[0] = tile.size() + 100 * tile.num_threads();
  mine[1] = rank;
  mine[2] = tile.meta_group_rank();
  mine[3] = tile.meta_group_size();
  mine[4] = tile.shfl(thread, N - 1);
  mine[5] = tile.shfl_down(thread, 1);
  mine[6] = tile.shfl_up(thread, 1);
  mine[7] = N > 1 ? tile.shfl_xor(thread, 1) : thread;  // beyond a tile is nothing
  mine[8] = tile.ballot(rank % 2);
  mine[9] = static_cast<unsigned>(tile.any(rank == N - 1) + 2 * tile.all(rank < N));
  mine[10] = cg::reduce(tile, thread, cg::plus<unsigned>());
  mine[11] = static_cast<unsigned>(cg::reduce(tile, -static_cast<int>(thread), cg::less<int>()));
  mine[12] = static_cast<unsigned>(cg::reduce(tile, static_cast<float>(thread), cg::plus<float>()));
  mine[13] =
      static_cast<unsigned>(cg::reduce(tile, static_cast<double>(thread), cg::greater<double>()));
  tile.sync();
  mine[14] = thread;
  if constexpr (N > 1) mine[14] = cg::tiled_partition<1>(tile).meta_group_rank();
  mine[15] = tile.match_any(rank / 2);
}
#define TILE(N) \
  extern "C" __global__ void tile_##N(unsigned* out) { tile_of<N>(out); }
TILE(1)
TILE(2)
TILE(4)
TILE(8)
TILE(16)
TILE(32)

// Every third lane: the group knows only those.
extern "C" __global__ void coalesced(unsigned* out) {
  if (threadIdx.x % 3 != 0) return;
  const cg::coalesced_group group = cg::coalesced_threads();
  unsigned* mine = out + threadIdx.x * 6;
  mine[0] = group.size();
  mine[1] = group.thread_rank();
  mine[2] = group.shfl(threadIdx.x, 1);
  group.sync();
  mine[3] = group.ballot(threadIdx.x > 10);
  mine[4] = cg::reduce(group, threadIdx.x, cg::plus<unsigned>());
  mine[5] = static_cast<unsigned>(
      cg::reduce(group, static_cast<float>(threadIdx.x), cg::greater<float>()));
}

extern "C" __global__ void block_in_a_branch(unsigned* out) {
  const cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() < 16) {
    block.sync();  // finding: half a block
  }
  out[block.thread_rank()] = 1;
}

extern "C" __global__ void sums_of_halves(__half* h, __half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2) {
  const float lane = static_cast<float>(threadIdx.x);
  atomicAdd(h, __float2half(0.5f));
  atomicAdd(h2, __floats2half2_rn(1.0f, lane));
  atomicAdd(b, __float2bfloat16(2.0f));
  atomicAdd(b2, __floats2bfloat162_rn(1.0f, -1.0f));
}

extern "C" __global__ void scopes(int* out, unsigned* wrapped) {
  const int lane = static_cast<int>(threadIdx.x);
  atomicAdd_block(&out[0], lane);
  atomicSub_system(&out[1], lane);
  atomicMax_block(&out[2], lane);
  atomicMin_system(&out[3], -lane);
  atomicOr_block(&out[4], 1 << lane);
  atomicXor_system(&out[5], 3);
  atomicCAS_block(&out[6], 0, lane + 1);
  atomicExch_block(&out[7], 7);
  atomicInc_block(wrapped, 9u);
}
