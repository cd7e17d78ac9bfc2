// What surrounds a call whose exercise is a kernel. Defined only in runners of CUDA labs; the loop
// asks whether they are there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nibble::runner {

/// Prepares for kernels, as Request::mode says; findings and counts will stand in `outputs`.
void begin_kernels(std::uint32_t mode, std::byte* outputs) __attribute__((weak));

/// The call is over: what is still to be found is found now.
void end_kernels() __attribute__((weak));

}  // namespace nibble::runner
