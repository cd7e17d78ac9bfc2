// Shared memory inside a lambda. To nvcc it is no local variable: a lambda uses it without
// capturing it. Here it is a reference, and a lambda that copies what it captures would copy the
// memory; one that captures nothing would not see it. So its lambdas capture it by reference:
//
//   [=] { tile[i] = x; }   ->  [=, &tile] { tile[i] = x; }
//   [] { tile[0] = 1; }    ->  [&tile] { tile[0] = 1; }
#pragma once

#include <vector>

#include "simt/rewriter/edits.hpp"
#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

/// `shared`: the tokens that name the variables.
void capture_shared(const Tokens& tokens, const std::vector<int>& shared, Edits& edits,
                    std::vector<Complaint>& complaints);

}  // namespace nibble::simt
