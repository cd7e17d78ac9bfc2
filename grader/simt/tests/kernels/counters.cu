// Kernels whose traffic can be worked out by hand: the test has the figures,
// by the name in brackets.
#include <cstdio>
#include "case.cuh"

// ---- global memory: 4096 floats, 128 threads a block

__global__ void coalesced(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];  // [coalesced]
}
__global__ void chunked(const float* x, float* y) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int k = 0; k < 4; ++k) y[i + k] = x[i + k];  // [chunked]
}
__global__ void vectors(const float4* x, float4* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = x[i];  // [vectors: load]
  y[i] = v;         // [vectors: store]
}
__global__ void strided(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[2 * i];  // [strided]
}
__global__ void shifted(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i + 1];  // [shifted]
}
__global__ void broadcast(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i / 32];  // [broadcast]
}
__global__ void tail(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];  // [tail]
}
__global__ void bytes(const int8_t* x, int8_t* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];  // [bytes]
}

// ---- accesses without a hook
NIBBLE_SIMT_QUIET void store_quietly(const float* x, float* y, int i) {
  const float value = x[i];  // [hides: load]
  y[i] = value + 2.f;        // [hides: store]
}
__global__ void hides(const float* x, float* y) {
  y[threadIdx.x] = x[threadIdx.x];  // [hides]
  if (threadIdx.x == 7) store_quietly(x, y, 100);
}

// A class of the kernel's own is not inlined: g++ moves what it takes in two halves.
__global__ void by_value(const float4* x, float* y) {
  struct Sum {
    float operator()(float4 v) const { return v.x + v.y + v.z + v.w; }
  };
  y[threadIdx.x] = Sum{}(x[threadIdx.x]);  // [by_value]
}

// ---- memory that nobody counts: what one block leaves there, the next must not find
__device__ long double keep(long double value) { return value; }
__device__ void nothing() {}
__device__ void take_eight(double, double, double, double, double, double, double, double) {}
__device__ bool is_any(double a, double b, double c, double d, double e, double f, double g,
                       double h) {
  return a == 77 || b == 77 || c == 77 || d == 77 || e == 77 || f == 77 || g == 77 || h == 77;
}
struct Ways {
  void (*leave)(long double);
  long double (*find)();
  bool (*find_any)();
};
__global__ void remembers(float* y) {
  volatile char here = 0;
  const auto below = (reinterpret_cast<std::uintptr_t>(&here) - 45000) / 16 * 16;
  volatile int* const deep = reinterpret_cast<int*>(below);
  volatile Ways ways{reinterpret_cast<void (*)(long double)>(keep),
                     reinterpret_cast<long double (*)()>(nothing),
                     reinterpret_cast<bool (*)()>(is_any)};
  const bool any = ways.find_any();
  const bool kept = ways.find() == 77;
  y[3 * blockIdx.x] = any;
  y[3 * blockIdx.x + 1] = kept;
  y[3 * blockIdx.x + 2] = *deep == 77;
  *deep = 77;
  auto* const volatile take = take_eight;
  ways.leave(77);
  take(77, 77, 77, 77, 77, 77, 77, 77);
}

// ---- shared memory: one warp

template <int kWidth>
__global__ void transpose(const float* x, float* y) {
  __shared__ float tile[32][kWidth];
  int lane = threadIdx.x;
  for (int row = 0; row < 32; ++row) tile[row][lane] = x[row * 32 + lane];  // [transpose: in]
  __syncwarp();
  for (int row = 0; row < 32; ++row) y[row * 32 + lane] = tile[lane][row];  // [transpose: out]
}
__global__ void wide(double* y) {
  __shared__ double d[64];
  int lane = threadIdx.x;
  d[lane] = lane;       // [wide: in]
  d[lane + 32] = lane;  // [wide: in]
  __syncwarp();
  y[lane] = d[2 * lane];  // [wide: out]
}
__global__ void quads(float4* y) {
  __shared__ float4 q[32];
  int lane = threadIdx.x;
  q[lane] = make_float4(1, 2, 3, 4);  // [quads: in]
  __syncwarp();
  float4 v = q[lane];  // [quads: out]
  y[lane] = v;         // [quads: store]
}
__global__ void bank_of_one(float* y) {
  __shared__ float s[1024];
  int lane = threadIdx.x;
  s[lane * 32] = lane;  // [bank_of_one: in]
  __syncwarp();
  y[lane] = s[lane / 32 * 32];  // [bank_of_one: out]
}

// ---- atomics

__global__ void histogram(const int8_t* x, int* h) {
  __shared__ int bins[32];
  int t = threadIdx.x;
  if (t < 32) bins[t] = 0;  // [histogram: zero]
  __syncthreads();
  atomicAdd(&bins[x[t] & 31], 1);  // [histogram: shared]
  __syncthreads();
  if (t < 32) atomicAdd(&h[t], bins[t]);  // [histogram: global]
}

// ---- lanes that part: what hardware asks for is in the comment

