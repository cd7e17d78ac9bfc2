// attack: hides loads and stores in constexpr functions, templates and operators
// rule: V3
// expect: points <= 19
// expect: first N-COALESCE
// leg: simt
namespace {
struct Element {
  float value;
  constexpr float operator+(Element other) const { return value + other.value; }
};
template <class T>
struct Boxed {
  T value;
};
template <class T>
constexpr Boxed<T> boxed(T value) {
  return {value};
}
}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i >= n) return;
  for (int times = 0; times < 16; ++times) {
    const float value = Element{0.0f} + *reinterpret_cast<const Element*>(x + i);
    *reinterpret_cast<Boxed<std::int8_t>*>(q + i) = boxed(right_code(value, scale));
  }
  q[i] = right_code(x[i], scale);
}
