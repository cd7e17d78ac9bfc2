#include "simt/rewriter/kernel_casts.hpp"

namespace nibble::simt {
namespace {

/// Behind `void*` or `const void*` at i; -1: nothing of the kind stands there.
int behind_void_pointer(const Tokens& tokens, int i) {
  if (tokens[i].is("const")) ++i;
  return tokens[i].is("void") && tokens[i + 1].is("*") ? i + 2 : -1;
}

/// The & that nobody needs before a function goes with the cast.
void take_out(const Tokens& tokens, int first, int last, Edits& edits) {
  edits.replace(first, tokens[last + 1].is("&") ? last + 1 : last, "");
}

/// (void*)kernel
void take_c_cast_out(const Tokens& tokens, int open, Edits& edits) {
  const int close = behind_void_pointer(tokens, open + 1);
  if (close > 0 && tokens[close].is(")")) take_out(tokens, open, close, edits);
}

/// reinterpret_cast<void*>(kernel)
void take_cast_out(const Tokens& tokens, int cast, Edits& edits) {
  const int end = behind_void_pointer(tokens, cast + 2);
  const bool is_cast = end > 0 && tokens[cast + 1].is("<") && tokens[end].is(">") &&
                       tokens[end + 1].is("(") && tokens.partner(end + 1) > 0;
  if (!is_cast) return;
  const int close = tokens.partner(end + 1);
  edits.replace(close, close, "");
  take_out(tokens, cast, end + 1, edits);
}

}  // namespace

void take_kernels_casts_out(const Tokens& tokens, Edits& edits) {
  for (int i = 0; i < tokens.size(); ++i) {
    const bool is_call =
        (tokens[i].is("cudaLaunchKernel") || tokens[i].is("cudaLaunchCooperativeKernel")) &&
        tokens[i + 1].is("(");
    if (!is_call) continue;
    const int first = i + 2;
    if (tokens[first].is("(")) take_c_cast_out(tokens, first, edits);
    if (tokens[first].is("reinterpret_cast")) take_cast_out(tokens, first, edits);
  }
}

}  // namespace nibble::simt
