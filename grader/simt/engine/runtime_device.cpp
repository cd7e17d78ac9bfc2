// What the one device says of itself: the GPU whose limits the session keeps.
#include <cstdio>

#include "api_call.hpp"
#include "device_memory.hpp"
#include "event.hpp"
#include "hot.hpp"
#include "launch_state.hpp"
#include "limits.hpp"
#include "nibble/simt/runtime.hpp"
#include "nibble/simt/types.hpp"
#include "pinned_memory.hpp"
#include "runtime_state.hpp"
#include "stream.hpp"

using namespace nibble::simt;

namespace {

cudaError_t only_device(int device) {
  if (device == 0) return cudaSuccess;
  set_last_error(cudaErrorInvalidDevice);
  return cudaErrorInvalidDevice;
}

}  // namespace

cudaError_t cudaSetDevice(int device) { return only_device(device); }

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = options.device_bytes;  // nobody may rely on how much others have left
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  *p = {"Nibble SIMT engine", options.sm / 10,         options.sm % 10,     1, 1024, 32,
        kMostStaticShared,    most_shared(options.sm), options.device_bytes};
  return only_device(device);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = 1024;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = kMostStaticShared;
      break;
    case cudaDevAttrWarpSize:
      *value = 32;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = 1;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = options.sm / 10;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = options.sm % 10;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(most_shared(options.sm));
      break;
  }
  return only_device(device);
}

/// Managed memory is the device's and the host's.
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p) {
  const ApiCall call(Does::kAsks, "cudaPointerGetAttributes", NIBBLE_SIMT_PC);
  if (call.error() != cudaSuccess) return call.error();
  if (attributes == nullptr) return fail(cudaErrorInvalidValue);
  void* const same = const_cast<void*>(p);
  *attributes = {cudaMemoryTypeUnregistered, -1, nullptr, nullptr};
  if (is_device_memory(p, 1)) {
    const bool managed = allocation_near(uptr(p) - hot.arena)->managed;
    *attributes = {managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice, 0, same,
                   managed ? same : nullptr};
  } else if (is_pinned(p, 1)) {
    *attributes = {cudaMemoryTypeHost, 0, same, same};
  }
  return cudaSuccess;
}

/// What was found stays found.
cudaError_t cudaDeviceReset() {
  const ApiCall call(Does::kGivesBack, "cudaDeviceReset", NIBBLE_SIMT_PC);
  wait_for_all();
  forget_streams();
  begin_events();
  begin_pinned_memory();
  release_all(NIBBLE_SIMT_PC);
  forget_errors();
  return cudaSuccess;
}
