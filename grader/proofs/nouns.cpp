#include "proofs/nouns.hpp"

#include <algorithm>
#include <array>
#include <regex>

#include "text/cpp_text.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;

struct StandIn {
  std::string_view file, why;
};
constexpr std::array kStandIns = {
    StandIn{"grader/bench/ordinary/judge/call.hpp",
            "is compiled in the place of grader/judge/call.hpp, by checks that know its classes"},
};

bool is_stand_in(const std::string& file) {
  return std::ranges::count(kStandIns, file, &StandIn::file) > 0;
}

}  // namespace

std::set<std::string> classes_in(std::string_view text) {
  // clang-format leaves what is in no class and no function at the beginning of its line.
  static const std::regex declared(
      R"(^(?:struct|class|union|enum class|enum) (?:alignas\(\w+\) )?(\w+)(?: final)?)"
      R"((?: \{.*| : .*\{.*| : .*[^;])$)");
  std::set<std::string> classes;
  for (const std::string& line : text::lines_of(text::without_comments_and_strings(text))) {
    std::smatch match;
    if (std::regex_match(line, match, declared)) classes.insert(match[1]);
  }
  return classes;
}

bool has_nouns(const fs::path& file) {
  const std::string path = file.generic_string();
  const bool is_cpp = file.extension() == ".cpp" || file.extension() == ".hpp";
  const bool is_ours = path.starts_with("grader/") || path.starts_with("common/");
  const bool is_tried = path.find("/tests/") != std::string::npos ||
                        path.starts_with("grader/checks/") ||
                        path.starts_with("grader/alternatives/");
  return is_cpp && is_ours && !is_tried && !is_stand_in(path);
}

}  // namespace nibble::proofs
