// What this GPU can do at most, kernel by kernel: how fast it moves memory, and how many of one
// instruction a multiprocessor takes in a clock. Device code only.
//
// A rate kernel keeps eight independent chains of one instruction in flight, so that neither
// latency nor memory is what is measured. It notes its own cycles, for a rate that no clock can
// move, and what it computed, which the host computes again.
#include <cstdint>

namespace {

constexpr int kChains = 8, kUnrolled = 4;

[[maybe_unused]] __device__ std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7FEB'352Du;
  x = (x ^ (x >> 15)) * 0x846C'A68Bu;
  return x ^ (x >> 16);
}

__device__ unsigned thread_of_all() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// Calls one() rounds x 4 x 8 times between two readings of the clock,
/// all warps of a block at once.
template <class One>
__device__ void timed(std::uint64_t* cycles, int rounds, const One& one) {
  __syncthreads();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int u = 0; u < kUnrolled; ++u) {
#pragma unroll
      for (int chain = 0; chain < kChains; ++chain) one(chain, round);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = static_cast<std::uint64_t>(clock64() - begin);
}

template <class T>
__device__ T sum_of(const T (&chains)[kChains]) {
  T sum = 0;
  for (const T one : chains) sum += one;
  return sum;
}

}  // namespace

// --- Memory --------------------------------------------------------------------------------------

extern "C" __global__ void ceiling_copy(const uint4* from, uint4* to, std::uint64_t count) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = thread_of_all(); i < count; i += step) to[i] = from[i];
}

/// Four loads in flight; every thread leaves the exclusive-or of what it read.
extern "C" __global__ void ceiling_read(const uint4* from, std::uint32_t* sums,
                                        std::uint64_t count) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  const auto folded = [](uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; };
  std::uint32_t sum = 0;
  std::uint64_t i = thread_of_all();
  for (; i + 3 * step < count; i += 4 * step) {
    const uint4 a = from[i], b = from[i + step], c = from[i + 2 * step], d = from[i + 3 * step];
    sum ^= folded(a) ^ folded(b) ^ folded(c) ^ folded(d);
  }
  for (; i < count; i += step) sum ^= folded(from[i]);
  sums[thread_of_all()] = sum;
}

// --- CUDA cores ----------------------------------------------------------------------------------

/// sum of chains = 8 * thread + 32 * rounds * (a . b)
extern "C" __global__ void ceiling_dp4a(std::uint64_t* cycles, std::uint32_t* sums, int a, int b,
                                        int rounds) {
  int acc[kChains];
  for (int& one : acc) one = static_cast<int>(threadIdx.x);
  timed(cycles, rounds, [&](int chain, int) {
    asm volatile("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(acc[chain]) : "r"(a), "r"(b));
  });
  sums[thread_of_all()] = static_cast<std::uint32_t>(sum_of(acc));
}

/// One word of a binary product: exclusive-or, popcount, add.
/// chain c of thread t holds word t + 31 c.
extern "C" __global__ void ceiling_popc(std::uint64_t* cycles, std::uint32_t* sums, int a, int,
                                        int rounds) {
  std::uint32_t acc[kChains], words[kChains];
  for (int c = 0; c < kChains; ++c) {
    acc[c] = 0;
    words[c] = threadIdx.x + 31 * static_cast<std::uint32_t>(c);
  }
  timed(cycles, rounds, [&](int chain, int round) {
    std::uint32_t ones;
    const std::uint32_t different = words[chain] ^ (static_cast<std::uint32_t>(a) + round);
    asm volatile("popc.b32 %0, %1;" : "=r"(ones) : "r"(different));
    acc[chain] += ones;
  });
  sums[thread_of_all()] = sum_of(acc);
}

// --- Tensor cores --------------------------------------------------------------------------------
//
// b is all ones when `ones` is set. Then every column of a product is the row sums of a, and
// the sum over a warp is columns * rounds * 32 * (sum of a), whatever lies in which register.

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800  // sm_75 has no products of this size

extern "C" __global__ void ceiling_mma_s8(std::uint64_t* cycles, std::uint32_t* sums, int seed,
                                          int ones, int rounds) {
  int acc[kChains][4] = {};
  std::uint32_t a[4], b[2];
  for (std::uint32_t j = 0; j < 4; ++j) a[j] = mixed(threadIdx.x * 4 + j + seed) & 0x3F3F'3F3Fu;
  for (std::uint32_t j = 0; j < 2; ++j) {
    b[j] = ones != 0 ? 0x0101'0101u : mixed(~(threadIdx.x * 2 + j + seed)) & 0x3F3F'3F3Fu;
  }
  timed(cycles, rounds, [&](int chain, int) {
    int(&c)[4] = acc[chain];
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  });
  std::uint32_t sum = 0;
  for (const auto& chain : acc) {
    for (const int one : chain) sum += static_cast<std::uint32_t>(one);
  }
  sums[thread_of_all()] = sum;
}

/// Halves of 1 or 2, accumulated in float: sums below 2^24 are exact.
extern "C" __global__ void ceiling_mma_f16(std::uint64_t* cycles, std::uint32_t* sums, int seed,
                                           int ones, int rounds) {
  float acc[kChains][4] = {};
  std::uint32_t a[4], b[2];
  const auto halves = [](std::uint32_t bits) {
    return 0x3C00'3C00u + ((bits & 0x0001'0001u) ? (bits & 0x0001'0001u) * 0x400u : 0u);
  };
  for (std::uint32_t j = 0; j < 4; ++j) a[j] = halves(mixed(threadIdx.x * 4 + j + seed));
  for (std::uint32_t j = 0; j < 2; ++j) {
    b[j] = ones != 0 ? 0x3C00'3C00u : halves(mixed(~(threadIdx.x * 2 + j + seed)));
  }
  timed(cycles, rounds, [&](int chain, int) {
    float(&c)[4] = acc[chain];
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  });
  float sum = 0;
  for (const auto& chain : acc) {
    for (const float one : chain) sum += one;
  }
  sums[thread_of_all()] = static_cast<std::uint32_t>(sum);
}

/// Ones and zeros, with and: 256 products to a column.
extern "C" __global__ void ceiling_mma_b1(std::uint64_t* cycles, std::uint32_t* sums, int seed,
                                          int ones, int rounds) {
  int acc[kChains][4] = {};
  std::uint32_t a[4], b[2];
  for (std::uint32_t j = 0; j < 4; ++j) a[j] = mixed(threadIdx.x * 4 + j + seed);
  for (std::uint32_t j = 0; j < 2; ++j) {
    b[j] = ones != 0 ? 0xFFFF'FFFFu : mixed(~(threadIdx.x * 2 + j + seed));
  }
  timed(cycles, rounds, [&](int chain, int) {
    int(&c)[4] = acc[chain];
    asm volatile(
        "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  });
  std::uint32_t sum = 0;
  for (const auto& chain : acc) {
    for (const int one : chain) sum += static_cast<std::uint32_t>(one);
  }
  sums[thread_of_all()] = sum;
}

#endif
