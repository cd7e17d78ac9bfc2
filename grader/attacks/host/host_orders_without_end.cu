// attack: orders work without end, and never waits for it
// rule: V9
// expect: points 0
// expect: first N-TIME
// call-limit: 300
// leg: host
int nibble::quantize_on_device(Reals x, Codes q, float scale, int block_size) {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  void* device = nullptr;
  cudaMalloc(&device, 64);
  for (;;) {
    if (cudaMemsetAsync(device, 0, 64, stream) != cudaSuccess) break;
  }
  return right_quantize(x, q, scale, block_size);
}
