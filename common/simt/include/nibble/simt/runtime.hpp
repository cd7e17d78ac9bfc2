// The host runtime, as far as the labs need it.
#pragma once

#include <cstdlib>

#include "nibble/simt/launch.hpp"

// The toolkit whose words these headers have.
#define CUDART_VERSION 12000
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidPitchValue = 12,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorInsufficientDriver = 35,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702,
  cudaErrorAssert = 710,
  cudaErrorHostMemoryAlreadyRegistered = 712,
  cudaErrorHostMemoryNotRegistered = 713,
  cudaErrorMisalignedAddress = 716,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotPermitted = 800,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999,
};
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault,
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100,
};
enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual,
};
enum cudaMemoryType {
  cudaMemoryTypeUnregistered,
  cudaMemoryTypeHost,
  cudaMemoryTypeDevice,
  cudaMemoryTypeManaged,
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly,
  cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation,
  cudaMemAdviseSetAccessedBy,
  cudaMemAdviseUnsetAccessedBy,
};
constexpr int cudaCpuDeviceId = -1;
constexpr unsigned cudaStreamDefault = 0, cudaStreamNonBlocking = 1;
constexpr unsigned cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2;
constexpr unsigned cudaMemAttachGlobal = 1;
constexpr unsigned cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2,
                   cudaHostAllocWriteCombined = 4;
constexpr unsigned cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1;

using cudaEvent_t = struct CUevent_st*;

struct cudaDeviceProp {
  char name[256];
  int major, minor, multiProcessorCount, maxThreadsPerBlock, warpSize;
  std::size_t sharedMemPerBlock, sharedMemPerBlockOptin, totalGlobalMem;
};

struct cudaFuncAttributes {
  std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
};

struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};

// Memory. What takes some is never inlined: what is leaked is told by the learner's line.
namespace nibble::simt {
enum class Takes { kDevice, kManaged, kInStream, kPinned };
cudaError_t take_memory(void** p, std::size_t bytes, Takes what, cudaStream_t stream,
                        const void* pc);
cudaError_t set_function_attribute(cudaFuncAttribute attribute, int value);
cudaError_t copy_to_symbol(const void* symbol, std::size_t size, const void* from, std::size_t n,
                           std::size_t offset);
cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t size, std::size_t n,
                             std::size_t offset);
cudaError_t symbol_address(void** p, const void* symbol);
}  // namespace nibble::simt

template <class T>
NIBBLE_SIMT_UNSEEN cudaError_t cudaMalloc(T** p, std::size_t bytes) {
  return nibble::simt::take_memory(reinterpret_cast<void**>(p), bytes, nibble::simt::Takes::kDevice,
                                   nullptr, NIBBLE_SIMT_PC);
}
/// Rows begin where 512 divides the address, as on a GPU.
template <class T>
NIBBLE_SIMT_UNSEEN cudaError_t cudaMallocPitch(T** p, std::size_t* pitch, std::size_t width,
                                               std::size_t height) {
  constexpr std::size_t kRow = 512, kAll = SIZE_MAX / 2;
  if (pitch == nullptr) return cudaErrorInvalidValue;
  *pitch = width < kAll ? (width + kRow - 1) / kRow * kRow : width;
  const bool fits = height == 0 || *pitch <= kAll / height;
  return nibble::simt::take_memory(reinterpret_cast<void**>(p), fits ? *pitch * height : kAll,
                                   nibble::simt::Takes::kDevice, nullptr, NIBBLE_SIMT_PC);
}
template <class T>
NIBBLE_SIMT_UNSEEN cudaError_t cudaMallocManaged(T** p, std::size_t bytes,
                                                 unsigned = cudaMemAttachGlobal) {
  return nibble::simt::take_memory(reinterpret_cast<void**>(p), bytes,
                                   nibble::simt::Takes::kManaged, nullptr, NIBBLE_SIMT_PC);
}
template <class T>
NIBBLE_SIMT_UNSEEN cudaError_t cudaMallocAsync(T** p, std::size_t bytes, cudaStream_t stream) {
  return nibble::simt::take_memory(reinterpret_cast<void**>(p), bytes,
                                   nibble::simt::Takes::kInStream, stream, NIBBLE_SIMT_PC);
}
template <class T>
NIBBLE_SIMT_UNSEEN cudaError_t cudaMallocHost(T** p, std::size_t bytes, unsigned = 0) {
  return nibble::simt::take_memory(reinterpret_cast<void**>(p), bytes, nibble::simt::Takes::kPinned,
                                   nullptr, NIBBLE_SIMT_PC);
}
template <class T>
NIBBLE_SIMT_UNSEEN cudaError_t cudaHostAlloc(T** p, std::size_t bytes, unsigned) {
  return nibble::simt::take_memory(reinterpret_cast<void**>(p), bytes, nibble::simt::Takes::kPinned,
                                   nullptr, NIBBLE_SIMT_PC);
}
cudaError_t cudaFree(void* p);
cudaError_t cudaFreeAsync(void* p, cudaStream_t stream);
cudaError_t cudaFreeHost(void* p);
cudaError_t cudaHostRegister(void* p, std::size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void* p);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* p, int value, std::size_t bytes);
cudaError_t cudaMemset2D(void* p, std::size_t pitch, int value, std::size_t width,
                         std::size_t height);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p);
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t n,
                               std::size_t offset = 0, cudaMemcpyKind = cudaMemcpyHostToDevice) {
  return nibble::simt::copy_to_symbol(&symbol, sizeof(T), from, n, offset);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t n, std::size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  return nibble::simt::copy_from_symbol(to, &symbol, sizeof(T), n, offset);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** p, const T& symbol) {
  return nibble::simt::symbol_address(p, &symbol);
}

