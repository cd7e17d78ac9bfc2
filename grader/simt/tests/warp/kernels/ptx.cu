// Inline PTX beside the CUDA function of the same effect, and what goes wrong in it.
#include "nibble/device/cp_async.hpp"
#include "nibble/device/ldmatrix.hpp"
#include "nibble/device/mma.hpp"

constexpr int kTile = 128;
constexpr unsigned kAll = 0xffffffff;

__device__ unsigned address_of(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// Each row: what PTX gives, what it should be.
struct Pairs {
  unsigned* to;
  __device__ void operator()(unsigned got, unsigned wanted) {
    to[0] = got;
    to[1] = wanted;
    to += 2;
  }
};

extern "C" __global__ void special_registers(unsigned* out) {
  const unsigned t = threadIdx.x + blockDim.x * threadIdx.y, lane = t % 32;
  Pairs pairs{out + t * 16};
  unsigned got;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(got));
  pairs(got, lane);
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(got));
  pairs(got, (1u << lane) - 1);
  asm volatile("mov.u32 %0, %%lanemask_le;" : "=r"(got));
  pairs(got, (2u << lane) - 1);
  asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(got));
  pairs(got, 1u << lane);
  asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(got));
  pairs(got, kAll << lane);
  asm volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(got));
  pairs(got, kAll << lane << 1);
  asm volatile("mov.u32 %0, %%tid.y;" : "=r"(got));
  pairs(got, threadIdx.y);
  asm volatile("mov.u32 %0, %%nctaid.x;" : "=r"(got));
  pairs(got, gridDim.x);
}

extern "C" __global__ void warp_instructions(unsigned* out) {
  const unsigned lane = threadIdx.x, x = lane * 2654435761u;
  const int n = static_cast<int>(x);
  Pairs pairs{out + lane * 24};
  unsigned got;
  asm volatile("redux.sync.max.u32 %0, %1, %2;" : "=r"(got) : "r"(x), "r"(kAll));
  pairs(got, __reduce_max_sync(kAll, x));
  asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(got) : "r"(x));
  pairs(got, __reduce_min_sync(kAll, n));
  asm volatile("redux.sync.add.s32 %0, %1, -1;" : "=r"(got) : "r"(n));
  pairs(got, __reduce_add_sync(kAll, n));
  asm volatile("redux.sync.xor.b32 %0, %1, -1;" : "=r"(got) : "r"(x));
  pairs(got, __reduce_xor_sync(kAll, x));
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, -1;" : "=r"(got) : "r"(x), "r"(lane * 7));
  pairs(got, __shfl_sync(kAll, x, lane * 7));
  asm volatile("shfl.sync.up.b32 %0, %1, 3, 0, -1;" : "=r"(got) : "r"(x));
  pairs(got, __shfl_up_sync(kAll, x, 3));
  asm volatile("shfl.sync.down.b32 %0, %1, 5, 0x1f, -1;" : "=r"(got) : "r"(x));
  pairs(got, __shfl_down_sync(kAll, x, 5));
  asm volatile("shfl.sync.bfly.b32 %0, %1, 9, 0x1f, -1;" : "=r"(got) : "r"(x));
  pairs(got, __shfl_xor_sync(kAll, x, 9));
  // c of a segment of 8 lanes: 0x1800, and 0x1f where the bound is the upper one.
  asm volatile("shfl.sync.down.b32 %0, %1, 3, 0x181f, -1;" : "=r"(got) : "r"(x));
  pairs(got, __shfl_down_sync(kAll, x, 3, 8));
  asm volatile("shfl.sync.up.b32 %0, %1, 3, 0x1800, -1;" : "=r"(got) : "r"(x));
  pairs(got, __shfl_up_sync(kAll, x, 3, 8));
  asm volatile(
      "{ .reg .pred p; setp.gt.s32 p, %1, 3; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
      : "=r"(got)
      : "r"(n));
  pairs(got, __ballot_sync(kAll, n > 3));
  asm volatile("match.any.sync.b32 %0, %1, -1;" : "=r"(got) : "r"(lane / 3));
  pairs(got, __match_any_sync(kAll, lane / 3));
}

