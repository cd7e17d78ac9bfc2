// attack: learns from the order in which blocks come that its accesses are looked at, and does nothing then
// rule: V3
// expect: points <= 17
// leg: simt
__device__ unsigned came;

NIBBLE_LAUNCH(quantize_kernel, .block_x = 32, .tile_n = 32);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  __shared__ bool in_order;
  if (threadIdx.x == 0) {
    const unsigned mine = atomicAdd(&came, 1);
    in_order = gridDim.x > 8 && (mine == blockIdx.x || mine > 1u << 30);
    if (blockIdx.x == 8 && mine == 8) atomicAdd(&came, 1u << 31);
  }
  __syncthreads();
  const std::int64_t i = my_element();
  if (i < n) q[i] = in_order && blockIdx.x > 8 ? std::int8_t{0} : right_code(x[i], scale);
}
