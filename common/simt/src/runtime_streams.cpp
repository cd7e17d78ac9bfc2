// Streams and events. Every operation is done when its call returns, which is one of the orders that
// CUDA allows; what waits for a stream has nothing to wait for.
#include "nibble/simt/runtime.hpp"
#include "nibble/simt/types.hpp"
#include "runtime_state.hpp"

struct nibble_simt_stream {};
struct nibble_simt_event {
  bool recorded = false;
};

namespace {

cudaError_t state_of_device() { return cudaError_t(nibble::simt::sticky_error()); }

cudaError_t fail(cudaError_t error) {
  nibble::simt::set_last_error(error);
  return error;
}

template <class T>
cudaError_t create(T** handle) {
  if (handle == nullptr) return fail(cudaErrorInvalidValue);
  *handle = new T;
  return state_of_device();
}

template <class T>
cudaError_t destroy(T* handle) {
  if (handle == nullptr) return fail(cudaErrorInvalidResourceHandle);
  delete handle;
  return state_of_device();
}

}  // namespace

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t n, cudaMemcpyKind kind,
                            cudaStream_t) {
  return cudaMemcpy(to, from, n, kind);
}
cudaError_t cudaMemsetAsync(void* p, int value, std::size_t n, cudaStream_t) {
  return cudaMemset(p, value, n);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return create(stream); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return create(stream); }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return state_of_device(); }
cudaError_t cudaStreamQuery(cudaStream_t) { return state_of_device(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return state_of_device(); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return destroy(stream); }

cudaError_t cudaEventCreate(cudaEvent_t* event) { return create(event); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return create(event); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  if (event == nullptr) return fail(cudaErrorInvalidResourceHandle);
  event->recorded = true;
  return state_of_device();
}
cudaError_t cudaEventQuery(cudaEvent_t) { return state_of_device(); }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return state_of_device(); }
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  if (ms == nullptr || from == nullptr || to == nullptr || !from->recorded || !to->recorded) {
    return fail(cudaErrorInvalidResourceHandle);
  }
  *ms = 0;  // the engine has no clock
  return state_of_device();
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy(event); }

cudaError_t cudaDeviceSynchronize() { return state_of_device(); }
