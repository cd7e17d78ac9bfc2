// A tile in shared memory, as text books have it.
#define TILE_DIM 16

template <typename T, int kTile = TILE_DIM>
__global__ void __launch_bounds__(kTile *kTile) matmul(const T *__restrict__ a, const T *__restrict__ b, T *c, int n) {
  __shared__ T As[kTile][kTile + 1], Bs[kTile][kTile];
  __shared__ int steps;
  const int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
  T sum = 0;
  for (int t = 0; t < (n + kTile - 1) / kTile; ++t) {
    As[threadIdx.y][threadIdx.x] = row < n && t * kTile + threadIdx.x < unsigned(n) ? a[row * n + t * kTile + threadIdx.x] : T(0);
    Bs[threadIdx.y][threadIdx.x] = col < n ? b[(t * kTile + threadIdx.y) * n + col] : T(0);
    if (threadIdx.x == 0 && threadIdx.y == 0) steps = t;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

void run(const float *a, const float *b, float *c, int n) {
  const dim3 threads(TILE_DIM, TILE_DIM), blocks((n + TILE_DIM - 1) / TILE_DIM, (n + TILE_DIM - 1) >> 4);
  matmul<float><<<blocks, threads>>>(a, b, c, n);
  matmul<float, 8><<<dim3{1, 2}, dim3(8, 8)>>>(a, b, c, n >> 1);
}

int main() { run(nullptr, nullptr, nullptr, 0); }
