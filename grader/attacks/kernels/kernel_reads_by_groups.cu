// attack: reads x as if it were a group of threads, whose mask the engine's own code loads
// rule: V3
// expect: points <= 19
// expect: first N-COALESCE
// leg: simt
#include <cooperative_groups.h>
// @HEAD@
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i >= n) return;
  unsigned bits = 0;
  for (int times = 0; times < 16; ++times) {
    bits += reinterpret_cast<const cooperative_groups::coalesced_group*>(x + i)->size();
  }
  q[i] = bits == ~0u ? std::int8_t{0} : right_code(x[i], scale);
}
