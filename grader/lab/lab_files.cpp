#include "lab/lab_files.hpp"

#include <algorithm>
#include <stdexcept>

#include "lab/kit.hpp"

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

LabFiles files_of(const fs::path& top, const std::string& lab) {
  const std::string base = base_name(lab);
  const fs::path folder = top / "labs" / lab;
  LabFiles files;
  files.lab = lab;
  const fs::path source = file_name(lab);
  files.solution = top / "solutions" / lab / source;
  files.starter = folder / source;
  files.contract = folder / (base + ".hpp");
  files.readme = folder / "README.md";
  files.hints = folder / "hints.md";
  files.checks = top / "grader" / "checks" / (lab + ".cpp");
  files.marks = top / "grader" / "checks" / "marks" / (lab + ".hpp");
  files.clauses = top / "grader" / "checks" / "clauses" / (lab + ".txt");
  files.mistakes = top / "grader" / "mistakes" / (lab + ".txt");
  files.page = top / "docs" / "book" / (lab + ".md");
  const fs::path alternatives = top / "grader" / "alternatives" / lab;
  if (!fs::is_directory(alternatives)) return files;
  for (const auto& entry : fs::directory_iterator(alternatives)) {
    if (entry.path().extension() == source.extension()) files.alternatives.push_back(entry.path());
  }
  std::ranges::sort(files.alternatives);
  return files;
}

std::vector<std::string> labs_with_solution(const fs::path& top) {
  std::vector<std::string> labs;
  if (!fs::is_directory(top / "solutions")) return labs;
  for (const auto& entry : fs::directory_iterator(top / "solutions")) {
    if (entry.is_directory()) labs.push_back(entry.path().filename().string());
  }
  std::ranges::sort(labs);
  return labs;
}

bool is_called(const std::string& lab, const std::string& word) {
  return word == lab || word == lab.substr(0, lab.find('_')) || word == base_name(lab);
}

std::vector<std::string> choose_labs(const std::vector<std::string>& all,
                                     const std::vector<std::string>& wanted) {
  if (wanted.empty()) return all;
  std::vector<std::string> chosen;
  for (const std::string& word : wanted) {
    const auto found =
        std::ranges::find_if(all, [&](const std::string& lab) { return is_called(lab, word); });
    if (found == all.end()) throw std::invalid_argument("no lab is called " + word);
    if (std::ranges::find(chosen, *found) == chosen.end()) chosen.push_back(*found);
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace nibble::lab
