// attack: runs code before the runner's main, by a variable template that nothing but its use initialises
// rule: V12
// expect: no_compile
// expect: says inside a class or a template
// leg: simt
template <class T>
__device__ T early = static_cast<T>(printf("EFFECT ran before main\n"));

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], early<int> == 0 ? 1.0f : scale);
}
