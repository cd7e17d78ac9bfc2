// attack: includes the published solution
// rule: V13
// expect: no_compile
// expect: says a kernel file may include
// leg: simt
#include "@SOLUTION@"
// @HEAD@
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], scale);
}
