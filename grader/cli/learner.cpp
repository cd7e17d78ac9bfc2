#include "cli/learner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "intake/source_text.hpp"
#include "text/pattern.hpp"

namespace nibble::cli {
namespace {

int line_at(std::string_view text, std::size_t offset) {
  return 1 +
         static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(offset), '\n'));
}

}  // namespace

std::filesystem::path learners_file(const lab::Kit& kit, const MarkedLab& lab) {
  return kit.root / lab.file();
}

std::filesystem::path picture_file(const lab::Kit& kit, const MarkedLab& lab) {
  return kit.root / ".nibble" / "out" / lab.name / "picture.json";
}

std::string read_learners_file(const lab::Kit& kit, const MarkedLab& lab) {
  const std::filesystem::path file = learners_file(kit, lab);
  const std::string shown = lab.file().string();
  if (!std::filesystem::is_regular_file(file)) {
    throw usage(fmt::format("{} is not there: ./nibble reset {} brings the starter back", shown,
                            lab.number()));
  }
  const std::uintmax_t bytes = std::filesystem::file_size(file);
  if (bytes > intake::kLargestSource) {
    throw Trouble(kNoCompile,
                  shown + " " + intake::too_large(bytes) + ": was something else saved there?");
  }
  std::string text = files::read_file(file);
  const std::string why = intake::why_not_source_text(text);
  if (why == "is empty") {
    throw Trouble(kNoCompile, fmt::format("{} is empty: write it, or ./nibble reset {} brings the "
                                          "starter back",
                                          shown, lab.number()));
  }
  if (!why.empty()) throw Trouble(kNoCompile, shown + " " + why);
  return text;
}

int line_of(std::string_view source, std::string_view function) {
  // At the start of a line, because a definition is not indented; a body may call the function.
  const text::Pattern pattern("(^|\n)[A-Za-z_][^\n;=]*\\b" + std::string(function) + "\\(");
  const auto found = pattern.search(source);
  return found ? line_at(source, found->begin + (*found)[1].size()) : 0;
}

}  // namespace nibble::cli
