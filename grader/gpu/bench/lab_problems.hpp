// What the kernels of the labs are timed on: sizes that fill a GPU,
// and what has to be moved and done.
#pragma once

#include <string>
#include <vector>

#include "gpu/paired_run.hpp"

namespace nibble::gpu {

/// One exercise at one size.
struct LabProblem {
  std::string lab;       ///< "21_cuda_int8_matmul"
  std::string exercise;  ///< "matmul_tiled"; its kernel is called matmul_tiled_kernel
  std::string size;      ///< "4096x4096x4096"
  std::string ceiling;   ///< the row of ceilings.cpp that it is a share of: "copy", "dp4a", …
  int least_sm = 75;     ///< below: it does not compile
  KernelProblem problem;
};

/// "21.matmul_tiled 4096x4096x4096"
std::string name_of(const LabProblem& problem);

/// All of a lab, as it orders its exercises; empty for a lab without kernels that are timed.
std::vector<LabProblem> problems_of(const std::string& lab);

/// The labs that have any.
std::vector<std::string> timed_labs();

/// a [n,n] times b_t [n,n]: what cuBLASLt is asked for, too.
KernelProblem square_product(const std::string& kernel, std::int64_t n);

}  // namespace nibble::gpu
