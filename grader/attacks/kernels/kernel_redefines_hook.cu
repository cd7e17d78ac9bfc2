// attack: defines the callback that sees its writes
// rule: V12
// expect: no_compile
// expect: says belongs to what checks your kernels
// leg: simt
extern "C" void __tsan_write1(void*) {}
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], scale);
}
