// Finds <<< and >>>, the kernel in front and the arguments
// behind, and writes a call in their place.
#include "simt/rewriter/launches.hpp"

#include <algorithm>
#include <set>

namespace nibble::simt {
namespace {

// In tokens. They only keep a hostile file from taking long.
constexpr int kLongestKernelName = 200;
constexpr int kMostParameters = 64;

class Launches {
 public:
  Launches(const Tokens& tokens, const std::vector<Declaration>& declarations, Edits& edits,
           std::vector<Complaint>& complaints)
      : tokens_(tokens), edits_(edits), complaints_(complaints) {
    learn_parameters(declarations);
  }

  void run() {
    for (int i = 0; i < tokens_.size(); i++) {
      if (tokens_[i].kind == TokenKind::kHash) begin_directive(i);
      if (is(i, "<<<")) rewrite(i, i);
      if (is(i, "<<") && is(i + 1, "<")) rewrite(i, i + 1);  // as some editors format it
    }
  }

 private:
  /// A launch's arguments become the parameters of a kernel that is there once and no template.
  void learn_parameters(const std::vector<Declaration>& declarations) {
    std::set<std::string_view> others;
    for (const Declaration& declaration : declarations) {
      if (declaration.what != Declares::kDefinedFunction) continue;
      const std::string_view name = tokens_[declaration.names.front().last].text;
      const bool is_plain = declaration.has_word(tokens_, "__global__") &&
                            !declaration.is_template && !declaration.is_member &&
                            !has_default(declaration);
      if (!is_plain || !typed_.insert(name).second) others.insert(name);
    }
    for (const std::string_view name : others) typed_.erase(name);
  }
  bool has_default(const Declaration& declaration) const {
    for (int i = declaration.words_end; i < declaration.body; ++i) {
      if (is(i, "=")) return true;
    }
    return false;
  }

  bool is(int i, std::string_view text) const { return tokens_[i].is(text); }
  bool is_name(int i) const { return tokens_[i].kind == TokenKind::kName; }
  void complain(int i, const char* message) {
    complaints_.push_back(tokens_.complain(tokens_[i], message));
  }

  /// Parameters of a function-like macro can be spelled: #kernel.
  void begin_directive(int hash) {
    parameters_first_ = parameters_last_ = -1;
    const int open = hash + 3;
    if (!is(hash + 1, "define") || !is(open, "(") || tokens_[open - 1].end != tokens_[open].begin) {
      return;
    }
    parameters_first_ = open;
    parameters_last_ = tokens_.partner(open);
  }
  bool is_macro_parameter(int i) const {
    if (!tokens_[i].in_directive) return false;
    const int end = std::min(parameters_last_, parameters_first_ + kMostParameters);
    for (int k = parameters_first_ + 1; k < end; k++) {
      if (tokens_[k].is(tokens_[i].text)) return true;
    }
    return false;
  }

  /// `open` to `open_end` is the <<<.
  void rewrite(int open, int open_end) {
    is_in_pieces_ = open_end > open;
    const int close = find_close(open_end);
    if (close < 0) {
      return complain(open,
                      "this launch is not closed: write kernel<<<blocks, threads>>>(arguments)");
    }
    const int first = find_kernel(open);
    if (first < 0 || open - first > kLongestKernelName)
      return complain(open, "a launch needs the name of a kernel before <<<");
    const std::string kernel = tokens_.spelling(first, open - 1);
    const int arguments = close + 3;
    const bool has_arguments = tokens_.partner(arguments) != arguments + 1;
    const bool is_typed = first == open - 1 && typed_.contains(tokens_[first].text);
    edits_.replace(first, open_end, "::nibble::simt::launch(::nibble::simt::LaunchConfig(");
    edits_.replace(close, arguments,
                   "), " + label(first, open - 1, kernel) +
                       (is_typed ? ", &" + kernel : ", NIBBLE_SIMT_LAUNCHER(" + kernel + ")") +
                       (has_arguments ? ", " : ""));
  }

  /// First of the three > that stand close together before a (.
  int find_close(int open) const {
    for (int i = open + 1; i < tokens_.size(); i++) {
      const Token& token = tokens_[i];
      if (token.is(";") || token.is("<<<") || token.kind == TokenKind::kDirectiveEnd) return -1;
      const int partner = tokens_.partner(i);
      if (0 <= partner && partner < i) return -1;  // the bracket around the launch ends
      if (partner > i) i = partner;
      if (is(i + 3, "(") && tokens_.partner(i + 3) > 0 && closes_here(i)) return i;
    }
    return -1;
  }
  bool closes_here(int i) const {
    return is(i, ">") && is(i + 1, ">") && is(i + 2, ">") && (is_in_pieces_ || are_together(i));
  }
  bool are_together(int i) const {
    return tokens_[i].end == tokens_[i + 1].begin && tokens_[i + 1].end == tokens_[i + 2].begin;
  }

  /// Backwards from <<< over `a::b::kernel<T>`, `table[i]`, `(*pointer)`, `object.kernel`.
  int find_kernel(int open) const {
    int i = open - 1;
    if (is(i, ">")) i = before_angles(i);
    while (i >= 0) {
      if (is(i, ")") || is(i, "]")) {
        const int opening = tokens_.partner(i);
        if (opening < 0) return -1;
        if (is(i, ")")) return opening;
        i = opening - 1;
        continue;
      }
      if (!is_name(i)) return -1;
      if (is(i - 1, "template")) i--;
      if (is(i - 1, ".") || is(i - 1, "->")) {
        i -= 2;
        continue;
      }
      if (!is(i - 1, "::")) return i;
      const int scope = is(i - 2, ">") ? before_angles(i - 2) : i - 2;
      if (!is_name(scope)) return i - 1;
      i = scope;
    }
    return -1;
  }

  /// The token before the < that this > closes.
  int before_angles(int i) const {
    int depth = 0;
    for (; i >= 0; i--) {
      const Token& token = tokens_[i];
      if (token.is(";") || token.is("<<<") || token.kind == TokenKind::kHash) return -1;
      if (tokens_.partner(i) > i) return -1;
      if ((token.is(")") || token.is("]") || token.is("}")) && tokens_.partner(i) >= 0) {
        i = tokens_.partner(i);
        continue;
      }
      if (token.is(">")) depth++;
      if (token.is("<") && --depth == 0) return i - 1;
    }
    return -1;
  }

  std::string label(int first, int last, const std::string& kernel) const {
    if (first == last && is_macro_parameter(first)) return "#" + kernel;
    std::string quoted = "\"";
    for (const char c : kernel) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    return quoted + '"';
  }

  const Tokens& tokens_;
  Edits& edits_;
  std::vector<Complaint>& complaints_;
  std::set<std::string_view> typed_;
  bool is_in_pieces_ = false;  ///< << < and >> >, with a blank in it
  int parameters_first_ = -1, parameters_last_ = -1;
};

}  // namespace

void rewrite_launches(const Tokens& tokens, const std::vector<Declaration>& declarations,
                      Edits& edits, std::vector<Complaint>& complaints) {
  Launches(tokens, declarations, edits, complaints).run();
}

}  // namespace nibble::simt
