// The call that -fsanitize-coverage=trace-pc puts in front of every basic block: an endless loop
// ends after a number of them, the same on every machine.
#include "fiber.hpp"
#include "finding.hpp"
#include "hot.hpp"
#include "launch_state.hpp"
#include "log.hpp"
#include "nibble/simt/types.hpp"
#include "runtime_state.hpp"

namespace nibble::simt {
namespace {

[[gnu::noinline, noreturn]] void budget_is_spent(const void* pc) {
  if (EngineFinding* finding = new_finding(Kind::kBudget, pc)) {
    set_detail(*finding, "all launches together may run %llu basic blocks",
               static_cast<unsigned long long>(options.block_budget));
    publish(finding);
  }
  end_launch(kErrorLaunchTimeout);
}

/// Every block in lock-step; otherwise the first that is one too many.
[[gnu::noinline]] void look_at_block(const void* pc) {
  if (hot.log_steps == 0 || --hot.budget_left < 0) budget_is_spent(pc);
  hot.steps_left = 0;
  const uptr frame = uptr(__builtin_frame_address(0));
  const std::size_t depth = hot.stack + kStackBytes - frame;
  note_depth(depth);
  log_step(pc, static_cast<std::uint32_t>(depth));
}

}  // namespace
}  // namespace nibble::simt

extern "C" void __sanitizer_cov_trace_pc() {
  using namespace nibble::simt;
  if (--hot.steps_left < 0) [[unlikely]] {
    look_at_block(NIBBLE_SIMT_PC);
  }
}
