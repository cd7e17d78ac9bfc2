// The CUDA driver, found while the program runs: the kit is built, and does all but this, on
// machines that have neither a GPU nor the CUDA toolkit. Only what the kit calls is declared here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

// The driver's own names for what its handles point to; nobody outside of it sees inside.
struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;

namespace nibble::gpu {

using Status = int;  ///< 0: it worked
using Device = int;
using Address = std::uint64_t;  ///< in the GPU's memory
using ContextHandle = CUctx_st*;
using ModuleHandle = CUmod_st*;
using FunctionHandle = CUfunc_st*;
using StreamHandle = CUstream_st*;
using EventHandle = CUevent_st*;

/// Numbers that the driver fixed long ago.
namespace attribute {
inline constexpr int kMaxThreadsPerBlock = 1, kClockRate = 13, kMultiprocessors = 16,
                     kMemoryClockRate = 36, kL2Bytes = 38, kMajor = 75, kMinor = 76,
                     kSharedOptin = 97, kPersistingL2Bytes = 108;
}
namespace function_attribute {
inline constexpr int kMaxThreadsPerBlock = 0, kLocalBytes = 3, kRegisters = 4,
                     kMaxDynamicShared = 8;
}
namespace limit {
inline constexpr int kPrintfBytes = 1, kPersistingL2Bytes = 6;
}

/// The functions of the driver, by the names it exports them under.
struct Driver {
  Status (*cuInit)(unsigned);
  Status (*cuDriverGetVersion)(int*);
  Status (*cuGetErrorName)(Status, const char**);
  Status (*cuGetErrorString)(Status, const char**);
  Status (*cuDeviceGetCount)(int*);
  Status (*cuDeviceGet)(Device*, int);
  Status (*cuDeviceGetName)(char*, int, Device);
  Status (*cuDeviceGetAttribute)(int*, int, Device);
  Status (*cuDeviceTotalMem_v2)(std::size_t*, Device);
  Status (*cuDevicePrimaryCtxRetain)(ContextHandle*, Device);
  Status (*cuDevicePrimaryCtxRelease_v2)(Device);
  Status (*cuDevicePrimaryCtxReset_v2)(Device);
  Status (*cuCtxSetCurrent)(ContextHandle);
  Status (*cuCtxSynchronize)();
  Status (*cuCtxSetLimit)(int, std::size_t);
  Status (*cuCtxResetPersistingL2Cache)();
  Status (*cuModuleLoadData)(ModuleHandle*, const void*);
  Status (*cuModuleUnload)(ModuleHandle);
  Status (*cuModuleGetFunction)(FunctionHandle*, ModuleHandle, const char*);
  Status (*cuModuleGetGlobal_v2)(Address*, std::size_t*, ModuleHandle, const char*);
  Status (*cuFuncGetAttribute)(int*, int, FunctionHandle);
  Status (*cuFuncSetAttribute)(FunctionHandle, int, int);
  Status (*cuMemAlloc_v2)(Address*, std::size_t);
  Status (*cuMemFree_v2)(Address);
  Status (*cuMemcpyHtoD_v2)(Address, const void*, std::size_t);
  Status (*cuMemcpyDtoH_v2)(void*, Address, std::size_t);
  Status (*cuMemsetD8Async)(Address, unsigned char, std::size_t, StreamHandle);
  Status (*cuStreamCreate)(StreamHandle*, unsigned);
  Status (*cuStreamDestroy_v2)(StreamHandle);
  Status (*cuStreamSynchronize)(StreamHandle);
  Status (*cuEventCreate)(EventHandle*, unsigned);
  Status (*cuEventDestroy_v2)(EventHandle);
  Status (*cuEventRecord)(EventHandle, StreamHandle);
  Status (*cuEventElapsedTime)(float*, EventHandle, EventHandle);
  Status (*cuLaunchKernel)(FunctionHandle, unsigned, unsigned, unsigned, unsigned, unsigned,
                           unsigned, unsigned, StreamHandle, void**, void**);
};

/// A call of the driver that did not work.
struct CudaError : std::runtime_error {
  CudaError(Status code, const std::string& text) : std::runtime_error(text), status(code) {}
  Status status;
};

struct LoadedDriver {
  const Driver* driver = nullptr;  ///< lives as long as the program
  std::string why;                 ///< when there is none: a sentence
};

/// Opens the driver's library and finds its functions. `library` is for the kit's own tests.
LoadedDriver load_driver(const char* library = "libcuda.so.1");

/// "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered"
std::string error_text(const Driver& driver, Status status);

/// Throws CudaError when `status` is not 0; `doing` begins its sentence.
void check(const Driver& driver, Status status, const std::string& doing);

}  // namespace nibble::gpu
