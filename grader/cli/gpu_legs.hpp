// The legs on a GPU, as the learner's command has them: they are in nibble-gpu alone, which knows
// every command that nibble knows.
#pragma once

#include <functional>
#include <string>

#include "gpu/gpu_legs.hpp"

namespace nibble::cli {

struct GpuProgram {
  gpu::GpuLegs here{};  ///< none in nibble itself
  /// Of a program without them: goes on as the one that has them, which is built for that. Comes
  /// back where it cannot be.
  std::function<void(const lab::Kit&)> fetch{};
};

struct Context;

/// Why kernels are not run on a GPU here; or "".
std::string why_no_gpu_leg(const Context& context);

/// Before the first word about `lab`: this may begin the command once more, in nibble-gpu.
void fetch_gpu_legs(const Context& context, const lab::Lab& lab);

}  // namespace nibble::cli
