// The legs on a GPU, as whoever runs legs calls them. Few machines have one, and every first
// verdict would wait for their code: a program that is not linked with it has none of them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "gpu/gpu_leg.hpp"
#include "gpu/sanitizer_leg.hpp"

namespace nibble::gpu {

struct GpuLegs {
  std::function<GpuLeg(const lab::Kit&, const GpuJob&, run::Trial, const std::string& canary)>
      run{};
  std::function<SanitizerLeg(const lab::Kit&, run::Trial, const std::filesystem::path& work)>
      look_closer{};
  std::function<void(const lab::Kit&, GpuLeg&)> add_hidden{};
};

/// Of a program that has them.
GpuLegs gpu_legs();

}  // namespace nibble::gpu
