// attack: lets a tensor-core instruction store: a fragment's registers lie in device memory
// rule: V3
// expect: points <= 17
// expect: first N-RACE
// leg: simt
#include <mma.h>
// @HEAD@
__device__ float scratch[1 << 16];

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  using Sums = nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float>;
  const std::int64_t i = my_element();
  if (i >= n) return;
  q[i] = right_code(x[i], scale);
  float* const place = scratch + i % 2048 * 32;
  for (int times = 0; times < 4; ++times) {
    nvcuda::wmma::fill_fragment(*reinterpret_cast<Sums*>(place), scale);
  }
}
