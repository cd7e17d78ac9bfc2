// Goes over the tokens of a file: directives, what opens and closes around definitions, and the
// definitions between, whose own brackets are stepped over.
#include "proofs/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>

#include "simt/rewriter/lexer.hpp"

namespace nibble::proofs {
namespace {

using simt::Token;
using simt::TokenKind;
using simt::Tokens;

/// A file holds something that none of ours does.
struct NotOurs : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One definition: where it ends, and what it is called. Of its tokens those outside of brackets
/// say so.
class OneDefinition {
 public:
  OneDefinition(const Tokens& tokens, int first) : tokens_(tokens), first_(first), start_(first) {
    while (is(start_, "template")) start_ = past_angles(next(start_));
    while (is(start_, "[")) start_ = past(start_);
    is_class_ = is(start_, "struct") || is(start_, "class") || is(start_, "union");
    is_enum_ = is(start_, "enum");
    last_ = find_last();
  }

  int last() const { return last_; }
  bool is_type() const {
    return is_class_ || is_enum_ || is(start_, "using") || names().contains("operator");
  }

  Names names() const {
    if (is(start_, "static_assert")) return {};
    if (is_class_ || is_enum_) return names_of_type();
    if (is(start_, "using")) return {std::string(tokens_[name_of_using()].text)};
    if (is(next(start_), "(")) return names_of_macro();
    const int parameters = find_parameters();
    return parameters < 0 ? names_of_variables() : names_of_function(parameters);
  }

  Names mentioned() const {
    Names names;
    for (int i = first_; i <= last_; ++i) {
      if (is_name(i)) names.emplace(tokens_[i].text);
    }
    return names;
  }

 private:
  bool is(int i, std::string_view text) const { return tokens_[i].is(text); }
  bool is_name(int i) const { return tokens_[i].kind == TokenKind::kName; }
  bool opens(int i) const { return is(i, "(") || is(i, "[") || is(i, "{"); }
  int next(int i) const { return tokens_.after(i); }

  /// Behind the bracket that belongs to this one.
  int past(int i) const {
    const int close = tokens_.partner(i);
    if (close < i) throw NotOurs("a bracket that stays open");
    return next(close);
  }

  int past_angles(int i) const {
    int depth = 0;
    do {
      if (i >= tokens_.size()) throw NotOurs("an angle that stays open");
      depth += (is(i, "<") ? 1 : 0) - (is(i, ">") ? 1 : 0);
      i = opens(i) ? past(i) : next(i);
    } while (depth > 0);
    return i;
  }

  /// The body of a function ends it; a type, a variable and a declaration end with a semicolon.
  int find_last() const {
    bool has_value = false;
    for (int i = start_; i < tokens_.size();) {
      if (is(i, ";")) return i;
      has_value = has_value || is(i, "=");
      if (!opens(i)) {
        i = next(i);
        continue;
      }
      const bool is_body = is(i, "{") && !has_value && !is_class_ && !is_enum_;
      const int close = tokens_.partner(i);
      i = past(i);
      const bool goes_on = is(i, ";") || is(i, ",") || is(i, "{");  // members that are initialized
      if (is_body && !goes_on) return close;
    }
    throw NotOurs("a definition without an end");
  }

  Names names_of_type() const {
    int i = next(start_);
    bool has_scope = !is_enum_;
    for (; is(i, "class") || is(i, "struct") || is(i, "[") || is(i, "alignas");) {
      has_scope = has_scope || is_name(i);
      i = is(i, "[") || is(next(i), "(") ? past(is(i, "[") ? i : next(i)) : next(i);
    }
    Names names;
    if (is_name(i)) names.emplace(tokens_[i].text);
    while (i < last_ && !is(i, "{")) i = next(i);
    if (i >= last_) return names;
    const int close = tokens_.partner(i);
    for (int k = has_scope ? close : i; k < last_; ++k) {
      if (is_name(k)) names.emplace(tokens_[k].text);  // enumerators, and variables of the type
    }
    return names;
  }

  int name_of_using() const {
    const int name = next(start_);
    if (is(name, "namespace")) throw NotOurs("a using directive");
    return is(next(name), "=") ? name : last_ - 1;
  }

  /// NIBBLE_LAUNCH(kernel, ...) makes kernel_launch.
  Names names_of_macro() const {
    const std::string name(tokens_[next(next(start_))].text);
    return {name, name + "_launch"};
  }

