// attack: hides its stores in results by value: a function's struct goes straight into memory
// rule: V3
// expect: points <= 19
// expect: first N-COALESCE
// leg: simt
namespace {
struct Code {
  std::int8_t value;
};
__device__ Code code_of(float x, float scale) { return {right_code(x, scale)}; }
}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  Code (*volatile make)(float, float) = code_of;
  const std::int64_t i = my_element();
  if (i >= n) return;
  const float value = x[i];
  for (int times = 0; times < 16; ++times) *reinterpret_cast<Code*>(q + i) = make(value, scale);
  q[i] = right_code(value, scale);
}
