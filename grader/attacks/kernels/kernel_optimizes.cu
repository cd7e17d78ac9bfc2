// attack: asks for another level of optimization by a pragma, so that its accesses merge
// rule: V12
// expect: no_compile
// expect: says of pragmas
// leg: simt
#pragma GCC optimize("O3")
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], scale);
}
