// Reads a declaration with __shared__ in it, each variable by itself,
// and writes the engine's macro in its place.
#include "simt/rewriter/shared.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace nibble::simt {
namespace {

class SharedDeclarations {
 public:
  SharedDeclarations(const Tokens& tokens, const std::vector<Declaration>& declarations,
                     Edits& edits, std::vector<Complaint>& complaints)
      : tokens_(tokens), declarations_(declarations), edits_(edits), complaints_(complaints) {}

  std::vector<int> run() {
    find_bodies();
    for (int i = 0; i < tokens_.size(); i++) {
      if (tokens_[i].kind == TokenKind::kHash) {
        floor_ = i;
        const bool goes_on = is(i + 1, "define") && !learn_macro(i);
        i = goes_on ? i + 2 : tokens_.partner(i);  // on to what the macro holds
      } else if (is_shared(i)) {
        i = rewrite(i);
        floor_ = i;
      }
    }
    give_to_functions();
    return std::move(names_);
  }

 private:
  /// A variable: what its type is beyond the declaration's own words, its name, its dimensions.
  struct Declarator {
    std::string stars, dimensions;
    int name = -1;
    int end = 0;  ///< the , or ; behind it
  };

  /// What stands outside of functions, and what stands for it inside.
  struct OfFile {
    int at;
    std::string call;
  };

  bool is(int i, std::string_view text) const { return tokens_[i].is(text); }
  bool is_shared(int i) const { return is(i, "__shared__") || macros_.contains(tokens_[i].text); }
  /// `#define SHARED __shared__`, after which the two are the same.
  bool learn_macro(int hash) {
    const bool is_alone = is(hash + 3, "__shared__") && tokens_.partner(hash) == hash + 4;
    if (is_alone) macros_.insert(tokens_[hash + 2].text);
    return is_alone;
  }
  bool is_name(int i) const { return tokens_[i].kind == TokenKind::kName; }
  bool is_macro_name(int i) const { return is(i - 1, "define"); }
  bool is_end(int i) const {
    return i >= tokens_.size() || is(i, ";") || tokens_[i].kind == TokenKind::kDirectiveEnd;
  }
  static bool is_alignment(const Token& token) {
    return token.is("alignas") || token.is("__align__") || token.is("__builtin_align__");
  }

  /// Returns the last token that was looked at.
  int rewrite(int shared) {
    const int first = find_first(shared);
    const int type_end = find_type_end(first);
    bool is_extern = false;
    std::string type = read_type(first, type_end, is_extern);
    std::string text;
    int i = type_end;
    if (type.find('{') != std::string::npos && is_name(type_end)) {
      // A struct in place can be defined only once, and not inside an array's type.
      const std::string name = "simt_struct_" + std::string(tokens_[type_end].text);
      text = "using " + name + " = " + type + ";";
      type = name;
    }
    while (true) {
      const Declarator declarator = read_declarator(i);
      if (declarator.name < 0) return declarator.end;
      names_.push_back(declarator.name);
      const std::string declared = call(declarator, type, is_extern);
      if (is_outside_functions(first)) {
        const std::string name(tokens_[declarator.name].text);
        of_file_.try_emplace(
            tokens_[declarator.name].text,
            OfFile{declarator.name,
                   is_extern ? declared : "NIBBLE_SIMT_SHARED_HERE(" + name + ")"});
      }
      if (!is_extern || !is_outside_functions(first)) {
        if (!text.empty()) text += ' ';
        text += declared;
      }
      i = declarator.end;
      if (!is(i, ",")) break;
      if (!text.empty()) text += ';';
      i++;
    }
    if (is(i, ";")) {
      edits_.replace(first, i, text.empty() ? text : text + ";");
    } else {
      edits_.replace(first, i - 1, text);  // all that a macro holds
    }
    return i;
  }

  /// `namespace a::b {`, `extern "C" {`
  bool opens_namespace(int brace) const {
    int i = brace - 1;
    if (i >= 0 && tokens_[i].kind == TokenKind::kString) return is(i - 1, "extern");
    for (; i >= 0 && (is_name(i) || is(i, "::")); --i) {
      if (is(i, "namespace")) return true;
    }
    return false;
  }

  /// The tokens between braces, but those of a namespace. What is not closed goes on to the end.
  void find_bodies() {
    for (int i = 0; i < tokens_.size(); ++i) {
      if (!is(i, "{") || tokens_[i].in_directive || opens_namespace(i)) continue;
      const int end = tokens_.partner(i) > i ? tokens_.partner(i) : tokens_.size();
      for (; i < end; ++i) in_braces_[static_cast<std::size_t>(i)] = true;
    }
  }

  bool is_outside_functions(int i) const {
    return !tokens_[i].in_directive && !in_braces_[static_cast<std::size_t>(i)];
  }

  std::set<std::string_view> names_in(int first, int last) const {
    std::set<std::string_view> names;
    for (int i = first; i < last; ++i) {
      const bool is_member = is(i - 1, ".") || is(i - 1, "->");
      if (is_name(i) && !is_member) names.insert(tokens_[i].text);
    }
    return names;
  }

  /// What stands outside of functions goes into each that comes behind it, names it, and has no
  /// parameter of that name.
  void give_to_functions() {
    if (of_file_.empty()) return;
    for (const Declaration& declaration : declarations_) {
      const int body = declaration.body;
      if (declaration.what != Declares::kDefinedFunction) continue;
      const std::set<std::string_view> parameters = names_in(declaration.first, body);
      for (const std::string_view name : names_in(body, declaration.last)) {
        const auto found = of_file_.find(name);
        if (found == of_file_.end() || body < found->second.at || parameters.contains(name)) {
          continue;
        }
        edits_.insert(tokens_[body].end, " " + found->second.call + ";");
      }
    }
  }

