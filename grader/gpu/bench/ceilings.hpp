// The host's side of ceilings.cu: what this GPU can do at most, measured and checked.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "gpu/bench/bench_row.hpp"
#include "gpu/gpu.hpp"

namespace nibble::gpu {

/// Hands over row after row, so that what was measured is kept when a later kernel fails.
void measure_ceilings(const Gpu& gpu, std::span<const std::byte> kit_kernels,
                      std::span<const std::byte> ceilings,
                      const std::function<void(const BenchRow&)>& take);

}  // namespace nibble::gpu
