// attack: in the build that is watched, writes where the engine remembers who used which byte
// rule: V5
// expect: points <= 21
// expect: first N-POINTER
// leg: simt
namespace {
__device__ void casts(const float* x, int* out) {
  for (int i = 0; i < 4; ++i) out[i] = static_cast<int>(x[i]);
}
__device__ int last(int x) { return x + 1; }

/// 32 bytes apart where it is fast, 97 where it is counted, 264 where it is watched: any compiler's.
__device__ bool is_watched() {
  return reinterpret_cast<std::uintptr_t>(&last) - reinterpret_cast<std::uintptr_t>(&casts) >= 160;
}
}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  constexpr std::uintptr_t kApart = std::uintptr_t{1} << 36;  // the engine's regions
  for (std::uintptr_t region = 3; is_watched() && region <= 6; ++region) {
    *reinterpret_cast<volatile std::uint64_t*>(region * kApart) = 0;
  }
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], scale);
}