  std::string call(const Declarator& declarator, const std::string& type, bool is_extern) const {
    const std::string name(tokens_[declarator.name].text);
    const std::string whole = type + declarator.stars;
    if (is_extern) return "NIBBLE_SIMT_DYNAMIC_SHARED(" + name + ", " + whole + ")";
    const char* const macro = is_outside_functions(declarator.name) ? "NIBBLE_SIMT_SHARED_OF_FILE("
                                                                    : "NIBBLE_SIMT_SHARED(";
    return macro + name + ", " + declarator.dimensions + ", " + whole + ")";
  }

  /// Words may stand before: `extern`, `volatile`, `alignas(16)`, even the type.
  int find_first(int shared) const {
    int first = shared;
    while (true) {
      const int before = first - 1;
      if (before <= floor_) return first;
      if (is(before, ")") && tokens_.partner(before) > 0 &&
          is_alignment(tokens_[tokens_.partner(before) - 1])) {
        first = tokens_.partner(before) - 1;
      } else if (is_name(before) && tokens_[before].in_directive == tokens_[shared].in_directive &&
                 !is_macro_name(before) && !is(before, "else") && !is(before, "do")) {
        first = before;
      } else {
        return first;
      }
    }
  }

  /// Where the type ends and the first variable's own part begins.
  int find_type_end(int i) const {
    int name = i, angles = 0, marks = 0;
    for (; !is_end(i); i++) {
      const Token& token = tokens_[i];
      if (is_shared(i) && ++marks == 2) break;
      if (angles == 0 && (token.is("[") || token.is(",") || token.is("=") || token.is(")"))) break;
      if (is_alignment(token)) {
        i = std::max(i, tokens_.partner(i + 1));
        continue;
      }
      if (angles == 0 && (token.is("*") || token.is("&"))) return i;
      if (token.is("(") && (is(i + 1, "*") || is(i + 1, "&"))) return i;
      if (token.is("<")) angles++;
      if (token.is(">")) angles--;
      if (angles == 0 && is_name(i)) {
        if (is(i + 1, "{") && tokens_.partner(i + 1) > 0 && is_end(tokens_.partner(i + 1) + 1))
          return i;
        name = i;
      }
      if (tokens_.partner(i) > i) i = tokens_.partner(i);
    }
    return name;
  }

  std::string read_type(int first, int end, bool& is_extern) const {
    std::string type;
    int previous = -2;
    for (int i = first; i < end; i++) {
      if (is_alignment(tokens_[i])) {  // every slot of the arena is aligned for anything
        i = std::max(i, tokens_.partner(i + 1));
        continue;
      }
      is_extern |= is(i, "extern");
      if (is(i, "extern") || is(i, "static") || is_shared(i)) continue;
      const bool is_adjacent = previous == i - 1 && tokens_[previous].end == tokens_[i].begin;
      if (!type.empty() && !is_adjacent) type += ' ';
      type += tokens_[i].text;
      previous = i;
    }
    return type;
  }

  Declarator read_declarator(int i) {
    Declarator result;
    for (; is(i, "*") || is(i, "&") || is(i, "const") || is(i, "volatile") || is(i, "__restrict__");
         i++) {
      result.stars += ' ';
      result.stars += tokens_[i].text;
    }
    const int name = i++;
    result.end = i;
    if (!is_name(name)) {
      return complain(name, result,
                      "this __shared__ declaration cannot be read: write it as "
                      "`__shared__ float tile[32];`");
    }
    for (; is(i, "["); i = tokens_.partner(i) + 1) {
      const int close = tokens_.partner(i);
      if (close < 0) break;
      if (close > i + 1) result.dimensions += "[(" + tokens_.spelling(i + 1, close - 1) + ")]";
    }
    result.end = i;
    if (is(i, "=") || is(i, "{") || is(i, "(")) {
      return complain(i, result,
                      "a __shared__ variable starts without a value: assign to it in the "
                      "kernel, in one thread, with __syncthreads() behind");
    }
    const bool has_end = is(i, ",") || (is_end(i) && i < tokens_.size());
    if (!has_end) {
      return complain(i, result,
                      "this __shared__ declaration has no end: a `;` seems to be missing");
    }
    result.name = name;
    return result;
  }

  Declarator complain(int i, Declarator result, const char* message) {
    complaints_.push_back(tokens_.complain(tokens_[std::min(i, tokens_.size() - 1)], message));
    result.name = -1;
    return result;
  }

  const Tokens& tokens_;
  const std::vector<Declaration>& declarations_;
  Edits& edits_;
  std::vector<Complaint>& complaints_;
  std::vector<int> names_;
  std::set<std::string_view> macros_;
  std::map<std::string_view, OfFile> of_file_;  ///< the first of a name
  std::vector<bool> in_braces_ = std::vector<bool>(static_cast<std::size_t>(tokens_.size()));
  int floor_ = -1;  ///< the last token that belongs to something else
};

}  // namespace

std::vector<int> rewrite_shared(const Tokens& tokens, const std::vector<Declaration>& declarations,
                                Edits& edits, std::vector<Complaint>& complaints) {
  return SharedDeclarations(tokens, declarations, edits, complaints).run();
}

}  // namespace nibble::simt
