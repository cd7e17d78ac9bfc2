// Finds the lambdas of each scope that has __shared__ variables, and adds those that they name.
#include "simt/rewriter/captures.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "simt/rewriter/lambdas.hpp"

namespace nibble::simt {
namespace {

// In tokens. It only keeps a hostile file of lambdas in lambdas from taking long.
constexpr int kLongestLambda = 4000;

/// The variables in sight, and how often each is declared there.
using Visible = std::map<std::string_view, int>;

class Captures {
 public:
  Captures(const Tokens& tokens, Edits& edits, std::vector<Complaint>& complaints)
      : tokens_(tokens), edits_(edits), complaints_(complaints) {}

  /// Within the braces that hold the variables, from the first of them on.
  void look_at(int open, const Visible& visible) {
    if (!begins_lambda(tokens_, open)) return;
    const int close = tokens_.partner(open), body = body_of(close);
    if (body < 0) return;
    const int end = std::min(tokens_.partner(body), body + kLongestLambda);
    const std::set<std::string_view> listed = names_in(open, close);
    for (const std::string_view name : listed) {
      if (visible.contains(name) && !is_initialiser(open, close, name)) return complain(open, name);
    }
    if (tokens_[open + 1].is("&") && !is_name(open + 2)) return;
    const std::set<std::string_view> parameters = names_in(close, body);
    bool is_first = close == open + 1;
    for (const std::string_view name : names_in(body, end)) {
      if (!visible.contains(name) || listed.contains(name) || parameters.contains(name)) continue;
      edits_.insert(tokens_[close].begin, (is_first ? "&" : ", &") + std::string(name));
      is_first = false;
    }
  }

 private:
  bool is_name(int i) const { return tokens_[i].kind == TokenKind::kName; }

  /// The { behind the parameters, specifiers and result; -1 where a statement ends first.
  int body_of(int close) const {
    for (int i = close + 1; i < tokens_.size() && !tokens_[i].is(";"); ++i) {
      if (tokens_[i].is("{")) return tokens_.partner(i) > 0 ? i : -1;
      if (tokens_.partner(i) > i) i = tokens_.partner(i);
    }
    return -1;
  }

  std::set<std::string_view> names_in(int first, int last) const {
    std::set<std::string_view> names;
    for (int i = first + 1; i < last; ++i) {
      const bool is_member = tokens_[i - 1].is(".") || tokens_[i - 1].is("->");
      if (is_name(i) && !is_member) names.insert(tokens_[i].text);
    }
    return names;
  }

  /// [row = tile[0]] captures a value made of it, or [tile = &tile[0]] a pointer under its name.
  bool is_initialiser(int open, int close, std::string_view name) const {
    for (int i = open + 1; i < close; ++i) {
      if (tokens_[i].is("=") && (is_name(i - 1) || tokens_[i + 1].is(name))) return true;
    }
    return false;
  }

  void complain(int open, std::string_view name) {
    complaints_.push_back(tokens_.complain(
        tokens_[open], "`" + std::string(name) +
                           "` is __shared__, which a lambda uses without capturing it: leave it "
                           "out of the brackets"));
  }

  const Tokens& tokens_;
  Edits& edits_;
  std::vector<Complaint>& complaints_;
};

}  // namespace

void capture_shared(const Tokens& tokens, const std::vector<int>& shared, Edits& edits,
                    std::vector<Complaint>& complaints) {
  Captures captures(tokens, edits, complaints);
  Visible visible;
  std::vector<std::vector<std::string_view>> scopes(1);  // what the open braces have declared
  auto next = shared.begin();
  for (int i = 0; i < tokens.size(); ++i) {
    if (next != shared.end() && *next == i) {
      scopes.back().push_back(tokens[i].text);
      ++visible[tokens[i].text];
      ++next;
    }
    if (tokens[i].in_directive) continue;
    if (tokens[i].is("{")) scopes.emplace_back();
    if (tokens[i].is("}") && scopes.size() > 1) {
      for (const std::string_view name : scopes.back()) {
        if (--visible[name] == 0) visible.erase(name);
      }
      scopes.pop_back();
    }
    if (tokens[i].is("[") && !visible.empty()) captures.look_at(i, visible);
  }
}

}  // namespace nibble::simt
