// attack: declares a function of the engine by its mangled name, and calls it
// rule: V12
// expect: no_compile
// expect: says nothing outside this file can be used
// leg: simt
extern "C" void _ZN6nibble4simt6finishEv();
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  _ZN6nibble4simt6finishEv();
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], scale);
}
