#include "simt/rewriter/refusals.hpp"

namespace nibble::simt {

void refuse_ptx(const Tokens& tokens, Edits& edits, std::vector<Complaint>& complaints) {
  int conditions = 0;
  for (int i = 0; i < tokens.size(); i++) {
    if (tokens[i].kind == TokenKind::kHash) {
      const std::string_view word = tokens[i + 1].text;
      if (word.starts_with("if")) conditions++;
      if (word == "endif") conditions--;
    }
    if (tokens[i].kind != TokenKind::kName) continue;
    if (!tokens[i].is("asm") && !tokens[i].is("__asm__")) continue;
    if (conditions > 0) {
      edits.replace(i, i, "NIBBLE_SIMT_CANNOT_RUN_INLINE_PTX");
    } else {
      complaints.push_back(tokens.complain(
          tokens[i],
          "inline PTX is for one kind of GPU and does not run here: use the CUDA function "
          "of the same effect, or the kit's wrapper"));
    }
  }
}

}  // namespace nibble::simt
