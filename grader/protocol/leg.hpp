// One way to run a submission.
#pragma once

#include <array>
#include <cstddef>

namespace nibble::protocol {

/// The kernels of a CUDA lab are compiled plain, with the engine's checks where others have the
/// sanitizers, and to be counted: kSimt is all three. None is judged for kCounters alone.
enum class Leg { kPlain, kSanitizers, kCounters, kSimt, kSpeed, kGpu, kGpuSanitizer };

/// As verdicts and results call it.
inline constexpr std::array kLegNames = {"plain", "sanitizers", "counters",     "simt",
                                         "speed", "gpu",        "gpu_sanitizer"};

constexpr const char* name_of(Leg leg) { return kLegNames.at(static_cast<std::size_t>(leg)); }

}  // namespace nibble::protocol
