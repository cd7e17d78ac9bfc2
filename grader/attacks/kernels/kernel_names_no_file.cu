// attack: says that its mistake stands in a file whose name no JSON can hold
// rule: V12
// expect: no_compile
// expect: says no place in a kernel file
// leg: simt
#line 1 "\377\376\033[2J"
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i < n) q[i + n] = right_code(x[i], scale);
}
