// attack: tells the build that counts apart by the distance of two functions, and does nothing in it
// rule: V3
// expect: points <= 19
// expect: first N-WRONG
// leg: simt
namespace {
__device__ void casts(const float* x, int* out) {
  for (int i = 0; i < 4; ++i) out[i] = static_cast<int>(x[i]);
}
__device__ int last(int x) { return x + 1; }

/// 32 bytes apart where it is fast, 97 where it is counted, 264 where it is watched: any compiler's.
__device__ bool is_counted() {
  const auto apart =
      reinterpret_cast<std::uintptr_t>(&last) - reinterpret_cast<std::uintptr_t>(&casts);
  return apart > 64 && apart < 160;
}
}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i < n) q[i] = is_counted() ? std::int8_t{0} : right_code(x[i], scale);
}
