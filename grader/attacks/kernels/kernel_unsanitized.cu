// attack: asks the compiler not to look at its accesses
// rule: V12
// expect: no_compile
// expect: says attributes of one compiler
// leg: simt
__attribute__((no_sanitize("thread"))) __device__ void write(std::int8_t* q, std::int8_t code) {
  *q = code;
}
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i < n) write(q + i, right_code(x[i], scale));
}
