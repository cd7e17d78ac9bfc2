// A kernel that a call of the runtime is given as a pointer to nothing in particular.
#pragma once

#include "simt/rewriter/edits.hpp"
#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

/// `cudaLaunchKernel((void*)kernel, …)` becomes `cudaLaunchKernel(kernel, …)`: what the engine has
/// to know of a kernel lies in its type.
void take_kernels_casts_out(const Tokens& tokens, Edits& edits);

}  // namespace nibble::simt