  /// The bracket of a function's parameters, or -1. A name follows only that of an attribute.
  int find_parameters() const {
    int depth = 0;
    for (int i = start_; i < last_ && !is(i, "="); i = opens(i) ? past(i) : next(i)) {
      depth += (is(i, "<") ? 1 : 0) - (is(i, ">") ? 1 : 0);
      if (is(i, "operator")) return i;
      if (depth > 0 || !is(i, "(")) continue;
      const int behind = past(i);
      const bool is_attribute = is_name(behind) && !is(behind, "const") &&
                                !is(behind, "noexcept") && !is(behind, "requires");
      if (!is_attribute) return i;
    }
    return -1;
  }

  /// A member that is defined outside belongs to its class.
  Names names_of_function(int parameters) const {
    if (is(parameters, "operator")) return {"operator"};
    int name = parameters - 1;
    while (is(name - 1, "::") && is_name(name - 2)) name -= 2;
    if (!is_name(name)) throw NotOurs("a function without a name");
    return {std::string(tokens_[name].text)};
  }

  Names names_of_variables() const {
    Names names;
    int depth = 0;
    bool in_value = false;
    for (int i = start_; i <= last_; i = opens(i) ? past(i) : next(i)) {
      const bool ends =
          depth == 0 && (is(i, "=") || is(i, "{") || is(i, "[") || is(i, ",") || i == last_);
      if (ends && !in_value && is_name(i - 1)) names.emplace(tokens_[i - 1].text);
      if (!in_value) depth += (is(i, "<") ? 1 : 0) - (is(i, ">") ? 1 : 0);
      if (is(i, "=")) in_value = true;
      if (is(i, ",") && depth == 0) in_value = false;
    }
    return names;
  }

  const Tokens& tokens_;
  int first_, start_;  ///< start_: behind the head of a template and attributes
  int last_ = -1;
  bool is_class_ = false, is_enum_ = false;
};

/// Goes through what stands in the namespaces of one file.
class DefinitionCutter {
 public:
  DefinitionCutter(std::string_view text, std::string file, std::string own_header)
      : tokens_(text), file_(std::move(file)), own_header_(std::move(own_header)) {}

  Definitions cut() {
    if (!tokens_.complaints().empty()) throw NotOurs("no C++");
    int i = skip_rewriters();
    while (i < tokens_.size()) i = take(i);
    if (!around_.empty()) throw NotOurs("something around that stays open");
    for (Definition& definition : found_.list) add_what_macros_mention(definition);
    return std::move(found_);
  }

 private:
  struct Around {
    std::string open, close;
    bool is_condition = false;
  };

  bool is(int i, std::string_view text) const { return tokens_[i].is(text); }

  std::string text_of(int first, int last) const {
    const std::size_t begin = tokens_[first].begin;
    return std::string(tokens_.source().substr(begin, tokens_[last].end - begin));
  }

  /// The rewriter's own lines end with one that says where the rest stands.
  int skip_rewriters() {
    if (!tokens_.source().starts_with("#include \"nibble/simt.hpp\"")) return 0;
    for (int i = 0; i < tokens_.size(); i = tokens_.partner(i) + 1) {
      if (tokens_[i].kind != TokenKind::kHash) break;
      if (is(i + 1, "line")) return i;
      found_.includes += text_of(i, tokens_.partner(i)) + '\n';
    }
    throw NotOurs("no line of its own");
  }

  int take(int i) {
    const Token& token = tokens_[i];
    if (token.kind == TokenKind::kHash) return take_directive(i);
    if (token.is(";")) return i + 1;
    if (token.is("}") || token.is("NIBBLE_END")) {
      leave(false);
      return i + 1;
    }
    if (token.is("namespace") || (token.is("inline") && is(tokens_.after(i), "namespace"))) {
      int open = i;
      while (open < tokens_.size() && !is(open, "{")) ++open;
      around_.push_back({text_of(i, open) + '\n', "}\n"});
      return open + 1;
    }
    if (token.text.starts_with("NIBBLE_BEGIN_")) {
      around_.push_back({std::string(token.text) + '\n', "NIBBLE_END\n"});
      return i + 1;
    }
    return take_definition(i);
  }

