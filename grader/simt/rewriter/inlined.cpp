#include "simt/rewriter/inlined.hpp"

#include <algorithm>
#include <array>

namespace nibble::simt {
namespace {

constexpr auto kBeforeValue =
    std::to_array<std::string_view>({"return", "case", "else", "do", "co_return"});
constexpr auto kSpecifiers =
    std::to_array<std::string_view>({"mutable", "constexpr", "consteval", "static", "noexcept"});

// g++ wants its attributes behind all specifiers, clang++ before them: each defines one of the two.
constexpr const char* kFirst = " NIBBLE_SIMT_LAMBDA_FIRST";
constexpr const char* kLast = " NIBBLE_SIMT_LAMBDA_LAST";

class Lambdas {
 public:
  Lambdas(const Tokens& tokens, Edits& edits) : tokens_(tokens), edits_(edits) {}

  void look_at(int open) {
    if (!begins_value(open)) return;
    const int close = tokens_.partner(open);
    if (close < 0) return;
    int i = close + 1;
    if (is(i, "<")) i = past_template_parameters(i);
    if (is(i, "{") && i == close + 1) return edits_.insert(tokens_[close].end, no_parameters());
    if (!is(i, "(") || tokens_.partner(i) < 0) return;
    const int parameters_end = tokens_.partner(i);
    edits_.insert(tokens_[parameters_end].end, kFirst);
    edits_.insert(tokens_[specifiers_end(parameters_end)].end, kLast);
  }

 private:
  bool is(int i, std::string_view text) const { return tokens_[i].is(text); }

  static std::string no_parameters() { return std::string("()") + kFirst + kLast; }

  /// Not an index, not an attribute, not `auto& [a, b]`.
  bool begins_value(int open) const {
    if (!is(open, "[") || is(open + 1, "[") || is(open - 1, "[")) return false;
    const Token& before = tokens_[open - 1];
    if (before.kind == TokenKind::kName) return std::ranges::count(kBeforeValue, before.text) > 0;
    if (before.kind == TokenKind::kString || is(open - 1, ")") || is(open - 1, "]")) return false;
    const bool is_reference = is(open - 1, "&") || is(open - 1, "&&");
    return !(is_reference && is(open - 2, "auto"));
  }

  int past_template_parameters(int i) const {
    for (int depth = 0; i < tokens_.size() && !is(i, ";"); ++i) {
      if (is(i, "<")) ++depth;
      if (is(i, ">") && --depth == 0) return i + 1;
      i = std::max(i, tokens_.partner(i));
    }
    return i;
  }

  /// The last token of `mutable noexcept(…)`, or the `)` before where there is none.
  int specifiers_end(int last) const {
    while (std::ranges::count(kSpecifiers, tokens_[last + 1].text) > 0) {
      const bool has_condition = is(last + 1, "noexcept") && is(last + 2, "(");
      last = has_condition ? std::max(last + 2, tokens_.partner(last + 2)) : last + 1;
    }
    return last;
  }

  const Tokens& tokens_;
  Edits& edits_;
};

bool is_inlined_by_its_words(const Tokens& tokens, const Declaration& declaration) {
  return declaration.has_word(tokens, "__device__") || declaration.has_word(tokens, "__global__");
}

}  // namespace

void inline_lambdas(const Tokens& tokens, Edits& edits) {
  Lambdas lambdas(tokens, edits);
  for (int i = 0; i < tokens.size(); ++i) lambdas.look_at(i);
}

void inline_constexpr_functions(const Tokens& tokens, const std::vector<Declaration>& declarations,
                                Edits& edits) {
  for (const Declaration& declaration : declarations) {
    const bool is_function =
        declaration.what == Declares::kFunction || declaration.what == Declares::kDefinedFunction;
    if (!is_function || is_inlined_by_its_words(tokens, declaration)) continue;
    for (int i = declaration.first; i < declaration.words_end; i = tokens.after(i)) {
      if (!tokens[i].is("constexpr") && !tokens[i].is("consteval")) continue;
      edits.insert(tokens[i].begin, "__device__ ");
      break;
    }
  }
}

}  // namespace nibble::simt
