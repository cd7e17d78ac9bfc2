// attack: takes a local array as long as an argument says, which no GPU's compiler allows
// rule: V6
// expect: no_compile
// expect: says give it a constant, or take dynamic shared memory
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i >= n) return;
  float kept[1 + n % 10000];
  if (kept[0] != x[i]) kept[0] = x[i];
  q[i] = right_code(kept[0], scale);
}
