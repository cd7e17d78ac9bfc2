#include "rewriter/refusals.hpp"

namespace nibble::simt {

void refuse_what_cannot_run(const Tokens& tokens, std::vector<Complaint>& complaints) {
  for (int i = 0; i < tokens.size(); i++) {
    const Token& token = tokens[i];
    if (token.kind != Kind::kName) continue;
    if (token.is("asm") || token.is("__asm__") || token.is("__asm")) {
      complaints.push_back(tokens.complain(
          token,
          "inline PTX is for one kind of GPU and cannot be checked here: use the CUDA "
          "function of the same effect, or the kit's wrapper"));
    }
  }
}

}  // namespace nibble::simt
