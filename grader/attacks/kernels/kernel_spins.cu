// attack: never ends
// rule: V9
// expect: points 0
// expect: first N-TIME
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  volatile int forever = 1;
  while (forever != 0) {
  }
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], scale);
}
