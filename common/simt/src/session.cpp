#include "nibble/simt/session.hpp"

#include "device_memory.hpp"
#include "finding.hpp"
#include "launch_state.hpp"
#include "log.hpp"
#include "runtime_state.hpp"

namespace nibble::simt {

void start(const Options& asked) {
  options = asked;
  running = {};
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
  report->totals = totals;
  return *report;
}

}  // namespace nibble::simt
