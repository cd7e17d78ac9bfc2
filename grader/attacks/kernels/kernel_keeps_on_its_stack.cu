// attack: finds the codes of an earlier call on its stack, far below what is in use, and gives them again
// rule: V6
// expect: points <= 19
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  struct Kept {
    std::int64_t n, is_there;
    std::int8_t code;
  };
  volatile char here = 0;
  const auto below = reinterpret_cast<std::uintptr_t>(&here) - 6000;
  Kept& kept = *reinterpret_cast<Kept*>(below / 16 * 16);
  const std::int64_t i = my_element();
  if (i >= n) return;
  constexpr std::int64_t kMark = 0x6B657074;
  if (kept.is_there != kMark + i || kept.n != n) {
    kept.n = n;
    kept.is_there = kMark + i;
    kept.code = right_code(x[i], scale);
  }
  q[i] = kept.code;
}
