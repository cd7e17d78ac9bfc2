// One character at a time, as the standard has it: joined lines, comments, directives, literals;
// then which bracket belongs to which.
#include "simt/rewriter/lexer.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace nibble::simt {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r'; }
bool is_digit(char c) { return '0' <= c && c <= '9'; }
bool is_letter(char c) { return ('a' <= (c | 32) && (c | 32) <= 'z') || c == '_'; }
bool is_name_char(char c) {
  return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

/// Longest first. `>` stays alone: whether `>>>` ends a launch or three templates is for
/// the parser.
constexpr auto kPunctuators = std::to_array<std::string_view>(
    {"%:%:", "<<<", "...", "<=>", "->*", "::", "->", "<<", "##", "==", "!=", "<=",
     ">=",   "+=",  "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "&&", "||", "++",
     "--",   ".*",  "%:",  "<%",  "%>",  "<:", ":>", "??", "?",  "#"});

bool is_raw_prefix(std::string_view name) {
  return name == "R" || name == "LR" || name == "uR" || name == "u8R" || name == "UR";
}

constexpr std::size_t kLongestRawDelimiter = 16;

}  // namespace

class Lexer {
 public:
  explicit Lexer(Tokens& result) : result_(result), text_(result.source_) {}

  void run() {
    check_bytes();
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (!at_end()) next();
    end_directive();
  }

 private:
  // --- Characters: positions are in the file, and stepping over one steps over splices too -------

  /// Past any backslash that ends a line. Compilers forgive blanks between the two.
  std::size_t past_splices(std::size_t i) const {
    while (i < text_.size() && text_[i] == '\\') {
      std::size_t end = i + 1;
      while (end < text_.size() && is_blank(text_[end])) end++;
      if (end >= text_.size() || text_[end] != '\n') break;
      i = end + 1;
    }
    return i;
  }
  std::size_t after(std::size_t i) const { return past_splices(i + 1); }
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  bool at_end() {
    at_ = past_splices(at_);
    return at_ >= text_.size();
  }

  /// Where `word` ends if it stands at `i`, else 0.
  std::size_t end_of(std::string_view word, std::size_t i) const {
    for (std::size_t k = 0; k < word.size(); k++) {
      if (at(i) != word[k]) return 0;
      i = k + 1 < word.size() ? after(i) : i + 1;
    }
    return i;
  }

  template <class Predicate>
  std::size_t end_while(std::size_t i, Predicate wanted) const {
    std::size_t end = i;
    while (i < text_.size() && wanted(text_[i])) {
      end = i + 1;
      i = after(i);
    }
    return end;
  }

  // --- Tokens ------------------------------------------------------------------------------------

  void add(TokenKind kind, std::size_t end, bool is_unterminated = false) {
    Token token{kind, in_directive_, false, is_unterminated, text_.substr(at_, end - at_), at_,
                end};
    if (kind != TokenKind::kRawString && token.text.find('\\') != std::string_view::npos)
      unsplice(token);
    result_.tokens_.push_back(token);
    at_ = end;
    is_line_start_ = false;
  }

  void unsplice(Token& token) {
    std::string text;
    for (std::size_t i = token.begin; i < token.end; i = after(i)) text += text_[i];
    if (text.size() == token.text.size()) return;
    token.is_spliced = true;
    token.text = result_.unspliced_.emplace_back(std::move(text));
  }

  void next() {
    const char c = text_[at_];
    if (c == '\n') return end_line();
    if (is_blank(c)) {
      at_++;
      return;
    }
    if (const std::size_t body = end_of("//", at_)) return skip_line_comment(body);
    if (const std::size_t body = end_of("/*", at_)) return skip_block_comment(body);
    if (is_line_start_ && !in_directive_ && begin_directive()) return;
    if (wants_header_name() && (c == '<' || c == '"')) return add_header_name(c);
    if (c == '"') return add_quoted(TokenKind::kString, c);
    if (c == '\'') return add_quoted(TokenKind::kCharacter, c);
    if (is_digit(c) || (c == '.' && is_digit(at(after(at_))))) return add_number();
    if (is_name_char(c)) return add_name();
    add_punctuation();
  }

  void end_line() {
    end_directive();
    at_++;
    is_line_start_ = true;
  }

  void skip_line_comment(std::size_t i) {
    i = past_splices(i);
    while (i < text_.size() && text_[i] != '\n') i = after(i);
    at_ = i;
  }

