// Takes the times that timing.hpp judges: two cubins, one problem, one stream.
//
//     pair i      fill | poison | flush | event, reference, event     fresh data for each side;
//                 fill | poison | flush | event, learner,   event     who is first alternates
//                 fill as for the learner | reference | compare       the answer is made afterwards
//
// The answer to the learner's data is not in the GPU's memory while the learner's kernel runs. Its
// module is loaded anew every few pairs, so that a __device__ variable remembers nothing for long.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gpu/gpu.hpp"
#include "gpu/timing.hpp"
#include "nibble/launch.hpp"

namespace nibble::gpu {

/// What an input holds.
enum class Fill : std::uint32_t {
  kBytes,
  kCodes,   ///< int8 without -128
  kFloats,  ///< in [-1, 1)
  kHalves,  ///< from 2^-8 to 2, of either sign
  kScales,  ///< floats in [2^-12, 2^-11)
  kSums,    ///< int32 below 2^20 in magnitude
};

/// How two outputs are compared: byte by byte, or as numbers within a tolerance.
enum class Compare : std::uint32_t { kExact, kFloats, kHalves };

struct Parameter {
  enum class Kind { kInput, kOutput, kScalar };

  Kind kind = Kind::kScalar;
  std::size_t bytes = 0;  ///< of memory
  Fill fill = Fill::kBytes;
  Compare compare = Compare::kExact;
  float tolerance = 0;
  bool from_zero = false;            ///< an output whose bits are all 0 when the kernel begins
  std::array<std::byte, 8> value{};  ///< of a scalar

  static Parameter input(std::size_t bytes, Fill fill);
  static Parameter output(std::size_t bytes, Compare compare = Compare::kExact,
                          float tolerance = 0);
  template <class T>
  static Parameter scalar(T value);
};

/// One kernel of a contract at one size.
struct KernelProblem {
  std::string kernel;
  std::vector<Parameter> parameters;  ///< in the kernel's order
  Work work;
  double bytes = 0, operations = 0;  ///< that have to be moved and done
};

struct PairedRun {
  std::vector<Pair> pairs;
  std::vector<int> wrong_pairs;  ///< in which the learner's output was not the reference's
  double event_overhead_us = 0;
  double first_half_mhz = 0, second_half_mhz = 0;  ///< 0: too short to tell
};

struct PairedOptions {
  int pairs = 40;
  int pairs_per_module = 8;
  double warm_up_us = 0;  ///< of the reference before the first pair: until the clock has settled
  std::uint64_t seed = 1;
};

/// What stands for the reference where that is no cubin: queues one run on the stream. `arguments`
/// holds the address of each argument, in the order of the problem's parameters.
using Start = std::function<void(const std::vector<void*>& arguments, const Stream& stream)>;

/// The kernel of a cubin as one. Throws as run_pairs does.
Start start_of(const Gpu& gpu, std::span<const std::byte> cubin, const KernelProblem& problem);

/// `kit_kernels` is kit_kernels.cu, compiled for this GPU. Throws CudaError, BadCubin, or
/// std::runtime_error with a sentence when one of the cubins cannot be launched.
PairedRun run_pairs(const Gpu& gpu, const KernelProblem& problem,
                    std::span<const std::byte> kit_kernels, std::span<const std::byte> reference,
                    std::span<const std::byte> learner, const PairedOptions& options);
PairedRun run_pairs(const Gpu& gpu, const KernelProblem& problem,
                    std::span<const std::byte> kit_kernels, const Start& reference,
                    std::span<const std::byte> learner, const PairedOptions& options);

template <class T>
Parameter Parameter::scalar(T value) {
  static_assert(sizeof value <= sizeof(Parameter::value));
  Parameter parameter;
  std::copy_n(reinterpret_cast<const std::byte*>(&value), sizeof value, parameter.value.begin());
  return parameter;
}

}  // namespace nibble::gpu
