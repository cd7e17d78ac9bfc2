// What emulated instructions count.
#include "launch_state.hpp"
#include "nibble/simt/device.hpp"

namespace nibble::simt {

void count(Counter counter, long n) {
  const auto many = static_cast<std::uint64_t>(n);
  switch (counter) {
    case kDp4a:
      totals.dp4a += many;
      break;
    case kMma:
      totals.mma += many;
      break;
    case kPopc:
      totals.popc += many;
      break;
    case kAtomics:
      totals.atomics += many;
      break;
    case kWarpCollectives:
      totals.warp_collectives += many;
      break;
    case kBarriers:
      totals.barriers += many;
      break;
    case kCounters:
      break;
  }
}

}  // namespace nibble::simt
