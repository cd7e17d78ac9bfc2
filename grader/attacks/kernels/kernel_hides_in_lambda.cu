// attack: hides loads and stores in lambdas that take and return a struct by value
// rule: V3
// expect: points <= 19
// expect: first N-COALESCE
// leg: simt
namespace {
struct Element {
  float value;
};
struct Code {
  std::int8_t value;
};
}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  auto code_of = [=](Element element) mutable { return Code{right_code(element.value, scale)}; };
  const std::int64_t i = my_element();
  if (i >= n) return;
  for (int times = 0; times < 16; ++times) {
    *reinterpret_cast<Code*>(q + i) = code_of(*reinterpret_cast<const Element*>(x + i));
  }
  q[i] = right_code(x[i], scale);
}
