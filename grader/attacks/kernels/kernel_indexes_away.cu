// attack: reads x by an index into a constant table, whose loads have no hooks
// rule: V3
// expect: points <= 17
// expect: first N-OOB
// leg: simt
namespace {
constexpr float table[2] = {0.0f, 1.0f};
}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i >= n) return;
  float value = 0.0f;
  const std::int64_t away =
      reinterpret_cast<std::intptr_t>(x) / 4 - reinterpret_cast<std::intptr_t>(table) / 4;
  for (int times = 0; times < 16; ++times) value = table[away + i];
  q[i] = right_code(value, scale);
}
