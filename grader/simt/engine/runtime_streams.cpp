// Streams, as host code calls them.
#include "api_call.hpp"
#include "misuse.hpp"
#include "nibble/simt/runtime.hpp"
#include "runtime_state.hpp"
#include "stream.hpp"

using namespace nibble::simt;

namespace {

cudaError_t make_stream(cudaStream_t* stream, unsigned flags, const char* name, const void* pc) {
  const ApiCall call(Does::kTakes, name, pc);
  if (call.error() != cudaSuccess) return call.error();
  if (stream == nullptr || flags > cudaStreamNonBlocking) return fail(cudaErrorInvalidValue);
  *stream = new_stream(flags == cudaStreamDefault, pc);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return make_stream(stream, cudaStreamDefault, "cudaStreamCreate", NIBBLE_SIMT_PC);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return make_stream(stream, flags, "cudaStreamCreateWithFlags", NIBBLE_SIMT_PC);
}

/// Which of two streams comes first is nobody's to rely on.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return make_stream(stream, flags, "cudaStreamCreateWithPriority", NIBBLE_SIMT_PC);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const bool is_news = is_stream(stream) && has_news(stream);
  const ApiCall call(is_news ? Does::kWaits : Does::kAsks, "cudaStreamSynchronize", NIBBLE_SIMT_PC);
  if (call.error() != cudaSuccess) return call.error();
  if (!is_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  wait_for_stream(stream, NIBBLE_SIMT_PC);
  note_heard(stream);
  return cudaError_t(sticky_error());
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  const ApiCall call(Does::kAsks, "cudaStreamQuery", NIBBLE_SIMT_PC);
  if (call.error() != cudaSuccess) return call.error();
  if (!is_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  return ask_for(last_of(stream)) ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const ApiCall call(Does::kGivesBack, "cudaStreamDestroy", NIBBLE_SIMT_PC);
  if (stream == nullptr || !is_stream(stream)) {
    report_bad_free("a stream", "that is none, or was destroyed before", NIBBLE_SIMT_PC);
    return fail(cudaErrorInvalidResourceHandle);
  }
  end_stream(stream);  // its work goes on
  return call.error();
}

cudaError_t cudaDeviceSynchronize() {
  const ApiCall call(has_news_anywhere() ? Does::kWaits : Does::kAsks, "cudaDeviceSynchronize",
                     NIBBLE_SIMT_PC);
  if (call.error() != cudaSuccess) return call.error();
  wait_for_all();
  note_all_heard();
  return cudaError_t(sticky_error());
}
