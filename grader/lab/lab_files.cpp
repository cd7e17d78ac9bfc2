#include "lab/lab_files.hpp"

#include <algorithm>
#include <set>

namespace nibble::lab {

namespace fs = std::filesystem;

namespace {

/// Files whose names end so, sorted; none where there is no such folder.
std::vector<fs::path> sources_in(const fs::path& folder, const std::set<std::string>& endings) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (endings.contains(entry.path().extension().string())) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

std::vector<fs::path> LabFiles::missing() const {
  std::vector<fs::path> gone;
  for (const fs::path& file :
       {solution, starter, contract, readme, hints, marks, hidden, mistakes, page}) {
    if (!fs::is_regular_file(file)) gone.push_back(file);
  }
  return gone;
}

LabFiles files_of(const fs::path& top, const Lab& lab) {
  const fs::path folder = top / "labs" / lab.name;
  LabFiles files;
  files.lab = lab;
  const fs::path source = lab.file_name();
  files.solution = top / "solutions" / lab.name / source;
  files.starter = folder / source;
  files.contract = folder / lab.contract_name();
  files.readme = folder / "README.md";
  files.hints = folder / "hints.md";
  const fs::path checks = top / "grader" / "checks" / lab.name;
  files.marks = checks / "marks.cpp";
  files.clauses = checks / "clauses.txt";
  files.hidden = checks / "hidden.cpp";
  files.checks = sources_in(checks, {".cpp", ".hpp"});
  std::erase_if(files.checks,
                [&](const fs::path& file) { return file == files.marks || file == files.hidden; });
  files.mistakes = top / "grader" / "mistakes" / (lab.name + ".txt");
  files.page = top / "docs" / "book" / (lab.name + ".md");
  files.alternatives =
      sources_in(top / "grader" / "alternatives" / lab.name, {source.extension().string()});
  return files;
}

std::vector<Lab> labs_with_solution(const Kit& kit, const std::vector<std::string>& wanted) {
  std::vector<Lab> labs = kit.choose(wanted);
  if (wanted.empty()) {
    std::erase_if(labs, [&](const Lab& lab) {
      return !fs::is_directory(kit.source / "solutions" / lab.name);
    });
  }
  return labs;
}

}  // namespace nibble::lab
