// __device__, __constant__ and __managed__ variables: the engine is told where they lie.
#pragma once

#include <vector>

#include "simt/rewriter/declarations.hpp"
#include "simt/rewriter/edits.hpp"
#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

void register_variables(const Tokens& tokens, const std::vector<Declaration>& declarations,
                        Edits& edits, std::vector<Complaint>& complaints);

}  // namespace nibble::simt
