// attack: a frame larger than the page between two stacks, so that locals lie on a neighbour's
// rule: V6
// expect: points <= 19
// leg: simt
namespace {
__device__ int deep(int value) {
  int pad[25000];
  pad[0] = value;
  pad[1] = value + 1;
  return pad[0] + pad[1];
}
}  // namespace
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  auto* volatile reach = deep;
  const std::int64_t i = my_element();
  if (i >= n) return;
  int more = threadIdx.x % 32 > 15 ? reach(3) - 7 : 0;
  q[i] = right_code(x[i], scale) + more;
}