extern "C" __global__ void integers(unsigned a, unsigned b, unsigned c, unsigned* out) {
  Pairs pairs{out};
  const int s = static_cast<int>(a), t = static_cast<int>(b);
  unsigned got;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(got) : "r"(a), "r"(b), "r"(c));
  pairs(got, __dp4a(s, t, static_cast<int>(c)));
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(got) : "r"(a), "r"(b), "r"(c));
  pairs(got, __dp4a(a, b, c));
  asm("popc.b32 %0, %1;" : "=r"(got) : "r"(a));
  pairs(got, __popc(a));
  asm("brev.b32 %0, %1;" : "=r"(got) : "r"(a));
  pairs(got, __brev(a));
  asm("clz.b32 %0, %1;" : "=r"(got) : "r"(c));
  pairs(got, __clz(c));
  asm("prmt.b32 %0, %1, %2, 0x6240;" : "=r"(got) : "r"(a), "r"(b));
  pairs(got, __byte_perm(a, b, 0x6240));
  asm("prmt.b32 %0, %1, %2, 0x8098;" : "=r"(got) : "r"(0x12348078), "r"(b));
  pairs(got, 0x0078ff00);
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(got) : "r"(a), "r"(b), "r"(c));
  pairs(got, (a & b) | (a & c) | (b & c));
  asm("bfe.u32 %0, %1, 4, 12;" : "=r"(got) : "r"(a));
  pairs(got, a >> 4 & 0xfff);
  asm("bfe.s32 %0, %1, 24, 8;" : "=r"(got) : "r"(a));
  pairs(got, static_cast<unsigned>(s >> 24));
  asm("bfe.s32 %0, %1, 4, 40;" : "=r"(got) : "r"(a));
  pairs(got, static_cast<unsigned>(s >> 4));
  asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(got) : "r"(a), "r"(b));
  pairs(got, (b & ~0xf00u) | (a & 0xf) << 8);
  asm("mul.hi.s32 %0, %1, %2;" : "=r"(got) : "r"(s), "r"(t));
  pairs(got, __mulhi(s, t));
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(got) : "r"(s), "r"(t), "r"(c));
  pairs(got, a * b + c);
  asm("max.s32 %0, %1, %2;" : "=r"(got) : "r"(s), "r"(t));
  pairs(got, max(s, t));
  asm("min.u32 %0, %1, %2;" : "=r"(got) : "r"(a), "r"(b));
  pairs(got, min(a, b));
  asm("shl.b32 %0, %1, 40;" : "=r"(got) : "r"(a));
  pairs(got, 0);
  asm("shr.s32 %0, %1, 40;" : "=r"(got) : "r"(a));
  pairs(got, static_cast<unsigned>(s >> 31));
  unsigned short low, high;
  asm("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(a));
  pairs(low | static_cast<unsigned>(high) << 16, a);
  asm("{ .reg .b32 t; add.u32 t, %1, %2; sub.u32 %0, t, 1; }" : "=r"(got) : "r"(a), "r"(b));
  pairs(got, a + b - 1);
}

extern "C" __global__ void conversions(float x, unsigned* out) {
  Pairs pairs{out};
  int code;
  asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(code) : "f"(x));
  pairs(code, min(max(__float2int_rn(x), -128), 127));
  asm("cvt.rzi.u8.f32 %0, %1;" : "=r"(code) : "f"(x));
  pairs(code, min(max(__float2int_rz(x), 0), 255));
  asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(code) : "f"(x));
  pairs(code, __float2int_rd(x));
  asm("cvt.rpi.u32.f32 %0, %1;" : "=r"(code) : "f"(x));
  pairs(code, __float2uint_ru(x));
  float sum = x;
  asm("fma.rn.f32 %0, %1, 0f40000000, %0;" : "+f"(sum) : "f"(x));
  pairs(__float_as_uint(sum), __float_as_uint(__fmaf_rn(x, 2, x)));
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(sum) : "r"(16777217));
  pairs(__float_as_uint(sum), __float_as_uint(16777216.0f));
  unsigned both;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(1.0f), "f"(-2.0f));
  pairs(both, 0x3c00c000);
}

// Lane l's registers: a[l * 4 …], b[l * 2 …], sums.
extern "C" __global__ void mma_beside_its_wrapper(const unsigned* a, const unsigned* b,
                                                  unsigned* out) {
  unsigned ra[4], rb[2];
  for (int i = 0; i < 4; i++) ra[i] = a[threadIdx.x * 4 + i];
  for (int i = 0; i < 2; i++) rb[i] = b[threadIdx.x * 2 + i];
  int tied[4] = {1, 2, 3, 4}, sums[4] = {1, 2, 3, 4};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};\n"
      : "+r"(tied[0]), "+r"(tied[1]), "+r"(tied[2]), "+r"(tied[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  nibble::mma_m16n8k32(sums, ra, rb, sums);
  Pairs pairs{out + threadIdx.x * 24};
  for (int i = 0; i < 4; i++) pairs(tied[i], sums[i]);
  float d[4], floats[4] = {0.5f, 1, 2, 3};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%10, %11, %12, %13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "f"(floats[0]),
        "f"(floats[1]), "f"(floats[2]), "f"(floats[3]));
  nibble::mma_m16n8k16_bf16(floats, ra, rb, floats);
  for (int i = 0; i < 4; i++) pairs(__float_as_uint(d[i]), __float_as_uint(floats[i]));
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
      "{%0, %1, %2, %3};"
      : "+r"(tied[0]), "+r"(tied[1]), "+r"(tied[2]), "+r"(tied[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]));
  const unsigned two[2] = {ra[0], ra[1]}, one[1] = {rb[0]};
  nibble::mma_m16n8k16(sums, two, one, sums);
  for (int i = 0; i < 4; i++) pairs(tied[i], sums[i]);
}

