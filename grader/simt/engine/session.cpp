#include "nibble/simt/session.hpp"

#include "api_call.hpp"
#include "device_memory.hpp"
#include "event.hpp"
#include "finding.hpp"
#include "host_guard.hpp"
#include "launch_state.hpp"
#include "log.hpp"
#include "pinned_memory.hpp"
#include "requests.hpp"
#include "runtime_state.hpp"
#include "stream.hpp"

namespace nibble::simt {

namespace {

/// Of host code. What is left of the session before goes.
void begin_host_code() {
  forget_streams();
  begin_streams();
  begin_events();
  begin_pinned_memory();
  begin_calls();
  begin_numbering();
}

/// After an error of the device nothing can be given back any more.
void finish_host_code() {
  finish_calls();
  finish_streams();
  if (sticky_error() != 0) return;
  finish_events();
  finish_pinned_memory();
  report_leaked_memory();
}

}  // namespace

void start(const SessionOptions& asked) {
  begin_host_guard();
  options = asked;
  // Serial numbers go on: __shared__ declarations remember them across sessions.
  const std::uint64_t launch = running.launch, block_serial = running.block_serial;
  running = {.launch = running.launch, .block_serial = running.block_serial};
  running.launch = launch;
  running.block_serial = block_serial;
  totals = {};
  begin_report(options.report);
  forget_errors();
  begin_device_memory(options.device_bytes);
  begin_host_code();
  begin_log(options.counters);
  begin_budget();
  rest_hooks();
}

const Report& finish() {
  open_to_engine();
  finish_host_code();
  check_fences();
  report_requests();
  report->totals = totals;
  return *report;
}

}  // namespace nibble::simt
