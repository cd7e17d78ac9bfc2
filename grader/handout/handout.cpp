// Composes the files of the list, adds what a lab needs in place of its
// solution, and looks for leaks before it writes.
#include "handout/handout.hpp"
#include "record/codec.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <iostream>
#include <stdexcept>

#include "compile/compile.hpp"
#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "handout/copied_lines.hpp"
#include "handout/handout_cut.hpp"
#include "handout/handout_list.hpp"
#include "handout/handout_update.hpp"
#include "handout/leaks.hpp"
#include "lab/cut.hpp"
#include "lab/lab_files.hpp"
#include "lab/not_built.hpp"
#include "lab/on_demand.hpp"
#include "language/catalog.hpp"
#include "report/estimate.hpp"
#include "report/machine.hpp"
#include "report/speed.hpp"
#include "run/count_book.hpp"
#include "run/judging.hpp"
#include "run/salt.hpp"
#include "text/lines.hpp"

namespace nibble::handout {
namespace {

namespace fs = std::filesystem;

void must_be_new(const fs::path& out) {
  if (fs::exists(out) && !(fs::is_directory(out) && fs::is_empty(out))) {
    throw std::invalid_argument(out.string() +
                                " is there and not empty: name a folder that is not there yet, so "
                                "that nothing old stays in the handout");
  }
}

compile::Built compile_solution(const lab::Kit& kit, const lab::Lab& lab, const fs::path& work) {
  const std::string source = files::read_file(compile::published_solution(kit, lab));
  compile::Built built =
      compile::compile_child(kit, {lab, source, protocol::Leg::kPlain, work, {}, {}});
  if (!built.ok) throw std::runtime_error("the solution of " + lab.name + " does not compile");
  return built;
}

std::string count_book_of(const lab::Kit& kit, const lab::Lab& lab) {
  const files::ScratchFolder work(kit.notes() / "handout");
  return run::count_book_of(kit, lab, compile_solution(kit, lab, work.path()).executable);
}

/// What a submission may include stands once more where no learner edits: that copy is judged by.
void keep_headers(HandoutFiles& files) {
  HandoutFiles kept;
  for (const auto& [file, text] : files) {
    const bool read_by_learners = file.string().starts_with("labs/") ||
                                  file.string().starts_with("common/nibble/") ||
                                  file.string().starts_with("common/simt/include/") ||
                                  file.string().starts_with("common/simt/cuda/");
    const bool is_header = file.extension() == ".hpp" || file.extension() == ".h";
    if (read_by_learners && is_header) kept[fs::path("grader") / "headers" / file] = text;
  }
  files.merge(kept);
}

/// The share of this machine's ceilings that the published solution reaches.
/// Timed beside itself, as a learner's will be.
std::string speed_book_of(const lab::Kit& kit, const lab::Lab& lab) {
  const files::ScratchFolder work(kit.notes() / "handout");
  const compile::Built built = compile_solution(kit, lab, work.path());
  const run::Judged judged = run::judge(kit, {{.lab = lab.name,
                                               .leg = protocol::Leg::kSpeed,
                                               .child = built.executable,
                                               .published = built.executable}});
  if (!judged.has_verdict()) {
    throw std::runtime_error(lab.name + ": " + judged.message);
  }
  return record::text_of(report::speed_book(judged.verdict, report::this_machine()));
}

/// The labs whose published solution is run for its numbers: the others need not be built.
struct ToMeasure {
  std::vector<lab::Lab> counted, timed;
};

ToMeasure what_to_measure(const lab::Kit& kit, const std::vector<lab::Lab>& labs) {
  ToMeasure to_measure;
  for (const lab::Lab& lab : labs) {
    const record::Scheme scheme = record::read_scheme(files::read_file(kit.scheme(lab.name)));
    if (lab.is_cuda()) to_measure.counted.push_back(lab);
    if (report::has_speed_rows(scheme, "")) to_measure.timed.push_back(lab);
  }
  return to_measure;
}

void must_be_built(const lab::Kit& kit, const ToMeasure& to_measure) {
  std::vector<lab::Lab> labs = to_measure.counted;
  labs.insert(labs.end(), to_measure.timed.begin(), to_measure.timed.end());
  const std::vector<std::string> names = names_of(labs);
  lab::have_built(kit, names);
  for (const std::string& lab : names) {
    const std::string why = lab::why_not_built(kit, lab);
    if (!why.empty()) throw std::runtime_error(lab + " is not built: " + why);
  }
}

void tell(const char* doing, const lab::Lab& lab) {
  fmt::print(std::cout, "  {:<12} {}\n", doing, lab.name);
  std::cout.flush();
}

void add_lab(const lab::Kit& kit, const lab::Lab& lab, HandoutFiles& files) {
  const lab::LabFiles lab_files = lab::files_of(kit.source, lab);
  const std::string starter = lab::cut_starter(files::read_file(lab_files.solution));
  files[lab.file()] = starter;
  files[fs::path("grader") / "starters" / lab.name / lab.file_name()] = starter;
}

/// The rows of the README's table, in a README of its own.
std::string readme_of(const lab::Kit& kit, const std::vector<std::string>& labs) {
  std::string rows;
  for (const std::string& line :
       text::lines_of(without_other_labs(files::read_file(kit.source / "README.md"), labs))) {
    if (line.starts_with("| [") && line.find("](labs/") != line.npos) rows += line + '\n';
  }
  std::string page = files::read_file(kit.source / "grader/handout/handout_readme.md");
  constexpr std::string_view kPlace = "{labs}\n";
  return page.replace(page.find(kPlace), kPlace.size(), rows);
}

void shorten_pages(HandoutFiles& files) {
  const auto exists = [&](const fs::path& path) {
    const auto found = files.lower_bound(path);
    return found != files.end() &&
           (found->first == path || found->first.string().starts_with(path.string() + "/"));
  };
  for (auto& [file, text] : files) {
    if (file.extension() == ".md") text = without_dead_links(text, file, exists);
  }
}

HandoutFiles compose(const lab::Kit& kit, const std::vector<lab::Lab>& labs) {
  const std::vector<std::string> names = names_of(labs);
  HandoutFiles files;
  const std::string list = files::read_file(kit.source / "grader/handout/handout.txt");
  for (const fs::path& file : listed_files(kit.source, list, names)) {
    try {
      files[file] = without_hidden_parts(files::read_file(kit.source / file));
    } catch (const std::exception& error) {
      throw std::runtime_error(file.string() + ": " + error.what());
    }
  }
  for (const char* const file : {"labs/CMakeLists.txt", "docs/README.md"}) {
    files.at(file) = without_other_labs(files.at(file), names);
  }
  for (const lab::Lab& lab : labs) add_lab(kit, lab, files);
  keep_headers(files);
  files["README.md"] = readme_of(kit, names);
  files["AGENTS.md"] = files::read_file(kit.source / "grader/handout/handout_agents.md");
  shorten_pages(files);
  return files;
}

SolutionLines all_solutions(const lab::Kit& kit) {
  SolutionLines all;
  for (const lab::Lab& lab : lab::labs_with_solution(kit)) {
    const lab::LabFiles files = lab::files_of(kit.source, lab);
    const std::string solution = files::read_file(files.solution);
    const std::string given = files::read_file(files.contract) + lab::cut_starter(solution);
    for (const lab::SolutionPart& region : lab::solution_regions(solution)) {
      all.add(lab.name, text::text_of(region.lines), given);
    }
    for (const fs::path& other : files.alternatives)
      all.add(lab.name, files::read_file(other), given);
  }
  return all;
}

/// What a page about a lab tells of its solution, as check-kit asks it.
std::string told_by_page(const fs::path& file, const std::string& text, const lab::Kit& kit) {
  if (file.extension() != ".md" || *file.begin() != "labs") return "";
  const lab::LabFiles lab =
      lab::files_of(kit.source, kit.lab(file.parent_path().filename().string()));
  const std::string solution = files::read_file(lab.solution);
  const std::string given = files::read_file(lab.contract) + lab::cut_starter(solution);
  const std::vector<std::string> found = leaks(lab::solution_regions(solution), text, given);
  return found.empty() ? "" : found.front();
}

void write(const fs::path& out, const HandoutFiles& files, const fs::path& top) {
  for (const auto& [file, text] : files) {
    files::write_atomically(out / file, text);
    if (fs::exists(top / file)) fs::permissions(out / file, fs::status(top / file).permissions());
  }
}

}  // namespace

std::vector<std::string> leaks_in(const lab::Kit& kit, const HandoutFiles& files) {
  const SolutionLines solutions = all_solutions(kit);
  const std::string salt = run::salt_of_environment();
  std::vector<std::string> found;
  for (const auto& [file, text] : files) {
    std::string leak = solutions.copy_in(text);
    if (leak.empty()) leak = told_by_page(file, text, kit);
    if (!salt.empty() && text.find(salt) != text.npos) leak = "holds the course's secret";
    if (!leak.empty()) found.push_back(file.string() + ": " + leak);
  }
  return found;
}

namespace {

int write_update(const lab::Kit& kit, const Handout& what, const HandoutFiles& files,
                 const std::vector<std::string>& labs) {
  HandoutUpdate update = update_of(files, what.update, labs);
  if (update.files.empty() && update.gone.empty()) {
    fmt::print(std::cout, "nothing differs from {}\n", what.update.string());
    return 0;
  }
  const std::size_t count = update.files.size();
  update.files["UPDATE.md"] = update_page(update);
  write(what.out, update.files, kit.source);
  fmt::print(
      std::cout,
      "update       {}   {} files of {}, {} gone; nothing that students write\n"
      "points       {}\n"
      "next         publish the folder: students copy it over their kit; UPDATE.md tells them\n",
      what.out.string(), count, files.size(), update.gone.size(),
      update.labs.empty() ? "stay what they are"
                          : fmt::format("may change in {}", fmt::join(update.labs, ", ")));
  return 0;
}

/// Of the labs that are handed out.
lab::HintBudget hints_for(const Handout& what, const std::vector<lab::Lab>& labs) {
  lab::HintBudget hints;
  for (const lab::Lab& lab : labs) {
    const auto found = what.hints.find(lab.name);
    if (found != what.hints.end()) hints.insert(*found);
  }
  return hints;
}

}  // namespace

int hand_out(const lab::Kit& kit, const Handout& what) {
  const std::vector<lab::Lab> labs = lab::labs_with_solution(kit, what.labs);
  must_be_new(what.out);
  HandoutFiles files = compose(kit, labs);
  if (const lab::HintBudget hints = hints_for(what, labs); !hints.empty()) {
    files[lab::kHintBudget] = lab::text_of(hints);
  }
  if (!what.language.empty()) {
    files[fs::path("grader") / "language" / language::kOfCourse] = what.language + "\n";
  }
  const std::vector<std::string> found = leaks_in(kit, files);
  for (const std::string& leak : found) fmt::print(std::cout, "  gives away   {}\n", leak);
  if (!found.empty()) {
    fmt::print(std::cout, "nothing is written: these files would give solutions away\n");
    return 1;
  }
  files[lab::kHandoutId] = handout_id(files) + "\n";
  const ToMeasure to_measure = what.counts ? what_to_measure(kit, labs) : ToMeasure{};
  must_be_built(kit, to_measure);
  for (const lab::Lab& lab : to_measure.counted) {
    tell("counting", lab);
    files[kit.count_book(lab.name).lexically_relative(kit.source)] = count_book_of(kit, lab);
  }
  for (const lab::Lab& lab : to_measure.timed) {
    tell("measuring", lab);
    files[kit.speed_book(lab.name).lexically_relative(kit.source)] = speed_book_of(kit, lab);
  }
  if (!what.update.empty()) return write_update(kit, what, files, names_of(labs));
  write(what.out, files, kit.source);
  fmt::print(
      std::cout,
      "handout      {}   {} labs, {} files: no solution, no hidden check, no history\n"
      "counts       {} labs of kernels bring the published solution's numbers\n"
      "estimates    {} labs of fast kernels bring the share of a machine's ceiling that it "
      "reaches\n"
      "not in it    speed points: they take the published solution, so they are yours to measure\n"
      "next         cd {} && ./nibble, as a student will; then publish the folder as it is\n",
      what.out.string(), labs.size(), files.size(), to_measure.counted.size(),
      to_measure.timed.size(), what.out.string());
  return 0;
}

}  // namespace nibble::handout
