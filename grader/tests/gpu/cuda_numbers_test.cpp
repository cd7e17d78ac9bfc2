// What driver.hpp declares by itself, held against the toolkit's own header where that is
// installed.
#include <gtest/gtest.h>

#include <tuple>
#include <type_traits>

#include "gpu/driver.hpp"

#if __has_include(<cuda.h>)
#include <cuda.h>
#undef cuEventElapsedTime  // newer headers mean another function by it; the old one is still there

namespace nibble::gpu {
namespace {

template <class Ours, class Theirs>
inline constexpr bool is_alike =
    sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>;

template <class Ours, class Theirs>
inline constexpr bool takes_the_same = false;
template <class... Ours, class... Theirs>
inline constexpr bool takes_the_same<Status (*)(Ours...), CUresult (*)(Theirs...)> = [] {
  if constexpr (sizeof...(Ours) == sizeof...(Theirs)) return (is_alike<Ours, Theirs> && ...);
  return false;
}();

#define NIBBLE_SAME(name) \
  static_assert(takes_the_same<decltype(Driver::name), decltype(&::name)>, #name)
NIBBLE_SAME(cuInit);
NIBBLE_SAME(cuDriverGetVersion);
NIBBLE_SAME(cuDeviceGetCount);
NIBBLE_SAME(cuDeviceGet);
NIBBLE_SAME(cuDeviceGetName);
NIBBLE_SAME(cuDeviceTotalMem_v2);
NIBBLE_SAME(cuDevicePrimaryCtxRetain);
NIBBLE_SAME(cuDevicePrimaryCtxRelease_v2);
NIBBLE_SAME(cuDevicePrimaryCtxReset_v2);
NIBBLE_SAME(cuCtxSetCurrent);
NIBBLE_SAME(cuCtxSynchronize);
NIBBLE_SAME(cuCtxSetLimit);
NIBBLE_SAME(cuCtxResetPersistingL2Cache);
NIBBLE_SAME(cuModuleLoadData);
NIBBLE_SAME(cuModuleUnload);
NIBBLE_SAME(cuModuleGetFunction);
NIBBLE_SAME(cuModuleGetGlobal_v2);
NIBBLE_SAME(cuFuncGetAttribute);
NIBBLE_SAME(cuFuncSetAttribute);
NIBBLE_SAME(cuMemAlloc_v2);
NIBBLE_SAME(cuMemFree_v2);
NIBBLE_SAME(cuMemcpyHtoD_v2);
NIBBLE_SAME(cuMemcpyDtoH_v2);
NIBBLE_SAME(cuMemsetD8Async);
NIBBLE_SAME(cuStreamCreate);
NIBBLE_SAME(cuStreamDestroy_v2);
NIBBLE_SAME(cuStreamSynchronize);
NIBBLE_SAME(cuEventCreate);
NIBBLE_SAME(cuEventDestroy_v2);
NIBBLE_SAME(cuEventRecord);
NIBBLE_SAME(cuLaunchKernel);
#undef NIBBLE_SAME

TEST(CudaNumbers, AreThoseOfTheToolkit) {
  EXPECT_EQ(attribute::kMaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  EXPECT_EQ(attribute::kClockRate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  EXPECT_EQ(attribute::kMultiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  EXPECT_EQ(attribute::kMemoryClockRate, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  EXPECT_EQ(attribute::kL2Bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  EXPECT_EQ(attribute::kMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  EXPECT_EQ(attribute::kMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  EXPECT_EQ(attribute::kSharedOptin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  EXPECT_EQ(attribute::kPersistingL2Bytes, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE);
  EXPECT_EQ(function_attribute::kMaxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  EXPECT_EQ(function_attribute::kLocalBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  EXPECT_EQ(function_attribute::kRegisters, CU_FUNC_ATTRIBUTE_NUM_REGS);
  EXPECT_EQ(function_attribute::kMaxDynamicShared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  EXPECT_EQ(limit::kPrintfBytes, CU_LIMIT_PRINTF_FIFO_SIZE);
  EXPECT_EQ(limit::kPersistingL2Bytes, CU_LIMIT_PERSISTING_L2_CACHE_SIZE);
}

TEST(CudaNumbers, OfErrorsAreThoseOfTheToolkit) {
  // The sentences of device_gpu.cpp go by these.
  EXPECT_EQ(CUDA_ERROR_ILLEGAL_ADDRESS, 700);
  EXPECT_EQ(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701);
  EXPECT_EQ(CUDA_ERROR_LAUNCH_TIMEOUT, 702);
  EXPECT_EQ(CUDA_ERROR_ASSERT, 710);
  EXPECT_EQ(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715);
  EXPECT_EQ(CUDA_ERROR_MISALIGNED_ADDRESS, 716);
  EXPECT_EQ(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717);
  EXPECT_EQ(CUDA_ERROR_INVALID_PC, 718);
  EXPECT_EQ(CUDA_ERROR_LAUNCH_FAILED, 719);
}

}  // namespace
}  // namespace nibble::gpu
#else
TEST(CudaNumbers, AreThoseOfTheToolkit) { GTEST_SKIP() << "the CUDA toolkit is not here"; }
#endif
