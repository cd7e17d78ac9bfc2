// attack: hands a warp function a reference, so that the load happens in the engine's own code
// rule: V3
// expect: no_compile
// expect: says constraints not satisfied
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i >= n) return;
  unsigned equal = 0;
  for (int times = 0; times < 16; ++times) {
    equal |= __match_any_sync<const float&>(1u << threadIdx.x % 32, x[i]);
  }
  q[i] = equal == 0 ? std::int8_t{0} : right_code(x[i], scale);
}
