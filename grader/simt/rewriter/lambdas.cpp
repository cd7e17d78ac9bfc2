#include "simt/rewriter/lambdas.hpp"

#include <algorithm>
#include <array>

namespace nibble::simt {
namespace {

constexpr auto kBeforeValue =
    std::to_array<std::string_view>({"return", "case", "else", "do", "co_return"});

}  // namespace

bool begins_lambda(const Tokens& tokens, int open) {
  const auto is = [&](int i, std::string_view text) { return tokens[i].is(text); };
  if (!is(open, "[") || tokens.partner(open) < 0) return false;
  if (is(open + 1, "[") || is(open - 1, "[")) return false;
  const Token& before = tokens[open - 1];
  if (before.kind == TokenKind::kName) return std::ranges::count(kBeforeValue, before.text) > 0;
  if (before.kind == TokenKind::kString || is(open - 1, ")") || is(open - 1, "]")) return false;
  const bool is_reference = is(open - 1, "&") || is(open - 1, "&&");
  return !(is_reference && is(open - 2, "auto"));
}

}  // namespace nibble::simt
