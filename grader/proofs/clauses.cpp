// Cuts a contract's comments into sentences, formulas and drawings; reads and writes the table that
// says what holds each of them.
#include "proofs/clauses.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <regex>

#include "files/files.hpp"
#include "lab/lab_files.hpp"
#include "text/format_error.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWidth = 100;
constexpr std::string_view kIndent = "    ";

/// The words of a comment that is a line of its own; nothing for code.
std::optional<std::string> comment_of(const std::string& line) {
  static const std::regex comment("^\\s*(?:///?|///<)( |$)(.*)");
  std::smatch match;
  if (!std::regex_match(line, match, comment)) return std::nullopt;
  return match[2].str();
}

/// "scale: normal and > 0" of `float scale;  ///< normal and > 0`.
std::optional<std::string> member_comment(const std::string& line) {
  static const std::regex member(R"(^.*?(\w+)(?:\{[^}]*\}| = [^;]*)?[;,]?\s*///?<?\s+(.*))");
  std::smatch match;
  if (line.find("///<") == std::string::npos || !std::regex_match(line, match, member))
    return std::nullopt;
  return match[1].str() + ": " + match[2].str();
}

std::uint32_t number_of(const std::vector<std::string>& lines) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const std::string& line : lines) {
    for (const char c : line + "\n") hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  }
  return hash & 0xffff;
}

/// A word that begins a sentence: in upper case, a number, a name of one letter, or a call as
/// round().
bool begins_sentence(std::string_view word) {
  return word.size() == 1 || !std::islower(static_cast<unsigned char>(word.front())) ||
         word.find_first_of("([_") != std::string_view::npos;
}

/// Behind the stop at `at`, before a blank.
bool ends_sentence(std::string_view text, std::size_t at) {
  if (text[at] != '.' && text[at] != ';') return false;
  if (at + 1 == text.size()) return true;
  if (text[at + 1] != ' ') return false;
  const std::string_view rest = text.substr(at + 2);
  return text[at] == ';' || begins_sentence(rest.substr(0, rest.find(' ')));
}

/// A bracket that is open holds a sentence together.
std::vector<std::string> sentences_of(const std::string& text) {
  std::vector<std::string> sentences;
  std::size_t begin = 0;
  int open = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    open += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (open > 0 || !ends_sentence(text, at)) continue;
    sentences.push_back(text.substr(begin, at + 1 - begin));
    begin = at + 2;
  }
  if (begin < text.size()) sentences.push_back(text.substr(begin));
  return sentences;
}

/// Takes a contract's comments line by line, and gives clauses.
class Cutting {
 public:
  void take(const std::string& line) {
    if (const auto member = member_comment(line)) {
      end_all();
      prose_ = *member;
      return;
    }
    const auto words = comment_of(line);
    if (!words || text::trim(*words).empty()) {
      end_all();
    } else if (words->starts_with("  ")) {
      end_sentences();
      block_.push_back(*words);
    } else {
      end_block();
      prose_ += (prose_.empty() ? "" : " ") + text::squeeze(*words);
    }
  }

  std::vector<std::string> done() {
    end_all();
    return std::move(clauses_);
  }

 private:
  void add_sentences(const std::string& text) {
    for (std::string& sentence : sentences_of(text)) {
      if (sentence.starts_with("---")) continue;
      clauses_.push_back(std::move(sentence));
    }
  }

  void end_sentences() {
    add_sentences(prose_);
    prose_.clear();
  }

  void end_block() {
    if (block_.empty()) return;
    std::string first = text::squeeze(block_.front());
    if (block_.size() > 1)
      first += fmt::format(" [{} lines, {:04x}]", block_.size(), number_of(block_));
    clauses_.push_back(std::move(first));
    block_.clear();
  }

  void end_all() {
    end_sentences();
    end_block();
  }

  std::vector<std::string> clauses_, block_;
  std::string prose_;
};

/// "Lab 03: …", that the file is the contract, and what becomes of a requirement that is not met:
/// each requirement is a clause already.
bool says_nothing_new(const std::string& clause) {
  static const std::regex what(
      "Lab [0-9][0-9]: .*|This header is the contract: .*|Otherwise throws "
      "std::invalid_argument\\.");
  return std::regex_match(clause, what);
}

/// A clause, or something said of it; lines that go on are joined.
struct Item {
  std::string text;
  bool is_indented;
  int line;  ///< its first
};

