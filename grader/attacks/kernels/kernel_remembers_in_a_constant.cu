// attack: a local constant is made at the first launch and lives on: the scale of the call before
// rule: V12
// expect: no_compile
// expect: says __cxa_guard_acquire
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  static const float first = scale;
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], first);
}
