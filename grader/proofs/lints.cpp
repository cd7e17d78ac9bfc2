// The rules as a table of patterns, and two that need more than one:
// how wide a comment is, how a long file opens.
#include "proofs/lints.hpp"

#include <algorithm>
#include <regex>

#include "lab/kit.hpp"
#include "text/cpp_text.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;

bool is_cpp(const fs::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".cpp" || ending == ".hpp" || ending == ".cu" || ending == ".cuh";
}

bool is_check(const fs::path& file) {
  return is_cpp(file) && file.generic_string().starts_with("grader/checks/");
}

bool is_build_file(const fs::path& file) { return !is_cpp(file); }

/// A starter and the solution it is cut from hold the learner's tasks.
bool is_not_a_learners(const fs::path& file) {
  const std::string top = file.begin()->string();
  return is_cpp(file) && !(top == "labs" && file.extension() != ".hpp") && top != "solutions";
}

/// What leaves the kit: not its tests and benchmarks, which write what they have made themselves.
bool is_of_the_grader(const fs::path& file) {
  const std::string path = file.generic_string();
  return is_cpp(file) && path.starts_with("grader/") && !path.starts_with("grader/tests/") &&
         path.find("/bench/") == std::string::npos;
}

struct Rule {
  bool (*applies)(const fs::path&);
  bool code_only;      ///< comments and strings are not looked at
  std::regex pattern;  ///< its last group, or all of it, is the word that is banned
  const char* why;
};

// The words are written in two parts, so that this file does not break its own rules.
const std::vector<Rule>& rules() {
  static const std::vector<Rule> all{
      {is_build_file, false,
       std::regex("-f"
                  "fast-math"),
       "with fast-math a comparison accepts NaN"},
      {is_not_a_learners, false,
       std::regex("\\bTO"
                  "DO\\b"),
       "ours go to the issue tracker; a learner's stand in starters"},
      // An epsilon is a small number on a line that compares,
      // unless that looks at the inputs' health.
      {is_check, true,
       std::regex(R"(^(?!.*healthy)(?=.*(near|toler|eps|abs\(|[<>]=?\s*\.?\d)).*?)"
                  R"(((?:\d+\.?\d*|\.\d+)[eE]-\d+[fF]?|\b0\.0\d*[1-9]\d*[fF]?))"),
       "a check holds no epsilon: tolerances are derived in judge/tolerance.hpp"},
      {is_cpp, true, std::regex(R"(\bstd::\w+_distribution\b)"),
       "its numbers differ from library to library: use judge/tensors.hpp"},
      {is_cpp, true, std::regex(R"(\bGTEST_SKIP\(\)\s*;)"), "a test is skipped for a reason"},
      {is_of_the_grader, true, std::regex(R"(\.dump\()"),
       "throws at bytes that are no UTF-8: use text/json_text.hpp"},
      {is_cpp, true, std::regex(R"(\bDISABLED_\w+)"), "a test that never runs proves nothing"},
  };
  return all;
}

constexpr std::size_t kColumns = 100, kLongFile = 100;

/// As an editor shows it: what continues a character of UTF-8 takes no column.
std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

/// clang-format keeps code short and leaves comments alone: it cannot tell prose from a drawing. A
/// drawing or a table (a gap of three blanks gives it away), an address and a starter's line behind
/// its mark may be wider.
bool is_long_comment(const fs::path& file, const std::string& line, const std::string& code) {
  static const std::regex wide(R"(\S {3,}\S|://|// NIBBLE-STUB: )");
  if (columns(line) <= kColumns || std::regex_search(line, wide)) return false;
  return is_cpp(file) ? text::trim(code).empty() : text::trim(line).starts_with('#');
}

/// A learner's file is explained by its contract.
bool opens_without_a_sentence(const fs::path& file, const std::vector<std::string>& lines) {
  return is_not_a_learners(file) && lines.size() > kLongFile && !lines[0].starts_with("//");
}

}  // namespace

std::vector<std::string> lint(const fs::path& file, std::string_view text) {
  const std::vector<std::string> whole = text::lines_of(text);
  const std::vector<std::string> code =
      is_cpp(file) ? text::lines_of(text::without_comments_and_strings(text)) : whole;
  const std::vector<std::string> bare =
      is_cpp(file) ? text::lines_of(text::without_comments(text)) : whole;
  std::vector<std::string> found;
  const auto report = [&](std::size_t line, const std::string& what) {
    found.push_back(file.string() + ":" + std::to_string(line) + ": " + what);
  };
  if (opens_without_a_sentence(file, whole))
    report(1, "a long file opens with a // that says what it holds");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    static const std::regex excused(R"(lint-ok: \S.*)");
    if (std::regex_search(whole[i], excused)) continue;
    if (is_long_comment(file, whole[i], bare[i])) report(i + 1, "a comment beyond column 100");
    for (const Rule& rule : rules()) {
      std::smatch match;
      const std::string& line = rule.code_only ? code[i] : whole[i];
      if (!rule.applies(file) || !std::regex_search(line, match, rule.pattern)) continue;
      const std::string word = match[match.size() - 1];
      report(i + 1, word + ": " + rule.why);
    }
  }
  return found;
}

}  // namespace nibble::proofs
