// attack: hands the runtime streams, events and pointers that it has made up
// rule: V9
// expect: points 0
// leg: host
int nibble::quantize_on_device(Reals x, Codes q, float scale, int block_size) {
  char own[256] = {};
  const auto stream = reinterpret_cast<cudaStream_t>(own);
  const auto event = reinterpret_cast<cudaEvent_t>(own + 64);
  cudaStreamDestroy(stream);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(reinterpret_cast<cudaStream_t>(0x10), event, 0);
  cudaEventDestroy(event);
  cudaFree(own);
  cudaFreeHost(own + 8);
  void* device = nullptr;
  cudaMalloc(&device, 64);
  cudaFree(static_cast<char*>(device) + 16);
  cudaMemcpy(device, own, ~std::size_t{0}, cudaMemcpyHostToDevice);
  cudaMemset(own, 1, std::size_t{1} << 40);
  cudaStream_t twice = nullptr;
  cudaStreamCreate(&twice);
  cudaStreamDestroy(twice);
  cudaStreamDestroy(twice);
  quantize_kernel<<<1, 32, 0, twice>>>(x.data(), q.data(), scale, 1);
  return right_quantize(x, q, scale, block_size);
}
