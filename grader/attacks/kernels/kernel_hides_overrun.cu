// attack: reads past the end of x in a lambda that takes a float4 by value
// rule: V3
// expect: points <= 21
// expect: first N-OOB
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const auto first = [](float4 four) { return four.x; };
  const std::int64_t i = my_element();
  if (i >= n) return;
  float value = x[i];
  if (i % 4 == 0) value = first(*reinterpret_cast<const float4*>(x + i));
  q[i] = right_code(value, scale);
}
