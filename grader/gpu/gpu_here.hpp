// What this machine has for the leg on a GPU: all that is asked where the leg itself is not built.
#pragma once

#include <filesystem>
#include <string>

#include "gpu/gpu.hpp"

namespace nibble::gpu {

/// Why the leg cannot run on this machine: a sentence, or "" when it can. A leg that is not run
/// costs nobody points and is never counted as passed. `nvcc`: kit.json's, may be empty.
std::string why_not_run(const std::filesystem::path& nvcc);

/// "NVIDIA H200, sm_90, 132 multiprocessors, 139 GiB; driver 580.159.04; nvcc 13.0", or what is
/// missing and what that means.
std::string gpu_line(const std::filesystem::path& nvcc);

/// The part of it that needs no question to anybody.
std::string describe(const Facts& facts);

/// "13.0", or "" when nvcc cannot be started.
std::string nvcc_version(const std::filesystem::path& nvcc);

}  // namespace nibble::gpu
