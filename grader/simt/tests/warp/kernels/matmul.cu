// Whole products, c = a * b with int8 operands along k and every size a multiple of its tile: a
// warp a block, first with WMMA out of global memory, then with all that the wrappers have.
#include <cuda_fp16.h>
#include <mma.h>

#include "nibble/device/cp_async.hpp"
#include "nibble/device/ldmatrix.hpp"
#include "nibble/device/mma.hpp"

using namespace nvcuda;

// a [m,k], b_t [n,k], c [m,n]; a block makes 16 x 16.
extern "C" __global__ void matmul_by_wmma(const signed char* a, const signed char* b_t, int* c,
                                          int n, int k) {
  const int row = blockIdx.y * 16, column = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sums;
  wmma::fill_fragment(sums, 0);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    wmma::load_matrix_sync(fb, b_t + column * k + i, k);
    wmma::mma_sync(sums, fa, fb, sums);
  }
  wmma::store_matrix_sync(c + row * n + column, sums, n, wmma::mem_row_major);
}

// Rows of 32 bytes, 48 apart: eight of them meet no bank twice.
struct Tiles {
  alignas(16) signed char a[16][48], b[8][48];
};

__device__ void order_tiles(Tiles& tiles, const signed char* a, const signed char* b_t, int k) {
  const int row = threadIdx.x / 2, piece = threadIdx.x % 2 * 16;
  nibble::cp_async<16>(&tiles.a[row][piece], a + row * k + piece);
  if (row < 8) nibble::cp_async<16>(&tiles.b[row][piece], b_t + row * k + piece);
}

// A block makes 16 x 8; while it multiplies one pair of tiles, the next one is on its way.
extern "C" __global__ void matmul_by_mma(const signed char* a, const signed char* b_t, int* c,
                                         int n, int k) {
  __shared__ Tiles tiles[2];
  const int row = blockIdx.y * 16, column = blockIdx.x * 8, lane = threadIdx.x;
  a += row * k;
  b_t += column * k;
  int sums[4] = {};
  order_tiles(tiles[0], a, b_t, k);
  nibble::cp_async_commit();
  for (int i = 0; i < k; i += 32) {
    const Tiles& now = tiles[i / 32 % 2];
    if (i + 32 < k) order_tiles(tiles[(i / 32 + 1) % 2], a + i + 32, b_t + i + 32, k);
    nibble::cp_async_commit();
    nibble::cp_async_wait<1>();
    __syncwarp();
    unsigned ra[4], rb[2];
    nibble::ldmatrix(ra, &now.a[lane % 16][lane / 16 * 16]);    // traffic: a
    nibble::ldmatrix(rb, &now.b[lane % 8][lane / 8 % 2 * 16]);  // traffic: b
    nibble::mma_m16n8k32(sums, ra, rb, sums);
    __syncwarp();
  }
  const int g = lane / 4, t = lane % 4;
  for (int i = 0; i < 2; i++) {
    int* to = c + (row + g + 8 * i) * n + column + 2 * t;
    *reinterpret_cast<int2*>(to) = make_int2(sums[2 * i], sums[2 * i + 1]);
  }
}
