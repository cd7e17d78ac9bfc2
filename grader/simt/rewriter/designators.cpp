#include "simt/rewriter/designators.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace nibble::simt {
namespace {

constexpr auto kElements =
    std::to_array<std::string_view>({"char", "uchar", "short", "ushort", "int", "uint", "long",
                                     "ulong", "longlong", "ulonglong", "float", "double"});
constexpr std::string_view kMembers = "xyzw";

/// `float4`, but not `float3`: those without an alignment of their own are structs here, too.
bool is_vector(std::string_view name) {
  if (!name.ends_with('2') && !name.ends_with('4')) return false;
  name.remove_suffix(1);
  return std::ranges::find(kElements, name) != kElements.end();
}

/// The tokens `.` of `{.x = a, .y = b}`; none where another order is written.
std::vector<int> designators_in(const Tokens& tokens, int open) {
  std::vector<int> found;
  const int close = tokens.partner(open);
  for (int i = open + 1; i < close; ++i) {
    const bool is_value = tokens[i - 1].is(",") || i - 1 == open;
    if (is_value) {
      const bool is_next = found.size() < kMembers.size() && tokens[i].is(".") &&
                           tokens[i + 1].text == kMembers.substr(found.size(), 1) &&
                           tokens[i + 2].is("=");
      if (!is_next) return {};
      found.push_back(i);
    }
    if (tokens.partner(i) > i) i = tokens.partner(i);
  }
  return found;
}

/// The { of `float4{`, `float4 v{` or `float4 v = {`; -1: there is none.
int braces_behind(const Tokens& tokens, int type) {
  int i = type + 1;
  if (tokens[i].kind == TokenKind::kName) ++i;
  if (i > type + 1 && tokens[i].is("=")) ++i;
  return tokens[i].is("{") && tokens.partner(i) > 0 ? i : -1;
}

}  // namespace

void take_designators_out(const Tokens& tokens, Edits& edits) {
  for (int i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::kName || !is_vector(tokens[i].text)) continue;
    const int open = braces_behind(tokens, i);
    if (open < 0) continue;
    for (const int dot : designators_in(tokens, open)) edits.replace(dot, dot + 2, "");
  }
}

}  // namespace nibble::simt
