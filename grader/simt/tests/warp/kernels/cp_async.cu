// Asynchronous copies: right ones, and each way to read too early.
#include "nibble/device/cp_async.hpp"
#include "nibble/device/ldmatrix.hpp"

constexpr int kTile = 128;

extern "C" __global__ void copy_tile(const int* x, int* y) {
  __shared__ alignas(16) int tile[kTile];
  nibble::cp_async<16>(&tile[4 * threadIdx.x], &x[4 * threadIdx.x]);  // traffic: copy
  nibble::cp_async_commit();
  nibble::cp_async_wait<0>();
  __syncthreads();
  for (int i = threadIdx.x; i < kTile; i += 32) y[i] = tile[kTile - 1 - i];
}

extern "C" __global__ void copy_small(const int* x, int* y) {
  __shared__ alignas(16) int fours[32], eights[64];
  nibble::cp_async<4>(&fours[threadIdx.x], &x[threadIdx.x]);
  nibble::cp_async<8>(&eights[2 * threadIdx.x], &x[2 * threadIdx.x]);
  nibble::cp_async_commit();
  nibble::cp_async_wait<0>();
  y[threadIdx.x] = fours[threadIdx.x] + eights[2 * threadIdx.x + 1];
}

// The last thread's 16 bytes have only `whole` ints behind them.
extern "C" __global__ void copy_with_zeros(const int* x, int* y, int n) {
  __shared__ alignas(16) int tile[kTile];
  const int first = 4 * threadIdx.x;
  const int rest = n - first, whole = rest < 0 ? 0 : rest > 4 ? 4 : rest;
  nibble::cp_async<16>(&tile[first], &x[whole > 0 ? first : 0], 4 * whole);
  nibble::cp_async_commit();
  nibble::cp_async_wait<0>();
  for (int i = 0; i < 4; i++) y[first + i] = tile[first + i];
}

// Two tiles in turn: while one is added up, the next one is on its way.
extern "C" __global__ void pipeline(const unsigned* x, unsigned* y, int tiles, int forget) {
  __shared__ alignas(16) unsigned tile[2][kTile];
  unsigned sum = 0;
  nibble::cp_async<16>(&tile[0][4 * threadIdx.x], &x[4 * threadIdx.x]);
  nibble::cp_async_commit();
  for (int t = 0; t < tiles; t++) {
    if (t + 1 < tiles)
      nibble::cp_async<16>(&tile[(t + 1) % 2][4 * threadIdx.x],
                           &x[(t + 1) * kTile + 4 * threadIdx.x]);
    nibble::cp_async_commit();
    if (forget != 1) nibble::cp_async_wait<1>();
    if (forget != 2) __syncthreads();
    sum += tile[t % 2][kTile - 1 - threadIdx.x];  // finding: pipeline read
    if (forget != 3) __syncthreads();
  }
  y[threadIdx.x] = sum;
}

extern "C" __global__ void waits_for_too_few(const int* x, int* y) {
  __shared__ alignas(16) int tile[kTile];
  nibble::cp_async<16>(&tile[4 * threadIdx.x], &x[4 * threadIdx.x]);
  nibble::cp_async_commit();
  nibble::cp_async_wait<1>();
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x];  // finding: too few
}

extern "C" __global__ void forgets_commit(const int* x, int* y) {
  __shared__ alignas(16) int tile[kTile];
  tile[threadIdx.x] = -1;
  nibble::cp_async<4>(&tile[threadIdx.x], &x[threadIdx.x]);
  nibble::cp_async_wait<0>();
  y[threadIdx.x] = tile[threadIdx.x];  // finding: no commit
}

extern "C" __global__ void copies_off_alignment(const int* x, int* y) {
  __shared__ alignas(16) int tile[kTile];
  nibble::cp_async<16>(&tile[4 * threadIdx.x], &x[4 * threadIdx.x + 1]);  // finding: misaligned
  nibble::cp_async_commit();
  nibble::cp_async_wait<0>();
  y[threadIdx.x] = tile[threadIdx.x];
}

extern "C" __global__ void copies_to_global(const int* x, int* y) {
  nibble::cp_async<16>(&y[4 * threadIdx.x], &x[4 * threadIdx.x]);  // finding: not shared
  nibble::cp_async_commit();
  nibble::cp_async_wait<0>();
}

extern "C" __global__ void loads_blocks_too_early(const int* x, unsigned* y) {
  __shared__ alignas(16) int tile[kTile];
  nibble::cp_async<16>(&tile[4 * threadIdx.x], &x[4 * threadIdx.x]);
  nibble::cp_async_commit();
  __syncthreads();
  unsigned r[4];
  nibble::ldmatrix(r, &tile[4 * threadIdx.x]);  // finding: blocks too early
  nibble::cp_async_wait<0>();
  y[threadIdx.x] = r[0];
}

// Both warps wait for their own copies, and then the second one reads what the first one copied.
extern "C" __global__ void shares_without_a_barrier(const int* x, int* y) {
  __shared__ alignas(16) int tile[2 * kTile];
  nibble::cp_async<16>(&tile[4 * threadIdx.x], &x[4 * threadIdx.x]);
  nibble::cp_async_commit();
  __syncthreads();
  nibble::cp_async_wait<0>();
  y[threadIdx.x] = tile[threadIdx.x];  // finding: no barrier
}
