// attack: hides loads in arguments by value, by way of the address of a local variable
// rule: V3
// expect: points <= 19
// expect: first N-COALESCE
// leg: simt
namespace {
struct Element {
  float value;
};
__device__ float value_of(Element element) { return element.value; }
}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  float (*read)(Element) = value_of;
  const std::int64_t i = my_element();
  if (i >= n) return;
  float value = 0.0f;
  Element local{};
  const std::int64_t away =
      reinterpret_cast<std::intptr_t>(x + i) - reinterpret_cast<std::intptr_t>(&local);
  for (int times = 0; times < 16; ++times) {
    value = read(*reinterpret_cast<const Element*>(reinterpret_cast<const char*>(&local) + away));
  }
  q[i] = right_code(value, scale);
}
