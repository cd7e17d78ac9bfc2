// Halo cells, a struct of parameters and early returns.
#include <cstddef>

#define RADIUS 3
#define BLOCK_SIZE 128

struct Params {
  int width, height;
  float coefficients[2 * RADIUS + 1];
};

__constant__ Params params;

__device__ __noinline__ float clamped(const float *in, int i, int n) {
  return in[i < 0 ? 0 : (i >= n ? n - 1 : i)];
}

extern "C" __global__ void stencil_1d(const float *in, float *out, int n) {
  __shared__ float temp[BLOCK_SIZE + 2 * RADIUS];
  const int gindex = threadIdx.x + blockIdx.x * blockDim.x;
  const int lindex = threadIdx.x + RADIUS;
  temp[lindex] = clamped(in, gindex, n);
  if (threadIdx.x < RADIUS) {
    temp[lindex - RADIUS] = clamped(in, gindex - RADIUS, n);
    temp[lindex + BLOCK_SIZE] = clamped(in, gindex + BLOCK_SIZE, n);
  }
  __syncthreads();
  if (gindex >= n) return;
  float result = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++)
    result += temp[lindex + offset] * params.coefficients[offset + RADIUS];
  out[gindex] = result;
}

int main() {
  float *in = nullptr, *out = nullptr;
  const int n = 1 << 20;
  stencil_1d<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(in, out, n);
}
