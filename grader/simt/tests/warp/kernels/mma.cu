// mma.sync and ldmatrix through the kit's wrappers: registers in, registers out.
#include "nibble/device/ldmatrix.hpp"
#include "nibble/device/mma.hpp"
#include "nibble/device/mma_fp8.hpp"
#include "nibble/device/mma_fp8_by_halves.hpp"

// Lane l's registers: a[l * 4 …], b[l * 2 …], c and d[l * 4 …].
#define MMA(NAME, A, B, NUMBER)                                                                \
  extern "C" __global__ void run_##NAME(const unsigned* a, const unsigned* b, const NUMBER* c, \
                                        NUMBER* d) {                                           \
    unsigned ra[A], rb[B];                                                                     \
    NUMBER sums[4];                                                                            \
    for (int i = 0; i < A; i++) ra[i] = a[threadIdx.x * A + i];                                \
    for (int i = 0; i < B; i++) rb[i] = b[threadIdx.x * B + i];                                \
    for (int i = 0; i < 4; i++) sums[i] = c[threadIdx.x * 4 + i];                              \
    nibble::NAME(sums, ra, rb, sums);                                                          \
    for (int i = 0; i < 4; i++) d[threadIdx.x * 4 + i] = sums[i];                              \
  }
MMA(mma_m16n8k16, 2, 1, int)
MMA(mma_m16n8k32, 4, 2, int)
MMA(mma_m16n8k16_f16, 4, 2, float)
MMA(mma_m16n8k16_bf16, 4, 2, float)
MMA(mma_m16n8k32_e4m3, 4, 2, float)
MMA(mma_m16n8k32_e4m3_by_halves, 4, 2, float)
MMA(mma_m16n8k256_and_popc, 4, 2, int)

// Four blocks of 8 rows, `stride` halves apart; block i and row j are lane 8 i + j's to point at.
template <int kBlocks>
__device__ void load_blocks(const unsigned short* x, unsigned* out, int stride, bool transposed) {
  __shared__ alignas(16) unsigned short tile[32 * 64];
  for (int i = threadIdx.x; i < 32 * stride; i += 32) tile[i] = x[i];
  __syncwarp();
  unsigned r[kBlocks];
  const unsigned short* row = &tile[threadIdx.x % (8 * kBlocks) * stride];
  if (transposed) {
    nibble::ldmatrix_transposed(r, row);
  } else {
    nibble::ldmatrix(r, row);  // traffic: blocks
  }
  for (int i = 0; i < kBlocks; i++) out[threadIdx.x * kBlocks + i] = r[i];
}
#define LOAD_BLOCKS(N)                                                                           \
  extern "C" __global__ void load_blocks_##N(const unsigned short* x, unsigned* out, int stride, \
                                             bool transposed) {                                  \
    load_blocks<N>(x, out, stride, transposed);                                                  \
  }
LOAD_BLOCKS(1)
LOAD_BLOCKS(2)
LOAD_BLOCKS(4)

extern "C" __global__ void ldmatrix_misaligned(unsigned* out) {
  __shared__ alignas(16) unsigned tile[256];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = i;
  __syncwarp();
  unsigned r[1];
  nibble::ldmatrix(r, tile + threadIdx.x % 8 * 5);  // finding: misaligned row
  out[threadIdx.x] = r[0];
}
extern "C" __global__ void ldmatrix_from_global(const unsigned* x, unsigned* out) {
  unsigned r[1];
  nibble::ldmatrix(r, x + threadIdx.x % 8 * 4);  // finding: not shared
  out[threadIdx.x] = r[0];
}

extern "C" __global__ void mma_in_a_branch(int* out) {
  unsigned a[4] = {}, b[2] = {};
  int d[4] = {};
  if (threadIdx.x < 16) {
    nibble::mma_m16n8k32(d, a, b, d);  // finding: in a branch
  }
  out[threadIdx.x] = d[0];
}
extern "C" __global__ void mma_in_part_of_a_warp(int* out) {
  unsigned a[4] = {}, b[2] = {};
  int d[4] = {};
  nibble::mma_m16n8k32(d, a, b, d);  // finding: part of a warp
  out[threadIdx.x] = d[0];
}
