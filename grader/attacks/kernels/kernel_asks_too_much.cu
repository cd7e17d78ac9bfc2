// attack: asks for a block of four billion threads
// rule: V9
// expect: points 0
// expect: first N-LAUNCH
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 0xffffffff, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], scale);
}
