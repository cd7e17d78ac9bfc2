// Marks lambdas, constexpr functions, and who calls itself.
#include "simt/rewriter/inlined.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "simt/rewriter/lambdas.hpp"

namespace nibble::simt {
namespace {

constexpr auto kSpecifiers =
    std::to_array<std::string_view>({"mutable", "constexpr", "consteval", "static", "noexcept"});

// g++ wants its attributes behind all specifiers, clang++ before them: each defines one of the two.
constexpr const char* kFirst = " NIBBLE_SIMT_LAMBDA_FIRST";
constexpr const char* kLast = " NIBBLE_SIMT_LAMBDA_LAST";

class Lambdas {
 public:
  Lambdas(const Tokens& tokens, Edits& edits) : tokens_(tokens), edits_(edits) {}

  void look_at(int open) {
    if (!begins_lambda(tokens_, open)) return;
    const int close = tokens_.partner(open);
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

std::string_view name_of(const Tokens& tokens, const Declaration& declaration) {
  return tokens[declaration.names.front().last].text;
}

bool calls_itself(const Tokens& tokens, const Declaration& declaration) {
  for (int i = declaration.body; i < declaration.last; ++i) {
    if (tokens[i].is(name_of(tokens, declaration)) && tokens[i + 1].is("(")) return true;
  }
  return false;
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

void keep_recursion(const Tokens& tokens, const std::vector<Declaration>& declarations,
                    Edits& edits) {
  std::map<std::string_view, int> defined;  // an overload that calls another is no recursion
  for (const Declaration& declaration : declarations) {
    if (declaration.what == Declares::kDefinedFunction) ++defined[name_of(tokens, declaration)];
  }
  for (const Declaration& declaration : declarations) {
    if (declaration.what != Declares::kDefinedFunction || !calls_itself(tokens, declaration) ||
        defined[name_of(tokens, declaration)] > 1) {
      continue;
    }
    for (int i = declaration.first; i < declaration.words_end; i = tokens.after(i)) {
      if (tokens[i].is("__device__")) edits.replace(i, i, "NIBBLE_SIMT_RECURSIVE");
    }
  }
}

}  // namespace nibble::simt
