// attack: writes its accesses in PTX, which nobody sees
// rule: V12
// expect: no_compile
// expect: says inline PTX
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  asm volatile("nop");
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], scale);
}
