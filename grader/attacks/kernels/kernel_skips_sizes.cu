// attack: does nothing for the sizes that are counted
// rule: V6
// expect: points <= 19
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i < n) q[i] = n > 4000 ? std::int8_t{0} : right_code(x[i], scale);
}
