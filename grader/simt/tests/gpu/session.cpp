// The engine's session on a GPU: the tests of warp instructions are linked with it in the engine's
// place, and with what nvcc makes of their kernels. It finds nothing and counts nothing.
#include "nibble/simt/session.hpp"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gpu/launch_kernel.hpp"

namespace nibble::simt {
namespace {

std::vector<void*> buffers;
Report report;

void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(EXIT_FAILURE);
}

void give_all_back() {
  for (void* const buffer : buffers) cudaFree(buffer);
  buffers.clear();
}

}  // namespace

void start(const SessionOptions&) { give_all_back(); }

const Report& finish() {
  must(cudaDeviceSynchronize(), "kernel");
  return report;
}

void* allocate(std::size_t bytes, const char* name) {
  void* buffer = nullptr;
  must(cudaMalloc(&buffer, bytes), name);
  must(cudaMemset(buffer, 0xA5, bytes), name);
  buffers.push_back(buffer);
  return buffer;
}

void copy_to_device(void* device, const void* host, std::size_t bytes) {
  must(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "copy to the device");
}
void copy_to_host(void* host, const void* device, std::size_t bytes) {
  must(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "copy to the host");
}

void launch_kernel(const void* kernel, const Sizes& blocks, const Sizes& threads,
                   void** arguments) {
  must(cudaLaunchKernel(kernel, {blocks.x, blocks.y, blocks.z}, {threads.x, threads.y, threads.z},
                        arguments, 0, nullptr),
       "launch");
  must(cudaDeviceSynchronize(), "kernel");
}

}  // namespace nibble::simt
