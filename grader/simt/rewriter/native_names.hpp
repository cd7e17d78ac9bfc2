// What a compiler calls by its own name and CUDA by another, which the engine counts; and a kernel
// that a call of the runtime is given as a pointer to nothing in particular.
#pragma once

#include "simt/rewriter/edits.hpp"
#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

/// `__builtin_popcount` becomes `__popc`.
void use_names_of_cuda(const Tokens& tokens, Edits& edits);

/// `cudaLaunchKernel((void*)kernel, …)` becomes `cudaLaunchKernel(kernel, …)`: what the engine has
/// to know of a kernel lies in its type.
void take_kernels_casts_out(const Tokens& tokens, Edits& edits);

}  // namespace nibble::simt
