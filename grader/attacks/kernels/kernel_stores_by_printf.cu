// attack: lets printf store the codes: %hhn counts what was printed
// rule: V3
// expect: no_compile
// expect: says %n
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i >= n) return;
  const std::int8_t code = right_code(x[i], scale);
  q[i] = code;
  for (int times = 0; times < 16; ++times) {
    printf("%*s%hhn", code & 0xff, "", reinterpret_cast<signed char*>(q + i));
  }
}
