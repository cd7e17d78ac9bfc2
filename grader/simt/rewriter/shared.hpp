// __shared__ T a[N]; and extern __shared__ T s[];
#pragma once

#include <vector>

#include "simt/rewriter/edits.hpp"
#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

/// Returns the tokens that name the variables, in the order of the text.
std::vector<int> rewrite_shared(const Tokens& tokens, Edits& edits,
                                std::vector<Complaint>& complaints);

}  // namespace nibble::simt
