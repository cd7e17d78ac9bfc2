#include <algorithm>
#include <array>

#include "simt/rewriter/names.hpp"
#include "simt/rewriter/refusals.hpp"

namespace nibble::simt {
namespace {

constexpr auto kHarmless = std::to_array<std::string_view>(
    {"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif", "error", "warning"});

bool is_in_capitals(std::string_view name) {
  return std::ranges::all_of(
      name, [](char c) { return ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_'; });
}

class DirectiveRules {
 public:
  DirectiveRules(const Tokens& tokens, std::vector<Complaint>& complaints)
      : tokens_(tokens), complaints_(complaints) {}

  void run() {
    for (int i = 0; i < tokens_.size(); i++) {
      if (tokens_[i].kind != TokenKind::kHash) {
        may_include_ = false;
        continue;
      }
      look_at(i);
      i = tokens_.partner(i);
    }
  }

 private:
  bool is(int i, std::string_view text) const { return tokens_[i].is(text); }
  void complain(int i, std::string message) {
    complaints_.push_back(tokens_.complain(tokens_[i], std::move(message)));
  }

  void look_at(int hash) {
    const int word = hash + 1;
    if (tokens_[word].kind == TokenKind::kDirectiveEnd) return;
    if (is(word, "include")) return look_at_include(word);
    if (is(word, "define") || is(word, "undef")) return look_at_macro(word);
    if (is(word, "pragma")) return look_at_pragma(word);
    if (std::ranges::count(kHarmless, tokens_[word].text) > 0) return;
    complain(hash, "`#" + std::string(tokens_[word].text) + "` has no place in a kernel file");
  }

  /// First, so that no macro and no namespace of the file changes what a header means.
  void look_at_include(int word) {
    if (!may_include_) {
      complain(word - 1, "#include lines stand at the top of the file, above #define and all code");
    }
    const Token& header = tokens_[word + 1];
    if (header.kind != TokenKind::kHeaderName || header.is_unterminated) {
      return complain(word - 1, "#include needs the name of a header, in quotes or angles");
    }
    if (auto reason = why_header_refused(header.text)) complain(word + 1, *std::move(reason));
  }

  /// In capitals, a macro can change no keyword, no CUDA function and nothing inside the kit's
  /// macros.
  void look_at_macro(int word) {
    may_include_ = false;
    const std::string_view name = tokens_[word + 1].text;
    if (is_in_capitals(name) && !name.starts_with("NIBBLE") && !name.starts_with('_')) return;
    complain(word + 1, "a macro is named in capitals, like TILE, and not like the kit's: `" +
                           std::string(name) + "` could change what other code means");
  }

  void look_at_pragma(int word) {
    if (is_harmless_pragma(tokens_[word + 1].text)) return;
    complain(word - 1, "of pragmas, a kernel file may use `#pragma unroll` and `#pragma once`");
  }

  const Tokens& tokens_;
  std::vector<Complaint>& complaints_;
  bool may_include_ = true;
};

}  // namespace

void refuse_directives(const Tokens& tokens, std::vector<Complaint>& complaints) {
  DirectiveRules(tokens, complaints).run();
}

}  // namespace nibble::simt
