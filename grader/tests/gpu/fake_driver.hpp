// A CUDA driver that has no GPU: its memory is the host's, its kernels are functions of the test,
// its clock goes on by what they say. It behaves as the real one does where the kit relies on it:
// an error of a kernel shows at the next wait, and stays until the context is made anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace nibble::fake {

struct Launch {
  unsigned grid_x, grid_y, block_x, block_y, shared_bytes;
  void** arguments;

  template <class T>
  T argument(int index) const {
    return *static_cast<T*>(arguments[index]);
  }
  template <class T>
  T* pointer(int index) const {
    return reinterpret_cast<T*>(argument<std::uint64_t>(index));
  }
};

/// What a kernel did: how long it took, and the driver's error number, 0 for none.
struct Ran {
  double microseconds = 1.0;
  int status = 0;
};
using Kernel = std::function<Ran(const Launch&)>;

/// The driver's own state; the test gets at it through fake_cuda_state().
struct State {
  int init_status = 0, devices = 1;
  int sm = 90, multiprocessors = 132;
  std::size_t memory_bytes = std::size_t{80} << 30;
  int most_threads = 1024;  ///< of a block, for every kernel
  /// By name and by the image it was loaded from; an empty Kernel: there is none.
  std::function<Kernel(const std::string&, const void* image)> kernel_of;
  int allocations = 0, modules = 0, loads = 0, launches = 0, resets = 0, events = 0, streams = 0;
  int sticky = 0;
  double clock_us = 0.0;
};

}  // namespace nibble::fake

extern "C" nibble::fake::State* fake_cuda_state();
