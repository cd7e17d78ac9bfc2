// How a kernel wants to be launched, said in the learner's own file with two words:
//
//     NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 1024);
//     NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale,
//                                        std::int64_t n) { … }
//
// The file holds no host code: the kit allocates, copies, launches and copies back.
#pragma once

#include <cstdint>
#include <span>

namespace nibble {

/// What a kernel asks for. Plain 32-bit numbers: they are read out of compiled code, too.
///
///             tile_n outputs of a row          grid.x = ceil(n / tile_n)
///            +--------------+--------------+   grid.y = ceil(m / tile_m)
///     tile_m | block (0,0)  | block (1,0)  |
///            +--------------+--------------+
///            | block (0,1)  | block (1,1)  |
///            +--------------+--------------+
struct Launch {
  std::uint32_t abi = 1;
  std::uint32_t block_x = 1, block_y = 1;  ///< threads of a block: 1 to 1024 in all
  std::uint32_t tile_m = 1, tile_n = 1;    ///< outputs that a block makes: rows, columns
  std::uint32_t shared_bytes = 0;          ///< dynamic shared memory
};

/// What one launch has to make: m rows of n outputs. Where either is 0, nothing is launched.
struct Work {
  std::int64_t m = 1, n = 1;
};

/// In NIBBLE_RUN, an output that holds values when the kernel begins: `begun(amax)`.
template <class T>
struct Begun {
  std::span<T> values;
};
template <class T>
Begun<T> begun(std::span<T> values) {
  return {values};
}

/// Launches whose descriptor asks for no more than this fit every GPU that has tensor cores.
inline constexpr std::uint32_t kMostThreads = 1024;

}  // namespace nibble

// Parameters other than the contract's do not compile: a C function has one signature.
#if defined(__CUDACC__) || defined(NIBBLE_SIMT)
#define NIBBLE_KERNEL extern "C" __global__
#else
#define NIBBLE_KERNEL extern "C"
#endif

/// Stands before a kernel: `NIBBLE_LAUNCH(name, .block_x = 128, .tile_n = 128);`. The kernel reads
/// name_launch.tile_n as a constant; the kit reads the copy called nibble_launch_name.
#if defined(__CUDACC__) && !defined(NIBBLE_SIMT)
#define NIBBLE_LAUNCH(kernel, ...)                                        \
  inline constexpr ::nibble::Launch kernel##_launch{__VA_ARGS__};         \
  extern "C" {                                                            \
  __constant__ ::nibble::Launch nibble_launch_##kernel = kernel##_launch; \
  }                                                                       \
  static_assert(kernel##_launch.abi == 1)
#else
#define NIBBLE_LAUNCH(kernel, ...)                                     \
  inline constexpr ::nibble::Launch kernel##_launch{__VA_ARGS__};      \
  extern "C" {                                                         \
  extern const ::nibble::Launch nibble_launch_##kernel;                \
  constexpr ::nibble::Launch nibble_launch_##kernel = kernel##_launch; \
  }                                                                    \
  static_assert(kernel##_launch.abi == 1)
#endif
