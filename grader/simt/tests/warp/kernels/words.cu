// Words that CUDA code in the wild uses: cache hints, fast mathematics, constants, copies on their
// way under the toolkit's names, groups of a size known at run time, lambdas around shared memory.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <math_constants.h>
#include <vector_functions.h>
#include <vector_types.h>

namespace cg = cooperative_groups;

extern "C" __global__ void hinted(const float4* x, float4* y, char4* q) {
  const unsigned i = threadIdx.x;
  const float4 a = __ldcs(x + i);  // loads with a hint
  const float4 b = __ldcg(x + i), c = __ldca(x + i), d = __ldg(x + i);
  __stcs(y + i, make_float4(a.x, b.y, c.z, d.w));  // stores with a hint
  __stwt(q + i, make_char4(1, 2, 3, 4));
}

extern "C" __global__ void braced(const float4* x, float4* y) {
  const float4 a = x[threadIdx.x];
  float4 zero = {0};
  y[threadIdx.x] = float4{a.w, a.z, a.y, a.x + zero.w};  // a store of braces
}

extern "C" __global__ void fast_mathematics(float* out) {
  float sine, cosine;
  __sincosf(0.5f, &sine, &cosine);
  const float values[] = {__expf(1.0f),  __logf(2.0f),     __log2f(8.0f),        __log10f(100.0f),
                          __sinf(0.5f),  __cosf(0.5f),     __tanf(0.5f),         __powf(2.0f, 3.0f),
                          __exp10f(2.0f), sine,            cosine,               __fdividef(3.0f, 4.0f),
                          CUDART_PI_F,   CUDART_SQRT_TWO_F, __saturatef(CUDART_INF_F)};
  for (int i = 0; i < 15; i++) out[i] = values[i];
}

extern "C" __global__ void piped(const float* x, float* y) {
  __shared__ alignas(16) float tile[32];
  if (threadIdx.x < 8) __pipeline_memcpy_async(&tile[4 * threadIdx.x], &x[4 * threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[threadIdx.x] = tile[31 - threadIdx.x];
}

extern "C" __global__ void copied_by_a_block(const float* x, const signed char* q, float* y) {
  __shared__ float tile[70];
  __shared__ signed char codes[7];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, x, sizeof tile);
  cg::memcpy_async(block, codes, q, sizeof codes);
  cg::wait(block);
  y[threadIdx.x] = tile[threadIdx.x] + codes[threadIdx.x % 7];
}

extern "C" __global__ void read_before_its_wait(const float* x, float* y) {
  __shared__ float tile[32];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, x, sizeof tile);
  y[threadIdx.x] = tile[threadIdx.x];  // finding: too early
  cg::wait(block);
}

struct Larger {
  __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};

extern "C" __global__ void groups_of_any_size(float* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_group tile = cg::tiled_partition(block, 8), whole = block;
  tile.sync();
  whole.sync();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const cg::coalesced_group half = cg::binary_partition(warp, warp.thread_rank() < 16);
  const cg::coalesced_group fours = cg::labeled_partition(warp, int(warp.thread_rank() / 4));
  const float x = float(threadIdx.x);
  float* mine = out + threadIdx.x * 6;
  mine[0] = float(tile.thread_rank() + 100 * tile.size());
  mine[1] = float(whole.thread_rank() + 100 * whole.size());
  mine[2] = cg::reduce(half, x, Larger{});
  mine[3] = float(cg::reduce(fours, int(x), [](int a, int b) { return a * b % 97; }));
  mine[4] = cg::reduce(warp, x, cg::greater<float>());
  mine[5] = float(fours.size());
}

extern "C" __global__ void lambdas(int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  auto put = [=](int value) { tile[t] = value; };
  auto get = [](int i) { return tile[i]; };
  put(3 * t);
  __syncthreads();
  out[t] = get(31 - t);
}

__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

extern "C" __global__ void indices_by_name(int* out) {
  const auto [x, y, z] = threadIdx;
  const auto& where = blockIdx;
  out[x + 8 * y + 16 * z] = int(100 * where.x) + factorial(int(x % 4));
}

extern "C" __global__ void device_branch(int* out) {
#if defined(__CUDACC__)
  out[threadIdx.x] = 1;
#else
  out[threadIdx.x] = 0;
#endif
}

__shared__ int board[32];

__device__ void write_on_board(int value) { board[threadIdx.x] = value; }

extern "C" __global__ void shared_of_the_file(int* out) {
  write_on_board(int(100 * blockIdx.x + threadIdx.x));
  __syncthreads();
  out[32 * blockIdx.x + threadIdx.x] = board[31 - threadIdx.x];
}
