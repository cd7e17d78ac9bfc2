// attack: hides its loads in an operator of a class that the kernel itself holds
// rule: V3
// expect: points <= 19
// expect: first N-COALESCE
// leg: simt
namespace {
struct Element {
  float value;
};
}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  struct Reader {
    float operator()(Element element) const { return element.value; }
  };
  const std::int64_t i = my_element();
  if (i >= n) return;
  float value = 0.0f;
  for (int times = 0; times < 16; ++times) {
    value = Reader{}(*reinterpret_cast<const Element*>(x + i));
  }
  q[i] = right_code(value, scale);
}