  void skip_block_comment(std::size_t i) {
    const std::size_t begin = at_;
    for (i = past_splices(i); i < text_.size(); i = after(i)) {
      const std::size_t end = text_[i] == '*' ? end_of("*/", i) : 0;
      if (end == 0) continue;
      at_ = end;
      return;
    }
    at_ = text_.size();
    complain(begin, "this comment is never closed: add */ where it ends");
  }

  bool begin_directive() {
    std::size_t end = end_of("%:", at_);
    if (text_[at_] == '#') end = at_ + 1;
    if (end == 0) return false;
    in_directive_ = true;
    directive_ = result_.tokens_.size();
    add(TokenKind::kHash, end);
    return true;
  }

  void end_directive() {
    if (!in_directive_) return;
    add(TokenKind::kDirectiveEnd, at_);
    in_directive_ = false;
  }

  bool wants_header_name() const {
    if (!in_directive_ || result_.tokens_.size() != directive_ + 2) return false;
    const std::string_view word = result_.tokens_.back().text;
    return word == "include" || word == "include_next" || word == "import";
  }

  void add_header_name(char open) {
    const char close = open == '<' ? '>' : open;
    std::size_t end = end_while(after(at_), [&](char c) { return c != close && c != '\n'; });
    end = past_splices(end);
    const bool is_closed = at(end) == close;
    add(TokenKind::kHeaderName, is_closed ? end + 1 : end, !is_closed);
  }

  void add_quoted(TokenKind kind, char quote) {
    std::size_t i = after(at_);
    while (i < text_.size() && text_[i] != quote && text_[i] != '\n') {
      if (text_[i] == '\\') i = after(i);  // the backslash, then what it protects
      if (at(i) == '\n') break;
      i = after(i);
    }
    const bool is_closed = at(i) == quote;
    add(kind, is_closed ? i + 1 : std::min(i, text_.size()), !is_closed);
  }

  void add_number() {
    std::size_t end = at_, i = at_;
    char previous = '\0';
    while (i < text_.size()) {
      const char c = text_[i];
      const char exponent = static_cast<char>(previous | 32);
      const bool is_sign = (c == '+' || c == '-') && (exponent == 'e' || exponent == 'p');
      const bool is_separator = c == '\'' && is_name_char(at(after(i)));
      if (!is_name_char(c) && c != '.' && !is_sign && !is_separator) break;
      previous = c;
      end = i + 1;
      i = after(i);
    }
    add(TokenKind::kNumber, end);
  }

  void add_name() {
    add(TokenKind::kName, end_while(at_, is_name_char));
    if (at(past_splices(at_)) == '"' && is_raw_prefix(result_.tokens_.back().text))
      add_raw_string();
  }

  /// Lines are not joined inside a raw string: from the quote on, the bytes are as they are.
  void add_raw_string() {
    const std::size_t quote = past_splices(at_);
    const std::size_t open = text_.find('(', quote);
    const std::size_t length = open == std::string_view::npos ? 0 : open - quote - 1;
    at_ = result_.tokens_.back().begin;
    result_.tokens_.pop_back();
    if (open == std::string_view::npos || length > kLongestRawDelimiter) {
      complain(at_, "this raw string has no opening parenthesis");
      return add(TokenKind::kRawString, text_.size(), true);
    }
    std::string closing = ")";
    closing.append(text_.substr(quote + 1, length)).append("\"");
    const std::size_t end = text_.find(closing, open);
    const bool is_closed = end != std::string_view::npos;
    add(TokenKind::kRawString, is_closed ? end + closing.size() : text_.size(), !is_closed);
  }

  void add_punctuation() {
    for (const std::string_view word : kPunctuators) {
      const std::size_t end = end_of(word, at_);
      if (end == 0) continue;
      // [lex.pptoken]: in `<::` the `<` stands alone, unless `:` or `>` follows.
      if (word == "<:" && at(past_splices(end)) == ':') {
        const char beyond = at(after(past_splices(end)));
        if (beyond != ':' && beyond != '>') break;
      }
      return add(TokenKind::kPunctuation, end);
    }
    add(TokenKind::kPunctuation, at_ + 1);
  }

  // --- Bytes -------------------------------------------------------------------------------------

