// attack: defines the call that the kit makes, instead of its kernel
// rule: V12
// expect: no_compile
// expect: says host code cannot be in this file
// leg: simt
void quantize(std::span<const float> x, std::span<std::int8_t> q, float scale) {
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = right_code(x[i], scale);
}
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {}
