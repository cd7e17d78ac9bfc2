// kernel<<<grid, block>>>(arguments)
#pragma once

#include <vector>

#include "simt/rewriter/edits.hpp"
#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

void rewrite_launches(const Tokens& tokens, Edits& edits, std::vector<Complaint>& complaints);

}  // namespace nibble::simt
