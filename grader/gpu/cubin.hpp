// Reads a cubin, the ELF file that nvcc makes of kernels, without a GPU and without any CUDA
// library: which kernels it holds, for which GPU, and how each wants to be launched.
//
//     .symtab       int8_matmul               a kernel: a function with the entry mark
//                   nibble_launch_int8_matmul  24 bytes in .nv.constant3: its descriptor
//
// The file was made of a stranger's source, so every offset in it is checked before it is followed.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "nibble/launch.hpp"

namespace nibble::gpu {

/// Not a file that nvcc would write; says what is wrong with it.
struct BadCubin : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CubinKernel {
  std::string name;
  std::optional<Launch> launch;  ///< as the file carries it, not yet found sensible
};

struct Cubin {
  int sm = 0;                        ///< 80 for sm_80; 90 for sm_90 and for sm_90a
  std::vector<CubinKernel> kernels;  ///< sorted by name

  const CubinKernel* find(const std::string& name) const;  ///< null: no such kernel
};

/// Throws BadCubin.
Cubin read_cubin(std::span<const std::byte> image);

}  // namespace nibble::gpu
