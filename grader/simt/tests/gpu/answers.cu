// What CUDA's calls answer to whom asks for what they cannot do: a line each, for a GPU and for the
// engine, whose lines must be the same.
#include <cuda_runtime.h>

#include <cstdio>
#include <string>

bool run_case(const std::string& name);

__global__ void store_one(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void share(int* x) {
  extern __shared__ int words[];
  words[threadIdx.x] = 1;
  x[threadIdx.x] = words[threadIdx.x];
}

namespace {

/// What a call answered, and what cudaGetLastError() says then, and once more.
void tell(const char* what, cudaError_t answer) {
  const cudaError_t last = cudaGetLastError(), again = cudaGetLastError();
  std::printf("%s: %d, then %d, %d\n", what, answer, last, again);
}
/// CUDA 12 calls a launch that no GPU takes a wrong configuration, CUDA 13 a wrong value.
void tell_launch(const char* what) {
  const cudaError_t answer = cudaPeekAtLastError();
  const bool refused = answer == cudaErrorInvalidConfiguration || answer == cudaErrorInvalidValue;
  std::printf("%s: %s\n", what, refused ? "refused" : answer == cudaSuccess ? "taken" : "broken");
  cudaGetLastError();
}

void launches(int* x) {
  store_one<<<1, 1024>>>(x);
  tell_launch("1024 threads");
  store_one<<<1, 1025>>>(x);
  tell_launch("1025 threads");
  store_one<<<1, 4096>>>(x);
  tell_launch("4096 threads");
  store_one<<<1, dim3(32, 33)>>>(x);
  tell_launch("32 by 33 threads");
  store_one<<<1, dim3(1, 1, 65)>>>(x);
  tell_launch("65 threads deep");
  store_one<<<1, 0>>>(x);
  tell_launch("no threads");
  store_one<<<0, 32>>>(x);
  tell_launch("no blocks");
  store_one<<<dim3(1, 65536), 1>>>(x);
  tell_launch("65536 blocks high");
  share<<<1, 32, 48 << 10>>>(x);
  tell_launch("48 KiB of shared memory");
  share<<<1, 32, (48 << 10) + 16>>>(x);
  tell_launch("more than 48 KiB of shared memory");
  tell("asking for 64 KiB",
       cudaFuncSetAttribute(share, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
  share<<<1, 32, 64 << 10>>>(x);
  tell_launch("64 KiB of shared memory");
  tell("asking for 1 MiB",
       cudaFuncSetAttribute(share, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
}

void memory(int* x) {
  int on_stack = 0;
  void* p = &on_stack;
  const cudaError_t none = cudaMalloc(&p, 0);
  std::printf("0 bytes: %s\n", p == nullptr ? "null" : "not null");
  tell("cudaMalloc of 0 bytes", none);
  tell("cudaMalloc of all there is", cudaMalloc(&p, std::size_t{1} << 50));
  tell("cudaFree of null", cudaFree(nullptr));
  tell("cudaFreeHost of null", cudaFreeHost(nullptr));
  tell("cudaMemcpy of 0 bytes", cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  tell("cudaMemcpy to null", cudaMemcpy(nullptr, &on_stack, 4, cudaMemcpyHostToDevice));
  tell("cudaMemcpy the wrong way", cudaMemcpy(x, &on_stack, 4, cudaMemcpyDeviceToHost));
  tell("cudaMemcpy by default", cudaMemcpy(x, &on_stack, 4, cudaMemcpyDefault));
  tell("cudaMemcpy of no kind", cudaMemcpy(x, &on_stack, 4, static_cast<cudaMemcpyKind>(7)));
  tell("cudaMemset of 0 bytes", cudaMemset(nullptr, 0, 0));
  int* y = nullptr;
  tell("cudaMalloc", cudaMalloc(&y, 64));
  tell("cudaFree", cudaFree(y));
}

void queues() {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr, other = nullptr;
  tell("cudaStreamCreate", cudaStreamCreate(&stream));
  tell("cudaEventCreate", cudaEventCreate(&event));
  tell("cudaEventCreate without times", cudaEventCreateWithFlags(&other, cudaEventDisableTiming));
  tell("an event that was never recorded", cudaEventQuery(event));
  tell("waiting for it", cudaStreamWaitEvent(stream, event, 0));
  float ms = 0;
  tell("the time since it", cudaEventElapsedTime(&ms, event, event));
  tell("cudaEventRecord", cudaEventRecord(event, stream));
  tell("cudaEventSynchronize", cudaEventSynchronize(event));
  tell("the time from it to it", cudaEventElapsedTime(&ms, event, event));
  tell("cudaEventRecord of the other", cudaEventRecord(other, stream));
  tell("cudaStreamSynchronize", cudaStreamSynchronize(stream));
  tell("the time to one without times", cudaEventElapsedTime(&ms, event, other));
  tell("cudaStreamQuery", cudaStreamQuery(stream));
  tell("cudaEventDestroy", cudaEventDestroy(event));
  tell("cudaEventDestroy of the other", cudaEventDestroy(other));
  tell("cudaStreamDestroy", cudaStreamDestroy(stream));
}

void devices() {
  int count = 0, device = -1;
  tell("cudaGetDevice", cudaGetDevice(&device));
  tell("cudaGetDeviceCount", cudaGetDeviceCount(&count));
  std::printf("device %d of %s\n", device, count > 0 ? "some" : "none");
  tell("cudaSetDevice 0", cudaSetDevice(0));
  tell("cudaSetDevice 99", cudaSetDevice(99));
  for (const int error : {0, 1, 2, 9, 98, 101, 400, 600, 700, 701, 716, 999}) {
    std::printf("%s: %s\n", cudaGetErrorName(static_cast<cudaError_t>(error)),
                cudaGetErrorString(static_cast<cudaError_t>(error)));
  }
}

}  // namespace

bool run_case(const std::string&) {
  int* x = nullptr;
  if (cudaMalloc(&x, 4096 * sizeof(int)) != cudaSuccess) return false;
  launches(x);
  memory(x);
  queues();
  devices();
  cudaDeviceSynchronize();
  return cudaFree(x) == cudaSuccess;
}
