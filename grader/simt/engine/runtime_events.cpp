// Events, as host code calls them.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "api_call.hpp"
#include "event.hpp"
#include "finding.hpp"
#include "misuse.hpp"
#include "nibble/simt/runtime.hpp"
#include "runtime_state.hpp"
#include "stream.hpp"

struct CUevent_st {
  unsigned number;
  const void* made_at;
  bool has_times, is_recorded;
  nibble::simt::Ticket ticket;  // of the work that lay before it in its stream
};

namespace nibble::simt {
namespace {

std::vector<std::unique_ptr<CUevent_st>> events;
unsigned events_made;

bool is_event(cudaEvent_t event) {
  return std::ranges::any_of(events, [&](const auto& known) { return known.get() == event; });
}

bool is_measurable(const CUevent_st& event) { return event.has_times && event.is_recorded; }

void report_leak(const CUevent_st& event) {
  EngineFinding* const finding = new_finding(Kind::kLeak, event.made_at);
  if (finding == nullptr) return;
  std::snprintf(finding->subject, sizeof finding->subject, "event %u", event.number);
  set_detail(*finding, "cudaEventDestroy");
  publish(finding);
}

cudaError_t make_event(cudaEvent_t* event, bool has_times, const char* name, const void* pc) {
  const ApiCall call(Does::kTakes, name, pc);
  if (call.error() != cudaSuccess) return call.error();
  if (event == nullptr) return fail(cudaErrorInvalidValue);
  events.push_back(
      std::make_unique<CUevent_st>(CUevent_st{++events_made, pc, has_times, false, 0}));
  *event = events.back().get();
  return cudaSuccess;
}

}  // namespace

void begin_events() {
  events.clear();
  events_made = 0;
}

void finish_events() {
  for (const auto& event : events) report_leak(*event);
}

}  // namespace nibble::simt

using namespace nibble::simt;

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return make_event(event, true, "cudaEventCreate", NIBBLE_SIMT_PC);
}

cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return make_event(event, (flags & cudaEventDisableTiming) == 0, "cudaEventCreate",
                    NIBBLE_SIMT_PC);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return make_event(event, (flags & cudaEventDisableTiming) == 0, "cudaEventCreateWithFlags",
                    NIBBLE_SIMT_PC);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const ApiCall call(Does::kOrders, "cudaEventRecord", NIBBLE_SIMT_PC);
  if (call.error() != cudaSuccess) return call.error();
  if (!is_event(event) || !is_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  event->ticket = enqueue(stream, {nullptr, "cudaEventRecord", NIBBLE_SIMT_PC});
  event->is_recorded = true;
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const ApiCall call(Does::kOrders, "cudaStreamWaitEvent", NIBBLE_SIMT_PC);
  if (call.error() != cudaSuccess) return call.error();
  if (!is_event(event) || !is_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (event->is_recorded) enqueue_wait(stream, event->ticket, NIBBLE_SIMT_PC);
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  const ApiCall call(Does::kAsks, "cudaEventQuery", NIBBLE_SIMT_PC);
  if (call.error() != cudaSuccess) return call.error();
  if (!is_event(event)) return fail(cudaErrorInvalidResourceHandle);
  return ask_for(event->ticket) ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const ApiCall call(Does::kWaits, "cudaEventSynchronize", NIBBLE_SIMT_PC);
  if (call.error() != cudaSuccess) return call.error();
  if (!is_event(event)) return fail(cudaErrorInvalidResourceHandle);
  wait_for(event->ticket);
  return cudaError_t(sticky_error());
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  const ApiCall call(Does::kAsks, "cudaEventElapsedTime", NIBBLE_SIMT_PC);
  if (call.error() != cudaSuccess) return call.error();
  if (ms == nullptr || !is_event(from) || !is_event(to) || !is_measurable(*from) ||
      !is_measurable(*to)) {
    return fail(cudaErrorInvalidResourceHandle);
  }
  if (!is_done(from->ticket) || !is_done(to->ticket)) return cudaErrorNotReady;
  *ms = 0;  // the engine has no clock
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const ApiCall call(Does::kGivesBack, "cudaEventDestroy", NIBBLE_SIMT_PC);
  if (!is_event(event)) {
    report_bad_free("an event", "that is none, or was destroyed before", NIBBLE_SIMT_PC);
    return fail(cudaErrorInvalidResourceHandle);
  }
  std::erase_if(events, [&](const auto& known) { return known.get() == event; });
  return call.error();
}
