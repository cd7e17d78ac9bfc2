// Turns CUDA C++ into C++ for the SIMT engine. Only what C++ cannot spell is changed, and every
// line keeps its number:
//
//   k<T><<<grid, block>>>(a, b);  ->  nibble::simt::launch(LaunchConfig(grid, block), "k<T>", …,
//                                                      a, b);
//   __shared__ T a[N], b;         ->  NIBBLE_SIMT_SHARED(a, [(N)], T); NIBBLE_SIMT_SHARED(b, , T);
//   extern __shared__ T s[];      ->  NIBBLE_SIMT_DYNAMIC_SHARED(s, T);
//   __device__ T v;               ->  __device__ T v; NIBBLE_SIMT_VARIABLE(v);
//   __constant__ T c = 1;         ->  __constant__ T c = 1; NIBBLE_SIMT_CONSTANT(c);
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simt/rewriter/complaint.hpp"

namespace nibble::simt {

enum class Dialect {
  kKernels,         ///< device code alone, by people one need not trust: everything else is refused
  kHostAndKernels,  ///< a whole CUDA program: only what the engine cannot run is refused
};

struct Rewritten {
  std::string text;
  std::vector<Complaint>
      complaints;  ///< by place; when there are any, `text` is not to be compiled
};

/// `file_name` is what compilers and reports will call the source.
Rewritten rewrite(std::string_view source, std::string_view file_name, Dialect dialect);

}  // namespace nibble::simt
