// Products of single fragments, for every shape, type and order, and what a lane holds of them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

// Lines of eight have room for sixteen: so much alignment WMMA asks for.
__device__ constexpr int room(int line) { return line < 16 ? 16 : line; }

// `orders`: bit 0: a lies by columns, bit 1: b, bit 2: c and d.
template <int M, int N, class T, class Sum, class OrderA, class OrderB>
__device__ void product(const T* a, const T* b, const Sum* c, Sum* d, int orders) {
  const bool a_rows = (orders & 1) == 0, b_rows = (orders & 2) == 0, c_rows = (orders & 4) == 0;
  wmma::fragment<wmma::matrix_a, M, N, 16, T, OrderA> fa;
  wmma::fragment<wmma::matrix_b, M, N, 16, T, OrderB> fb;
  wmma::fragment<wmma::accumulator, M, N, 16, Sum> fc, fd;
  const wmma::layout_t order = c_rows ? wmma::mem_row_major : wmma::mem_col_major;
  wmma::load_matrix_sync(fa, a, a_rows ? 16 : room(M));
  wmma::load_matrix_sync(fb, b, b_rows ? room(N) : 16);
  wmma::load_matrix_sync(fc, c, room(c_rows ? N : M), order);
  wmma::mma_sync(fd, fa, fb, fc);
  wmma::store_matrix_sync(d, fd, room(c_rows ? N : M), order);
}

template <int M, int N, class T, class Sum>
__device__ void product_of(const T* a, const T* b, const Sum* c, Sum* d, int orders) {
  using wmma::col_major;
  using wmma::row_major;
  if ((orders & 3) == 0) product<M, N, T, Sum, row_major, row_major>(a, b, c, d, orders);
  if ((orders & 3) == 1) product<M, N, T, Sum, col_major, row_major>(a, b, c, d, orders);
  if ((orders & 3) == 2) product<M, N, T, Sum, row_major, col_major>(a, b, c, d, orders);
  if ((orders & 3) == 3) product<M, N, T, Sum, col_major, col_major>(a, b, c, d, orders);
}

// The same with every tile in shared memory.
template <int M, int N, class T, class Sum>
__device__ void product_in_shared(const T* a, const T* b, const Sum* c, Sum* d, int orders) {
  __shared__ alignas(32) T sa[16 * room(M)], sb[16 * room(N)];
  __shared__ alignas(32) Sum sc[16 * 32];
  for (int i = threadIdx.x; i < 16 * room(M); i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 16 * room(N); i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 16 * 32; i += 32) sc[i] = c[i];
  __syncwarp();
  product_of<M, N, T, Sum>(sa, sb, sc, sc, orders);
  __syncwarp();
  for (int i = threadIdx.x; i < 16 * 32; i += 32) d[i] = sc[i];
}

#define PRODUCT(NAME, M, N, T, SUM)                                                         \
  extern "C" __global__ void NAME##_##M##x##N(const T* a, const T* b, const SUM* c, SUM* d, \
                                              int orders, bool shared) {                    \
    if (shared)                                                                             \
      product_in_shared<M, N, T, SUM>(a, b, c, d, orders);                                  \
    else                                                                                    \
      product_of<M, N, T, SUM>(a, b, c, d, orders);                                         \
  }
#define PRODUCTS(NAME, T, SUM)  \
  PRODUCT(NAME, 16, 16, T, SUM) \
  PRODUCT(NAME, 32, 8, T, SUM)  \
  PRODUCT(NAME, 8, 32, T, SUM)
PRODUCTS(product_s8, signed char, int)
PRODUCTS(product_u8, unsigned char, int)
PRODUCTS(product_half_float, __half, float)
PRODUCTS(product_half_half, __half, __half)
PRODUCTS(product_bf16, __nv_bfloat16, float)

// What each lane holds: x[e] of lane l goes to held[l * num_elements + e].
template <class Fragment, class T>
__device__ void hold(const T* matrix, T* held, unsigned ldm) {
  Fragment f;
  wmma::load_matrix_sync(f, matrix, ldm);
  for (int e = 0; e < f.num_elements; e++) held[threadIdx.x * f.num_elements + e] = f.x[e];
}
template <int M, int N, class T>
__device__ void hold_sum(const T* matrix, T* held, unsigned ldm) {
  wmma::fragment<wmma::accumulator, M, N, 16, T> f;
  wmma::load_matrix_sync(f, matrix, ldm, wmma::mem_row_major);
  for (int e = 0; e < f.num_elements; e++) held[threadIdx.x * f.num_elements + e] = f.x[e];
}

#define HOLD(NAME, M, N, T)                                                                    \
  extern "C" __global__ void NAME##_a_##M##x##N(const T* matrix, T* held) {                    \
    hold<wmma::fragment<wmma::matrix_a, M, N, 16, T, wmma::row_major>>(matrix, held, 16);      \
  }                                                                                            \
  extern "C" __global__ void NAME##_b_##M##x##N(const T* matrix, T* held) {                    \
    hold<wmma::fragment<wmma::matrix_b, M, N, 16, T, wmma::row_major>>(matrix, held, room(N)); \
  }
