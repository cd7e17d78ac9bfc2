// Walks over the tokens of a file, scope by scope, and writes down each
// name that is declared with the words before it.
#include "simt/rewriter/declarations.hpp"

#include <algorithm>
#include <array>

namespace nibble::simt {
namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

bool closes(const Token& token) { return is_one_of(token.text, {")", "]", "}"}); }

/// A ( after one of these holds no parameters.
bool takes_argument(std::string_view word) {
  return is_one_of(word,
                   {"alignas", "__align__", "__builtin_align__", "decltype", "noexcept", "explicit",
                    "requires", "operator", "__launch_bounds__", "__attribute__", "static_assert"});
}

bool is_class_word(std::string_view word) { return is_one_of(word, {"class", "struct", "union"}); }

bool has_no_small_letter(std::string_view name) {
  return std::ranges::none_of(name, [](char c) { return 'a' <= c && c <= 'z'; });
}

class Finder {
 public:
  explicit Finder(const Tokens& tokens) : tokens_(tokens) {}

  std::vector<Declaration> run() {
    int i = tokens_.after(-1);
    while (i < tokens_.size()) i = next(i);
    return std::move(found_);
  }

 private:
  /// A namespace, extern "C" or a class; of a class where its declaration begins.
  struct Scope {
    int class_declaration = -1;
  };

  bool is(int i, std::string_view text) const { return tokens_[i].is(text); }
  bool is_name(int i) const { return tokens_[i].kind == TokenKind::kName; }
  int after(int i) const { return tokens_.after(i); }
  /// Past a whole bracket.
  int past(int i) const { return tokens_.after(std::max(i, tokens_.partner(i))); }

  int next(int i) {
    if (is(i, "}")) return leave_scope(i);
    if (is_one_of(tokens_[i].text, {"public", "private", "protected"})) return after(i);
    if (is(i, ";") || is(i, ":") || closes(tokens_[i])) return after(i);
    if (const int body = namespace_body(i); body > 0) {
      scopes_.push_back({});
      return after(body);
    }
    return read_declaration(i);
  }

  int leave_scope(int i) {
    if (scopes_.empty()) return after(i);
    const int first = scopes_.back().class_declaration;
    scopes_.pop_back();
    return first < 0 ? after(i) : read_variables_of_class(first, after(i));
  }

  /// `__device__ struct S { … } s;` declares a variable, too.
  int read_variables_of_class(int first, int i) {
    Declaration declaration = begin(first);
    declaration.words_end = i;
    return finish(declaration, read_names(i, declaration));
  }

  int namespace_body(int i) const {
    if (is(i, "extern") && tokens_[after(i)].kind == TokenKind::kString) {
      const int body = after(after(i));
      return is(body, "{") ? body : -1;
    }
    if (is(i, "inline")) i = after(i);
    if (!is(i, "namespace")) return -1;
    for (i = after(i); is_name(i) || is(i, "::") || is(i, "[");) {
      i = is(i, "[") ? past(i) : after(i);
    }
    return is(i, "{") ? i : -1;
  }

  Declaration begin(int first) const {
    Declaration declaration;
    declaration.first = first;
    declaration.is_member = !scopes_.empty() && scopes_.back().class_declaration >= 0;
    return declaration;
  }

  /// Returns where the next declaration begins.
  int read_declaration(int first) {
    Declaration declaration = begin(first);
    int i = skip_template_head(first, declaration);
    if (is_one_of(tokens_[i].text,
                  {"using", "typedef", "friend", "static_assert", "concept", "namespace"})) {
      return finish(declaration, end_of_statement(i));
    }
    const int head = i;
    int names_from = head;
    bool is_class = false, is_enum = false;
    int previous = -1;
    while (i < tokens_.size() && !is(i, ";") && !is(i, "}")) {
      if (is(i, "(") && !takes_argument(tokens_[previous].text)) {
        if (holds_value(i)) break;
        return read_function(head, previous, i, declaration);
      }
      if (is(i, "{")) {
        if (is_class) return enter_class(i, declaration);
        if (!is_enum) break;
        names_from = past(i);
      }
      const bool is_operator = is(previous, "operator");
      if (is(i, "=") && !is_operator) break;
      if (is_class_word(tokens_[i].text) && !is_enum) {
        is_class = true;
        names_from = past_class_name(after(i));
      }
      is_enum |= is(i, "enum");
      const bool is_angle = is(i, "<") && !is_operator;
      if (!is_angle) previous = i;  // of f<int>(…) the name is f
      i = is_angle ? past_angles(i) : past(i);
    }
    if (is_enum && names_from == head) return finish(declaration, end_of_statement(i));
    return finish(declaration, read_names(names_from, declaration));
  }

  /// `__device__ Grid g(3);` is a variable: no parameter begins with a literal or a sign.
  bool holds_value(int open) const {
    const Token& first = tokens_[after(open)];
    return first.kind == TokenKind::kNumber || first.kind == TokenKind::kString ||
           first.kind == TokenKind::kCharacter || is_one_of(first.text, {"-", "+", "&", "{"});
  }

