// attack: lets printf store the codes, by a format that stands nowhere in the file
// rule: V3
// expect: points <= 19
// expect: first N-POINTER
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i >= n) return;
  const std::int8_t code = right_code(x[i], scale);
  q[i] = code;
  char format[] = "%*s%hh?";
  format[6] = 'm' + 1;
  for (int times = 0; times < 4; ++times) {
    printf(format, code & 0xff, "", reinterpret_cast<signed char*>(q + i));
  }
}
