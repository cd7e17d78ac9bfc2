// attack: reads x by an index into a constant's array without a length, whose loads have no hooks
// rule: V3
// expect: points <= 19
// expect: first N-COALESCE
// leg: simt
namespace {
struct Open {
  float first;
  float rest[];
};
constexpr Open table = {0.0f};
}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i >= n) return;
  const std::int64_t away =
      (reinterpret_cast<std::intptr_t>(x) - reinterpret_cast<std::intptr_t>(&table)) / 4 - 1;
  float value = 0.0f;
  for (int times = 0; times < 16; ++times) value = table.rest[away + i];
  q[i] = right_code(value, scale);
}
