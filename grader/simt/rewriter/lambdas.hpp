// Where a lambda begins.
#pragma once

#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

/// Whether this [ is a lambda's: not an index, not an attribute, not `auto& [a, b]`.
bool begins_lambda(const Tokens& tokens, int open);

}  // namespace nibble::simt
