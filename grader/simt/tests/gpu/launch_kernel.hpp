// A launch of what nvcc made, from a file that knows CUDA by the engine's headers alone.
#pragma once

namespace nibble::simt {

struct Sizes {
  unsigned x, y, z;
};

/// `kernel`: the function that has the kernel's name on the host. Waits until it has run.
void launch_kernel(const void* kernel, const Sizes& blocks, const Sizes& threads, void** arguments);

}  // namespace nibble::simt