  int past_class_name(int i) const {
    while (is_name(i) || is(i, "::") || is(i, "[") || is(i, "(")) {
      const bool is_whole = is_name(i) && !is(after(i), "::") && !takes_argument(tokens_[i].text);
      i = past(i);
      if (is(i, "<")) return past_angles(i);
      if (is_whole) break;
    }
    return i;
  }

  int enter_class(int body, const Declaration& declaration) {
    scopes_.push_back({declaration.first});
    return after(body);
  }

  int skip_template_head(int i, Declaration& declaration) const {
    while (is(i, "template")) {
      declaration.is_template = true;
      i = after(i);
      if (is(i, "<")) i = past_angles(i);
      if (is(i, "requires") && is(after(i), "(")) i = past(after(i));
    }
    return i;
  }

  /// `open` is the ( of the parameters, or of a macro that is used like a declaration.
  int read_function(int head, int name, int open, Declaration& declaration) {
    declaration.what = Declares::kFunction;
    declaration.words_end = name;
    declaration.names.push_back({name, name});
    int previous = tokens_.partner(open) < 0 ? open : tokens_.partner(open);
    int i = past(open);
    const bool is_macro = name == head && is_name(name) && has_no_small_letter(tokens_[name].text);
    if (is_macro && !is_one_of(tokens_[i].text, {"{", ":", ";", "=", "noexcept", "const"})) {
      declaration.what = Declares::kSomethingElse;
      return finish(declaration, previous);
    }
    bool has_initialisers = false;
    while (i < tokens_.size() && !is(i, ";") && !is(i, "}")) {
      has_initialisers |= is(i, ":");
      if (is(i, "{") && (!has_initialisers || is_one_of(tokens_[previous].text, {")", "}"}))) {
        declaration.what = Declares::kDefinedFunction;
        declaration.body = i;
        return finish(declaration, std::max(i, tokens_.partner(i)));
      }
      previous = std::max(i, tokens_.partner(i));
      i = past(i);
    }
    return finish(declaration, i);
  }

  /// Reads `float* a[4], b = 3, c{}` up to its `;` and returns that.
  int read_names(int i, Declaration& declaration) {
    int last = -1;
    while (i < tokens_.size() && !is(i, "}")) {
      const Token& token = tokens_[i];
      const bool begins_value =
          token.is("(") && last >= 0 && !takes_argument(tokens_[last].text) && holds_value(i);
      const bool ends_name = begins_value || is_one_of(token.text, {"[", "=", "{", ",", ";", ":"});
      if (ends_name && last >= 0) {
        add_name(last, declaration);
        last = -1;
      }
      if (token.is(";")) break;
      if (token.is("=") || token.is("{")) {
        i = past_initialiser(i);
        continue;
      }
      if (token.kind == TokenKind::kName) last = i;
      i = token.is("<") ? past_angles(i) : past(i);
    }
    return i;
  }

  void add_name(int last, Declaration& declaration) const {
    int first = last;
    while (is(first - 1, "::") && is_name(first - 2)) first -= 2;
    if (declaration.names.empty()) declaration.words_end = first;
    declaration.what = Declares::kVariables;
    declaration.names.push_back({first, last});
  }

  /// To the , before another declarator, or the ;. The comma in `F<1, 2>::v` is before none.
  int past_initialiser(int i) const {
    while (i < tokens_.size() && !is(i, ";") && !is(i, "}")) {
      if (is(i, ",")) {
        int name = after(i);
        while (is(name, "*") || is(name, "&")) name = after(name);
        if (is_name(name) && is_one_of(tokens_[after(name)].text, {"[", "=", ",", ";", "{"})) break;
      }
      i = past(i);
    }
    return i;
  }

  /// Past the > that closes this <, or past this < alone where none does.
  int past_angles(int open) const {
    if (open < hopeless_) return after(open);
    int depth = 0, i = open;
    while (i < tokens_.size() && !is(i, ";") && !closes(tokens_[i])) {
      if (is(i, "<")) depth++;
      if (is(i, ">") && --depth == 0) return after(i);
      i = past(i);
    }
    hopeless_ = i;  // or a long row of < would be read again and again
    return after(open);
  }

  int end_of_statement(int i) const {
    while (i < tokens_.size() && !is(i, ";") && !is(i, "}")) i = past(i);
    return i;
  }

  int finish(Declaration& declaration, int last) {
    declaration.last = last;
    found_.push_back(std::move(declaration));
    return is(last, "}") && tokens_.partner(last) < found_.back().first ? last : after(last);
  }

  const Tokens& tokens_;
  std::vector<Scope> scopes_;
  std::vector<Declaration> found_;
  mutable int hopeless_ = 0;
};

}  // namespace

bool Declaration::has_word(const Tokens& tokens, std::string_view word) const {
  for (int i = first; i < words_end; i = tokens.after(i)) {
    if (tokens[i].is(word)) return true;
  }
  return false;
}

std::vector<Declaration> find_declarations(const Tokens& tokens) { return Finder(tokens).run(); }

}  // namespace nibble::simt
