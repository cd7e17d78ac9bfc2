#include "simt/rewriter/native_names.hpp"

namespace nibble::simt {

void use_names_of_cuda(const Tokens& tokens, Edits& edits) {
  for (int i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is("__builtin_popcount")) edits.replace(i, i, "__popc");
    if (tokens[i].is("__builtin_popcountll")) edits.replace(i, i, "__popcll");
  }
}

}  // namespace nibble::simt
