#include "nibble/simt/session.hpp"

#include "device_memory.hpp"
#include "finding.hpp"
#include "launch_state.hpp"
#include "log.hpp"
#include "requests.hpp"
#include "runtime_state.hpp"

namespace nibble::simt {

void start(const Options& asked) {
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
  begin_log(options.counters);
  begin_budget();
  rest_hooks();
}

const Report& finish() {
  check_fences();
  report_requests();
  report->totals = totals;
  return *report;
}

}  // namespace nibble::simt