  int take_directive(int hash) {
    const int end = tokens_.partner(hash);
    const std::string_view word = tokens_[hash + 1].text;
    const std::string text = text_of(hash, end) + '\n';
    if (word == "include") {
      if (!around_.empty() || !found_.macros.empty()) throw NotOurs("a late include");
      if (text.find('"' + own_header_ + '"') == text.npos) found_.includes += text;
    } else if (word == "define") {
      found_.macros += text;
      Names& mentioned = macros_[std::string(tokens_[hash + 2].text)];
      for (int i = hash + 3; i < end; ++i) mentioned.emplace(tokens_[i].text);
    } else if (word.starts_with("if")) {
      around_.push_back({text, "#endif\n", true});
    } else if (word.starts_with("el")) {
      if (around_.empty() || !around_.back().is_condition) throw NotOurs("a condition across");
      around_.back().open += text;  // the branches before it are left empty
    } else if (word == "endif") {
      leave(true);
    } else if (word == "line") {
      line_ = std::stoi(std::string(tokens_[hash + 2].text));
      begin_ = tokens_[end].end + 1;
    } else if (text != "#pragma once\n") {
      throw NotOurs("a directive");
    }
    return end + 1;
  }

  void leave(bool is_condition) {
    if (around_.empty() || around_.back().is_condition != is_condition) throw NotOurs("an end");
    around_.pop_back();
  }

  int take_definition(int first) {
    const OneDefinition one(tokens_, first);
    // The list of the exercises is asked for by runner and judge alone.
    if (is(first, "NIBBLE_EXERCISES")) return one.last() + 1;
    const int line = line_ + tokens_.newlines(begin_, tokens_[first].begin);
    Definition definition{.open = {},
                          .close = {},
                          .line = fmt::format("#line {} \"{}\"\n", line, file_),
                          .text = text_of(first, one.last()) + '\n',
                          .names = one.names(),
                          .mentioned = one.mentioned(),
                          .is_type = one.is_type()};
    for (const Around& around : around_) {
      definition.open += around.open;
      definition.close.insert(0, around.close);
    }
    found_.list.push_back(std::move(definition));
    return one.last() + 1;
  }

  void add_what_macros_mention(Definition& definition) const {
    for (const auto& [macro, mentioned] : macros_) {
      if (definition.mentioned.contains(macro))
        definition.mentioned.insert(mentioned.begin(), mentioned.end());
    }
  }

  Tokens tokens_;
  std::string file_, own_header_;
  int line_ = 1;
  std::size_t begin_ = 0;  ///< of that line
  std::vector<Around> around_;
  std::map<std::string, Names, std::less<>> macros_;  ///< what their texts mention
  Definitions found_;
};

/// What tells whether two definitions are the same.
std::string whole(const Definition& definition) { return definition.open + definition.text; }

std::multiset<std::string> all_of(const std::vector<Definition>& list) {
  std::multiset<std::string> texts;
  for (const Definition& definition : list) texts.insert(whole(definition));
  return texts;
}

bool share_one(const Names& some, const Names& others) {
  return std::ranges::any_of(some, [&](const auto& name) { return others.contains(name); });
}

}  // namespace

std::optional<Definitions> definitions_of(std::string_view text, const std::string& file,
                                          const std::string& own_header) {
  try {
    return DefinitionCutter(text, file, own_header).cut();
  } catch (const NotOurs&) {
    return {};
  }
}

Changed changed_definitions(const std::vector<Definition>& contract,
                            const std::vector<Definition>& right,
                            const std::vector<Definition>& others) {
  const auto of_right = all_of(right), of_others = all_of(others);
  Changed changed;
  for (const Definition& definition : right) {
    if (!of_others.contains(whole(definition)))
      changed.names.insert(definition.names.begin(), definition.names.end());
  }
  std::vector<const Definition*> all;
  for (const Definition& definition : contract) all.push_back(&definition);
  for (const Definition& definition : others) all.push_back(&definition);
  std::vector<bool> is_taken(all.size(), false);
  for (bool found = true; found;) {
    found = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool differs = i >= contract.size() && !of_right.contains(whole(*all[i]));
      if (is_taken[i] || (!differs && !share_one(changed.names, all[i]->mentioned))) continue;
      is_taken[i] = found = true;
      changed.names.insert(all[i]->names.begin(), all[i]->names.end());
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_taken[i]) continue;
    (i < contract.size() ? changed.of_contract : changed.of_file).push_back(*all[i]);
  }
  return changed;
}

}  // namespace nibble::proofs