#define HOLDS(NAME, T) HOLD(NAME, 16, 16, T) HOLD(NAME, 32, 8, T) HOLD(NAME, 8, 32, T)
HOLDS(hold_s8, signed char)
HOLDS(hold_half, __half)
HOLDS(hold_bf16, __nv_bfloat16)
#define HOLD_SUM(M, N)                                                          \
  extern "C" __global__ void hold_sum_##M##x##N(const int* matrix, int* held) { \
    hold_sum<M, N, int>(matrix, held, room(N));                                 \
  }
HOLD_SUM(16, 16)
HOLD_SUM(32, 8)
HOLD_SUM(8, 32)

// One request after the other, on lines of their own.
extern "C" __global__ void wmma_traffic(const signed char* a, const signed char* b, int* c) {
  __shared__ alignas(32) signed char rows[16][16], padded[16][32];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::col_major> fa_across;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
  wmma::fill_fragment(fc, 0);
  wmma::load_matrix_sync(fa, a, 64);         // traffic: global rows
  wmma::load_matrix_sync(fa_across, a, 64);  // traffic: global across
  wmma::load_matrix_sync(fb, b, 64);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::mma_sync(fc, fa_across, fb, fc);
  wmma::store_matrix_sync(c, fc, 64, wmma::mem_row_major);  // traffic: store rows
  wmma::store_matrix_sync(c, fc, 64, wmma::mem_col_major);  // traffic: store across
  for (int i = threadIdx.x; i < 256; i += 32) {
    rows[i / 16][i % 16] = a[i];
    padded[i / 16][i % 16] = a[i];
  }
  __syncwarp();
  wmma::load_matrix_sync(fa, &rows[0][0], 16);         // traffic: shared rows
  wmma::load_matrix_sync(fa, &padded[0][0], 32);       // traffic: shared wide rows
  wmma::load_matrix_sync(fa_across, &rows[0][0], 16);  // traffic: shared across
}

extern "C" __global__ void wmma_traffic_of_halves(const __half* a, const __nv_bfloat16* b,
                                                  __half* c) {
  __shared__ alignas(32) __half rows[16][24];
  __shared__ alignas(32) __nv_bfloat16 other[16][16];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::col_major> fa_across;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> fc;
  wmma::load_matrix_sync(fa, a, 64);         // traffic: halves
  wmma::load_matrix_sync(fa_across, a, 64);  // traffic: halves across
  wmma::load_matrix_sync(fb, b, 64);         // traffic: bfloats
  for (int i = threadIdx.x; i < 256; i += 32) {
    rows[i / 16][i % 16] = a[i];
    other[i / 16][i % 16] = b[i];
  }
  __syncwarp();
  wmma::load_matrix_sync(fa, &rows[0][0], 24);         // traffic: shared halves
  wmma::load_matrix_sync(fa_across, &rows[0][0], 24);  // traffic: shared halves across
  wmma::load_matrix_sync(fb, &other[0][0], 16);        // traffic: shared bfloats
  wmma::fill_fragment(fc, a[0]);
  wmma::store_matrix_sync(c, fc, 64, wmma::mem_row_major);  // traffic: store halves
  wmma::store_matrix_sync(c, fc, 64, wmma::mem_col_major);  // traffic: store halves across
}

extern "C" __global__ void wmma_traffic_of_columns(int* c) {
  wmma::fragment<wmma::accumulator, 8, 32, 16, int> f;
  wmma::fill_fragment(f, 1);
  wmma::store_matrix_sync(c, f, 32, wmma::mem_row_major);  // traffic: columns by rows
  wmma::store_matrix_sync(c, f, 16, wmma::mem_col_major);  // traffic: columns by columns
}

extern "C" __global__ void wmma_saturates(const signed char* a, const int* c, int* d, bool stop) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, a, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc, stop);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}

extern "C" __global__ void wmma_misaligned(const signed char* a, int* c, int offset, int ldm) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
  wmma::load_matrix_sync(fa, a + offset, ldm);  // finding: misaligned
  wmma::fill_fragment(fc, fa.x[0]);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

extern "C" __global__ void wmma_out_of_bounds(const signed char* a, int* c, int ldm) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::col_major> fa;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
  wmma::load_matrix_sync(fa, a, ldm);  // finding: out of bounds
  wmma::fill_fragment(fc, fa.x[0]);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

// Another lane's element is there after a __syncwarp, not before.
extern "C" __global__ void wmma_store_then_read(int* out, bool sync) {
  __shared__ alignas(32) int tile[16][16];
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> f;
  wmma::fill_fragment(f, 7);
  wmma::store_matrix_sync(&tile[0][0], f, 16, wmma::mem_row_major);
  if (sync) __syncwarp();
  out[threadIdx.x] = tile[15 - threadIdx.x / 16][threadIdx.x % 16];  // finding: missing syncwarp
}

extern "C" __global__ void wmma_in_a_branch(int* out) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> f;
  wmma::fill_fragment(f, 7);
  if (threadIdx.x < 16) {
    wmma::store_matrix_sync(out, f, 16, wmma::mem_row_major);  // finding: in a branch
  }
}
