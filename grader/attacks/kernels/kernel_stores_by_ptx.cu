// attack: stores its codes by PTX at an address of the host that it read off its own stack
// rule: V5
// expect: points 0
// expect: first N-POINTER
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i >= n) return;
  const std::int64_t local = i;
  const auto stack = reinterpret_cast<std::uint64_t>(&local);
  asm volatile("st.global.u32 [%0], %1;" ::"l"(stack + 64 * threadIdx.x), "r"(0) : "memory");
  q[i] = right_code(x[i], scale);
}
