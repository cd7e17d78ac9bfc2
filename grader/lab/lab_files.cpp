#include "lab/lab_files.hpp"

#include <algorithm>

namespace nibble::lab {

namespace fs = std::filesystem;

std::vector<fs::path> LabFiles::missing() const {
  std::vector<fs::path> gone;
  for (const fs::path& file :
       {solution, starter, contract, readme, hints, checks, marks, mistakes, page}) {
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
  files.checks = top / "grader" / "checks" / (lab.name + ".cpp");
  files.marks = top / "grader" / "checks" / "marks" / (lab.name + ".hpp");
  files.clauses = top / "grader" / "checks" / "clauses" / (lab.name + ".txt");
  files.mistakes = top / "grader" / "mistakes" / (lab.name + ".txt");
  files.page = top / "docs" / "book" / (lab.name + ".md");
  const fs::path alternatives = top / "grader" / "alternatives" / lab.name;
  if (!fs::is_directory(alternatives)) return files;
  for (const auto& entry : fs::directory_iterator(alternatives)) {
    if (entry.path().extension() == source.extension()) files.alternatives.push_back(entry.path());
  }
  std::ranges::sort(files.alternatives);
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
