// Reads the groups and edits of a mistakes file line by line, and
// applies one where its old text stands once.
#include "proofs/mistakes.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include "nibble/cpu.hpp"
#include "text/format_error.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

bool is_isa(const std::string& name) {
  return std::ranges::find(kEveryIsa, name, [](Isa isa) { return name_of(isa); }) !=
         kEveryIsa.end();
}

constexpr std::string_view kMark = "// <- here";

/// A mark that is misspelt would be a comment, and ask for nothing.
bool has_misspelt_mark(std::string_view new_text) {
  static const std::regex like_a_mark(R"(//\s*(<\s*-|here\b))");
  const std::string rest = text::replaced(std::string(new_text), kMark, "");
  return std::regex_search(rest, like_a_mark);
}

/// Reads the file from top to bottom, one line at a time.
class MistakesReader {
 public:
  explicit MistakesReader(std::string_view text) : lines_(text::lines_of(text)) {}

  std::vector<Mistake> run() {
    while (at_ < lines_.size()) {
      const std::string line = text::trim(lines_[at_++]);
      if (line.empty() || line.front() == '#') continue;
      if (line.front() == '[') {
        read_group(line);
      } else {
        read_mistake(line);
      }
    }
    return std::move(found_);
  }

 private:
  int number() const { return static_cast<int>(at_); }  // of the line read last, from 1

  void read_group(const std::string& line) {
    static const std::regex group(R"(\[([a-z][a-z0-9_]*)\])");
    std::smatch match;
    if (!std::regex_match(line, match, group)) {
      throw text::FormatError(number(), "not the name of an exercise: " + line);
    }
    exercise_ = match[1];
  }

  void read_mistake(const std::string& line) {
    static const std::regex head(
        R"(([a-z][a-z0-9_]*): (N-[A-Z0-9-]+) (.+?)(?: \[needs ([a-z0-9_]+)\])?)");
    std::smatch match;
    if (!std::regex_match(line, match, head)) {
      throw text::FormatError(number(), "want `name: N-CODE sentence`, got: " + line);
    }
    if (exercise_.empty()) {
      throw text::FormatError(number(), match[1].str() + " stands before the first [exercise]");
    }
    Mistake mistake{exercise_, match[1], match[2], match[3], match[4], {}, number()};
    if (!mistake.needs.empty() && !is_isa(mistake.needs)) {
      throw text::FormatError(number(), "no instruction set is called " + mistake.needs);
    }
    if (!names_.insert(mistake.name).second) {
      throw text::FormatError(number(), mistake.name + " is there twice");
    }
    while (at_ < lines_.size() && text::trim(lines_[at_]) == "<<<") {
      ++at_;
      mistake.edits.push_back(read_edit(mistake));
    }
    if (mistake.edits.empty()) {
      throw text::FormatError(number() + 1, mistake.name + ": want <<< on the next line");
    }
    found_.push_back(std::move(mistake));
  }

  Edit read_edit(const Mistake& mistake) {
    Edit edit{read_until("===", mistake.name), read_until(">>>", mistake.name)};
    if (text::trim(edit.old_text).empty())
      throw text::FormatError(mistake.line, "replaces nothing");
    if (edit.old_text == edit.new_text) throw text::FormatError(mistake.line, "changes nothing");
    if (has_misspelt_mark(edit.new_text)) {
      throw text::FormatError(mistake.line,
                              mistake.name + ": a mark is written " + std::string(kMark));
    }
    return edit;
  }

  /// The lines before `end`, joined; the last without its line end.
  std::string read_until(std::string_view end, const std::string& name) {
    std::string text;
    for (bool first = true; at_ < lines_.size(); first = false) {
      const std::string& line = lines_[at_++];
      const std::string word = text::trim(line);
      if (word == end) return text;
      if (word == "<<<" || word == "===" || word == ">>>") {
        throw text::FormatError(number(), name + ": want " + std::string(end) + ", got " + word);
      }
      text += (first ? "" : "\n") + line;
    }
    throw text::FormatError(number(), name + " has no " + std::string(end));
  }

  std::vector<std::string> lines_;
  std::size_t at_ = 0;
  std::string exercise_;
  std::set<std::string> names_;
  std::vector<Mistake> found_;
};

}  // namespace

std::vector<Mistake> parse_mistakes(std::string_view text) {
  std::vector<Mistake> found = MistakesReader(text).run();
  if (found.empty()) throw text::FormatError(1, "there is no mistake in this file");
  std::size_t edits = 0;
  for (const Mistake& mistake : found) edits += mistake.edits.size();
  const int opened = count_edits(text);
  if (opened != static_cast<int>(edits)) {
    throw text::FormatError(1, std::to_string(opened) + " edits are opened, but " +
                                   std::to_string(edits) + " were read");
  }
  return found;
}

int count_edits(std::string_view text) { return text::count_of("\n<<<\n", text); }

namespace {

std::string with_marks(const Mistake& mistake, std::string_view solution) {
  std::string text(solution);
  for (const auto& [old_text, new_text] : mistake.edits) {
    const int places = text::count_of(old_text, text);
    if (places != 1) {
      throw text::FormatError(mistake.line, mistake.name + " applies " + std::to_string(places) +
                                                " times to the solution, not once");
    }
    text.replace(text.find(old_text), old_text.size(), new_text);
  }
  return text;
}

}  // namespace

std::string apply_mistake(const Mistake& mistake, std::string_view solution) {
  return text::replaced(with_marks(mistake, solution), kMark, "");
}

std::vector<int> marked_lines(const Mistake& mistake, std::string_view solution) {
  const std::vector<std::string> text = text::lines_of(with_marks(mistake, solution));
  std::vector<int> marked;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text::count_of(kMark, text[i]) > 0) marked.push_back(static_cast<int>(i) + 1);
  }
  return marked;
}

}  // namespace nibble::proofs
