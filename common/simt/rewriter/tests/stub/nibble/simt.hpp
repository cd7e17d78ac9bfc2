// As much of the engine's headers as a compiler needs to read what the rewriter writes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "nibble/simt/variable.hpp"

#define NIBBLE_SIMT 1
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __align__(n) alignas(n)

struct uint3 {
  unsigned x, y, z;
};
struct float4 {
  float x, y, z, w;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern "C" void __syncthreads();
extern "C" int atomicAdd(int* address, int value);
using cudaStream_t = void*;

namespace nibble::simt {
struct LaunchConfig {
  LaunchConfig(dim3, dim3, std::size_t = 0, cudaStream_t = nullptr) {}
};
template <class Kernel, class... Arguments>
void launch(const LaunchConfig&, const char*, Kernel kernel, Arguments... arguments) {
  kernel(arguments...);
}
extern unsigned char arena[];
}  // namespace nibble::simt

#define NIBBLE_SIMT_LAUNCHER(...) [=](auto... values) { __VA_ARGS__(values...); }
#define NIBBLE_SIMT_SHARED(NAME, DIMENSIONS, ...)  \
  using simt_type_##NAME = __VA_ARGS__ DIMENSIONS; \
  simt_type_##NAME& NAME = *reinterpret_cast<simt_type_##NAME*>(::nibble::simt::arena)
#define NIBBLE_SIMT_DYNAMIC_SHARED(NAME, ...) \
  __VA_ARGS__(&NAME)[64] = *reinterpret_cast<__VA_ARGS__(*)[64]>(::nibble::simt::arena)
