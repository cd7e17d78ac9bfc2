// Refuses single tokens: names, signs, attributes and literals that
// would take an access away from the engine's eyes.
#include <algorithm>
#include <array>

#include "simt/rewriter/names.hpp"
#include "simt/rewriter/refusals.hpp"

namespace nibble::simt {
namespace {

constexpr auto kDigraphs = std::to_array<std::string_view>({"%:", "%:%:", "<%", "%>", "<:", ":>"});

/// What the standard library has and a GPU has not, so that the file would stop at nvcc.
constexpr auto kNotOnGpu = std::to_array<std::string_view>(
    {"vector", "string", "map",        "set",        "unordered_map", "unordered_set",
     "deque",  "list",   "cout",       "cerr",       "cin",           "endl",
     "thread", "mutex",  "unique_ptr", "shared_ptr", "make_unique",   "make_shared",
     "sort",   "atomic", "async",      "exit",       "abort",         "function"});

/// %n with any flags, width and length: printf stores how many characters it has printed.
bool asks_for_store(std::string_view format) {
  for (std::size_t at = 0; (at = format.find('%', at)) != std::string_view::npos; ++at) {
    at = format.find_first_not_of("-+ #0123456789.*$'hlLqjztI", at + 1);
    if (at == std::string_view::npos) return false;
    if (format[at] == 'n') return true;
  }
  return false;
}

class TokenRules {
 public:
  TokenRules(const Tokens& tokens, const std::vector<int>& understood,
             std::vector<Complaint>& complaints)
      : tokens_(tokens), understood_(understood), complaints_(complaints) {}

  void run() {
    for (int i = 0; i < tokens_.size(); i++) {
      if (tokens_[i].kind == TokenKind::kHash) is_in_directive_ = true;
      if (tokens_[i].kind == TokenKind::kDirectiveEnd) is_in_directive_ = false;
      if (begins_ptx(i) || begins_ptx(i - 1)) continue;  // asm, and the volatile or ( behind it
      if (tokens_[i].is_spliced) {
        complain(i, "a backslash breaks this word in two: put it on one line");
      } else if (tokens_[i].kind == TokenKind::kName) {
        look_at_name(i);
      } else if (tokens_[i].kind == TokenKind::kPunctuation ||
                 tokens_[i].kind == TokenKind::kHash) {
        look_at_sign(i);
      } else {
        look_at_literal(i);
      }
    }
  }

 private:
  bool begins_ptx(int i) const { return std::ranges::binary_search(understood_, i); }
  bool is(int i, std::string_view text) const { return tokens_[i].is(text); }
  bool is_name(int i) const { return tokens_[i].kind == TokenKind::kName; }
  void complain(int i, std::string message) {
    complaints_.push_back(tokens_.complain(tokens_[i], std::move(message)));
  }

  /// _Pragma("unroll 4")
  bool is_harmless_operator(int i) const {
    if (!is(i, "_Pragma") || !is(i + 1, "(") || tokens_[i + 2].kind != TokenKind::kString)
      return false;
    const std::string_view text = tokens_[i + 2].text;
    const std::size_t end = text.find_first_of(" (\"", 1);
    return text.starts_with('"') && is_harmless_pragma(text.substr(1, end - 1));
  }

  /// __attribute__((aligned(16), noinline))
  bool is_harmless_attribute(int i) const {
    if (!is(i, "__attribute__") || !is(i + 1, "(") || !is(i + 2, "(")) return false;
    i += 3;
    while (is_harmless_attribute_of_compilers(tokens_[i].text)) {
      i++;
      if (is(i, "(") && tokens_.partner(i) > 0) i = tokens_.partner(i) + 1;
      if (!is(i, ",")) break;
      i++;
    }
    return is(i, ")") && is(i + 1, ")");
  }

