// What surrounds a call whose exercise is a kernel. Defined only in runners of CUDA labs; the loop
// asks whether they are there.
#pragma once

#include <cstddef>
#include <stdexcept>

namespace nibble::protocol {
struct Request;
}

namespace nibble::runner {

/// Thrown by a call whose kernel cannot be launched as its descriptor says: what is wrong with it.
struct LaunchRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Prepares for the kernels of a request; findings and counts will stand in `outputs`.
void begin_kernels(const protocol::Request& request, std::byte* outputs) __attribute__((weak));

/// The call is over: what is still to be found is found now.
void end_kernels() __attribute__((weak));

}  // namespace nibble::runner
