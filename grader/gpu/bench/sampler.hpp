// Times one kernel alone: a pair of events a sample, all samples queued before the host waits, and
// the clock that they ran at.
#pragma once

#include <functional>

#include "gpu/gpu.hpp"
#include "gpu/kit_kernels.hpp"
#include "gpu/timing.hpp"

namespace nibble::gpu {

struct Sampled {
  Times times;
  double sm_mhz = 0;
  bool is_steady = true;  ///< p90 is not far from p10
};

/// `start(i)` queues call i on the stream. Times that scatter are taken again, a few times, and the
/// steadiest kept.
Sampled sample(const Gpu& gpu, const Stream& stream, const KitKernels& kit,
               const std::function<void(int)>& start, int samples = 20, int warm_ups = 3);

}  // namespace nibble::gpu
