#include "proofs/source_files.hpp"

#include <algorithm>

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;

bool is_cpp(const fs::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".cpp" || ending == ".hpp" || ending == ".cu" || ending == ".cuh";
}

bool is_build_file(const fs::path& file) {
  const std::string name = file.filename().string();
  return name == "CMakeLists.txt" || name == "CMakePresets.json" || file.extension() == ".cmake";
}

void add_tree(std::vector<fs::path>& found, const fs::path& top, const fs::path& folder,
              bool (*wanted)(const fs::path&)) {
  if (!fs::is_directory(top / folder)) return;
  for (const auto& entry : fs::recursive_directory_iterator(top / folder)) {
    if (entry.is_regular_file() && wanted(entry.path())) {
      found.push_back(fs::relative(entry.path(), top));
    }
  }
}

/// Attacks, in folders of their room, break rules: it is what they are for.
bool is_attack(const fs::path& file) {
  return file.parent_path().parent_path().filename() == "attacks";
}

bool is_source(const fs::path& file) {
  return (is_cpp(file) || is_build_file(file)) && !is_attack(file);
}

bool is_page(const fs::path& file) { return file.extension() == ".md"; }

}  // namespace

std::vector<fs::path> source_files(const fs::path& top, const std::vector<std::string>& labs) {
  std::vector<fs::path> found;
  if (labs.empty()) {
    for (const char* const folder : {"common", "labs", "solutions", "grader", "docs"}) {
      add_tree(found, top, folder, is_source);
    }
    for (const char* const file : {"CMakeLists.txt", "CMakePresets.json", "nibble", ".ci/run"}) {
      if (fs::is_regular_file(top / file)) found.emplace_back(file);
    }
  }
  for (const std::string& lab : labs) {
    add_tree(found, top, fs::path("labs") / lab, is_source);
    add_tree(found, top, fs::path("solutions") / lab, is_source);
    add_tree(found, top, fs::path("grader/checks") / lab, is_source);
  }
  std::ranges::sort(found);
  return found;
}

std::vector<fs::path> pages_of(const fs::path& top, const std::vector<std::string>& labs) {
  std::vector<fs::path> found;
  if (labs.empty()) add_tree(found, top, "docs", is_page);
  for (const std::string& lab : labs) {
    const fs::path chapter = fs::path("docs") / "book" / (lab + ".md");
    if (fs::exists(top / chapter)) found.push_back(chapter);
  }
  for (fs::path& page : found) page = top / page;
  std::ranges::sort(found);
  return found;
}

bool is_layered(const fs::path& file) {
  if (!is_cpp(file)) return false;
  const std::string top = file.begin()->string();
  return top != "docs" || *std::next(file.begin()) == "examples";
}

}  // namespace nibble::proofs
