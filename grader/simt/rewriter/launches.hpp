// kernel<<<grid, block>>>(arguments)
#pragma once

#include <vector>

#include "simt/rewriter/declarations.hpp"
#include "simt/rewriter/edits.hpp"
#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

void rewrite_launches(const Tokens& tokens, const std::vector<Declaration>& declarations,
                      Edits& edits, std::vector<Complaint>& complaints);

}  // namespace nibble::simt