  /// Compilers disagree on what these mean, so a file that holds one has no single meaning.
  void check_bytes() {
    for (std::size_t i = 0; i < text_.size(); i++) {
      const char c = text_[i];
      const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
      if (!is_control || c == '\t' || c == '\n' || c == '\f' || c == '\v') continue;
      if (c == '\r' && at(i + 1) == '\n') continue;
      complain(i, c == '\r' ? "a carriage return stands alone here: end every line in the usual way"
                            : "this byte is no text: delete it");
      return;  // one is enough: such files tend to be full of them
    }
  }

  void complain(std::size_t offset, std::string message) {
    result_.complaints_.push_back(result_.complain(offset, std::move(message)));
  }

  Tokens& result_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t directive_ = 0;  ///< index of the kHash that began it
  bool in_directive_ = false;
  bool is_line_start_ = true;
};

Tokens::Tokens(std::string_view source) : source_(source) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < source.size(); i++) {
    if (source[i] == '\n') line_starts_.push_back(i + 1);
  }
  Lexer(*this).run();
  find_partners();
}

const Token& Tokens::operator[](int index) const {
  static constexpr Token kNone{TokenKind::kPunctuation, false, false, false, "", 0, 0};
  return 0 <= index && index < size() ? tokens_[static_cast<std::size_t>(index)] : kNone;
}

int Tokens::after(int index) const {
  index++;
  while ((*this)[index].kind == TokenKind::kHash) index = partner(index) + 1;
  return index;
}

Complaint Tokens::complain(std::size_t offset, std::string message) const {
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = next - line_starts_.begin();
  return {static_cast<int>(line), static_cast<int>(offset - *(next - 1)) + 1, std::move(message)};
}

std::string Tokens::spelling(int first, int last) const {
  std::string text;
  for (int i = first; i <= last; i++) {
    if (i > first && (*this)[i].begin != (*this)[i - 1].end) text += ' ';
    text += (*this)[i].text;
  }
  return text;
}

int Tokens::newlines(std::size_t begin, std::size_t end) const {
  return static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(begin),
                                     source_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
}

namespace {

/// What is open, as a list that shares its tails: a branch of an #if remembers it for nothing.
class OpenBrackets {
 public:
  void open(int token) {
    nodes_.push_back({token, top_});
    top_ = static_cast<int>(nodes_.size()) - 1;
  }
  int close() {
    if (top_ < 0) return -1;
    const Node node = nodes_[static_cast<std::size_t>(top_)];
    top_ = node.below;
    return node.token;
  }
  int innermost() const { return top_ < 0 ? -1 : nodes_[static_cast<std::size_t>(top_)].token; }
  int state() const { return top_; }
  void restore(int state) { top_ = state; }

 private:
  struct Node {
    int token, below;
  };
  std::vector<Node> nodes_;
  int top_ = -1;
};

char closing_of(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

}  // namespace

void Tokens::find_partners() {
  partners_.assign(tokens_.size(), -1);
  OpenBrackets brackets;
  std::vector<int> conditions;  // the state at each #if that is open
  int outside = -1;             // the state outside the directive
  int hash = -1;
  for (int i = 0; i < size(); i++) {
    const Token& token = (*this)[i];
    if (token.kind == TokenKind::kHash) {
      const std::string_view word = (*this)[i + 1].text;
      if (word.starts_with("if")) conditions.push_back(brackets.state());
      if (word.starts_with("el") && !conditions.empty()) brackets.restore(conditions.back());
      if (word == "endif" && !conditions.empty()) conditions.pop_back();
      outside = brackets.state();
      brackets.restore(-1);
      hash = i;
    }
    if (token.kind == TokenKind::kDirectiveEnd) {
      brackets.restore(outside);
      partners_[static_cast<std::size_t>(hash)] = i;
      partners_[static_cast<std::size_t>(i)] = hash;
    }
    if (token.kind != TokenKind::kPunctuation || token.text.size() != 1) continue;
    const char c = token.text[0];
    if (c == '(' || c == '[' || c == '{') brackets.open(i);
    if (c != ')' && c != ']' && c != '}') continue;
    const int opening = brackets.innermost();
    if (opening < 0 || closing_of((*this)[opening].text[0]) != c) continue;
    brackets.close();
    partners_[static_cast<std::size_t>(i)] = opening;
    partners_[static_cast<std::size_t>(opening)] = i;
  }
}

}  // namespace nibble::simt
