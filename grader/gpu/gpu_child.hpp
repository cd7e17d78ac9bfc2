// The child of the GPU leg: the lab's runner, the driver's side of its kernels, and the learner's
// cubin between them as data. To the judge it is a child like any other.
//
//     name.cu --nvcc--> cubin --+
//                               +--link--> child      no line of the learner's runs on the CPU
//     main, loop, lab.gpu.o ----+
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gpu/compile_cubin.hpp"
#include "lab/kit.hpp"

namespace nibble::gpu {

struct GpuChild {
  bool ok = false;
  std::filesystem::path executable;  ///< when ok
  std::string diagnostics;           ///< of the compiler, or what is wrong with a launch descriptor
  BuiltCubin cubin;
  double link_seconds = 0.0;
};

/// Compiles `job`, looks at the descriptors of all its kernels as a GPU of `sm` would, and links.
GpuChild build_gpu_child(const lab::Kit& kit, const std::string& lab, const CubinJob& job, int sm);

/// What is wrong with the descriptors of a cubin, a line each; "" when nothing is.
std::string descriptor_troubles(const std::filesystem::path& cubin, int sm);

}  // namespace nibble::gpu
