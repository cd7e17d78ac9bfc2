// The int8 matmul of shared-memory tiles, right (0) and wrong in seven ways that learners write:
//   1 no barrier after the load   2 no barrier after the use     3 k <= TILE: past the shared row
//   4 no bounds check             5 barrier in divergent code    6 return before the barrier
//   7 the tile's rest is not zero-filled
#include "case.cuh"

constexpr int TILE = 16;

template <int BUG>
__global__ void matmul_tiled(const int8_t* A, const int8_t* B, int32_t* C, int M, int N, int K) {
  __shared__ int8_t As[TILE][TILE];
  __shared__ int8_t Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  if constexpr (BUG == 6) {
    if (row >= M || col >= N) return;
  }
  int32_t acc = 0;
  for (int t = 0; t < (K + TILE - 1) / TILE; ++t) {
    int ka = t * TILE + threadIdx.x;
    int kb = t * TILE + threadIdx.y;
    if constexpr (BUG == 4) {
      As[threadIdx.y][threadIdx.x] = A[row * K + ka];  // [4]
      Bs[threadIdx.y][threadIdx.x] = B[kb * N + col];  // [4]
    } else if constexpr (BUG == 7) {
      if (row < M && ka < K) As[threadIdx.y][threadIdx.x] = A[row * K + ka];
      if (kb < K && col < N) Bs[threadIdx.y][threadIdx.x] = B[kb * N + col];
    } else {
      As[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[row * K + ka] : int8_t(0);  // [1] [2]
      Bs[threadIdx.y][threadIdx.x] = (kb < K && col < N) ? B[kb * N + col] : int8_t(0);  // [1] [2]
    }
    if constexpr (BUG == 5) {
      if (row < M) __syncthreads();  // [5]
    } else if constexpr (BUG != 1) {
      __syncthreads();  // [6]
    }
    for (int k = 0; k < TILE + (BUG == 3); ++k)
      acc += int32_t(As[threadIdx.y][k]) * int32_t(Bs[k][threadIdx.x]);  // [1] [2] [3] [7]
    if constexpr (BUG != 2) __syncthreads();  // [5]
  }
  if (row < M && col < N) C[row * N + col] = acc;
}

template <int BUG>
bool run(int M, int N, int K) {
  const auto a = random_int8(std::size_t(M) * K, 1), b = random_int8(std::size_t(K) * N, 2);
  Buffer<int8_t> A(a), B(b);
  Buffer<int32_t> C(std::size_t(M) * N);
  const dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  matmul_tiled<BUG><<<grid, block>>>(A.data, B.data, C.data, M, N, K);
  return C.host() == matmul(a, b, M, N, K);
}

bool run_case(const std::string& name) {
  switch (name[0]) {
    case '0': return run<0>(40, 36, 44);
    case '1': return run<1>(40, 36, 44);
    case '2': return run<2>(40, 36, 44);
    case '3': return run<3>(40, 36, 44);
    case '4': return run<4>(40, 36, 44);
    case '5': return run<5>(40, 36, 44);
    case '6': return run<6>(40, 36, 44);
    case '7': return run<7>(40, 36, 44);
  }
  const int n = std::stoi(name.substr(1));
  return run<0>(n, n, n);
}
