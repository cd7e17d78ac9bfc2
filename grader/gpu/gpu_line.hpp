// What `nibble doctor` says about the GPU, in one line.
#pragma once

#include <string>

#include "gpu/gpu.hpp"

namespace nibble::gpu {

/// "NVIDIA H200, sm_90, 132 multiprocessors, 139 GiB; driver 580.159.04; nvcc 13.0", or what is
/// missing and what that means. `nvcc`: kit.json's, may be empty.
std::string gpu_line(const std::string& nvcc);

/// The part of it that needs no question to anybody.
std::string describe(const Facts& facts);

}  // namespace nibble::gpu
