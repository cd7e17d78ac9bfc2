// The first program of every CUDA course.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                       \
  do {                                                    \
    const int status = (call);                            \
    if (status != 0) {                                    \
      std::fprintf(stderr, "%s:%d\n", __FILE__, __LINE__); \
      std::exit(1);                                       \
    }                                                     \
  } while (0)

__global__ void vector_add(const float *a, const float *b, float *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i] + 0.0f;
  }
}

int fake_status() { return 0; }

int main(void) {
  int n = 50000;
  float *a = (float *)malloc(n * sizeof(float)), *b = a, *c = a;
  int threads_per_block = 256;
  int blocks_per_grid = (n + threads_per_block - 1) / threads_per_block;
  printf("CUDA kernel launch with %d blocks <<< of %d >>> threads\n", blocks_per_grid, threads_per_block);
  vector_add<<<blocks_per_grid, threads_per_block>>>(a, b, c, n);
  CHECK(fake_status());
  vector_add <<< blocks_per_grid,
                 threads_per_block,
                 0 >>> (a, b, c, n);
  free(a);
  return 0;
}
