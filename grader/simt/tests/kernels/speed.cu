// What the checks cost: an int8 matmul of 16 x 16 tiles, a quantizer and a tree reduction, each
// with the CPU time of its launch.
#include <cstdio>
#include <ctime>

#include "case.cuh"

constexpr int TILE = 16;

__global__ void matmul_tiled(const int8_t* A, const int8_t* B, int32_t* C, int M, int N, int K) {
  __shared__ int8_t As[TILE][TILE];
  __shared__ int8_t Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  int32_t acc = 0;
  for (int t = 0; t < (K + TILE - 1) / TILE; ++t) {
    int ka = t * TILE + threadIdx.x;
    int kb = t * TILE + threadIdx.y;
    As[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : int8_t(0);
    Bs[threadIdx.y][threadIdx.x] = (kb < K && col < N) ? B[kb * N + col] : int8_t(0);
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      acc += int32_t(As[threadIdx.y][k]) * int32_t(Bs[k][threadIdx.x]);
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = acc;
}

__global__ void quantize(const float* x, int8_t* q, int n, float inverse_scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = (int8_t)fminf(fmaxf(rintf(x[i] * inverse_scale), -127.f), 127.f);
}

__global__ void absmax(const float* x, int n, int* out) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? fabsf(x[i]) : 0.f;
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (t < k) s[t] = fmaxf(s[t], s[t + k]);
    __syncthreads();
  }
  if (t == 0) atomicMax(out, __float_as_int(s[0]));
}

static double cpu_ms() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) / 1e6;
}

/// A launch waits in its stream until somebody waits for it.
template <class F>
void timed(F launch) {
  const double start = cpu_ms();
  launch();
  cudaDeviceSynchronize();
  std::printf("kernel %.2f ms\n", cpu_ms() - start);
}

bool run_case(const std::string& name) {
  const int n = std::stoi(name.substr(name.find('-') + 1));
  if (name.starts_with("tiled")) {
    const std::vector<int8_t> ones(std::size_t(n) * n, 1);
    Buffer<int8_t> A(ones), B(ones);
    Buffer<int32_t> C(std::size_t(n) * n);
    const dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    timed([&] { matmul_tiled<<<grid, block>>>(A.data, B.data, C.data, n, n, n); });
    return C.host()[0] == n;
  }
  Buffer<float> x(std::vector<float>(n, 1.25f));
  Buffer<int8_t> q(n);
  Buffer<int> out(std::vector<int>{0});
  if (name.starts_with("quantize")) {
    timed([&] { quantize<<<(n + 255) / 256, 256>>>(x.data, q.data, n, 10.f); });
  } else {
    timed([&] { absmax<<<(n + 255) / 256, 256>>>(x.data, n, out.data); });
  }
  return true;
}