__global__ void alternate(const float* a, const float* b, float* c) {
  float s = 0;
  int lane = threadIdx.x;
  for (int i = 0; i < 8; ++i) {
    if ((i + lane) & 1)
      s += a[i * 32 + lane];  // [alternate: odd] 8 requests of 16 lanes
    else
      s += b[i * 32 + lane];  // [alternate: even] 8
    c[lane] = s;              // [alternate: store] 8
  }
}
__global__ void trip_count(const float* a, float* c) {
  float s = 0;
  int lane = threadIdx.x;
  for (int i = 0; i < lane + 1; ++i) s += a[i];  // [trip_count: load] 32
  c[lane] = s;                                   // [trip_count: store] 1
}
// Half of the lanes need not ask; the others are gone for the length of a call, to a place behind.
bool is_odd(int i);
__global__ void asks_elsewhere(const float* a, float* c) {
  float s = 0;
  int lane = threadIdx.x;
  for (int i = 0; i < 8; ++i) {
    if (lane < 16 || is_odd(lane)) s += a[i * 32 + lane];  // [asks_elsewhere: load] 8
  }
  c[lane] = s;  // [asks_elsewhere: store] 1
}
bool is_odd(int i) { return i % 2 != 0; }
__global__ void skip(const float* a, float* c) {
  float s = 0;
  int lane = threadIdx.x;
  for (int i = 0; i < 8; ++i) {
    if (i % 4 == lane % 4) continue;
    s += a[i * 32 + lane];  // [skip: load] 8
  }
  c[lane] = s;  // [skip: store] 1
}
__global__ void half_warps(const float* a, float* c) {
  int lane = threadIdx.x, v = lane;
  unsigned mine = lane < 16 ? 0xffffu : 0xffff0000u;
  if (lane < 16) {
    for (int i = 0; i < 4; ++i) v += __shfl_xor_sync(mine, v, 1 << i);
    c[lane] = v + a[lane];  // [half_warps: low] 1
  } else {
    c[lane] = a[lane];  // [half_warps: high] 1
    v += __shfl_xor_sync(mine, v, 1);
  }
  c[lane + 32] = v;  // [half_warps: together] 1
}
// More than a lane's log holds at once.
__global__ void long_loop(const float* a, float* c) {
  float s = 0;
  int lane = threadIdx.x;
  for (int i = 0; i < 5000 + 100 * (lane & 1); ++i) s += a[lane];  // [long_loop: load] 5100
  c[lane] = s;                                                     // [long_loop: store] 1
}

bool run_case(const std::string& what) {
  const auto ones = std::vector<float>(8192, 1.f);
  Buffer<float> x(ones), y(ones);
  Buffer<int8_t> b(random_int8(4096, 3)), q(4096);
  Buffer<int> h(std::vector<int>(32, 0));
  const auto is = [&](const char* name) { return what == name; };
  // clang-format off
  if (is("coalesced")) coalesced<<<32, 128>>>(x.data, y.data);
  if (is("chunked")) chunked<<<8, 128>>>(x.data, y.data);
  if (is("vectors")) vectors<<<8, 128>>>((const float4*)x.data, (float4*)y.data);
  if (is("strided")) strided<<<32, 128>>>(x.data, y.data);
  if (is("shifted")) shifted<<<32, 128>>>(x.data, y.data);
  if (is("broadcast")) broadcast<<<32, 128>>>(x.data, y.data);
  if (is("tail")) tail<<<3, 128>>>(x.data, y.data, 257);
  if (is("hides")) hides<<<1, 32>>>(x.data, y.data);
  if (is("by_value")) by_value<<<1, 32>>>((const float4*)x.data, y.data);
  if (is("remembers")) {
    remembers<<<8, 1>>>(y.data);
    const std::vector<float> found = y.host();
    bool is_nothing = true;
    for (int i = 0; i < 24; ++i) {
      if (found[i] == 0) continue;
      std::printf("block %d: way %d\n", i / 3, i % 3);
      is_nothing = false;
    }
    return is_nothing;
  }
  if (is("bytes")) bytes<<<32, 128>>>(b.data, q.data);
  if (is("transpose_32")) transpose<32><<<1, 32>>>(x.data, y.data);
  if (is("transpose_33")) transpose<33><<<1, 32>>>(x.data, y.data);
  if (is("wide")) wide<<<1, 32>>>((double*)y.data);
  if (is("quads")) quads<<<1, 32>>>((float4*)y.data);
  if (is("bank_of_one")) bank_of_one<<<1, 32>>>(y.data);
  if (is("histogram")) histogram<<<2, 128>>>(b.data, h.data);
  if (is("alternate")) alternate<<<1, 32>>>(x.data, x.data, y.data);
  if (is("trip_count")) trip_count<<<1, 32>>>(x.data, y.data);
  if (is("asks_elsewhere")) asks_elsewhere<<<1, 32>>>(x.data, y.data);
  if (is("skip")) skip<<<1, 32>>>(x.data, y.data);
  if (is("half_warps")) half_warps<<<1, 32>>>(x.data, y.data);
  if (is("long_loop")) long_loop<<<1, 32>>>(x.data, y.data);
  // clang-format on
  return cudaGetLastError() == cudaSuccess;
}
