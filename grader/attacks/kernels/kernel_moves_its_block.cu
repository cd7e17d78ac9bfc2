// attack: changes which thread and which block it is, so that its accesses count as another's
// rule: V5
// expect: points <= 17
// expect: first N-POINTER
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], scale);
  __syncthreads();
  *const_cast<unsigned*>(&threadIdx.x) = 0;
}
