// `__launch_bounds__(128)` before a kernel is a promise, which each of its threads asks about.
#pragma once

#include <string_view>
#include <vector>

#include "simt/rewriter/declarations.hpp"
#include "simt/rewriter/edits.hpp"
#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

/// Lets the body of each kernel with such words begin with a question: is the block within them?
void keep_launch_bounds(std::string_view source, const Tokens& tokens,
                        const std::vector<Declaration>& declarations, Edits& edits);

}  // namespace nibble::simt
