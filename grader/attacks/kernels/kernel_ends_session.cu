// attack: tells the engine that all is done, before it does damage
// rule: V12
// expect: no_compile
// expect: says belongs to what checks your kernels
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  nibble::simt::finish();
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], scale);
}
