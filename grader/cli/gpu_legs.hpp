// The legs on a GPU, as an attempt calls them. Few machines have one, and every first verdict would
// wait for their code: they are in nibble-gpu alone, which knows every command that nibble knows.
#pragma once

#include <functional>

#include "gpu/gpu_leg.hpp"
#include "gpu/sanitizer_leg.hpp"

namespace nibble::cli {

struct GpuLegs {
  std::function<gpu::GpuLeg(const lab::Kit&, const gpu::GpuJob&, run::Trial)> run{};
  std::function<gpu::SanitizerLeg(const lab::Kit&, run::Trial, const std::filesystem::path&)>
      look_closer{};
  std::function<void(const lab::Kit&, gpu::GpuLeg&)> add_hidden{};
  /// Of a program without them: goes on as the one that has them, which is built for that. Comes
  /// back where it cannot be.
  std::function<void(const lab::Kit&)> fetch{};
};

struct Context;

/// Why `lab`, which is of kernels, is not run on a GPU here; or "".
std::string why_no_gpu_leg(const Context& context, const lab::Lab& lab);

/// Before the first word about `lab`: this may begin the command once more, in nibble-gpu.
void fetch_gpu_legs(const Context& context, const lab::Lab& lab);

}  // namespace nibble::cli
