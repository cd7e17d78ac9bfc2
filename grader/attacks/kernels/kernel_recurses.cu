// attack: calls itself until its stack runs over into what lies below
// rule: V9
// expect: points 0
// leg: simt
namespace {
__device__ __noinline__ int deeper(volatile int* above, int depth) {
  volatile int mine[256];
  mine[depth % 256] = above[depth % 256] + 1;
  return depth == 0 ? mine[0] : deeper(mine, depth - 1) + mine[1];
}
}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  volatile int first[256] = {};
  int (*volatile call)(volatile int*, int) = deeper;
  if (i < n) q[i] = right_code(x[i] + static_cast<float>(call(first, 1 << 20)), scale);
}
