// Functions of the host that take their turn in a stream, between copies and kernels.
#include "api_call.hpp"
#include "nibble/simt/runtime.hpp"
#include "nibble/simt/types.hpp"
#include "runtime_state.hpp"
#include "stream.hpp"

using namespace nibble::simt;

namespace {

template <class Function>
cudaError_t order(cudaStream_t stream, Function function, const char* name, const void* pc) {
  const ApiCall call(Does::kOrders, name, pc);
  if (call.error() != cudaSuccess) return call.error();
  if (!is_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  enqueue(stream, {[=] {
                     const WithinHostFunction within;
                     function();
                   },
                   name, pc});
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (function == nullptr) return fail(cudaErrorInvalidValue);
  return order(
      stream, [=] { function(data); }, "cudaLaunchHostFunc", NIBBLE_SIMT_PC);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned flags) {
  if (function == nullptr || flags != 0) return fail(cudaErrorInvalidValue);
  return order(
      stream, [=] { function(stream, cudaSuccess, data); }, "cudaStreamAddCallback",
      NIBBLE_SIMT_PC);
}
