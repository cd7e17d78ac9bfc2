// Counts the calls of the runtime, lets the one fail that is to fail, and
// tells what host code went on to do after that.
#include "api_call.hpp"

#include <cstdarg>
#include <cstdio>

#include "device_memory.hpp"
#include "fiber.hpp"
#include "finding.hpp"
#include "host_guard.hpp"
#include "launch_state.hpp"
#include "runtime_state.hpp"
#include "shadow.hpp"

namespace nibble::simt {
namespace {

struct Failed {
  const char* name = nullptr;  // of the call that was made to fail; null: none yet
  const void* pc = nullptr;
  bool waits = false;
};
Failed failed;

struct RefusedLaunch {
  const void* pc = nullptr;  // null: none, or host code has asked
  char why[112] = "";
};
RefusedLaunch refused;

bool within_host_function;
int depth;  // of calls by host code: the runtime's own do not count

cudaError_t failure_of(Does what) {
  if (what == Does::kTakes) return cudaErrorMemoryAllocation;
  if (what == Does::kLaunches) return cudaErrorLaunchOutOfResources;
  return what == Does::kOrders ? cudaErrorInvalidValue : cudaErrorLaunchFailure;
}

void report_going_on(const Failed& before, const char* name, const void* pc) {
  EngineFinding* const finding = new_finding(Kind::kUncheckedError, pc);
  if (finding == nullptr) return;
  finding->other = {place_of(before.pc), 0, 0};
  std::snprintf(finding->subject, sizeof finding->subject, "%s", before.name);
  set_detail(*finding, "the code goes on with %s", name);
  publish(finding);
}

void look_at_going_on(const char* name, const void* pc) {
  if (failed.name != nullptr) {
    report_going_on(failed, name, pc);
  } else if (refused.pc != nullptr) {
    report_going_on({"the launch", refused.pc}, name, pc);
  }
}

/// Without a runner a program begins its session with its first call.
void begin_at_need() {
  if (arena_limit == 0) start(SessionOptions{});
}

bool goes_on(Does what) {
  return what == Does::kTakes || what == Does::kOrders || what == Does::kLaunches;
}
bool can_fail(Does what) { return goes_on(what) || what == Does::kWaits; }

}  // namespace

ApiCall::ApiCall(Does what, const char* name, const void* pc)
    : allowed_(current == nullptr && !within_host_function) {
  if (!allowed_) {
    error_ = cudaErrorNotPermitted;
    return;
  }
  begin_at_need();
  if (depth++ == 0) open_to_engine();
  if (sticky_error() != 0) error_ = cudaError_t(sticky_error());
  if (goes_on(what)) look_at_going_on(name, pc);
  if (!can_fail(what) || ++report->calls != options.failing_call) return;
  failed = {name, pc, what == Does::kWaits};
  error_ = fail(failure_of(what));
  report->failed_with = static_cast<std::uint32_t>(error_);
  std::snprintf(report->failed_name, sizeof report->failed_name, "%s", name);
}

ApiCall::~ApiCall() {
  if (allowed_ && --depth == 0) close_to_host();
}

WithinHostFunction::WithinHostFunction() { within_host_function = true; }
WithinHostFunction::~WithinHostFunction() { within_host_function = false; }

cudaError_t fail(cudaError_t error) {
  set_last_error(error);
  return error;
}

void note_refusal(const void* pc, const char* format, ...) {
  if (report->refusal[0] != 0) return;
  report->refused_at = {place_of(pc), 0, 0};
  va_list values;
  va_start(values, format);
  std::vsnprintf(report->refusal, sizeof report->refusal, format, values);
  va_end(values);
}

void note_refused_launch(const void* pc, const char* why, cudaError_t error) {
  fail(error);
  refused.pc = pc;
  std::snprintf(refused.why, sizeof refused.why, "%s", why);
}

void note_question() { refused.pc = nullptr; }

bool has_wait_failed() { return failed.waits; }

void begin_calls() {
  failed = {};
  refused.pc = nullptr;
}

void finish_calls() {
  if (refused.pc == nullptr) return;
  if (EngineFinding* const finding = new_finding(Kind::kUncheckedError, refused.pc)) {
    std::snprintf(finding->subject, sizeof finding->subject, "a launch");
    set_detail(*finding, "%s", refused.why);
    publish(finding);
  }
}

}  // namespace nibble::simt
