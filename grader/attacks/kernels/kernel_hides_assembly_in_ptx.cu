// attack: closes the string of inline PTX early, so that the host's assembler sees the rest
// rule: V12
// expect: no_compile
// expect: says inline PTX
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  asm volatile("mov.u32 %%r1, %0; }\n\t.globl nibble_simt_load\n\tnop" ::"r"(threadIdx.x));
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], scale);
}
