// What a learner's file may not hold, each with the reason and the way out.
#pragma once

#include <vector>

#include "rewriter/declarations.hpp"
#include "rewriter/lexer.hpp"

namespace nibble::simt {

/// For every CUDA file: what no CPU can run.
void refuse_what_cannot_run(const Tokens& tokens, std::vector<Complaint>& complaints);

}  // namespace nibble::simt