// Errors.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);

// Launches by a call: those of the second kind have blocks that may wait for each other.
namespace nibble::simt {
template <class... Args>
NIBBLE_SIMT_UNSEEN cudaError_t launch_by_call(bool cooperative, const char* arguments,
                                              void (*kernel)(Args...), dim3 grid, dim3 block,
                                              void** args, std::size_t shared_bytes = 0,
                                              cudaStream_t stream = nullptr) {
  LaunchConfig config(grid, block, shared_bytes, stream);
  config.cooperative = cooperative;
  launch_from(NIBBLE_SIMT_PC, config, first_argument(arguments), kernel, args,
              std::index_sequence_for<Args...>{});
  return cudaPeekAtLastError();
}
template <class... Rest>
cudaError_t launch_by_call(bool, const char*, const void*, const Rest&...) {
  static_assert(
      sizeof...(Rest) < 0,
      "cudaLaunchKernel needs the kernel itself here: name it, not a pointer that was made of it");
  return cudaErrorInvalidValue;
}

}  // namespace nibble::simt

struct cudaLaunchAttribute;  // none of them changes what a kernel computes
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

namespace nibble::simt {
template <class... Parameters, class... Args>
NIBBLE_SIMT_UNSEEN cudaError_t launch_by_config(const char* arguments,
                                                const cudaLaunchConfig_t* config,
                                                void (*kernel)(Parameters...), Args&&... args) {
  static_assert(sizeof...(Parameters) == sizeof...(Args),
                "the launch gives another number of arguments than the kernel has parameters");
  launch_from(NIBBLE_SIMT_PC,
              {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream},
              first_argument(arguments), kernel,
              as_parameter<std::remove_cvref_t<Parameters>>(std::forward<Args>(args))...);
  return cudaPeekAtLastError();
}
}  // namespace nibble::simt
#define cudaLaunchKernelEx(CONFIG, ...) \
  ::nibble::simt::launch_by_config(#__VA_ARGS__, CONFIG, __VA_ARGS__)
#define cudaLaunchKernel(...) ::nibble::simt::launch_by_call(false, #__VA_ARGS__, __VA_ARGS__)
#define cudaLaunchCooperativeKernel(...) \
  ::nibble::simt::launch_by_call(true, #__VA_ARGS__, __VA_ARGS__)

// Streams and events. The legacy stream is the default one.
constexpr cudaStream_t cudaStreamLegacy = nullptr;
namespace nibble::simt {
/// One that is always there, and is no default stream: work in it may be beside that of others.
cudaStream_t stream_of_thread();
}  // namespace nibble::simt
#define cudaStreamPerThread (::nibble::simt::stream_of_thread())
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemsetAsync(void* p, int value, std::size_t bytes, cudaStream_t stream = nullptr);
template <class T>
__attribute__((always_inline)) inline cudaError_t cudaMemcpyToSymbolAsync(
    T& symbol, const void* from, std::size_t n, std::size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr) {
  return cudaMemcpyAsync(reinterpret_cast<char*>(&symbol) + offset, from, n, kind, stream);
}
template <class T>
__attribute__((always_inline)) inline cudaError_t cudaMemcpyFromSymbolAsync(
    void* to, const T& symbol, std::size_t n, std::size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr) {
  return cudaMemcpyAsync(to, reinterpret_cast<const char*>(&symbol) + offset, n, kind, stream);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
/// A function of the host takes its turn in a stream.
#define CUDART_CB
using cudaHostFn_t = void (*)(void* data);
using cudaStreamCallback_t = void (*)(cudaStream_t stream, cudaError_t status, void* data);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned flags);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaDeviceSynchronize();

// The device.
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceReset();
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel*, cudaFuncAttribute attribute, int value) {
  return nibble::simt::set_function_attribute(attribute, value);
}

// What a GPU would advise or be advised: nobody's result may hang on it.
inline cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, int, cudaStream_t = nullptr) {
  return cudaSuccess;
}
inline cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, int) {
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }
template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel*, cudaFuncCache) {
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel*) {
  constexpr int kThreads = 1024, kRegisters = 32, kVersion = 80;
  *attributes = {0, 0, 0, kThreads, kRegisters, kVersion, kVersion};
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, Kernel, std::size_t = 0,
                                               int limit = 0) {
  constexpr int kUsual = 256;
  *block = limit > 0 && limit < kUsual ? limit : kUsual;
  *grid = 1;
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel, int block,
                                                          std::size_t) {
  constexpr int kThreads = 2048, kMost = 16;
  if (block <= 0) return cudaErrorInvalidValue;
  *blocks = kThreads / block < kMost ? kThreads / block : kMost;
  return cudaSuccess;
}
