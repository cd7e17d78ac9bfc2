// attack: hides eight loads in arguments by value behind one that is seen
// rule: V3
// expect: points <= 19
// expect: first N-COALESCE
// leg: simt
namespace {
struct Element {
  float value;
};
__device__ float first_of(float first, Element, Element, Element, Element, Element, Element,
                          Element, Element last) {
  return last.value == first ? last.value : first;
}
}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  auto* read = first_of;
  const std::int64_t i = my_element();
  if (i >= n) return;
  const Element& e = *reinterpret_cast<const Element*>(x + i * 7919 % n);
  q[i] = right_code(read(x[i], e, e, e, e, e, e, e, e), scale);
}
