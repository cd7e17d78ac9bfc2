// A launch: refused with a sentence, or run block by block.
#include "nibble/simt/launch.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "api_call.hpp"
#include "clock.hpp"
#include "fiber.hpp"
#include "finding.hpp"
#include "grid_barrier.hpp"
#include "launch_state.hpp"
#include "limits.hpp"
#include "log.hpp"
#include "race.hpp"
#include "runtime_state.hpp"
#include "scheduler.hpp"
#include "seen_stores.hpp"
#include "shadow.hpp"
#include "shared_memory.hpp"
#include "stream.hpp"

namespace nibble::simt {

Running running;
SessionOptions options;
SessionTotals totals;
bool instrumented;

namespace {

std::int64_t steps_left;

/// A finding of host code: nobody runs, but the kernel has a name.
void report_refused(const char* name, const char* why) {
  running.name = name;
  EngineFinding* const finding = new_finding(Kind::kBadLaunch, Place{});
  if (finding == nullptr) return;
  set_detail(*finding, "%s", why);
  publish(finding);
}

bool is_refused(const LaunchConfig& config, const char* name) {
  const char* const why = why_not(config, options.sm);
  if (why == nullptr) return false;
  report_refused(name, why);
  set_last_error(kErrorInvalidConfiguration);
  return true;
}

void enter_kernel() {
  hot.reach = 0;
  if (instrumented) reach_shadow();
  hot.log_steps = options.counters && options.lockstep;
  hot.steps_left = hot.log_steps != 0 ? 0 : steps_left;
  hot.budget_left = steps_left;
}

void leave_kernel() {
  current = nullptr;
  steps_left = hot.log_steps != 0 ? hot.budget_left : hot.steps_left;
  rest_hooks();
}

/// Number `i` of those blocks that run, among all of the grid.
std::uint32_t block_numbered(std::uint64_t i, dim3 first) {
  const dim3 grid = running.grid_size;
  const std::uint64_t columns = grid.x - first.x, rows = grid.y - first.y;
  const std::uint64_t x = first.x + i % columns, y = first.y + i / columns % rows;
  const std::uint64_t z = first.z + i / (columns * rows);
  return static_cast<std::uint32_t>((z * grid.y + y) * grid.x + x);
}

void run_grid(const LaunchConfig& config) {
  const std::uint64_t blocks = blocks_to_run(config);
  totals.threads += blocks * running.threads;
  totals.blocks += blocks;
  if (options.schedule == Schedule::kShuffled) {
    std::vector<std::uint32_t> order;
    put_in_order(order, static_cast<std::uint32_t>(blocks));
    for (std::size_t i = 0; i < order.size() && !launch_ended; ++i) {
      run_block(block_numbered(order[i], config.first));
    }
  } else {
    const bool reverse = options.schedule == Schedule::kReverse;
    for (std::uint64_t i = 0; i < blocks && !launch_ended; ++i) {
      run_block(block_numbered(reverse ? blocks - 1 - i : i, config.first));
    }
  }
  pass_grid_barriers();
}

}  // namespace

const char* first_argument(const char* arguments) {
  static std::set<std::string> names;
  const char* end = arguments;
  for (int depth = 0; *end != 0 && (*end != ',' || depth > 0); ++end) {
    depth += *end == '<' || *end == '(' ? 1 : 0;
    depth -= *end == '>' || *end == ')' ? 1 : 0;
  }
  return names.emplace(arguments, end).first->c_str();
}

void begin_budget() {
  constexpr std::int64_t kNoEnd = INT64_MAX;
  steps_left = options.block_budget == 0 ? kNoEnd : static_cast<std::int64_t>(options.block_budget);
}

void rest_hooks() {
  hot.reach = 0;
  hot.log_end = nullptr;
  hot.log_steps = 0;
  hot.steps_left = INT64_MAX;
  hot.stack = 0;
}

void launch_erased(const LaunchConfig& config, const char* name, void (*thunk)(void*),
                   void* closure) {
  if (current != nullptr) return;  // a kernel cannot launch
  running.name = name;
  if (sticky_error() != 0) {
    set_last_error(sticky_error());
    return;
  }
  if (is_refused(config, name)) return;
  running.grid_size = gridDim = config.grid;
  running.block_size = blockDim = config.block;
  running.threads = config.block.x * config.block.y * config.block.z;
  running.dynamic_bytes = config.shared_bytes;
  running.cooperative = config.cooperative;
  running.thunk = thunk;
  running.closure = closure;
  ++running.launch;
  ++totals.launches;
  launch_ended = false;
  reach_stacks(running.threads);
  begin_order(options.seed);
  begin_launch_clock(running.threads);
  begin_launch_memory();
  keep_blocks_apart(false);
  loading_volatile = false;
  begin_seen_stores();
  enter_kernel();
  run_grid(config);
  leave_kernel();
  check_seen_stores();
}

void launch_queued(const LaunchConfig& config, const char* name, const KernelCall& asked,
                   const void* pc) {
  const std::shared_ptr<void> closure(asked.closure, asked.forget);
  const ApiCall call(Does::kLaunches, name, pc);
  report->launched_at = {place_of(pc), 0, 0};
  if (call.error() != cudaSuccess) {
    return note_refused_launch(pc, "there are not enough resources for it", call.error());
  }
  if (!is_stream(config.stream)) {
    return note_refused_launch(pc, "its stream is none, or was destroyed",
                               cudaErrorInvalidResourceHandle);
  }
  if (const char* const why = why_not(config, options.sm)) {
    if (!options.host_code) report_refused(name, why);
    note_refusal(pc, "the launch of %s is refused: %s", name, why);
    return note_refused_launch(options.host_code ? pc : nullptr, why,
                               cudaErrorInvalidConfiguration);
  }
  if (const char* const why =
          options.host_code ? why_not_unasked(config, most_shared_asked_for()) : nullptr) {
    note_refusal(pc, "the launch of %s is refused: %s", name, why);
    return note_refused_launch(pc, why, cudaErrorInvalidValue);
  }
  const auto run = [config, name, thunk = asked.thunk, closure] {
    launch_erased(config, name, thunk, closure.get());
  };
  enqueue(config.stream, {run, name, pc});
}

}  // namespace nibble::simt
