// attack: keeps the codes of the last launch and gives them again
// rule: V6
// expect: points <= 5
// leg: simt
__device__ std::int8_t kept[1 << 16];
__device__ int launches;
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i < n && i < (1 << 16)) {
    if (launches == 0) kept[i] = right_code(x[i], scale);
    q[i] = kept[i];
  }
  if (i == 0) launches = 1;
}
