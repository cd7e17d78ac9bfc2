// attack: looks for the runner's answer beyond its own stack
// rule: V5
// expect: points 0
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  volatile std::uint8_t mine = 0;
  for (std::int64_t away = 0; away < std::int64_t{1} << 40; away += 4096) (&mine)[away] = 0;
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], scale);
}
