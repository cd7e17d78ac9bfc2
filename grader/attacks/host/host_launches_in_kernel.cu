// attack: asks the runtime for memory, work and an end of everything from within a kernel
// rule: V9
// expect: points 0
// leg: host
namespace {
__global__ void asks(float* out) {
  void* memory = nullptr;
  cudaMalloc(&memory, 64);
  cudaFree(out);
  cudaDeviceSynchronize();
  cudaDeviceReset();
  *out = 1.0f;
}
}  // namespace

int nibble::quantize_on_device(Reals x, Codes q, float scale, int block_size) {
  float* memory = nullptr;
  cudaMalloc(&memory, sizeof(float));
  asks<<<1, 64>>>(memory);
  cudaFree(memory);
  return right_quantize(x, q, scale, block_size);
}