  void look_at_name(int i) {
    if (is_harmless_operator(i) || is_harmless_attribute(i)) return;
    if (auto reason = why_refused(tokens_[i].text)) return complain(i, *std::move(reason));
    if (is(i, "delete") && !is(i - 1, "=")) {
      complain(i, "a kernel gets its memory from the kit, so no `delete`");
    }
    if (is(i, "main") && is(i + 1, "(")) {
      complain(i, "this file holds kernels only, so no main(): the kit launches them");
    }
    if (is(i, "goto") && !is_name(i + 1)) complain(i, "goto needs the name of a label");
    if (is(i, "extern") && !declares_shared(i)) {
      complain(i, "nothing outside this file can be used: `extern` is for __shared__ arrays only");
    }
    if (is(i, "std") && !is(i + 1, "::") && !is(i - 1, "namespace")) {
      complain(i, "the standard library keeps its name: write std:: where you mean it");
    }
    if (is(i, "namespace") && is(i + 1, "std") && !is(i - 1, "using")) {
      complain(i, "the standard library cannot be added to");
    }
    const bool is_in_std = is(i - 1, "::") && is(i - 2, "std");
    if (is_in_std && std::ranges::count(kNotOnGpu, tokens_[i].text) > 0) {
      complain(i, "`std::" + std::string(tokens_[i].text) +
                      "` is for the host: a kernel works on arrays and numbers");
    }
  }

  bool declares_shared(int i) const {
    for (int k = i - 4; k < i + 8; k++) {
      if (is(k, "__shared__")) return true;
    }
    return false;
  }

  void look_at_sign(int i) {
    const std::string_view text = tokens_[i].text;
    if (text == "<<<") {
      complain(i, "kernels are launched by the kit, as NIBBLE_LAUNCH says: no <<< >>> here");
    } else if (text == "##") {
      complain(i, "## glues names together where they cannot be read: write the names out");
    } else if (text == "\\" || text == "??" || std::ranges::count(kDigraphs, text) > 0) {
      complain(i, "`" + std::string(text) + "` is no sign that C++ code needs");
    } else if (text == "[" && is(i + 1, "[")) {
      look_at_attributes(i);
    } else if (text == "&&" && takes_address_of_label(i)) {
      complain(i, "the address of a label has no use in a kernel");
    }
  }

  /// [[nodiscard, deprecated("why")]]
  void look_at_attributes(int open) {
    int i = open + 2;
    while (is_name(i) && is_standard_attribute(tokens_[i].text)) {
      i++;
      if (is(i, "(") && tokens_.partner(i) > 0) i = tokens_.partner(i) + 1;
      if (!is(i, ",")) break;
      i++;
    }
    if (is(i, "]") && is(i + 1, "]")) return;
    complain(open,
             "only standard attributes can be checked: [[maybe_unused]], [[nodiscard]], "
             "[[fallthrough]], [[likely]], [[unlikely]]");
  }

  bool takes_address_of_label(int i) const {
    static constexpr auto kBeforeValue =
        std::to_array<std::string_view>({"(", "=", ",", "{", "[", ";", "?", ":", "return"});
    return is_name(i + 1) && std::ranges::count(kBeforeValue, tokens_[i - 1].text) > 0;
  }

  void look_at_literal(int i) {
    const bool is_string =
        tokens_[i].kind == TokenKind::kString || tokens_[i].kind == TokenKind::kRawString;
    if (tokens_[i].kind == TokenKind::kRawString && is_in_directive_) {
      complain(i, "compilers do not agree where a raw string in a directive ends");
    }
    if (tokens_[i].is_unterminated) complain(i, "the closing quote is missing on this line");
    if (is_string && asks_for_store(tokens_[i].text)) {
      complain(i,
               "%n makes printf write to memory, which no GPU's printf does: store the value "
               "yourself");
    }
  }

  const Tokens& tokens_;
  const std::vector<int>& understood_;
  std::vector<Complaint>& complaints_;
  bool is_in_directive_ = false;
};

}  // namespace

void refuse_tokens(const Tokens& tokens, const std::vector<int>& understood,
                   std::vector<Complaint>& complaints) {
  TokenRules(tokens, understood, complaints).run();
}

}  // namespace nibble::simt
