// What nvcc says of a file that the engine runs. A host's compiler takes more than nvcc does: a
// function without __device__, std::max in a kernel.
#pragma once

#include <string>

#include "cli/attempt.hpp"

namespace nibble::cli {

/// Its complaints, behind a sentence; "" where it takes the file, where there is no nvcc, or where
/// the file was compiled for a GPU anyway. Takes a second or two: for after the verdict.
std::string nvcc_word(const Context& context, const Attempt& attempt);

}  // namespace nibble::cli