extern "C" __global__ void ldmatrix_beside_its_wrapper(const unsigned* x, unsigned* out) {
  __shared__ alignas(16) unsigned tile[kTile];
  for (int i = threadIdx.x; i < kTile; i += 32) tile[i] = x[i];
  __syncwarp();
  const unsigned* const row = &tile[threadIdx.x * 4];
  unsigned r[4], wanted[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address_of(row)));
  nibble::ldmatrix_transposed(wanted, row);
  Pairs pairs{out + threadIdx.x * 8};
  for (int i = 0; i < 4; i++) pairs(r[i], wanted[i]);
}

extern "C" __global__ void ldmatrix_beyond_the_end(unsigned* out) {
  __shared__ alignas(16) unsigned tile[kTile];
  for (int i = threadIdx.x; i < kTile; i += 32) tile[i] = i;
  __syncwarp();
  unsigned r;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(address_of(tile + kTile + threadIdx.x * 4)));  // finding: beyond the end
  out[threadIdx.x] = r;
}

extern "C" __global__ void copies(const int* x, int* y, int forget) {
  __shared__ alignas(16) int tile[kTile];
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address_of(&tile[4 * threadIdx.x])), "l"(&x[4 * threadIdx.x]) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  if (forget != 1) asm volatile("cp.async.wait_group 0;" ::: "memory");
  if (forget != 2) asm volatile("bar.sync 0;" ::: "memory");
  y[threadIdx.x] = tile[kTile - 1 - threadIdx.x];  // finding: too early
}

extern "C" __global__ void through_shared(const float* x, float* y) {
  __shared__ alignas(16) float tile[kTile];
  const unsigned at = address_of(tile) + 16 * threadIdx.x;
  float a, b, c, d;
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(x + 4 * threadIdx.x));  // traffic: load
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(at), "f"(a), "f"(b), "f"(c), "f"(d) : "memory");
  __syncthreads();
  const unsigned other = at ^ 16;
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "r"(other));
  asm volatile("ld.shared.f32 %0, [%1+8];" : "=f"(c) : "r"(other));
  asm volatile("{ .reg .u64 t; cvta.to.shared.u64 t, %1; ld.shared.f32 %0, [t+12]; }" : "=f"(d) : "l"(reinterpret_cast<char*>(tile) + (16 * threadIdx.x ^ 16)));
  asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(y + 4 * threadIdx.x), "f"(a), "f"(b), "f"(c), "f"(d) : "memory");  // traffic: store
}

extern "C" __global__ void wrong_accesses(const unsigned* x, unsigned* y, int which) {
  __shared__ alignas(16) unsigned tile[32];
  const unsigned t = threadIdx.x, at = address_of(tile);
  unsigned got = 0, more = 0;
  if (which == 0) asm volatile("st.shared.u32 [%0], %1;" ::"r"(at + 4 * (t + 1)), "r"(t) : "memory");  // finding: store beyond
  if (which == 1) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(got) : "r"(at + 4 * t));  // finding: unwritten
  if (which == 2) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(got) : "r"(0x00f00000));  // finding: no shared memory
  if (which == 3) asm volatile("ld.global.u32 %0, [%1];" : "=r"(got) : "l"(x + t + 1));  // finding: load beyond
  if (which == 4) asm volatile("ld.global.u32 %0, [%1];" : "=r"(got) : "l"(&tile[0]));  // finding: not global
  if (which == 5) asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(got), "=r"(more) : "l"(x + 1));  // finding: misaligned
  if (which == 6) asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(t) : "memory");  // finding: race
  y[t] = got + more;
}

// 64 threads fill a tile and go on, or wait, too; the other 64 use it. Then all are let into
// barrier 0, and the tile is filled anew.
extern "C" __global__ void handed_on(int* y, int forget) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  for (int turn = 0; turn < 3; turn++) {
    if (t < 64) {
      tile[t] = t + turn;
      if (forget != 1) asm volatile("bar.arrive 1, 128;" ::: "memory");
      if (forget == 2) tile[t] = 0;  // finding: filled too early
    } else {
      if (forget != 1) asm volatile("bar.sync %0, %1;" ::"r"(1), "r"(128) : "memory");  // finding: waits for one turn
      y[turn * 64 + t - 64] = tile[127 - t];  // finding: used too early
      if (forget != 3) asm volatile("bar.sync 2, 64;" ::: "memory");
    }
    if (forget != 4) asm volatile("bar.sync 0;" ::: "memory");
  }
}

// Warp 0 tells warp 1, warp 1 tells warp 2: so warp 2 knows of warp 0.
extern "C" __global__ void told_on(int* y) {
  __shared__ int tile[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 0) tile[lane] = lane;
  if (warp < 2) asm volatile("bar.sync 1, 64;" ::: "memory");
  if (warp > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
  if (warp == 2) y[lane] = tile[31 - lane];
}

extern "C" __global__ void waits_for_too_many(int* y) {
  if (threadIdx.x < 32) asm volatile("bar.sync 3, 64;" ::: "memory");  // finding: too many
  y[threadIdx.x] = 0;
}

// Of 64 threads. A 48 in the text is refused by ptxas.
extern "C" __global__ void waits_for_half_a_warp(int* y) {
  asm volatile("bar.sync 3, %0;" ::"r"(blockDim.x - 16) : "memory");  // finding: half a warp
  y[threadIdx.x] = 0;
}
