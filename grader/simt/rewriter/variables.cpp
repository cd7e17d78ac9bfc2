#include "simt/rewriter/variables.hpp"

namespace nibble::simt {
namespace {

bool is_on_the_device(const Tokens& tokens, const Declaration& declaration) {
  return declaration.has_word(tokens, "__device__") ||
         declaration.has_word(tokens, "__constant__") ||
         declaration.has_word(tokens, "__managed__");
}

}  // namespace

void register_variables(const Tokens& tokens, const std::vector<Declaration>& declarations,
                        Edits& edits, std::vector<Complaint>& complaints) {
  for (const Declaration& declaration : declarations) {
    if (declaration.what != Declares::kVariables || !is_on_the_device(tokens, declaration))
      continue;
    if (declaration.is_template || declaration.is_member) {
      if (declaration.is_member && !declaration.has_word(tokens, "inline")) continue;
      complaints.push_back(tokens.complain(
          tokens[declaration.names.front().last],
          "a __device__ variable inside a class or a template cannot be checked: declare it at the "
          "top of the file, outside of all braces"));
      continue;
    }
    if (declaration.has_word(tokens, "extern") || !tokens[declaration.last].is(";")) continue;
    const bool is_constant = declaration.has_word(tokens, "__constant__");
    std::string calls;
    for (const Declaration::Name& name : declaration.names) {
      calls += is_constant ? " NIBBLE_SIMT_CONSTANT(" : " NIBBLE_SIMT_VARIABLE(";
      calls += tokens.spelling(name.first, name.last) + ");";
    }
    edits.insert(tokens[declaration.last].end, calls);
  }
}

}  // namespace nibble::simt
