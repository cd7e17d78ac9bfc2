// Dynamic shared memory, templates, device variables and a macro that launches.
#include <type_traits>

#define LAUNCH(kernel, n, ...) kernel<<<((n) + 255) / 256, 256, 256 * sizeof(float)>>>(__VA_ARGS__)

__device__ int finished_blocks;
__constant__ float weights[4] = {0.25f, 0.5f, 0.75f, 1.0f};
static __device__ unsigned long long histogram[16], total = 0;

namespace detail {
struct Pair {
  float value;
  int index;
  __device__ Pair() : value(0), index{0} {}
};
template <class T>
__device__ __forceinline__ T larger(T a, T b) {
  return a > b ? a : b;
}
}  // namespace detail

template <unsigned kThreads, class T>
__global__ void reduce(const T *in, T *out, unsigned n) {
  extern __shared__ __align__(16) unsigned char storage[];
  T *sums = reinterpret_cast<T *>(storage);
  __shared__ bool is_last;
  sums[threadIdx.x] = 0;
  for (unsigned i = blockIdx.x * kThreads + threadIdx.x; i < n; i += kThreads * gridDim.x)
    sums[threadIdx.x] += in[i] * T(weights[i & 3]);
  __syncthreads();
  for (unsigned stride = kThreads >> 1; stride > 0; stride >>= 1) {
    if (threadIdx.x < stride) sums[threadIdx.x] = detail::larger<T>(sums[threadIdx.x], sums[threadIdx.x + stride]);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = sums[0];
    is_last = atomicAdd(&finished_blocks, 1) == int(gridDim.x) - 1;
    if (is_last) total += histogram[0];
  }
}

extern __shared__ float tail[];
__global__ void touch(float *p) { p[0] = tail[threadIdx.x]; }

int main() {
  float *in = nullptr, *out = nullptr;
  reduce<256, float><<<1, 256, 256 * sizeof(float)>>>(in, out, 0u);
  LAUNCH(touch, 512, out);
  auto go = [&](int blocks) { touch<<<blocks, std::is_same_v<int, int> ? 32 : 64>>>(out); };
  go(2);
}
