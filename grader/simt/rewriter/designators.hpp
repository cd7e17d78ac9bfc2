// `float4{.x = a, .y = b}`: the engine's vectors have constructors, which know values by their
// order alone.
#pragma once

#include "simt/rewriter/edits.hpp"
#include "simt/rewriter/lexer.hpp"

namespace nibble::simt {

/// Takes the designators out of vectors whose values stand in their order, from the first on.
void take_designators_out(const Tokens& tokens, Edits& edits);

}  // namespace nibble::simt
