// What surrounds every call of the CUDA runtime by host code: device memory opens for the engine,
// the call may be the one that is made to fail, and who goes on after that is told.
#pragma once

#include "nibble/simt/runtime.hpp"

namespace nibble::simt {

/// What a call does, as far as others depend on it.
enum class Does {
  kTakes,      ///< memory, a stream, an event: can fail
  kOrders,     ///< work: can fail
  kLaunches,   ///< likewise, and tells by cudaGetLastError alone
  kWaits,      ///< for news of work: can fail, and may follow a failure
  kGivesBack,  ///< never made to fail
  kAsks,       ///< for an error, a property, or waits where there is nothing to wait for
};

class ApiCall {
 public:
  ApiCall(Does what, const char* name, const void* pc);
  ~ApiCall();
  ApiCall(const ApiCall&) = delete;
  ApiCall& operator=(const ApiCall&) = delete;

  /// Not success: what the call has to return before it does anything.
  cudaError_t error() const { return error_; }

 private:
  cudaError_t error_ = cudaSuccess;
  bool allowed_;  ///< neither a kernel nor what takes its turn in a stream calls
};

/// A function of the host has its turn in a stream: it cannot call the runtime.
class WithinHostFunction {
 public:
  WithinHostFunction();
  ~WithinHostFunction();
  WithinHostFunction(const WithinHostFunction&) = delete;
  WithinHostFunction& operator=(const WithinHostFunction&) = delete;
};

/// The error is the last one from now on; gives it back.
cudaError_t fail(cudaError_t error);

/// The call at `pc` asks for more than there is. The first such sentence stands in the report,
/// beside the error.
[[gnu::format(printf, 2, 3)]] void note_refusal(const void* pc, const char* format, ...);
/// A launch was refused: `why` is its sentence. Host code has to ask for the error.
void note_refused_launch(const void* pc, const char* why, cudaError_t error);
/// Host code has asked.
void note_question();

/// The call that was made to fail was to wait.
bool has_wait_failed();

void begin_calls();
/// A finding for a refused launch that nobody asked about.
void finish_calls();

}  // namespace nibble::simt
