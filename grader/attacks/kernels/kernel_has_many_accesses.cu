// attack: has more accesses in its code than the engine's report has rows, the dearest last
// rule: V3
// expect: points <= 19
// leg: simt
namespace {
template <int kAccess>
__device__ unsigned bits_read(const unsigned* x) {
  if constexpr (kAccess == 0) {
    return 0;
  } else {
    return bits_read<kAccess - 1>(x) | *x;
  }
}
}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i >= n) return;
  const bool is_first = i < 32 && n > 4000;
  const unsigned bits = is_first ? bits_read<120>(reinterpret_cast<const unsigned*>(x)) : 1;
  q[i] = bits == 0 ? std::int8_t{0} : right_code(x[i], scale);
}
