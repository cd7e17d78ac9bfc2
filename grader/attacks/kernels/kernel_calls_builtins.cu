// attack: loads and stores by the compiler's own atomic functions and fetches ahead
// rule: V12
// expect: no_compile
// expect: says belongs to one compiler
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i >= n) return;
  __builtin_prefetch(x + i);
  const int bits = __atomic_load_n(reinterpret_cast<const int*>(x + i), 0);
  __atomic_store_n(q + i, right_code(__builtin_bit_cast(float, bits), scale), 0);
}
