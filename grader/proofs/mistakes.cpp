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
    Mistake mistake{exercise_, match[1], match[2], match[3], match[4], "", "", number()};
    if (!mistake.needs.empty() && !is_isa(mistake.needs)) {
      throw text::FormatError(number(), "no instruction set is called " + mistake.needs);
    }
    if (!names_.insert(mistake.name).second) {
      throw text::FormatError(number(), mistake.name + " is there twice");
    }
    if (at_ == lines_.size() || text::trim(lines_[at_++]) != "<<<") {
      throw text::FormatError(number(), mistake.name + ": want <<< on the next line");
    }
    mistake.old_text = read_until("===", mistake.name);
    mistake.new_text = read_until(">>>", mistake.name);
    if (text::trim(mistake.old_text).empty())
      throw text::FormatError(mistake.line, "replaces nothing");
    if (mistake.old_text == mistake.new_text)
      throw text::FormatError(mistake.line, "changes nothing");
    found_.push_back(std::move(mistake));
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
  const int counted = count_mistakes(text);
  if (counted != static_cast<int>(found.size())) {
    throw text::FormatError(1, std::to_string(counted) + " edits are opened, but " +
                                   std::to_string(found.size()) + " mistakes were read");
  }
  return found;
}

int count_mistakes(std::string_view text) { return text::count_of("\n<<<\n", text); }

std::string apply_mistake(const Mistake& mistake, std::string_view solution) {
  const int places = text::count_of(mistake.old_text, solution);
  if (places != 1) {
    throw text::FormatError(mistake.line, mistake.name + " applies " + std::to_string(places) +
                                              " times to the solution, not once");
  }
  std::string text(solution);
  return text.replace(text.find(mistake.old_text), mistake.old_text.size(), mistake.new_text);
}

}  // namespace nibble::proofs
