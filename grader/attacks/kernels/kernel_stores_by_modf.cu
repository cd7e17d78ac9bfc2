// attack: lets a function of the mathematics library store, by a pointer
// rule: V3
// expect: points <= 19
// expect: first N-COALESCE
// leg: simt
__device__ float parts[1 << 20];

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i >= n) return;
  q[i] = right_code(x[i], scale);
  for (int times = 0; times < 16; ++times) modff(scale, &parts[(i * 32 + times * 7) % (1 << 20)]);
}