std::vector<Item> items_of(std::string_view table) {
  const std::string deeper = std::string(kIndent) + std::string(kIndent);
  std::vector<Item> items;
  int number = 0;
  bool goes_on = false;  // the line before was part of a clause
  for (const std::string& line : text::lines_of(table)) {
    ++number;
    const std::string words = text::trim(line);
    const bool is_indented = line.starts_with(kIndent);
    if (words.empty() || line.starts_with("# ")) {
      goes_on = false;
      continue;
    }
    if (!items.empty() && (is_indented ? line.starts_with(deeper) : goes_on)) {
      items.back().text += " " + words;
    } else {
      items.push_back({words, is_indented, number});
    }
    goes_on = !is_indented;
  }
  return items;
}

Holder read_holder(const Item& item) {
  static const std::regex holder(R"((\w+\.\w+): (\w+(?:, \w+)*))"), name(R"(\w+)");
  std::smatch match;
  if (!std::regex_match(item.text, match, holder)) {
    throw text::FormatError(item.line,
                            "want `exercise.Check: mistake, mistake` or `- why nothing has to "
                            "hold it`, got: " +
                                item.text);
  }
  const std::string names = match[2];
  Holder found{match[1], {}};
  for (std::sregex_iterator one(names.begin(), names.end(), name), none; one != none; ++one)
    found.mistakes.push_back(one->str());
  return found;
}

/// In lines of no more than a hundred columns; all but the first begin with `deeper`.
std::string wrapped(const std::string& text, std::string line, std::string_view deeper) {
  std::string out;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const bool is_first = begin == 0;
    if (!is_first && line.size() + 1 + word.size() > kWidth) {
      out += line + "\n";
      line = std::string(deeper) + word;
    } else {
      line += (is_first ? "" : " ") + word;
    }
  }
  return out + line + "\n";
}

std::string holders_text(const Clause& clause) {
  const std::string indent(kIndent), deeper = indent + indent;
  std::string out;
  for (const Holder& holder : clause.holders) {
    out += wrapped(fmt::format("{}: {}", holder.check, fmt::join(holder.mistakes, ", ")), indent,
                   deeper);
  }
  if (!clause.excuse.empty()) out += wrapped("- " + clause.excuse, indent, deeper);
  return out;
}

}  // namespace

std::vector<std::string> clauses_of(std::string_view contract) {
  Cutting cutting;
  for (const std::string& line : text::lines_of(contract)) cutting.take(line);
  std::vector<std::string> clauses = cutting.done();
  std::erase_if(clauses, says_nothing_new);
  return clauses;
}

std::vector<Clause> parse_clauses(std::string_view table) {
  std::vector<Clause> clauses;
  for (const Item& item : items_of(table)) {
    if (!item.is_indented) {
      clauses.push_back({item.text, {}, {}});
    } else if (clauses.empty()) {
      throw text::FormatError(item.line, "stands before the first clause: " + item.text);
    } else if (item.text.starts_with("- ")) {
      clauses.back().excuse = item.text.substr(2);
    } else {
      clauses.back().holders.push_back(read_holder(item));
    }
  }
  return clauses;
}

std::string write_clauses(const std::string& lab, const std::vector<std::string>& contract,
                          const std::vector<Clause>& known) {
  std::string out = fmt::format(
      "# Lab {}: its contract, sentence by sentence, and what holds it.\n", lab.substr(0, 2));
  std::vector<bool> used(known.size());
  for (const std::string& text : contract) {
    out += "\n" + wrapped(text, "", "");
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (used[i] || known[i].text != text) continue;
      used[i] = true;
      out += holders_text(known[i]);
      break;
    }
  }
  return out;
}

int draw_clauses(const fs::path& top, const lab::Lab& lab) {
  const lab::LabFiles files = lab::files_of(top, lab);
  const bool is_there = fs::exists(files.clauses);
  const auto known =
      is_there ? parse_clauses(files::read_file(files.clauses)) : std::vector<Clause>{};
  const auto contract = clauses_of(files::read_file(files.contract));
  const std::string table = write_clauses(lab.name, contract, known);
  files::write_atomically(files.clauses, table);
  const auto clauses = parse_clauses(table);
  fmt::print("{}: {} clauses, {} that nothing holds yet\n",
             fs::relative(files.clauses, top).string(), clauses.size(),
             std::ranges::count_if(clauses, is_open));
  return 0;
}

}  // namespace nibble::proofs
