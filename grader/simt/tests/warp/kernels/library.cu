// What CUDA's C++ library has for kernels: the standard one's names, atomic objects, pipelines,
// scans; and names of compilers that nvcc knows, too.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

extern "C" __global__ void standard_names(const float* x, int* out) {
  static_assert(cuda::std::is_same_v<cuda::std::int32_t, int>);
  cuda::std::array<int, 2> both{cuda::std::bit_cast<int>(x[threadIdx.x]), 0};
  both[1] = __builtin_bit_cast(int, x[threadIdx.x]);
  out[threadIdx.x] = both[0] == both[1] ? __builtin_popcount(threadIdx.x) : -1;
}

extern "C" __global__ void atomic_objects(int* numbers, unsigned* largest) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __barrier_sync(0);
  cuda::atomic_ref<int, cuda::thread_scope_block>(sum).fetch_add(1, cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> most(*largest);
  if (most.load(cuda::memory_order_relaxed) < threadIdx.x) most.fetch_max(threadIdx.x);
  cuda::atomic_ref<int> counted(numbers[0]);
  int seen = counted.load();
  while (!counted.compare_exchange_weak(seen, seen + 2)) {
  }
  __syncthreads();
  if (threadIdx.x == 0) numbers[1 + blockIdx.x] = __isShared(&sum) + 2 * __isGlobal(numbers) + 4 * sum;
}

extern "C" __global__ void block_wide_only(int* numbers) {
  cuda::atomic_ref<int, cuda::thread_scope_block>(numbers[0]).fetch_add(1);  // finding: two blocks
}

extern "C" __global__ void piped_by_threads(const float* x, float* y) {
  __shared__ alignas(16) float tile[2][128];
  auto pipe = cuda::make_pipeline();
  for (int step = 0; step < 2; step++) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[step][4 * threadIdx.x], x + 128 * step + 4 * threadIdx.x,
                       cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<1>(pipe);
  __syncthreads();
  y[threadIdx.x] = tile[0][127 - threadIdx.x];
  pipe.consumer_release();
  pipe.consumer_wait();
  __syncthreads();
  y[32 + threadIdx.x] = tile[1][127 - threadIdx.x];
  pipe.consumer_release();
}

extern "C" __global__ void read_before_the_pipe(const float* x, float* y) {
  __shared__ alignas(16) float tile[128];
  auto pipe = cuda::make_pipeline();
  cuda::memcpy_async(&tile[4 * threadIdx.x], x + 4 * threadIdx.x, cuda::aligned_size_t<16>(16), pipe);
  pipe.producer_commit();
  y[threadIdx.x] = tile[4 * threadIdx.x];  // finding: too early
  pipe.consumer_wait();
}

extern "C" __global__ void scans(const int* x, int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int* mine = out + 5 * threadIdx.x;
  mine[0] = cg::inclusive_scan(warp, x[threadIdx.x]);
  mine[1] = cg::inclusive_scan(warp, x[threadIdx.x], cg::greater<int>());
  mine[2] = cg::exclusive_scan(warp, x[threadIdx.x], cg::plus<int>());
  mine[3] = mine[4] = -1;
  if (threadIdx.x % 3 == 0) return;
  const cg::coalesced_group some = cg::coalesced_threads();  // 21 lanes
  const cg::coalesced_group eight = cg::tiled_partition(some, 8);
  mine[3] = int(eight.thread_rank() + 100 * eight.size());
  mine[4] = eight.shfl(int(threadIdx.x), 0);
}

extern "C" __global__ void of_three(const int* x, int* out) {
  const int a = x[0], b = x[1], c = x[2];
  out[0] = __vimax3_s32(a, b, c);
  out[1] = __vimin3_s32(a, b, c);
  out[2] = int(__vimax3_u32(unsigned(a), unsigned(b), unsigned(c)));
  out[3] = __viaddmax_s32(a, b, c);
  out[4] = __vimax_s32_relu(a, b);
  out[5] = __vimin_s32_relu(a, b);
}

// The lower half of a block waits for itself.
extern "C" __global__ void half_a_block(int* y, int forget) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t < 64) {
    tile[t] = t;
    if (forget == 0) __barrier_sync_count(1, 64);
    y[t] = tile[63 - t];  // finding: of another warp
  }
  __barrier_sync(0);
}

extern "C" __global__ void at_two_barriers(int* y) {
  if (threadIdx.x < 32) __barrier_sync(1);  // finding: half the block
  else __barrier_sync(2);
  y[threadIdx.x] = 0;
}
