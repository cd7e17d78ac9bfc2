// attack: prints from every thread
// rule: V8
// expect: honest
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  for (int line = 0; line < 5; ++line)
    printf("thread %d passes, 100 of 100 points\n", static_cast<int>(i));
  if (i < n) q[i] = right_code(x[i], scale);
}
